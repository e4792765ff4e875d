//! What a real cluster asks of its clients: TLS, and who they are.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use tallrow::authentication::{Authentication, DelegationToken};
use tallrow::{Client, Config, Tls};
use tallrow_kerberos::Login;

use crate::{patient, say_skipped};

/// The folder of the certificates of a real cluster with TLS, as `tests/servers/hbase/tls` makes
/// them.
pub const TLS: &str = "TALLROW_REAL_TLS";
/// The folder of the tickets and keytabs of a real cluster that is secured by Kerberos, as
/// `tests/servers/hbase/secured` makes them.
pub const KERBEROS: &str = "TALLROW_REAL_KERBEROS";
/// How clients log in there: by `keytab`, which is the default, `cache`, or `token`.
const LOGIN: &str = "TALLROW_REAL_LOGIN";
/// What the servers are called.
pub const SERVERS: &str = "hbase/_HOST@TALLROW.TEST";

/// A configuration for a cluster: with TLS for the real one that has it, and a login for the one
/// that asks for it.
///
/// # Panics
/// If there is no login.
pub fn with_credentials(address: &str, config: Config) -> Config {
    if address.starts_with("mock:") || address.starts_with("bigtable:") {
        return config;
    }
    let config = encrypted(config);
    match folder(KERBEROS) {
        Some(folder) => config.authentication(login(address, &folder)),
        None => config,
    }
}

/// A configuration for the real cluster: with TLS if it has that.
pub fn encrypted(config: Config) -> Config {
    let Some(folder) = folder(TLS) else { return config };
    let tls = Tls::new().ca_file(folder.join("ca.pem"));
    config.tls(match std::fs::read_to_string(folder.join("mode")) {
        Ok(mode) if mode.trim() == "mutual" => {
            tls.client_certificate(folder.join("client.pem"), folder.join("client.pem"))
        }
        _ => tls,
    })
}

/// Returns the folder of [`KERBEROS`]; none, and the test is said to be skipped, without such a
/// cluster.
pub fn kerberos_folder() -> Option<PathBuf> {
    let found = folder(KERBEROS);
    if found.is_none() {
        say_skipped(
            "there is no real HBase with Kerberos; eval \"$(tests/servers/hbase/secured up privacy)\" starts one",
        );
    }
    found
}

fn folder(variable: &str) -> Option<PathBuf> {
    std::env::var_os(variable).filter(|folder| !folder.is_empty()).map(PathBuf::from)
}

/// The login of all clients of this process.
fn login(address: &str, folder: &Path) -> Authentication {
    static LOGGED_IN: OnceLock<Authentication> = OnceLock::new();
    let logged_in = LOGGED_IN.get_or_init(|| {
        let by = std::env::var(LOGIN).unwrap_or("keytab".into());
        match by.as_str() {
            "keytab" => Authentication::kerberos(keytab_login(folder, "tester"), SERVERS),
            "cache" => {
                let login = Login::with_cache(krb5(folder), Some(folder.join("user.ccache")));
                Authentication::kerberos(login.unwrap(), SERVERS)
            }
            "token" => {
                let by = Authentication::kerberos(keytab_login(folder, "tester"), SERVERS);
                let config = encrypted(patient()).authentication(by);
                Authentication::token(token(address.to_owned(), config))
            }
            other => panic!("{LOGIN} is {other:?}; it may be keytab, cache or token"),
        }
    });
    logged_in.clone()
}

/// The configuration of Kerberos in the folder of [`KERBEROS`].
///
/// # Panics
/// If it cannot be read.
pub fn krb5(folder: &Path) -> tallrow_kerberos::Config {
    tallrow_kerberos::Config::read([folder.join("krb5.conf")]).unwrap()
}

/// The login of tester, alice or bob by the keytab in that folder.
///
/// # Panics
/// If it cannot be read.
pub fn keytab_login(folder: &Path, user: &str) -> Login {
    let login = Login::with_keytab(krb5(folder), user.parse().unwrap(), folder.join("user.keytab"));
    login.unwrap_or_else(|why| panic!("{why}"))
}

/// A token of the cluster, which a client in a thread of its own gets.
fn token(address: String, config: Config) -> DelegationToken {
    let getting = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let client = Client::connect_with(&address, config).await.unwrap();
            client.admin().hbase().unwrap().delegation_token().await.unwrap()
        })
    });
    getting.join().unwrap()
}
