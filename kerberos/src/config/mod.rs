//! `krb5.conf`, as MIT Kerberos reads it.

mod profile;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::{Enctype, Error, ErrorKind, Principal, Result};
use profile::Profile;

/// The settings of `krb5.conf`.
///
/// These settings are followed; [`Config::ignored_settings`] returns settings that change the
/// behaviour of MIT Kerberos but not of this crate.
///
/// | section | settings |
/// |---|---|
/// | `libdefaults` | `default_realm`, `permitted_enctypes`, `default_tkt_enctypes`, `default_tgs_enctypes`, `udp_preference_limit`, `clockskew`, `ticket_lifetime`, `renew_lifetime`, `forwardable`, `default_ccache_name`, `default_client_keytab_name`, `kdc_timeout` and `request_timeout` (seconds), `dns_canonicalize_hostname`, `rdns` |
/// | `realms` | `kdc` of each realm |
/// | `domain_realm` | all |
/// | `capaths` | all |
///
/// ```
/// use tallrow_kerberos::Config;
///
/// let config = Config::parse(
///     "[libdefaults]
///        default_realm = EXAMPLE.ORG
///      [realms]
///        EXAMPLE.ORG = {
///          kdc = kdc1.example.org
///          kdc = kdc2.example.org:8888
///        }
///      [domain_realm]
///        .example.org = EXAMPLE.ORG",
/// )?;
/// assert_eq!(config.default_realm(), Some("EXAMPLE.ORG"));
/// assert_eq!(config.realm_of_host("rs1.example.org"), Some("EXAMPLE.ORG"));
/// # Ok::<(), tallrow_kerberos::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Config {
    profile: Profile,
    top_level_files: Vec<PathBuf>,
}

const DEFAULTS: &str = "libdefaults";

/// The settings that change the behaviour of MIT Kerberos and that this crate does not follow.
const IGNORED: [&str; 14] = [
    "allow_weak_crypto",
    "ap_req_checksum_type",
    "canonicalize",
    "default_keytab_name",
    "dns_lookup_kdc",
    "dns_lookup_realm",
    "dns_uri_lookup",
    "enforce_ok_as_delegate",
    "extra_addresses",
    "ignore_acceptor_hostname",
    "k5login_authoritative",
    "noaddresses",
    "proxiable",
    "safe_checksum_type",
];

/// The address of a KDC.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct KdcAddress {
    pub(crate) host: String,
    pub(crate) port: u16,
    /// The only transport to use, if the file names one.
    pub(crate) only: Option<Transport>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Transport {
    Udp,
    Tcp,
}

impl Config {
    /// Reads the files that `KRB5_CONFIG` names, separated by colons, or `/etc/krb5.conf`.
    ///
    /// # Errors
    /// [`ErrorKind::Config`] if none of the files exists, or if one of them cannot be read or is
    /// malformed; the error names the file and, if it is malformed, the line. At most 1,000 files
    /// are included, and all files together have at most 16 MiB.
    ///
    /// ```no_run
    /// let config = tallrow_kerberos::Config::load()?;
    /// # Ok::<(), tallrow_kerberos::Error>(())
    /// ```
    pub fn load() -> Result<Self> {
        let named = std::env::var_os("KRB5_CONFIG").filter(|names| !names.is_empty());
        let paths: Vec<PathBuf> = match &named {
            Some(names) => std::env::split_paths(names).collect(),
            None => vec!["/etc/krb5.conf".into()],
        };
        let there: Vec<&PathBuf> = paths.iter().filter(|path| path.exists()).collect();
        if there.is_empty() {
            let names: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
            return Err(Error::new(
                ErrorKind::Config,
                format!(
                    "there is no configuration of Kerberos: {} does not exist; KRB5_CONFIG names another",
                    names.join(", ")
                ),
            ));
        }
        Self::read(there)
    }

    /// Reads these files. If a setting that can have only one value occurs several times, the first
    /// value is used.
    ///
    /// # Errors
    /// The errors of [`load`](Self::load).
    ///
    /// ```
    /// let error = tallrow_kerberos::Config::read(["/nowhere/krb5.conf"]).unwrap_err();
    /// assert!(error.to_string().starts_with("the configuration /nowhere/krb5.conf cannot be read"));
    /// ```
    pub fn read(paths: impl IntoIterator<Item: AsRef<Path>>) -> Result<Self> {
        let mut config = Self::default();
        for path in paths {
            config.profile.read(path.as_ref())?;
            config.top_level_files.push(path.as_ref().to_owned());
        }
        Ok(config)
    }

    /// Reads the text of a `krb5.conf`.
    ///
    /// # Errors
    /// If the text is malformed; the error names the line.
    ///
    /// ```
    /// let error = tallrow_kerberos::Config::parse("[realms]\n R = {\n").unwrap_err();
    /// assert!(error.to_string().starts_with("krb5.conf, line 2: a \"{\" without a \"}\""), "{error}");
    /// ```
    pub fn parse(text: &str) -> Result<Self> {
        let mut config = Self::default();
        config.profile.parse(text)?;
        Ok(config)
    }

    /// The files that were read, without the files that they include.
    ///
    /// ```
    /// assert!(tallrow_kerberos::Config::parse("")?.top_level_files().is_empty());
    /// # Ok::<(), tallrow_kerberos::Error>(())
    /// ```
    pub fn top_level_files(&self) -> &[PathBuf] {
        &self.top_level_files
    }

    fn library_default(&self, name: &str) -> Option<&str> {
        self.profile.texts(&[DEFAULTS, name]).first().copied()
    }

    /// The realm of principals whose names have no realm.
    ///
    /// ```
    /// assert_eq!(tallrow_kerberos::Config::parse("")?.default_realm(), None);
    /// # Ok::<(), tallrow_kerberos::Error>(())
    /// ```
    pub fn default_realm(&self) -> Option<&str> {
        self.library_default("default_realm")
    }

    /// The realm of a host according to `domain_realm`: the realm of its name, or of the nearest
    /// domain that contains the host.
    ///
    /// ```
    /// use tallrow_kerberos::Config;
    ///
    /// let config = Config::parse("[domain_realm]\n .a.org = A\n b.a.org = B")?;
    /// assert_eq!(config.realm_of_host("X.A.org"), Some("A"));
    /// assert_eq!(config.realm_of_host("b.a.org"), Some("B"));
    /// assert_eq!(config.realm_of_host("a.com"), None);
    /// # Ok::<(), tallrow_kerberos::Error>(())
    /// ```
    pub fn realm_of_host(&self, host: &str) -> Option<&str> {
        let host = host.trim_end_matches('.').to_ascii_lowercase();
        let mut name = &host[..];
        loop {
            if let Some(realm) = self.profile.texts(&["domain_realm", name]).first() {
                return Some(realm);
            }
            // The names for "a.b" are "a.b", then ".b", then "b".
            name = match name.strip_prefix('.') {
                Some(domain) => domain,
                None => name.get(name.find('.')?..)?,
            };
        }
    }

    /// The settings of this configuration, with their values, that this crate does not follow.
    ///
    /// ```
    /// let config = tallrow_kerberos::Config::parse("[libdefaults]\n dns_lookup_kdc = true")?;
    /// assert_eq!(config.ignored_settings(), [("dns_lookup_kdc", "true")]);
    /// # Ok::<(), tallrow_kerberos::Error>(())
    /// ```
    pub fn ignored_settings(&self) -> Vec<(&'static str, &str)> {
        let set = |name| self.library_default(name).map(|value| (name, value));
        // A setting that is off has no effect in any case.
        let is_on = |(_, value): &(_, &str)| flag(value) != Some(false);
        IGNORED.into_iter().filter_map(set).filter(is_on).collect()
    }

    fn flag(&self, name: &str, or: bool) -> bool {
        self.library_default(name).and_then(flag).unwrap_or(or)
    }

    /// Whether host names are replaced by the canonical names from DNS
    /// (`dns_canonicalize_hostname`).
    ///
    /// ```
    /// assert!(tallrow_kerberos::Config::parse("")?.canonicalizes_host_names());
    /// # Ok::<(), tallrow_kerberos::Error>(())
    /// ```
    pub fn canonicalizes_host_names(&self) -> bool {
        self.flag("dns_canonicalize_hostname", true)
    }

    /// Whether the canonical name of a host is looked up by the address of the host (`rdns`).
    ///
    /// ```
    /// assert!(tallrow_kerberos::Config::parse("")?.uses_reverse_dns());
    /// # Ok::<(), tallrow_kerberos::Error>(())
    /// ```
    pub fn uses_reverse_dns(&self) -> bool {
        self.canonicalizes_host_names() && self.flag("rdns", true)
    }

    pub(crate) fn is_forwardable(&self) -> bool {
        self.flag("forwardable", false)
    }

    /// The maximum length of a message that is sent by UDP first.
    pub(crate) fn udp_limit(&self) -> Result<usize> {
        let Some(limit) = self.library_default("udp_preference_limit") else { return Ok(1_465) };
        match limit.parse::<usize>() {
            // A message that does not fit a datagram is sent by TCP first.
            Ok(limit) => Ok(limit.min(32_700)),
            Err(_) => Err(self.wrong("udp_preference_limit", limit, "a number of bytes")),
        }
    }

    /// The time within which one of the KDCs of a realm must reply: at most a day, because the file
    /// can name times for which no timer can be set.
    pub(crate) fn timeout(&self) -> Result<Duration> {
        for name in ["request_timeout", "kdc_timeout"] {
            if let Some(time) = self.time(name)? {
                return Ok(time.min(Duration::from_secs(24 * 3_600)));
            }
        }
        Ok(Duration::from_millis(1_800))
    }

    /// The maximum difference between the clocks.
    pub(crate) fn clock_skew(&self) -> Result<Duration> {
        Ok(self.time("clockskew")?.unwrap_or(Duration::from_secs(300)))
    }

    /// The lifetime that requests ask for.
    pub(crate) fn lifetime(&self) -> Result<Duration> {
        Ok(self.time("ticket_lifetime")?.unwrap_or(Duration::from_secs(24 * 3_600)))
    }

    /// The time for which a first ticket should be renewable; `None` if it need not be renewable.
    pub(crate) fn renew_lifetime(&self) -> Result<Option<Duration>> {
        Ok(self.time("renew_lifetime")?.filter(|time| !time.is_zero()))
    }

    fn time(&self, name: &str) -> Result<Option<Duration>> {
        let Some(value) = self.library_default(name) else { return Ok(None) };
        let time = duration(value);
        let form = "a time such as 300, 10h, \"1d 12h\" or 10:30:00";
        time.map(Some).ok_or_else(|| self.wrong(name, value, form))
    }

    fn wrong(&self, name: &str, value: &str, form: &str) -> Error {
        let text = format!("{name} = {value} in krb5.conf is not {form}");
        Error::new(ErrorKind::Config, text)
    }

    /// The encryption types to ask for, preferred types first: for a first ticket if
    /// `for_first_ticket`, otherwise for another ticket.
    pub(crate) fn enctypes(&self, for_first_ticket: bool) -> Result<Vec<Enctype>> {
        let own = if for_first_ticket { "default_tkt_enctypes" } else { "default_tgs_enctypes" };
        let permitted = match self.library_default("permitted_enctypes") {
            Some(list) => enctypes(list),
            None => Enctype::ALL.to_vec(),
        };
        let mut wanted = match self.library_default(own) {
            Some(list) => enctypes(list),
            None => permitted.clone(),
        };
        wanted.retain(|kind| permitted.contains(kind));
        if wanted.is_empty() {
            let text = format!(
                "krb5.conf permits no encryption type that is supported; permitted_enctypes and {own} must name one of {}",
                Enctype::ALL.map(|kind| kind.to_string()).join(", ")
            );
            return Err(Error::new(ErrorKind::Config, text));
        }
        Ok(wanted)
    }

    /// Returns the addresses of the KDCs of a realm as `host:port`, in the order of the file.
    ///
    /// # Errors
    /// [`ErrorKind::Config`] if the file names no KDC of the realm, or an address is malformed.
    ///
    /// ```
    /// use tallrow_kerberos::Config;
    ///
    /// let config = Config::parse("[realms]\n R = {\n kdc = kdc1\n kdc = tcp/kdc2:8888\n }")?;
    /// assert_eq!(config.kdc_addresses("R")?, ["kdc1:88", "kdc2:8888"]);
    /// assert!(config.kdc_addresses("S").is_err());
    /// # Ok::<(), tallrow_kerberos::Error>(())
    /// ```
    pub fn kdc_addresses(&self, realm: &str) -> Result<Vec<String>> {
        let shown = |KdcAddress { host, port, .. }: KdcAddress| match host.contains(':') {
            true => format!("[{host}]:{port}"),
            false => format!("{host}:{port}"),
        };
        Ok(self.kdcs(realm)?.into_iter().map(shown).collect())
    }

    /// The KDCs of a realm, in the order of the file.
    pub(crate) fn kdcs(&self, realm: &str) -> Result<Vec<KdcAddress>> {
        let named = self.profile.texts(&["realms", realm, "kdc"]);
        if named.is_empty() {
            let mut realms = self.profile.names(&["realms"]);
            realms.dedup();
            let known = match realms.is_empty() {
                true => "names no realm".to_owned(),
                false => format!("names {}", realms.join(", ")),
            };
            let text = format!(
                "no KDC of the realm {realm} is known: [realms] of krb5.conf {known}; add {realm} = {{ kdc = HOST }} (they are not looked up in DNS)"
            );
            return Err(Error::new(ErrorKind::Config, text));
        }
        named
            .into_iter()
            .map(|text| {
                address(text).ok_or_else(|| {
                    let text = format!(
                        "kdc = {text} of the realm {realm} in krb5.conf is not HOST, HOST:PORT, tcp/HOST:PORT or udp/HOST:PORT"
                    );
                    Error::new(ErrorKind::Config, text)
                })
            })
            .collect()
    }

    /// The realms between two realms, beginning with the one nearest to `from`.
    pub(crate) fn realms_between(&self, from: &str, to: &str) -> Vec<&str> {
        let mut between = self.profile.texts(&["capaths", from, to]);
        between.retain(|realm| *realm != ".");
        between
    }

    /// The ticket cache of this user: `KRB5CCNAME`, `default_ccache_name`, or `/tmp/krb5cc_`
    /// followed by the user id.
    ///
    /// ```no_run
    /// println!("{}", tallrow_kerberos::Config::load()?.default_cache());
    /// # Ok::<(), tallrow_kerberos::Error>(())
    /// ```
    pub fn default_cache(&self) -> String {
        if let Some(name) = std::env::var("KRB5CCNAME").ok().filter(|name| !name.is_empty()) {
            return name;
        }
        match self.library_default("default_ccache_name") {
            Some(name) => expanded(name),
            None => expanded("/tmp/krb5cc_%{uid}"),
        }
    }

    /// The client keytab of this user: `KRB5_CLIENT_KTNAME` or `default_client_keytab_name`.
    ///
    /// ```no_run
    /// println!("{:?}", tallrow_kerberos::Config::load()?.default_client_keytab());
    /// # Ok::<(), tallrow_kerberos::Error>(())
    /// ```
    pub fn default_client_keytab(&self) -> Option<String> {
        let named = std::env::var("KRB5_CLIENT_KTNAME").ok().filter(|name| !name.is_empty());
        named.or_else(|| self.library_default("default_client_keytab_name").map(expanded))
    }

    /// Adds the default realm to a principal that has no realm.
    pub(crate) fn with_default_realm(&self, principal: Principal) -> Result<Principal> {
        match (principal.realm(), self.default_realm()) {
            (Some(_), _) => Ok(principal),
            (None, Some(realm)) => Ok(principal.with_default_realm(realm)),
            (None, None) => {
                let text = format!(
                    "the principal {principal} has no realm, and krb5.conf has no default_realm; write {principal}@REALM"
                );
                Err(Error::new(ErrorKind::Config, text))
            }
        }
    }
}

/// Replaces the user id and other variables in a path.
fn expanded(name: &str) -> String {
    let user = rustix::process::getuid().as_raw().to_string();
    let effective = rustix::process::geteuid().as_raw().to_string();
    let login = std::env::var("USER").unwrap_or_default();
    name.replace("%{uid}", &user)
        .replace("%{USERID}", &user)
        .replace("%{euid}", &effective)
        .replace("%{username}", &login)
        .replace("%{null}", "")
        .replace("%{TEMP}", &std::env::temp_dir().display().to_string())
}

fn flag(value: &str) -> Option<bool> {
    match value.to_ascii_lowercase().as_str() {
        "y" | "yes" | "true" | "t" | "1" | "on" => Some(true),
        "n" | "no" | "false" | "nil" | "f" | "0" | "off" => Some(false),
        _ => None,
    }
}

/// Reads a time such as `300`, `10h`, `1d 12h`, `10:30` or `10:30:15`.
fn duration(value: &str) -> Option<Duration> {
    let value = value.trim();
    if let Ok(seconds) = value.parse::<u32>() {
        return Some(Duration::from_secs(seconds.into()));
    }
    if value.contains(':') {
        let parts: Vec<u64> = value
            .split(':')
            .map(|part| part.parse::<u32>().map(u64::from))
            .collect::<Result<_, _>>()
            .ok()?;
        let (hours, minutes, seconds) = match parts[..] {
            [hours, minutes] => (hours, minutes, 0),
            [hours, minutes, seconds] => (hours, minutes, seconds),
            _ => return None,
        };
        return Some(Duration::from_secs(hours * 3_600 + minutes * 60 + seconds));
    }
    let mut seconds = 0_u64;
    let mut digits = String::new();
    let mut units = 0;
    for character in value.chars().filter(|c| !c.is_whitespace()) {
        let unit = match character.to_ascii_lowercase() {
            digit if digit.is_ascii_digit() => {
                digits.push(digit);
                continue;
            }
            'd' => 86_400,
            'h' => 3_600,
            'm' => 60,
            's' => 1,
            _ => return None,
        };
        let count: u32 = std::mem::take(&mut digits).parse().ok()?;
        seconds = seconds.checked_add(u64::from(count) * unit)?;
        units += 1;
    }
    (units > 0 && digits.is_empty()).then(|| Duration::from_secs(seconds))
}

/// Reads a list of encryption types as MIT Kerberos does: names, families, `DEFAULT`, and `-`
/// before a type that is removed again. Names of other types are skipped.
fn enctypes(list: &str) -> Vec<Enctype> {
    let mut wanted: Vec<Enctype> = Vec::new();
    for name in list.split([' ', '\t', ',']).filter(|name| !name.is_empty()) {
        let (name, adds) = match name.strip_prefix('-') {
            Some(name) => (name, false),
            None => (name.strip_prefix('+').unwrap_or(name), true),
        };
        let named: Vec<Enctype> = match name.to_ascii_lowercase().as_str() {
            "default" | "aes" => Enctype::ALL.to_vec(),
            name => name.parse().into_iter().collect(),
        };
        wanted.retain(|kind| !named.contains(kind) || adds);
        for kind in named {
            if adds && !wanted.contains(&kind) {
                wanted.push(kind);
            }
        }
    }
    wanted
}

/// Reads the address of a KDC as it is written in the file.
fn address(text: &str) -> Option<KdcAddress> {
    let (only, rest) = match text.split_once('/') {
        Some(("tcp", rest)) => (Some(Transport::Tcp), rest),
        Some(("udp", rest)) => (Some(Transport::Udp), rest),
        Some(_) => return None,
        None => (None, text),
    };
    let (host, port) = match rest.strip_prefix('[') {
        Some(rest) => {
            let (host, port) = rest.split_once(']')?;
            (host, port.strip_prefix(':').or_else(|| port.is_empty().then_some("88"))?)
        }
        // An IPv6 address without a port may have no brackets.
        None if rest.matches(':').count() > 1 => (rest, "88"),
        None => rest.split_once(':').unwrap_or((rest, "88")),
    };
    let port = port.parse().ok().filter(|port| *port > 0)?;
    let is_name = !host.is_empty() && !host.contains(char::is_whitespace);
    is_name.then(|| KdcAddress { host: host.to_owned(), port, only })
}
