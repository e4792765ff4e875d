//! The configuration of TLS by the properties of HBase's files, if `hbase.client.netty.tls.enabled`
//! is true.

use super::property_group::{PropertyGroup, Values};
use super::report::{ConfigEntry, EntryStatus, Problem};
use super::setting_value::{NOT_BOOLEAN, parse_boolean};
use super::table::has_tls;
use crate::Config;

const TRUSTSTORE: &str = "hbase.rpc.tls.truststore.location";
const TRUSTSTORE_TYPE: &str = "hbase.rpc.tls.truststore.type";
const TRUSTSTORE_PASSWORD: &str = "hbase.rpc.tls.truststore.password";
const KEYSTORE: &str = "hbase.rpc.tls.keystore.location";
const KEYSTORE_TYPE: &str = "hbase.rpc.tls.keystore.type";
const KEYSTORE_PASSWORD: &str = "hbase.rpc.tls.keystore.password";
const VERIFY_HOST: &str = "hbase.client.netty.tls.verify.server.hostname";
const ENABLED_PROTOCOLS: &str = "hbase.rpc.tls.enabledProtocols";
const PROTOCOL: &str = "hbase.rpc.tls.protocol";
const CIPHER_SUITES: &str = "hbase.rpc.tls.ciphersuites";
const CRL: &str = "hbase.rpc.tls.clr";
const OCSP: &str = "hbase.rpc.tls.ocsp";

pub(super) static GROUP: PropertyGroup = PropertyGroup {
    setting: "tls",
    names: &NAMES,
    is_on: has_tls,
    off_reason: "there is no TLS (hbase.client.netty.tls.enabled)",
    status,
    apply,
};

/// The properties of TLS besides the one that switches it on.
const NAMES: [&str; 18] = [
    TRUSTSTORE,
    TRUSTSTORE_TYPE,
    TRUSTSTORE_PASSWORD,
    KEYSTORE,
    KEYSTORE_TYPE,
    KEYSTORE_PASSWORD,
    VERIFY_HOST,
    ENABLED_PROTOCOLS,
    PROTOCOL,
    CIPHER_SUITES,
    CRL,
    OCSP,
    "hbase.rpc.tls.host-verification.reverse-dns.enabled",
    "hbase.rpc.tls.useOpenSsl",
    "hbase.rpc.tls.certReload",
    "hbase.rpc.tls.filepoll.interval.millis",
    "hbase.client.netty.tls.handshaketimeout",
    "hadoop.security.credential.provider.path",
];

fn status(name: &str, value: &str, get: &Values<'_>) -> EntryStatus {
    let used = |yes: bool, otherwise: &str| match yes {
        true => EntryStatus::Used,
        false => EntryStatus::Ignored(otherwise.into()),
    };
    match name {
        TRUSTSTORE_PASSWORD => used(get(TRUSTSTORE).is_some(), "there is no truststore"),
        KEYSTORE_PASSWORD => used(get(KEYSTORE).is_some(), "there is no keystore"),
        TRUSTSTORE_TYPE | KEYSTORE_TYPE => {
            let known = ["JKS", "PEM", "PKCS12", "BCFKS", ""];
            match known.iter().any(|known| known.eq_ignore_ascii_case(value)) {
                true => EntryStatus::Ignored("the first bytes of the file say what it is".into()),
                false => EntryStatus::Wrong("it is no type of store; there are JKS, PKCS12 and PEM".into()),
            }
        }
        VERIFY_HOST => match parse_boolean(value) {
            Some(_) => EntryStatus::Used,
            None => EntryStatus::Wrong(NOT_BOOLEAN.into()),
        },
        PROTOCOL => used(get(ENABLED_PROTOCOLS).is_none(), &format!("there is {ENABLED_PROTOCOLS}")),
        CRL | OCSP => match parse_boolean(value) {
            Some(false) => EntryStatus::Ignored("nothing asks whether certificates are revoked".into()),
            Some(true) => EntryStatus::Wrong(
                "this client does not ask whether certificates are revoked; give it a configuration of rustls that does \
                 (Tls::with_rustls_023), or set it to false"
                    .into(),
            ),
            None => EntryStatus::Wrong(NOT_BOOLEAN.into()),
        },
        "hbase.rpc.tls.host-verification.reverse-dns.enabled" => EntryStatus::Ignored(
            "a certificate must be for the name or address by which the server is called".into(),
        ),
        "hbase.rpc.tls.useOpenSsl" => EntryStatus::Ignored("TLS is that of rustls".into()),
        "hbase.rpc.tls.certReload" | "hbase.rpc.tls.filepoll.interval.millis" => EntryStatus::Ignored(
            "files are always read again when they have changed and a connection is opened".into(),
        ),
        "hbase.client.netty.tls.handshaketimeout" => {
            EntryStatus::Ignored("connect_timeout limits a connection with its handshake".into())
        }
        "hadoop.security.credential.provider.path" => EntryStatus::Ignored(
            "credential providers are not read; passwords are those in the files".into(),
        ),
        _ => EntryStatus::Used,
    }
}

#[cfg(feature = "rustls-023")]
fn apply(config: &mut Config, get: &Values<'_>) -> Result<Vec<ConfigEntry>, Problem> {
    let Some(mut tls) = config.tls.take() else { return Ok(Vec::new()) };
    if let Some(path) = get(TRUSTSTORE) {
        tls = match get(TRUSTSTORE_PASSWORD) {
            Some(password) => tls.truststore(path, password),
            None => tls.ca_file(path),
        };
    }
    if let Some(path) = get(KEYSTORE) {
        tls = match get(KEYSTORE_PASSWORD) {
            Some(password) => tls.keystore(path, password),
            None => tls.client_certificate(path, path),
        };
    }
    if let Some(verify) = get(VERIFY_HOST).and_then(parse_boolean) {
        tls = tls.verify_hostname(verify);
    }
    if let Some(names) = get(ENABLED_PROTOCOLS).or_else(|| get(PROTOCOL)) {
        tls = tls.protocols(names);
    }
    if let Some(names) = get(CIPHER_SUITES) {
        tls = tls.cipher_suites(names);
    }
    config.tls = Some(tls);
    Ok(Vec::new())
}

#[cfg(not(feature = "rustls-023"))]
fn apply(_: &mut Config, _: &Values<'_>) -> Result<Vec<ConfigEntry>, Problem> {
    Ok(Vec::new())
}
