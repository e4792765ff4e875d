//! A real cluster that is secured, its users and their tickets.

use std::path::{Path, PathBuf};
use std::process::Command;

use tallrow::authentication::Authentication;
use tallrow::{Client, Config, Error};
use tallrow_kerberos::Login;
use tallrow_tests::{SERVERS, encrypted, kerberos_folder, keytab_login, krb5, patient, real};
use tokio::sync::{RwLock, RwLockReadGuard, RwLockWriteGuard};

/// Held while a test uses the cluster; for writing by one that kills its servers.
static SERVERS_RUN: RwLock<()> = RwLock::const_new(());

/// The cluster of the environment.
pub(super) struct Secured {
    pub(super) url: String,
    /// The folder of its tickets and keytabs.
    pub(super) folder: PathBuf,
    _used: Used,
}

enum Used {
    ByAll { _guard: RwLockReadGuard<'static, ()> },
    ByOne { _guard: RwLockWriteGuard<'static, ()> },
}

impl Secured {
    pub(super) async fn real() -> Option<Self> {
        let (folder, url) = Self::find()?;
        Some(Self { url, folder, _used: Used::ByAll { _guard: SERVERS_RUN.read().await } })
    }

    /// For a test that kills servers. In another process, `.config/nextest.toml` sees to it that no
    /// other test runs meanwhile.
    pub(super) async fn alone() -> Option<Self> {
        let (folder, url) = Self::find()?;
        Some(Self { url, folder, _used: Used::ByOne { _guard: SERVERS_RUN.write().await } })
    }

    fn find() -> Option<(PathBuf, String)> {
        Some((kerberos_folder()?, real("TALLROW_REAL_ZK")?))
    }

    pub(super) fn krb5(&self) -> tallrow_kerberos::Config {
        krb5(&self.folder)
    }

    /// The login of tester, alice or bob.
    pub(super) fn login(&self, user: &str) -> Login {
        keytab_login(&self.folder, user)
    }

    /// A client of tester, alice or bob.
    pub(super) async fn client(&self, user: &str) -> Client {
        let connected = self.connect(Authentication::kerberos(self.login(user), SERVERS)).await;
        connected.unwrap_or_else(|why| panic!("{why}"))
    }

    pub(super) async fn connect(&self, by: Authentication) -> Result<Client, Error> {
        self.connect_with(patient().authentication(by)).await
    }

    pub(super) async fn connect_with(&self, config: Config) -> Result<Client, Error> {
        let client = Client::connect_with(&self.url, encrypted(config)).await?;
        // ZooKeeper tells everybody where the servers are.
        client.admin().list_tables().await?;
        Ok(client)
    }

    /// Makes a ticket cache of a user, whose first ticket has these seconds.
    pub(super) fn cache(&self, user: &str, to: &Path, seconds: u32) {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/servers/kerberos/kdc");
        let mut command = Command::new(script);
        command.arg("cache").arg(user).arg(to).arg(seconds.to_string());
        let done = command.env("TALLROW_KDC_DIR", &self.folder).status().unwrap();
        assert!(done.success());
    }
}
