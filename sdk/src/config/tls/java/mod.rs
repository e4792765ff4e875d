//! Java's stores of keys and certificates, and encrypted keys in PEM files.

mod encrypted_key;
mod jks;
mod pkcs12;

pub(super) use encrypted_key::{decrypt_key, encrypted_key_in_pem};
pub(super) use jks::read_jks;
pub(super) use pkcs12::read_pkcs12;

/// The error text for a password that does not open a store or a key.
pub(super) const WRONG_PASSWORD: &str = "the password is wrong (hbase.rpc.tls.truststore.password, hbase.rpc.tls.keystore.password), \
     or the file is damaged";
