//! The refusals of a real HBase with TLS (`tests/servers/hbase/tls up mutual`). The suite shows
//! what works.

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use tallrow::settings::EntryStatus;
use tallrow::{Client, Config, Error, ErrorKind, Tls};
use tallrow_tests::{TLS, patience, patient, say_skipped, until, until_some, with_credentials};
use tokio::sync::RwLock;

/// Held for writing while the servers show another certificate than usually.
static SERVED: RwLock<()> = RwLock::const_new(());

/// A real cluster with TLS.
struct Real {
    url: String,
    folder: PathBuf,
}

impl Real {
    /// That of the environment, if it asks its clients for certificates.
    fn mutual() -> Option<Self> {
        let folder = std::env::var_os(TLS).map(PathBuf::from);
        let mutual = folder.filter(|folder| {
            std::fs::read_to_string(folder.join("mode")).is_ok_and(|mode| mode.trim() == "mutual")
        });
        let Some(folder) = mutual else {
            say_skipped(
                "there is no real HBase with mutual TLS; eval \"$(tests/servers/hbase/tls up mutual)\" starts one",
            );
            return None;
        };
        Some(Self { url: std::env::var("TALLROW_REAL_RPC").unwrap(), folder })
    }

    fn tls(&self) -> Tls {
        Tls::new().ca_file(self.folder.join("ca.pem"))
    }

    fn with(&self, certificate: &str) -> Tls {
        let path = self.folder.join(certificate);
        self.tls().client_certificate(&path, &path)
    }

    /// Has the servers show another certificate.
    fn serve(&self, name: &str) {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/servers/hbase/tls");
        let dir = self.folder.parent().unwrap();
        let mut command = Command::new(script);
        let done = command.args(["serve", name]).env("TALLROW_REAL_DIR", dir).status().unwrap();
        assert!(done.success());
    }
}

/// The servers refuse it, and the error has these parts.
async fn refused(url: &str, tls: Option<Tls>, parts: &[&str]) {
    let config = match tls {
        Some(tls) => Config::new().tls(tls),
        None => Config::new(),
    };
    // If it has ended before there was an answer, it is tried for longer.
    let mut timeout = Duration::from_secs(3);
    let error = loop {
        let config = config.clone().operation_timeout(timeout);
        let error = Client::connect_with(url, config).await.expect_err("a refusal");
        let has_all = parts.iter().all(|part| error.to_string().contains(part));
        if has_all || timeout > patience() {
            break error;
        }
        timeout *= 2;
    };
    assert!(matches!(error.kind(), ErrorKind::Unreachable | ErrorKind::Timeout), "{error:?}");
    says(&error, parts);
}

fn says(error: &Error, parts: &[&str]) {
    let text = error.to_string();
    println!("{text}");
    for part in parts {
        assert!(text.contains(part), "no {part:?} in {text}");
    }
}

/// The cluster's stores are PKCS12, of keytool and openssl.
#[tokio::test]
async fn the_files_of_the_cluster_are_enough() {
    let Some(real) = Real::mutual() else { return };
    let Some(conf) = tallrow_tests::real("TALLROW_REAL_CONF") else { return };
    let _shown = SERVED.read().await;
    let client = Client::connect_with(&format!("hbase-site:{conf}"), patient()).await.unwrap();
    client.admin().list_tables().await.unwrap();
    let report = client.config_report();
    println!("{report}");
    let used = |name| {
        report.entries().iter().any(|e| e.name() == name && *e.status() == EntryStatus::Used)
    };
    assert!(used("hbase.client.netty.tls.enabled") && used("hbase.rpc.tls.keystore.password"));
    // The same in an address.
    let keys = real.folder.join("client.p12");
    let trust = real.folder.join("trust.p12");
    let address = format!(
        "{}?tls=true&hbase.rpc.tls.truststore.location={}&hbase.rpc.tls.truststore.password=changeit\
         &hbase.rpc.tls.keystore.location={}&hbase.rpc.tls.keystore.password=changeit",
        real.url,
        trust.display(),
        keys.display()
    );
    drop(Client::connect_with(&address, patient()).await.unwrap());
    let error = Client::connect(&address.replace("changeit", "guess")).await.err().unwrap();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    says(&error, &["trust.p12: the password is wrong"]);
}

#[tokio::test]
async fn no_certificate_is_told() {
    let Some(real) = Real::mutual() else { return };
    let _shown = SERVED.read().await;
    let text = "the server asks for a certificate of the client, and none is configured";
    refused(&real.url, Some(real.tls()), &[text]).await;
}

#[tokio::test]
async fn a_certificate_of_another_authority_is_told() {
    let Some(real) = Real::mutual() else { return };
    let _shown = SERVED.read().await;
    let parts = ["the server refused our certificate", "other.pem", "signed by an authority that"];
    refused(&real.url, Some(real.with("other.pem")), &parts).await;
    let folder = &real.folder;
    let client = folder.join("client.pem");
    let strange =
        Tls::new().ca_file(folder.join("other-ca.pem")).client_certificate(&client, &client);
    let parts = ["certificate of 127.0.0.1 is not signed by a trusted authority", "other-ca.pem"];
    refused(&real.url, Some(strange), &parts).await;
}

#[tokio::test]
async fn a_certificate_of_another_host_is_told() {
    let Some(real) = Real::mutual() else { return };
    let _shown = SERVED.read().await;
    let named = real.url.replace("127.0.0.1", "localhost");
    let text = "certificate of localhost is for another host: 127.0.0.1;";
    refused(&named, Some(real.with("client.pem")), &[text]).await;
}

#[tokio::test]
async fn a_server_with_tls_tells_a_client_without() {
    let Some(real) = Real::mutual() else { return };
    let _shown = SERVED.read().await;
    refused(&real.url, None, &["TLS", "Config::tls"]).await;
}

#[tokio::test]
async fn a_port_without_tls_is_told() {
    let Some(real) = Real::mutual() else { return };
    let _shown = SERVED.read().await;
    let Ok(plain) = std::env::var("TALLROW_REAL_PLAIN") else {
        return say_skipped(
            "TALLROW_REAL_PLAIN is not set to the hbase+rpc:// URL of a cluster without TLS",
        );
    };
    let text = "does it have TLS (hbase.server.netty.tls.enabled)?";
    refused(&plain, Some(real.with("client.pem")), &[text]).await;
}

/// One test, as it changes what the servers show to all others.
#[tokio::test]
async fn certificates_that_expired_are_told_and_new_ones_work() {
    let Some(real) = Real::mutual() else { return };
    let _shown = SERVED.write().await;
    let parts = ["the server refused our certificate", "expired.pem"];
    refused(&real.url, Some(real.with("expired.pem")), &parts).await;

    // The same client, before, while and after the certificate of the servers has expired.
    let good = real.with("client.pem");
    let connect = async || {
        let config = Config::new().operation_timeout(Duration::from_secs(2)).tls(good.clone());
        Client::connect_with(&real.url, config).await
    };
    let works = async || connect().await.is_ok();
    until("a client connects", works).await;
    real.serve("expired");
    // Not an error of a connection that was too slow.
    let error = until_some("the servers show the expired certificate", async || {
        connect().await.err().filter(|error| error.to_string().contains("expired"))
    })
    .await;
    real.serve("server");
    until("the servers show the valid certificate again", works).await;
    says(&error, &["the certificate of 127.0.0.1", "expired", "it must be renewed on the server"]);
    let again = with_credentials(&real.url, patient());
    drop(Client::connect_with(&real.url, again).await.unwrap());
}
