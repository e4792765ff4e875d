//! A login by the properties of HBase's files, once `hbase.security.authentication` is `kerberos`.

use super::property_group::{PropertyGroup, Values};
use super::report::{ConfigEntry, EntryStatus, Problem};
use super::setting_value::{NOT_BOOLEAN, boolean};
use crate::Config;
#[cfg(feature = "kerberos")]
use crate::authentication::Authentication;
use crate::authentication::Protection;

/// The property that says whether there is one.
pub(super) const AUTHENTICATION: &str = "hbase.security.authentication";
const REGION_SERVER: &str = "hbase.regionserver.kerberos.principal";
const MASTER: &str = "hbase.master.kerberos.principal";
const PROTECTION: &str = "hbase.rpc.protection";
const ALLOW_SIMPLE: &str = "hbase.ipc.client.fallback-to-simple-auth-allowed";
const KEYTAB: &str = "hbase.client.keytab.file";
const PRINCIPAL: &str = "hbase.client.keytab.principal";
const AES: &str = "hbase.rpc.crypto.encryption.aes.enabled";
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
    off: "the cluster is not secured (hbase.security.authentication)",
    status,
    apply,
};

/// Whether a file or an address asks for a login.
fn by_properties(config: &Config) -> bool {
    config.kerberos
}

/// What `hbase.security.authentication` says.
pub(super) fn switch(config: &mut Config, value: &str) -> Result<(), String> {
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

/// What a report shows of it.
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
        ALLOW_SIMPLE => match boolean(value) {
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
        AES => EntryStatus::Ignored(
            "messages are protected by SASL, which servers with AES take too".into(),
        ),
        _ => EntryStatus::Ignored("it is for Java's classes".into()),
    }
}

/// The protections that a list names, the preferred one first.
fn protections(list: &str) -> Result<Vec<Protection>, String> {
    let known = |name: &str| name.parse().map_err(|why| format!("{:?}: {why}", name.trim()));
    list.split(',').map(known).collect()
}

#[cfg(feature = "kerberos")]
fn apply(config: &mut Config, get: &Values<'_>) -> Result<Vec<ConfigEntry>, Problem> {
    let Some(region_server) = get(REGION_SERVER) else {
        let why = format!(
            "{REGION_SERVER} does not say what the servers are called; set it, as in hbase/_HOST@REALM"
        );
        return Err(Problem { name: AUTHENTICATION, why });
    };
    let krb5 = tallrow_kerberos::Config::load()
        .map_err(|why| Problem { name: AUTHENTICATION, why: why.to_string() })?;
    let files: Vec<String> = krb5.files().iter().map(|file| file.display().to_string()).collect();
    let source: std::sync::Arc<str> = files.join(", ").into();
    let ignored = krb5.ignored().into_iter().map(|(name, value)| ConfigEntry {
        name: name.into(),
        value: value.into(),
        source: source.clone(),
        line: None,
        status: EntryStatus::Ignored("this client does not follow it".into()),
    });
    let ignored = ignored.collect();
    config.authentication = Some(by_kerberos(krb5, region_server, get)?);
    Ok(ignored)
}

#[cfg(not(feature = "kerberos"))]
fn apply(_: &mut Config, _: &Values<'_>) -> Result<Vec<ConfigEntry>, Problem> {
    Ok(Vec::new())
}

/// A login as this configuration of Kerberos and the properties have it.
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
    let mut authentication = Authentication::kerberos(login, region_server);
    if let Some(master) = get(MASTER).filter(|master| *master != region_server) {
        authentication = authentication.master_principal(master);
    }
    // What is wrong with one is in its entry.
    if let Some(Ok(accepted)) = get(PROTECTION).map(protections) {
        authentication = authentication.protection(accepted);
    }
    if let Some(allow) = get(ALLOW_SIMPLE).and_then(boolean) {
        authentication = authentication.allow_simple(allow);
    }
    Ok(authentication)
}

/// A principal with the name of this machine for `_HOST`, as one file is for all machines.
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
        by_kerberos(krb5, "hbase/_HOST@R", &get).map(|authentication| format!("{authentication:?}"))
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

    #[test]
    fn host_is_this_machine_in_the_principal_of_a_keytab() {
        let own = of_this_host("app/_HOST@R");
        assert!(own.starts_with("app/") && own.ends_with("@R") && !own.contains("_HOST"), "{own}");
        assert_eq!(of_this_host("app@R"), "app@R");
    }
}
