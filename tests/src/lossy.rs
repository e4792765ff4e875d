//! A mock cluster that loses replies at random, and clients of it.

use std::time::Duration;

use tallrow::{Client, Config};
use tallrow_mock::{Fault, MockCluster};

use crate::{Store, patience};

/// Patient with operations, and not with attempts.
pub fn config() -> Config {
    Config::new()
        .attempt_timeout(Duration::from_secs(1))
        .operation_timeout(patience())
        .connect_timeout(patience())
        .pause(Duration::from_millis(2))
}

/// Another client, although replies to its connecting may be lost.
///
/// # Panics
/// If it cannot connect for another reason.
pub async fn connect(url: &str) -> Client {
    loop {
        match Client::connect_with(url, config()).await {
            Ok(client) => return client,
            Err(error) => assert!(error.kind().is_safe_to_retry(), "{error:?}"),
        }
    }
}

/// From now on, each call of a table may fail in any of the ways of its store, each with this
/// chance; `silent` calls of each method are applied without a reply.
pub fn lose_replies(store: Store, mock: &MockCluster, table: &str, chance: f64, silent: u64) {
    for method in store.methods() {
        for effect in store.failures() {
            mock.inject(effect(Fault::on(method).table(table).chance(chance)));
        }
        // The client waits for such a reply until its timeout, so there are few.
        mock.inject(Fault::on(method).table(table).chance(0.05).times(silent).drop_reply());
    }
}
