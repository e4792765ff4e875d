//! Java's stores (`tests/suites/tls/stores/make`), and TLS by the properties of hbase-site.xml
//! alone.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustls_023::crypto::{CryptoProvider, ring};
use rustls_023::pki_types::pem::PemObject;
use rustls_023::pki_types::{CertificateDer, PrivateKeyDer};
use rustls_023::server::WebPkiClientVerifier;
use rustls_023::version::{TLS12, TLS13};
use rustls_023::{RootCertStore, ServerConfig, SupportedProtocolVersion};
use tallrow::settings::EntryStatus;
use tallrow::{Client, Config, ErrorKind, Result, Tls};
use tallrow_mock::MockCluster;
use tallrow_tests::Sample;

use crate::tls::authority::Folder;
use crate::tls::{connect, in_front, mock, works};

const PASSWORD: &str = "changeit";

fn store(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("suites/tls/stores").join(name)
}

/// A server with the certificate of the folder, which asks for those of its clients.
fn server(version: &'static SupportedProtocolVersion) -> Arc<ServerConfig> {
    let provider: Arc<CryptoProvider> = ring::default_provider().into();
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(store("ca.pem")).unwrap()).unwrap();
    let verifier = WebPkiClientVerifier::builder_with_provider(roots.into(), provider.clone());
    let chain = vec![CertificateDer::from_pem_file(store("server.pem")).unwrap()];
    let key = PrivateKeyDer::from_pem_file(store("server.pem")).unwrap();
    let config = ServerConfig::builder_with_provider(provider)
        .with_protocol_versions(&[version])
        .unwrap()
        .with_client_cert_verifier(verifier.build().unwrap())
        .with_single_cert(chain, key)
        .unwrap();
    Arc::new(config)
}

/// A directory with an hbase-site.xml of a mock and these properties.
fn site(mock: &MockCluster, properties: &[(&str, &str)]) -> Folder {
    let folder = Folder::new();
    let address = mock.rpc_address().to_string();
    let place = [
        ("hbase.client.registry.impl", "org.apache.hadoop.hbase.client.RpcConnectionRegistry"),
        ("hbase.masters", &*address),
    ];
    let lines = place.iter().chain(properties).map(|(name, value)| {
        format!("<property><name>{name}</name><value>{value}</value></property>\n")
    });
    let text = format!("<configuration>\n{}</configuration>", lines.collect::<String>());
    folder.write("hbase-site.xml", text);
    folder
}

async fn connect_by(
    mock: &MockCluster,
    server: &Arc<ServerConfig>,
    properties: &[(&str, &str)],
) -> Result<Client> {
    let folder = site(mock, properties);
    let config = Config::new().connector(in_front(mock, server));
    Client::connect_with(&format!("hbase-site:{}", folder.0.display()), config).await
}

#[tokio::test(start_paused = true)]
async fn stores_of_keytool_and_openssl_are_read() {
    let mock = mock().await;
    let trust =
        [("trust.jks", PASSWORD), ("trust.p12", PASSWORD), ("trust.jks", ""), ("ca.pem", "x")];
    let keys = ["client.jks", "client.p12", "openssl.p12", "encrypted.pem"];
    for (i, ((trust, password), key)) in trust.into_iter().zip(keys).enumerate() {
        let tls = Tls::new().truststore(store(trust), password).keystore(store(key), PASSWORD);
        let client = connect(&mock, in_front(&mock, &server(&TLS13)), Some(tls)).await;
        works(&client.unwrap_or_else(|e| panic!("{trust} {key}: {e}")), &format!("t{i}")).await;
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_wrong_with_a_store_is_told() {
    let (mock, folder) = (mock().await, Folder::new());
    let cut = |name: &str, length: usize| {
        let bytes = std::fs::read(store(name)).unwrap();
        folder.write(&format!("cut-{name}"), &bytes[..length])
    };
    let key = |path: PathBuf, password: &str| {
        Tls::new().ca_file(store("ca.pem")).keystore(path, password)
    };
    let without = Tls::new().client_certificate(store("encrypted.pem"), store("encrypted.pem"));
    for (tls, text) in [
        (Tls::new().truststore(store("trust.jks"), "guess"), "trust.jks: the password is wrong"),
        (Tls::new().truststore(store("trust.p12"), "guess"), "trust.p12: the password is wrong"),
        (Tls::new().ca_file(store("trust.p12")), "trust.p12: it has a password, and none is given"),
        (key(store("client.jks"), "guess"), "client.jks: the password is wrong"),
        (key(store("openssl.p12"), "guess"), "openssl.p12: the password is wrong"),
        (key(store("encrypted.pem"), "guess"), "encrypted.pem: the password is wrong"),
        (without.ca_file(store("ca.pem")), "the private key has a password, and none is given"),
        (key(store("otherkey.jks"), PASSWORD), "has another password than the store"),
        (key(store("trust.jks"), PASSWORD), "trust.jks: there is no private key in it"),
        (
            Tls::new().truststore(store("openssl.p12"), PASSWORD),
            "there is no trusted certificate in it",
        ),
        (Tls::new().truststore(cut("trust.jks", 30), ""), "it ends in the middle of an entry"),
        (Tls::new().truststore(cut("trust.p12", 300), PASSWORD), "it cannot be read as PKCS12"),
        (Tls::new().truststore(store("none.p12"), PASSWORD), "none.p12: No such file"),
    ] {
        let error =
            connect(&mock, in_front(&mock, &server(&TLS13)), Some(tls)).await.err().unwrap();
        assert_eq!((error.kind(), error.attempts()), (ErrorKind::InvalidArgument, 0), "{error}");
        assert!(error.to_string().contains(text), "{text}: {error}");
        assert!(!error.to_string().contains("guess"), "{error}");
    }
}

/// Damaged bytes are an error and no more; the ends of all lengths, and each byte changed.
#[tokio::test(start_paused = true)]
async fn a_damaged_store_is_an_error() {
    let (mock, folder) = (mock().await, Folder::new());
    let mut sample = Sample::new();
    for name in ["client.jks", "trust.jks"] {
        let whole = std::fs::read(store(name)).unwrap();
        let cut = (0..whole.len()).step_by(7).map(|end| whole[..end].to_vec());
        let changed = (0..whole.len()).step_by(5).map(|at| {
            let mut bytes = whole.clone();
            bytes[at] ^= 0x55;
            bytes
        });
        for bytes in cut.chain(changed).filter(|_| sample.takes()) {
            let path = folder.write("damaged.jks", bytes);
            for tls in [
                Tls::new().truststore(&path, PASSWORD),
                Tls::new().ca_file(store("ca.pem")).keystore(&path, PASSWORD),
            ] {
                let connected = connect(&mock, in_front(&mock, &server(&TLS13)), Some(tls)).await;
                assert_eq!(connected.err().unwrap().kind(), ErrorKind::InvalidArgument);
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_site_file_alone_connects_with_tls() {
    let mock = mock().await;
    let (trust, key) = (store("trust.jks"), store("client.p12"));
    let client = connect_by(
        &mock,
        &server(&TLS12),
        &[
            ("hbase.client.netty.tls.enabled", "true"),
            ("hbase.rpc.tls.truststore.location", trust.to_str().unwrap()),
            ("hbase.rpc.tls.truststore.type", "JKS"),
            ("hbase.rpc.tls.truststore.password", PASSWORD),
            ("hbase.rpc.tls.keystore.location", key.to_str().unwrap()),
            ("hbase.rpc.tls.keystore.type", "PKCS12"),
            ("hbase.rpc.tls.keystore.password", PASSWORD),
            ("hbase.rpc.tls.certReload", "true"),
        ],
    )
    .await
    .unwrap();
    works(&client, "t").await;
    let report = client.config_report();
    assert!(!report.to_string().contains(PASSWORD), "{report}");
    let used = report.entries().iter().filter(|entry| *entry.status() == EntryStatus::Used).count();
    assert_eq!(used, 2 + 5, "{report}");
}

#[tokio::test(start_paused = true)]
async fn wrong_properties_of_tls_are_told() {
    let mock = mock().await;
    let (trust, pem, none) = (store("trust.p12"), store("ca.pem"), store("none.jks"));
    let (trust, pem) = (trust.to_str().unwrap(), pem.to_str().unwrap());
    let none = none.to_str().unwrap();
    let location = "hbase.rpc.tls.truststore.location";
    for (properties, text) in [
        (
            [(location, trust), ("hbase.rpc.tls.truststore.password", "guess")],
            "the password is wrong",
        ),
        (
            [(location, none), ("hbase.rpc.tls.truststore.password", PASSWORD)],
            "none.jks: No such file",
        ),
        (
            [(location, pem), ("hbase.rpc.tls.truststore.type", "P12")],
            "there are JKS, PKCS12 and PEM",
        ),
        ([(location, pem), ("hbase.rpc.tls.enabledProtocols", "TLSv1.4")], "is no version of TLS"),
        ([(location, pem), ("hbase.rpc.tls.ciphersuites", "TLS_NULL")], "there are TLS_AES_"),
    ] {
        let all = [&[("hbase.client.netty.tls.enabled", "true")][..], &properties].concat();
        let error = connect_by(&mock, &server(&TLS13), &all).await.err().unwrap();
        assert_eq!((error.kind(), error.attempts()), (ErrorKind::InvalidArgument, 0), "{error}");
        assert!(error.to_string().contains(text), "{text}: {error}");
    }
}

#[tokio::test(start_paused = true)]
async fn only_the_versions_that_are_named_are_offered() {
    let mock = mock().await;
    let tls = || Tls::new().ca_file(store("ca.pem")).keystore(store("client.p12"), PASSWORD);
    for (names, version, works) in [
        ("TLSv1.2", &TLS12, true),
        ("TLSv1.2", &TLS13, false),
        ("TLSv1.1, TLSv1.3", &TLS13, true),
        ("TLSv1.3", &TLS12, false),
    ] {
        let connected =
            connect(&mock, in_front(&mock, &server(version)), Some(tls().protocols(names))).await;
        assert_eq!(connected.is_ok(), works, "{names} {:?}", connected.err());
    }
    let suites = tls().cipher_suites("TLS_AES_256_GCM_SHA384");
    connect(&mock, in_front(&mock, &server(&TLS13)), Some(suites.clone())).await.unwrap();
    assert!(connect(&mock, in_front(&mock, &server(&TLS12)), Some(suites)).await.is_err());
}
