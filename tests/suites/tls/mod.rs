//! TLS between a client and the mock: what is accepted, and what the errors of the rest say. In
//! paused time, as short timeouts would otherwise end what a busy machine delays.

mod authority;
mod on_real;
mod stores;
mod tokens;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use authority::{Authority, Folder};
use rustls_023::version::{TLS12, TLS13};
use rustls_023::{ClientConfig, ServerConfig, SupportedProtocolVersion};
use tallrow::{
    Client, Config, Connector, Error, ErrorKind, FamilyDescriptor, Get, Put, Result,
    TableDescriptor, Tls,
};
use tallrow_mock::{Fault, MockCluster};
use tokio::sync::broadcast;
use tokio_rustls::TlsAcceptor;

/// The name that the tests give to a mock's servers.
const HOST: &str = "127.0.0.1";

async fn mock() -> MockCluster {
    MockCluster::builder().in_memory().start().await.unwrap()
}

/// Pipes to a mock's servers, which have this TLS in front of them.
fn in_front(mock: &MockCluster, server: &Arc<ServerConfig>) -> Connector {
    in_front_until(mock, server, &broadcast::Sender::new(1))
}

/// The same; every pipe that is open when something is sent is closed then.
fn in_front_until(
    mock: &MockCluster,
    server: &Arc<ServerConfig>,
    end: &broadcast::Sender<()>,
) -> Connector {
    let (mock, server, end) = (mock.clone(), server.clone(), end.clone());
    Connector::new(move |host, port| {
        let (mock, acceptor) = (mock.clone(), TlsAcceptor::from(server.clone()));
        let (client, outside) = tokio::io::duplex(1 << 16);
        let mut ended = end.subscribe();
        tokio::spawn(async move {
            let mut inside = mock.dial(&host, port).unwrap();
            // A refusal is told to the client and ends here.
            let Ok(mut outside) = acceptor.accept(outside).await else { return };
            tokio::select! {
                _ = tokio::io::copy_bidirectional(&mut outside, &mut inside) => {}
                _ = ended.recv() => {}
            }
        });
        std::future::ready(Ok(client))
    })
}

fn hasty() -> Config {
    Config::new()
        .operation_timeout(Duration::from_millis(600))
        .attempt_timeout(Duration::from_millis(300))
        .connect_timeout(Duration::from_millis(300))
}

async fn connect(mock: &MockCluster, connector: Connector, tls: Option<Tls>) -> Result<Client> {
    let config = Config::new().connector(connector);
    let config = match tls {
        Some(tls) => config.tls(tls),
        None => config,
    };
    Client::connect_with(&mock.url(), config).await
}

async fn refusal(mock: &MockCluster, connector: Connector, tls: Option<Tls>) -> Error {
    let config = hasty().connector(connector);
    let config = match tls {
        Some(tls) => config.tls(tls),
        None => config,
    };
    match Client::connect_with(&mock.url(), config).await {
        Ok(_) => panic!("it connected"),
        Err(error) => error,
    }
}

/// Writes and reads a row of a table of this name.
async fn works(client: &Client, table: &str) {
    let descriptor = TableDescriptor::new(table).unwrap().family(FamilyDescriptor::new("f"));
    client.admin().create_table(&descriptor).await.unwrap();
    let table = client.raw_table(table).unwrap();
    let large = vec![7; 300_000];
    table.put(Put::new("r").cell("f", "q", &large)).await.unwrap();
    let row = table.get(Get::new("r")).await.unwrap().unwrap();
    assert_eq!(row.value("f", "q"), Some(&large[..]));
}

/// Authorities and certificates of one test.
struct Paper {
    folder: Folder,
    ours: Authority,
    stranger: Authority,
    ca: PathBuf,
    client: PathBuf,
}

impl Paper {
    fn new() -> Self {
        let folder = Folder::new();
        let (ours, stranger) = (Authority::new("ours"), Authority::new("somebody else"));
        let ca = ours.file(&folder, "ca.pem");
        let client = ours.sign(&["client.test"]).file(&folder, "client.pem");
        Self { folder, ours, stranger, ca, client }
    }

    fn server(
        &self,
        mutual: bool,
        version: &'static SupportedProtocolVersion,
    ) -> Arc<ServerConfig> {
        self.ours.server(&self.ours.sign(&[HOST]), mutual, version)
    }

    fn verified(&self) -> Tls {
        Tls::new().ca_file(&self.ca)
    }

    fn mutual(&self) -> Tls {
        self.verified().client_certificate(&self.client, &self.client)
    }
}

const BOTH: [&SupportedProtocolVersion; 2] = [&TLS12, &TLS13];

#[tokio::test(start_paused = true)]
async fn a_server_is_verified_and_verifies_its_client() {
    let (paper, mock) = (Paper::new(), mock().await);
    for (i, version) in BOTH.into_iter().enumerate() {
        let server = in_front(&mock, &paper.server(false, version));
        works(&connect(&mock, server, Some(paper.verified())).await.unwrap(), &format!("a{i}"))
            .await;
        let server = in_front(&mock, &paper.server(true, version));
        works(&connect(&mock, server, Some(paper.mutual())).await.unwrap(), &format!("b{i}")).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_configuration_of_rustls_is_used_as_it_is() {
    let (paper, mock) = (Paper::new(), mock().await);
    let rustls =
        ClientConfig::builder_with_provider(rustls_023::crypto::ring::default_provider().into())
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_root_certificates(paper.ours.roots())
            .with_no_client_auth();
    let tls = Tls::with_rustls_023(Arc::new(rustls));
    let server = in_front(&mock, &paper.server(false, &TLS13));
    works(&connect(&mock, server, Some(tls.clone())).await.unwrap(), "t").await;
    let error = refusal(&mock, in_front(&mock, &paper.server(true, &TLS13)), Some(tls)).await;
    assert!(
        error.to_string().contains("the server asks for a certificate of the client"),
        "{error}"
    );
}

#[cfg(feature = "aws-lc-rs")]
#[tokio::test(start_paused = true)]
async fn the_provider_of_the_feature_is_used() {
    use rustls_023::crypto::{CryptoProvider, aws_lc_rs};
    let (paper, mock) = (Paper::new(), mock().await);
    // `ring` does not have this group.
    let kx_groups = vec![aws_lc_rs::kx_group::X25519MLKEM768];
    let provider = CryptoProvider { kx_groups, ..aws_lc_rs::default_provider() };
    let leaf = paper.ours.sign(&[HOST]);
    let server = paper.ours.server_by(Arc::new(provider), &leaf, false, &TLS13);
    let server = in_front(&mock, &server);
    works(&connect(&mock, server, Some(paper.verified())).await.unwrap(), "t").await;
}

#[tokio::test(start_paused = true)]
async fn each_refusal_says_what_to_do() {
    let (paper, mock) = (Paper::new(), mock().await);
    let other = paper.stranger.sign(&["client.test"]).file(&paper.folder, "other.pem");
    let expired = paper.ours.sign_until(&["client.test"], 2002).file(&paper.folder, "expired.pem");
    let strange_ca = paper.stranger.file(&paper.folder, "strange.pem");
    for version in BOTH {
        let (one_way, mutual) = (paper.server(false, version), paper.server(true, version));
        let server = |leaf| paper.ours.server(&leaf, false, version);
        let with = |path: &PathBuf| paper.verified().client_certificate(path, path);
        let cases: [(Arc<ServerConfig>, Tls, &[&str]); 6] = [
            (
                mutual.clone(),
                paper.verified(),
                &[
                    "asks for a certificate of the client, and none is configured",
                    "hbase.rpc.tls.keystore.location",
                ],
            ),
            (
                mutual.clone(),
                with(&other),
                &["refused our certificate", "other.pem", "authority that the server trusts"],
            ),
            (mutual, with(&expired), &["refused our certificate", "expired.pem", "expired"]),
            (
                one_way,
                Tls::new().ca_file(&strange_ca),
                &[
                    "certificate of 127.0.0.1 is not signed by a trusted authority",
                    "strange.pem",
                    "hbase.rpc.tls.truststore.location",
                ],
            ),
            (
                server(paper.ours.sign(&["elsewhere.test"])),
                paper.verified(),
                &["certificate of 127.0.0.1 is for another host: elsewhere.test;"],
            ),
            (
                server(paper.ours.sign_until(&[HOST], 2002)),
                paper.verified(),
                &["certificate of 127.0.0.1 expired", "days ago", "renewed"],
            ),
        ];
        for (server, tls, parts) in cases {
            let error = refusal(&mock, in_front(&mock, &server), Some(tls)).await;
            let text = error.to_string();
            assert_eq!(error.kind(), ErrorKind::Unreachable, "{text}");
            for part in parts {
                assert!(text.contains(part), "no {part:?} in {text}");
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn tls_on_one_side_only_is_told() {
    let (paper, mock) = (Paper::new(), mock().await);
    let error = refusal(&mock, in_front(&mock, &paper.server(false, &TLS13)), None).await;
    assert!(error.to_string().contains("the server has TLS and this client has not"), "{error}");
    let error = refusal(&mock, tallrow_tests::in_memory(&mock), Some(paper.verified())).await;
    assert!(
        error.to_string().contains("does it have TLS (hbase.server.netty.tls.enabled)?"),
        "{error}"
    );
}

#[tokio::test(start_paused = true)]
async fn the_host_of_a_certificate_may_be_any_if_it_is_said_so() {
    let (paper, mock) = (Paper::new(), mock().await);
    let elsewhere = paper.ours.server(&paper.ours.sign(&["elsewhere.test"]), false, &TLS12);
    let any_host = paper.verified().verify_hostname(false);
    works(&connect(&mock, in_front(&mock, &elsewhere), Some(any_host.clone())).await.unwrap(), "t")
        .await;
    let expired =
        paper.ours.server(&paper.ours.sign_until(&["elsewhere.test"], 2002), false, &TLS12);
    let error = refusal(&mock, in_front(&mock, &expired), Some(any_host.clone())).await;
    assert!(error.to_string().contains("expired"), "{error}");
    let strange = paper.ours.server(&paper.stranger.sign(&[HOST]), false, &TLS12);
    let error = refusal(&mock, in_front(&mock, &strange), Some(any_host)).await;
    assert!(error.to_string().contains("not signed by a trusted authority"), "{error}");
}

#[tokio::test(start_paused = true)]
async fn changed_files_are_read_again() {
    let (paper, mock) = (Paper::new(), mock().await);
    let server = in_front(&mock, &paper.server(true, &TLS13));
    let other = paper.stranger.sign(&["client.test"]).file(&paper.folder, "changing.pem");
    let tls = paper.verified().client_certificate(&other, &other);
    let error = refusal(&mock, server.clone(), Some(tls.clone())).await;
    assert!(error.to_string().contains("refused our certificate"), "{error}");

    // A half-written file: what was read before stays in use, and the error says so.
    std::fs::write(&other, "-----BEGIN CERT").unwrap();
    let error = refusal(&mock, server.clone(), Some(tls.clone())).await;
    assert!(error.to_string().contains("the changed files could not be read"), "{error}");

    paper.ours.sign(&["client.test"]).rewrite(&other);
    works(&connect(&mock, server, Some(tls)).await.unwrap(), "t").await;
}

#[tokio::test(start_paused = true)]
async fn a_refused_write_has_not_happened() {
    let (paper, mock) = (Paper::new(), mock().await);
    let good = paper.ours.sign(&["client.test"]).file(&paper.folder, "good.pem");
    let tls = paper.verified().client_certificate(&good, &good);
    let end = broadcast::Sender::new(1);
    let server = in_front_until(&mock, &paper.server(true, &TLS13), &end);
    let config = hasty().connector(server).tls(tls);
    let client = Client::connect_with(&mock.url(), config).await.unwrap();
    works(&client, "t").await;
    // Every connection ends, and the next ones are refused.
    paper.stranger.sign(&["client.test"]).rewrite(&good);
    end.send(()).unwrap();
    let table = client.raw_table("t").unwrap();
    let error = table.put(Put::new("r").cell("f", "q", "v")).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unreachable, "{error}");
    assert!(error.to_string().contains("refused our certificate"), "{error}");
}

/// A server that ended after it had taken a put, as the first thing on a connection, was once taken
/// for one that had refused the client: the put was sent again.
#[tokio::test(start_paused = true)]
async fn a_server_that_ends_has_not_refused_its_client() {
    let (paper, mock) = (Paper::new(), mock().await);
    let end = broadcast::Sender::new(1);
    for version in BOTH {
        let server = in_front_until(&mock, &paper.server(true, version), &end);
        let client = connect(&mock, server, Some(paper.mutual())).await.unwrap();
        let table = format!("t{version:?}").replace(|c: char| !c.is_alphanumeric(), "");
        works(&client, &table).await;
        end.send(()).unwrap();
        mock.inject(Fault::on("Mutate").nth(1).close_after());
        let table = client.raw_table(&table).unwrap();
        let error = table.put(Put::new("r").cell("f", "q", "new")).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::OutcomeUnknown, "{error}");
        assert!(mock.unfired_faults().is_empty());
        let row = table.get(Get::new("r")).await.unwrap().unwrap();
        assert_eq!(row.value("f", "q"), Some(&b"new"[..]), "it was taken");
    }
}

#[tokio::test(start_paused = true)]
async fn files_that_cannot_be_used_are_refused_before_anything_is_opened() {
    let (paper, mock) = (Paper::new(), mock().await);
    let file = |name: &str, bytes: &[u8]| paper.folder.write(name, bytes);
    let key_pem =
        "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n";
    let of = |path: PathBuf| paper.verified().client_certificate(&paper.client, path);
    let cases = [
        (Tls::new().ca_file(file("t.der", &[0x30, 0x82, 1, 2])), "openssl x509 -in"),
        (Tls::new().ca_file(file("empty.pem", b"")), "there is no certificate in it"),
        (Tls::new().ca_file(paper.folder.0.join("none.pem")), "none.pem: No such file"),
        (of(file("key.pem", key_pem.as_bytes())), "the private key has a password"),
        (of(paper.ca.clone()), "there is no private key in it"),
        (of(paper.ours.sign(&["x"]).file(&paper.folder, "x.pem")), "client.pem with key"),
    ];
    for (tls, text) in cases {
        let error = connect(&mock, tallrow_tests::in_memory(&mock), Some(tls)).await.err().unwrap();
        assert_eq!((error.kind(), error.attempts()), (ErrorKind::InvalidArgument, 0), "{error}");
        assert!(error.to_string().contains(text), "{error}");
    }
}
