//! The report entries of the settings that say where a Bigtable instance is: those in the address
//! and in the environment.

use super::report::{ConfigEntry, EntryStatus};
use crate::config::address::bigtable::ServiceLocation;
use crate::config::address::bigtable::{BigtableUrl, EMULATOR_HOST};

/// Returns an entry for each setting of the instance in the address and the environment, with its
/// status.
pub(super) fn entries(url: &BigtableUrl) -> Vec<ConfigEntry> {
    let entry = |source: &str, name: &str, value: &str, status: EntryStatus| ConfigEntry {
        name: name.into(),
        value: value.into(),
        source: source.into(),
        line: None,
        status,
    };
    let emulator = |host: &str, status| entry("environment", EMULATOR_HOST, host, status);
    let endpoint = |value: &str| entry("address", "endpoint", value, EntryStatus::Used);
    let mut entries = Vec::new();
    if let Some(host) = &url.unused_emulator {
        entries.push(emulator(host, EntryStatus::Overridden("endpoint of the address".into())));
    }
    match &url.location {
        ServiceLocation::Service => {}
        ServiceLocation::Emulator(host) => entries.push(emulator(host, EntryStatus::Used)),
        ServiceLocation::Plain(host) => entries.push(endpoint(host)),
        ServiceLocation::Secure(host) => entries.push(endpoint(&format!("https://{host}"))),
    }
    if let Some(name) = &url.app_profile {
        entries.push(entry("address", "app_profile", name, EntryStatus::Used));
    }
    if url.exclude_garbage {
        entries.push(entry("address", "exclude_garbage", "true", EntryStatus::Used));
    }
    entries
}

#[cfg(test)]
mod tests {
    use crate::Config;
    use crate::config::address::{Store, Url};
    use crate::config::settings::resolve::resolve;

    #[test]
    fn the_report_says_where_an_instance_is() {
        let mut settings = vec![
            ("pause".to_owned(), "5ms".to_owned()),
            ("endpoint".to_owned(), "h:1".to_owned()),
            ("app_profile".to_owned(), "batch".to_owned()),
            ("exclude_garbage".to_owned(), "true".to_owned()),
        ];
        let store =
            crate::config::address::bigtable::BigtableUrl::parse("p/i", &mut settings, Some("e:2"))
                .unwrap();
        let url = Url { store: Store::Bigtable(store), settings };
        let resolved = resolve(Config::new(), Some(url));
        resolved.check().unwrap();
        assert_eq!(
            resolved.report.address(),
            Some("bigtable://p/i?endpoint=h:1&app_profile=batch&exclude_garbage=true")
        );
        assert_eq!(
            resolved.report.to_string(),
            "environment\n\
             \x20 BIGTABLE_EMULATOR_HOST = e:2: overridden by endpoint of the address\n\
             address\n\
             \x20 endpoint = h:1: used\n\
             \x20 app_profile = batch: used\n\
             \x20 exclude_garbage = true: used\n\
             \x20 pause = 5ms: used\n"
        );
    }
}
