//! The settings of the servers that a cluster can be given, by their names in `hbase-site.xml`.

use std::str::FromStr;

use crate::base::limits;

/// The settings of the servers. The default is that of a new cluster.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// The classes of the coprocessors that all tables have.
    pub(crate) coprocessors: Vec<String>,
    /// The classes of the coprocessors that all tables have but those of HBase itself.
    pub(crate) user_coprocessors: Vec<String>,
    /// Whether the master refuses schemas with which a table would not work well.
    pub(crate) sanity_checks: bool,
    /// How long a scanner stays open without a call, in ms.
    pub(crate) scanner_lease_ms: u64,
    /// The maximum size of a request, in bytes.
    pub(crate) request_bytes: usize,
    /// Whether there is a table of quotas from the start.
    pub(crate) quotas: bool,
    /// Whether the servers keep a log of slow calls.
    pub(crate) slow_log: bool,
    /// Whether the secondary replicas of `hbase:meta` see all writes at once.
    pub(crate) meta_replication: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            coprocessors: Vec::new(),
            user_coprocessors: Vec::new(),
            sanity_checks: true,
            scanner_lease_ms: limits::SCANNER_LEASE_MS,
            request_bytes: limits::REQUEST_BYTES,
            quotas: false,
            slow_log: false,
            meta_replication: false,
        }
    }
}

impl Settings {
    /// The names of the settings.
    const NAMES: [&str; 8] = [
        "hbase.coprocessor.region.classes",
        "hbase.coprocessor.user.region.classes",
        "hbase.table.sanity.checks",
        "hbase.client.scanner.timeout.period",
        "hbase.ipc.max.request.size",
        "hbase.quota.enabled",
        "hbase.regionserver.slowlog.buffer.enabled",
        "hbase.region.replica.replication.catalog.enabled",
    ];

    /// Sets a setting by its name; the error says what was expected.
    pub(crate) fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let classes = || value.split(',').map(|class| class.trim().to_owned()).collect();
        match name {
            "hbase.coprocessor.region.classes" => self.coprocessors = classes(),
            "hbase.coprocessor.user.region.classes" => self.user_coprocessors = classes(),
            "hbase.table.sanity.checks" => {
                self.sanity_checks = parse(name, value, "true or false")?;
            }
            "hbase.client.scanner.timeout.period" => {
                self.scanner_lease_ms = parse(name, value, "a number of ms")?;
            }
            "hbase.ipc.max.request.size" => {
                self.request_bytes = parse(name, value, "a number of bytes")?;
            }
            "hbase.quota.enabled" => self.quotas = parse(name, value, "true or false")?,
            "hbase.regionserver.slowlog.buffer.enabled" => {
                self.slow_log = parse(name, value, "true or false")?;
            }
            "hbase.region.replica.replication.catalog.enabled" => {
                self.meta_replication = parse(name, value, "true or false")?;
            }
            _ => {
                return Err(format!(
                    "the setting {name} is not one of those that the mock has: {}",
                    Self::NAMES.join(", ")
                ));
            }
        }
        Ok(())
    }
}

fn parse<T: FromStr>(name: &str, value: &str, expected: &str) -> Result<T, String> {
    value.trim().parse().map_err(|_| format!("the setting {name} is {value}: expected {expected}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_that_is_unknown_or_unreadable_is_refused() {
        const VALUES: [&str; 8] = ["a.B, c.D", "e.F", "false", "500", "9", "true", "true", "true"];
        let mut settings = Settings::default();
        for (name, value) in Settings::NAMES.into_iter().zip(VALUES) {
            settings.set(name, value).unwrap();
        }
        assert_eq!(settings.coprocessors, ["a.B", "c.D"]);
        assert_eq!(settings.user_coprocessors, ["e.F"]);
        assert_eq!((settings.sanity_checks, settings.scanner_lease_ms), (false, 500));
        assert_eq!((settings.request_bytes, settings.quotas, settings.slow_log), (9, true, true));
        assert!(settings.meta_replication);
        assert_eq!(
            settings.set("hbase.table.sanity.checks", "no").unwrap_err(),
            "the setting hbase.table.sanity.checks is no: expected true or false"
        );
        let unknown = settings.set("hbase.rootdir", "/").unwrap_err();
        assert!(unknown.starts_with("the setting hbase.rootdir is not one of"), "{unknown}");
    }
}
