//! Logins against a KDC that is in the test: its answers can be wrong in every way.

mod files;
mod gss;
mod login;
mod refusals;
mod requests;
mod toy_kdc;
mod transport;

use toy_kdc::ToyKdc;

use crate::{Config, Login, Principal};

const REALM: &str = "TEST";

fn principal(name: &str) -> Principal {
    name.parse::<Principal>().unwrap().with_default_realm(REALM)
}

/// A login of alice by her password.
fn login(config: Config) -> Login {
    Login::with_password(config, principal("alice"), "secret").unwrap()
}

/// A configuration with these KDCs, and settings.
/// Unless they say otherwise, a KDC has all the time that it needs.
fn config(kdcs: &[&ToyKdc], settings: &str) -> Config {
    let addresses: String =
        kdcs.iter().map(|kdc| format!("kdc = 127.0.0.1:{}\n", kdc.port())).collect();
    let text = format!(
        "[libdefaults]\n default_realm = {REALM}\n {settings}\n kdc_timeout = 60\n[realms]\n {REALM} = {{\n {addresses} }}"
    );
    Config::parse(&text).unwrap()
}
