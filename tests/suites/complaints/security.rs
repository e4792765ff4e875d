//! 53, 55, 57: servers that want to know their clients, and certificates. 54 and 56 are about
//! Kerberos itself.

use std::sync::Arc;

use rustls_023::ServerConfig;
use rustls_023::crypto::ring;
use rustls_023::pki_types::pem::PemObject;
use rustls_023::pki_types::{CertificateDer, PrivateKeyDer};
use tallrow::{Client, Config, Connector, Error, ErrorKind, Tls};
use tallrow_tests::scratch_dir;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};
use tokio_rustls::TlsAcceptor;

/// What a client says that connects to a server like this.
async fn refusal<F>(
    config: Config,
    serve: impl Fn(DuplexStream) -> F + Send + Sync + 'static,
) -> Error
where
    F: Future<Output = ()> + Send + 'static,
{
    let connector = Connector::new(move |_, _| {
        let (client, server) = tokio::io::duplex(1 << 16);
        tokio::spawn(serve(server));
        std::future::ready(Ok(client))
    });
    Client::connect_with("hbase+rpc://rs1", config.connector(connector)).await.err().unwrap()
}

/// gohbase#71: a client without a login says so by name, before anything is sent, and what gives it
/// one.
#[tokio::test]
async fn complaint_53_a_cluster_with_kerberos_is_not_joined_without_it() {
    let dir = scratch_dir();
    let text = "<configuration>
        <property><name>hbase.zookeeper.quorum</name><value>zk1</value></property>
        <property><name>hbase.security.authentication</name><value>kerberos</value></property>
        </configuration>";
    std::fs::write(dir.join("hbase-site.xml"), text).unwrap();
    let error = Client::connect(&format!("hbase-site:{}", dir.display())).await.err().unwrap();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    let expected = "hbase-site.xml:3: hbase.security.authentication is \"kerberos\": hbase.regionserver.kerberos.principal does not say what the servers are called";
    assert!(error.to_string().contains(expected), "{error}");
}

/// asynchbase#109: the answer of a server with Kerberos to a client without, as HBase 2.6.4 sends
/// it.
#[tokio::test(start_paused = true)]
async fn complaint_55_a_server_that_wants_authentication_is_understood() {
    const CLASS: &[u8] = b"org.apache.hadoop.hbase.security.AccessDeniedException";
    const TEXT: &[u8] = b"Authentication is required";
    let error = refusal(Config::new(), |mut server| async move {
        let mut preamble = [0; 6];
        server.read_exact(&mut preamble).await.unwrap();
        let head = [0, 0, 0, 0x5f, 0x5e, 8, 0xff, 0xff, 0xff, 0xff, 0x0f, 0x12, 0x56, 0x0a, 0x36];
        let answer = [&head[..], CLASS, &[0x12, 0x1a], TEXT, &[0x28, 1]].concat();
        server.write_all(&answer).await.unwrap();
    });
    let error = error.await;
    let text = error.to_string();
    assert!(text.contains("Authentication is required"), "{text}");
    assert!(text.contains("AccessDeniedException"), "{text}");
}

/// google-cloud-rust#3313: which authorities were tried is said, and so is a file that does not
/// help.
#[tokio::test(start_paused = true)]
async fn complaint_57_the_authorities_that_were_tried_are_named() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/suites/tls/stores/server.pem");
    let config = ServerConfig::builder_with_provider(ring::default_provider().into())
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(
            vec![CertificateDer::from_pem_file(file).unwrap()],
            PrivateKeyDer::from_pem_file(file).unwrap(),
        )
        .unwrap();
    let config = Arc::new(config);
    let error = refusal(Config::new().tls(Tls::new()), move |server| {
        let acceptor = TlsAcceptor::from(config.clone());
        async move {
            // The client ends it.
            let _ = acceptor.accept(server).await;
        }
    });
    let text = error.await.to_string();
    // A machine may have none, and says so.
    assert!(
        text.contains("those of the system") || text.contains("the system has no certificates"),
        "{text}"
    );
    let none = Tls::new().ca_file("/nowhere/ca.pem");
    let error =
        Client::connect_with("hbase+rpc://rs1", Config::new().tls(none)).await.err().unwrap();
    assert!(error.to_string().contains("/nowhere/ca.pem: No such file"), "{error}");
}
