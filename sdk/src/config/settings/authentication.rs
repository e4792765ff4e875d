//! The login that the properties of HBase's files configure, if `hbase.security.authentication` is
//! `kerberos`.

#[cfg(feature = "kerberos")]
use std::path::Path;

use super::property_group::{PropertyGroup, Values};
use super::report::{ConfigEntry, EntryStatus, Problem};
use super::setting_value::{NOT_BOOLEAN, parse_boolean};
use crate::Config;
use crate::authentication::Protection;
#[cfg(feature = "kerberos")]
use crate::authentication::{Authentication, DelegationToken};

/// The property that says whether there is a login.
pub(super) const AUTHENTICATION: &str = "hbase.security.authentication";
const REGION_SERVER: &str = "hbase.regionserver.kerberos.principal";
const MASTER: &str = "hbase.master.kerberos.principal";
const PROTECTION: &str = "hbase.rpc.protection";
const ALLOW_SIMPLE: &str = "hbase.ipc.client.fallback-to-simple-auth-allowed";
const KEYTAB: &str = "hbase.client.keytab.file";
const PRINCIPAL: &str = "hbase.client.keytab.principal";
const AES: &str = "hbase.rpc.crypto.encryption.aes.enabled";
/// The environment variable in which Hadoop names the file with the tokens of a job.
#[cfg(feature = "kerberos")]
const TOKEN_FILE: &str = "HADOOP_TOKEN_FILE_LOCATION";
const NO_REVERSE_DNS: &str = "hbase.unsafe.client.kerberos.hostname.disable.reversedns";

pub(super) static GROUP: PropertyGroup = PropertyGroup {
    setting: "authentication",
    names: &[
        REGION_SERVER,
        MASTER,
        PROTECTION,
        ALLOW_SIMPLE,
        KEYTAB,
        PRINCIPAL,
        AES,
        NO_REVERSE_DNS,
        "hbase.rpc.crypto.encryption.aes.cipher.class",
        "hbase.rpc.crypto.encryption.aes.cipher.transform",
        "hbase.client.sasl.provider.class",
        "hbase.client.sasl.provider.extras",
        "hbase.security.relogin.maxbackoff",
        "hbase.security.relogin.maxretries",
    ],
    is_on: by_properties,
    off_reason: "the cluster is not secured (hbase.security.authentication)",
    status,
    apply,
};

/// Whether a file or an address asks for a login.
fn by_properties(config: &Config) -> bool {
    config.kerberos
}

/// Applies the value of `hbase.security.authentication`.
pub(super) fn apply_mechanism(config: &mut Config, value: &str) -> Result<(), String> {
    config.kerberos = match value.to_ascii_lowercase().as_str() {
        "simple" => false,
        "kerberos" if cfg!(feature = "kerberos") => true,
        "kerberos" => {
            return Err("this takes the feature `kerberos` of tallrow, or another mechanism that the program gives: \
                        Config::authentication"
                .into());
        }
        _ => return Err("it is neither simple nor kerberos".into()),
    };
    Ok(())
}

/// Returns the value that a report shows for this setting.
pub(super) fn show(config: &Config) -> String {
    match config.kerberos || config.authentication.is_some() {
        true => "kerberos".into(),
        false => "simple".into(),
    }
}

fn status(name: &str, value: &str, get: &Values<'_>) -> EntryStatus {
    match name {
        PROTECTION => match protections(value) {
            Ok(_) => EntryStatus::Used,
            Err(why) => EntryStatus::Wrong(why),
        },
        ALLOW_SIMPLE | AES => match parse_boolean(value) {
            Some(_) => EntryStatus::Used,
            None => EntryStatus::Wrong(NOT_BOOLEAN.into()),
        },
        KEYTAB if get(PRINCIPAL).is_none() => {
            EntryStatus::Wrong(format!("{PRINCIPAL} does not say whose keytab it is; set it"))
        }
        PRINCIPAL if get(KEYTAB).is_none() => {
            EntryStatus::Ignored(format!("there is no {KEYTAB}; the login is by the ticket cache"))
        }
        MASTER if get(MASTER) == get(REGION_SERVER) => {
            EntryStatus::Ignored(format!("it is that of {REGION_SERVER}"))
        }
        REGION_SERVER | MASTER | KEYTAB | PRINCIPAL => EntryStatus::Used,
        NO_REVERSE_DNS => EntryStatus::Ignored(
            "servers are called by the names that the cluster has for them; DNS is not asked for others".into(),
        ),
        _ => EntryStatus::Ignored("it is for Java's classes".into()),
    }
}

/// Parses a list of protections, the preferred one first.
fn protections(list: &str) -> Result<Vec<Protection>, String> {
    let known = |name: &str| name.parse().map_err(|why| format!("{:?}: {why}", name.trim()));
    list.split(',').map(known).collect()
}

#[cfg(feature = "kerberos")]
fn apply(config: &mut Config, get: &Values<'_>) -> Result<Vec<ConfigEntry>, Problem> {
    // A keytab takes precedence over tokens, because it is configured for this program, but the
    // tokens are those of whoever started the job.
    let file = std::env::var_os(TOKEN_FILE).filter(|_| get(KEYTAB).is_none());
    let of_job = file.filter(|file| !file.is_empty()).map(|file| of_job(Path::new(&file)));
    let (token, mut entries) = match of_job {
        Some((token, entry)) => (token, vec![entry]),
        None => (None, Vec::new()),
    };
    let authentication = match token {
        Some(token) => Authentication::token(token),
        None if entries.iter().any(|entry| matches!(entry.status, EntryStatus::Wrong(_))) => {
            return Ok(entries);
        }
        None => {
            let servers = servers(get)?;
            let krb5 = tallrow_kerberos::Config::load()
                .map_err(|why| Problem { name: AUTHENTICATION, why: why.to_string() })?;
            entries.extend(ignored(&krb5));
            by_kerberos(krb5, servers, get)?
        }
    };
    config.authentication = Some(with_choices(authentication, get));
    Ok(entries)
}

/// Returns entries for the settings of Kerberos that other programs use and this client ignores.
#[cfg(feature = "kerberos")]
fn ignored(krb5: &tallrow_kerberos::Config) -> Vec<ConfigEntry> {
    let files: Vec<String> =
        krb5.top_level_files().iter().map(|file| file.display().to_string()).collect();
    let source: std::sync::Arc<str> = files.join(", ").into();
    let ignored = krb5.ignored_settings().into_iter().map(|(name, value)| ConfigEntry {
        name: name.into(),
        value: value.into(),
        source: source.clone(),
        line: None,
        status: EntryStatus::Ignored("this client does not follow it".into()),
    });
    ignored.collect()
}

/// Returns HBase's token in the token file of a job, and the entry of the report for the file.
#[cfg(feature = "kerberos")]
fn of_job(file: &Path) -> (Option<DelegationToken>, ConfigEntry) {
    let (token, status) = match DelegationToken::read_file(file).as_deref() {
        Ok([token]) => (Some(token.clone()), EntryStatus::Used),
        Ok([]) => {
            let why = "it has no token of HBase; the login is by the ticket cache";
            (None, EntryStatus::Ignored(why.into()))
        }
        Ok(several) => {
            let clusters: Vec<&str> = several.iter().map(DelegationToken::service).collect();
            let why = format!(
                "it has tokens of the clusters {}; choose one with Authentication::token",
                clusters.join(", ")
            );
            (None, EntryStatus::Wrong(why))
        }
        Err(error) => (None, EntryStatus::Wrong(error.message().into_owned())),
    };
    let entry = ConfigEntry {
        name: TOKEN_FILE.into(),
        value: file.display().to_string(),
        source: "environment".into(),
        line: None,
        status,
    };
    (token, entry)
}

#[cfg(not(feature = "kerberos"))]
fn apply(_: &mut Config, _: &Values<'_>) -> Result<Vec<ConfigEntry>, Problem> {
    Ok(Vec::new())
}

/// Returns the principal of the region servers.
#[cfg(feature = "kerberos")]
fn servers<'a>(get: &Values<'a>) -> Result<&'a str, Problem> {
    get(REGION_SERVER).ok_or_else(|| {
        let why = format!(
            "{REGION_SERVER} does not say what the servers are called; set it, as in hbase/_HOST@REALM"
        );
        Problem { name: AUTHENTICATION, why }
    })
}

/// Makes the login that this configuration of Kerberos and the properties describe.
#[cfg(feature = "kerberos")]
fn by_kerberos(
    krb5: tallrow_kerberos::Config,
    region_server: &str,
    get: &Values<'_>,
) -> Result<Authentication, Problem> {
    use tallrow_kerberos::{Error, Login};

    let wrong = |name| move |why: Error| Problem { name, why: why.to_string() };
    let login = match (get(KEYTAB), get(PRINCIPAL)) {
        (Some(keytab), Some(principal)) => {
            let principal = of_this_host(principal).parse().map_err(wrong(PRINCIPAL))?;
            Login::with_keytab(krb5, principal, keytab).map_err(wrong(KEYTAB))
        }
        _ => Login::with_cache(krb5, None).map_err(wrong(AUTHENTICATION)),
    }?;
    let authentication = Authentication::kerberos(login, region_server);
    Ok(match get(MASTER).filter(|master| *master != region_server) {
        Some(master) => authentication.master_principal(master),
        None => authentication,
    })
}

/// Applies the properties for the accepted protections, and for whether servers without
/// authentication are allowed.
#[cfg(feature = "kerberos")]
fn with_choices(mut authentication: Authentication, get: &Values<'_>) -> Authentication {
    // If a value is wrong, the entry of its property says why.
    if let Some(Ok(accepted)) = get(PROTECTION).map(protections) {
        authentication = authentication.protection(accepted);
    }
    if let Some(allow) = get(ALLOW_SIMPLE).and_then(parse_boolean) {
        authentication = authentication.allow_simple(allow);
    }
    if let Some(encrypt) = get(AES).and_then(parse_boolean) {
        authentication = authentication.encrypt_by_aes(encrypt);
    }
    authentication
}

/// Replaces `_HOST` in a principal by the name of this machine, because the same file is used on
/// all machines.
#[cfg(feature = "kerberos")]
fn of_this_host(principal: &str) -> String {
    let host = gethostname::gethostname().to_string_lossy().to_lowercase();
    principal.replacen("/_HOST", &format!("/{host}"), 1)
}

#[cfg(test)]
#[cfg(feature = "kerberos")]
mod tests {
    use super::*;

    fn by(properties: &[(&str, &str)]) -> Result<String, Problem> {
        let krb5 = "[libdefaults]\n default_realm = R\n default_ccache_name = /tmp/none\n";
        let krb5 = tallrow_kerberos::Config::parse(krb5).unwrap();
        let get = |name: &str| {
            properties.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
        };
        by_kerberos(krb5, "hbase/_HOST@R", &get).map(|by| format!("{:?}", with_choices(by, &get)))
    }

    #[test]
    fn a_login_is_by_the_cache_or_a_keytab() {
        let shown = by(&[]).unwrap();
        let cache = std::env::var("KRB5CCNAME").unwrap_or("FILE:/tmp/none".into());
        let cache = cache.strip_prefix("FILE:").unwrap_or(&cache);
        let login = format!("Login(by the ticket cache {cache})");
        assert!(shown.contains(&login), "{shown}");
        assert!(shown.contains("master: None") && shown.contains("protection: []"), "{shown}");

        let shown = by(&[
            (MASTER, "master/_HOST@R"),
            (PROTECTION, "Privacy, auth-int"),
            (ALLOW_SIMPLE, "TRUE"),
        ]);
        let shown = shown.unwrap();
        assert!(shown.contains("master/_HOST@R"), "{shown}");
        assert!(shown.contains("protection: [Privacy, Integrity], allows_simple: true"), "{shown}");
        let same = by(&[(MASTER, "hbase/_HOST@R")]).unwrap();
        assert!(same.contains("master: None"), "{same}");

        let problem = by(&[(KEYTAB, "/none.keytab"), (PRINCIPAL, "app/_HOST")]).unwrap_err();
        assert_eq!(problem.name, KEYTAB);
        assert!(problem.why.contains("/none.keytab"), "{}", problem.why);
    }

    /// Writes a file of Hadoop's credentials with tokens of these kinds. The name of each token's
    /// cluster is the position of the token.
    fn token_file(test: &str, kinds: &[&str]) -> std::path::PathBuf {
        let mut bytes = b"HDTS\x00".to_vec();
        bytes.push(kinds.len() as u8);
        for (at, kind) in kinds.iter().enumerate() {
            for part in ["alias", "identifier", "password", kind, &at.to_string()] {
                bytes.push(part.len() as u8);
                bytes.extend_from_slice(part.as_bytes());
            }
        }
        let file = std::env::temp_dir().join(format!("tallrow-{test}-{}", std::process::id()));
        std::fs::write(&file, bytes).unwrap();
        file
    }

    #[test]
    fn the_token_of_a_job_is_a_login() {
        const HBASE: &str = "HBASE_AUTH_TOKEN";
        let read = |test: &str, kinds: &[&str]| {
            let file = token_file(test, kinds);
            let (token, entry) = of_job(&file);
            std::fs::remove_file(&file).unwrap();
            assert_eq!(entry.name(), "HADOOP_TOKEN_FILE_LOCATION");
            assert_eq!((entry.source(), entry.value()), ("environment", file.to_str().unwrap()));
            (token, entry.status().to_string())
        };
        let (token, status) = read("one-token", &["HDFS_DELEGATION_TOKEN", HBASE]);
        assert_eq!(token, Some(DelegationToken::new(b"identifier", b"password", "1")));
        assert_eq!(status, "used");
        let (token, status) = read("no-token", &["HDFS_DELEGATION_TOKEN"]);
        assert_eq!(token, None);
        assert!(status.starts_with("ignored: it has no token of HBase"), "{status}");
        let (token, status) = read("two-tokens", &[HBASE, HBASE]);
        assert_eq!(token, None);
        assert!(status.contains("tokens of the clusters 0, 1"), "{status}");
        let (token, entry) = of_job(Path::new("/nowhere/tokens"));
        assert_eq!(token, None);
        let status = entry.status().to_string();
        assert!(status.starts_with("wrong: /nowhere/tokens: "), "{status}");
    }

    #[test]
    fn host_is_this_machine_in_the_principal_of_a_keytab() {
        let own = of_this_host("app/_HOST@R");
        assert!(own.starts_with("app/") && own.ends_with("@R") && !own.contains("_HOST"), "{own}");
        assert_eq!(of_this_host("app@R"), "app@R");
    }
}
