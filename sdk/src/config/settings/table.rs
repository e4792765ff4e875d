//! The table of those settings of a `Config` that files and addresses can set. Everything else is
//! derived from its rows, one for each setting.

use std::time::Duration;

use super::authentication;
use super::setting_value::{Bytes, SettingValue, parse_micros};
use crate::config::host_overrides::HostOverrides;
use crate::request::consistency::{Consistency, HedgedReadBudget};
use crate::{Compression, Config, DeliveryGuarantee, RetryBudget, RowKeyDisplay};

/// A setting, as a row of the table.
pub(super) struct Setting {
    /// The name of the setting's function of `Config`, and its name in an address.
    pub(super) name: &'static str,
    /// The properties of the Java client, the newest name first.
    pub(super) java: &'static [&'static str],
    /// The Java client's default, as it is written in a file.
    pub(super) java_default: Option<&'static str>,
    /// The form of the setting's values.
    pub(super) form: &'static str,
    pub(super) read: Read,
    /// How the value of a property is read; `None` if it is read like the value of the setting.
    pub(super) read_java: Option<Read>,
    pub(super) show: fn(&Config) -> String,
    is_nothing: fn(&Config) -> bool,
    /// Why the value must not be 0 or an empty text; `None` if it may be.
    nothing: Option<&'static str>,
}

type Read = fn(&mut Config, &str) -> Result<(), String>;

/// Makes a row for the field of `Config` with this name and type.
macro_rules! setting {
    ($name:ident: Bytes) => {
        Setting {
            name: stringify!($name),
            java: &[],
            java_default: None,
            form: Bytes::NAME,
            read: |config, text| {
                config.$name = Bytes::read(text)?.0;
                Ok(())
            },
            read_java: None,
            show: |config| Bytes(config.$name).show(),
            is_nothing: |config| Bytes(config.$name).is_zero_or_empty(),
            nothing: None,
        }
    };
    ($name:ident: $type:ty) => {
        Setting {
            name: stringify!($name),
            java: &[],
            java_default: None,
            form: <$type>::NAME,
            read: |config, text| {
                config.$name = <$type>::read(text)?;
                Ok(())
            },
            read_java: None,
            show: |config| config.$name.show(),
            is_nothing: |config| config.$name.is_zero_or_empty(),
            nothing: None,
        }
    };
}

impl Setting {
    const fn java(self, java: &'static [&'static str], default: &'static str) -> Self {
        Self { java, java_default: Some(default), ..self }
    }

    /// Adds properties that have no default of their own in Java.
    const fn named(self, java: &'static [&'static str]) -> Self {
        Self { java, ..self }
    }

    /// Sets why the value cannot be 0 or an empty text.
    const fn not_nothing(self, why: &'static str) -> Self {
        Self { nothing: Some(why), ..self }
    }

    /// Returns why the value in the configuration is not allowed, whatever its source is.
    pub(super) fn problem(&self, config: &Config) -> Option<&'static str> {
        self.nothing.filter(|_| (self.is_nothing)(config))
    }

    /// Sets the setting from a text. The text is the value of a property if `is_java` is true.
    pub(super) fn set_from_text(
        &self,
        config: &mut Config,
        text: &str,
        is_java: bool,
    ) -> Result<(), String> {
        match self.read_java.filter(|_| is_java) {
            Some(read) => read(config, text)?,
            None => (self.read)(config, text)?,
        }
        self.problem(config).map_or(Ok(()), |why| Err(why.into()))
    }

    /// Returns the setting with this name, or with a property of this name.
    pub(super) fn find(name: &str) -> Option<&'static Self> {
        SETTINGS.iter().find(|setting| setting.name == name || setting.java.contains(&name))
    }
}

const NO_TIME: &str =
    "nothing can be answered in no time; for no limit, give a long time, as 1000 days";
const NO_CALLS: &str = "no call could be made; the least is 1";

pub(super) static SETTINGS: &[Setting] = &[
    setting!(operation_timeout: Duration)
        .java(&["hbase.client.operation.timeout"], "1200000")
        .not_nothing(NO_TIME),
    setting!(attempt_timeout: Duration).java(&["hbase.rpc.timeout"], "60000").not_nothing(NO_TIME),
    setting!(page_timeout: Duration)
        .java(&["hbase.client.scanner.timeout.period"], "60000")
        .not_nothing(NO_TIME),
    setting!(admin_timeout: Duration)
        .java(
            &[
                "hbase.client.procedure.future.get.timeout.msec",
                "hbase.client.sync.wait.timeout.msec",
            ],
            "600000",
        )
        .not_nothing(NO_TIME),
    setting!(connect_timeout: Duration)
        .java(&["hbase.ipc.client.socket.timeout.connect"], "10000")
        .not_nothing(NO_TIME),
    setting!(pause: Duration).java(&["hbase.client.pause"], "100"),
    setting!(read_attempt_timeout: Option<Duration>)
        .named(&["hbase.rpc.read.timeout"])
        .not_nothing(NO_TIME),
    setting!(write_attempt_timeout: Option<Duration>)
        .named(&["hbase.rpc.write.timeout"])
        .not_nothing(NO_TIME),
    setting!(meta_attempt_timeout: Option<Duration>)
        .named(&["hbase.client.meta.read.rpc.timeout"])
        .not_nothing(NO_TIME),
    setting!(max_retries: Option<usize>).java(&["hbase.client.retries.number"], "15"),
    setting!(overloaded_pause: Option<Duration>)
        .named(&["hbase.client.pause.server.overloaded", "hbase.client.pause.cqtbe"]),
    setting!(failed_server_expiry: Duration)
        .java(&["hbase.ipc.client.failed.servers.expiry"], "2000"),
    setting!(retry_budget: RetryBudget).java(&[], "unlimited"),
    setting!(delivery: DeliveryGuarantee).java(&[], "at_least_once"),
    setting!(consistency: Consistency),
    Setting {
        read_java: Some(|config, text| {
            config.primary_get_timeout = parse_micros(text)?;
            Ok(())
        }),
        ..setting!(primary_get_timeout: Duration)
            .java(&["hbase.client.primaryCallTimeout.get"], "10000")
    },
    Setting {
        read_java: Some(|config, text| {
            config.primary_scan_timeout = parse_micros(text)?;
            Ok(())
        }),
        ..setting!(primary_scan_timeout: Duration)
            .java(&["hbase.client.replicaCallTimeout.scan"], "1000000")
    },
    setting!(hedged_reads: HedgedReadBudget).java(&[], "unlimited"),
    setting!(in_flight_bytes: Bytes),
    setting!(wait_when_full: bool),
    Setting {
        // Two pages: the one that is read, and the one that is fetched in the meantime.
        read_java: Some(|config, text| {
            config.prefetch_bytes = Bytes::read(text)?.0.saturating_mul(2);
            Ok(())
        }),
        ..setting!(prefetch_bytes: Bytes).java(&["hbase.client.scanner.max.result.size"], "2097152")
    },
    Setting {
        read_java: Some(|config, text| {
            let off = text == "0" || text.strip_prefix('-').is_some_and(|n| Bytes::read(n).is_ok());
            config.max_cell_bytes = if off { usize::MAX } else { Bytes::read(text)?.0 };
            Ok(())
        }),
        ..setting!(max_cell_bytes: Bytes)
            .java(&["hbase.client.keyvalue.maxsize"], "10485760")
            .not_nothing("no cell could be written; leave it out for 10 MiB")
    },
    Setting {
        read_java: Some(|config, text| {
            // Java reads a value less than 1 as its default, which is no limit.
            config.rows_per_call = match text.strip_prefix('-').unwrap_or(text) {
                _ if text.starts_with('-') => None,
                "0" | "2147483647" => None,
                text => Some(usize::read(text)?),
            };
            Ok(())
        }),
        ..setting!(rows_per_call: Option<usize>)
            .java(&["hbase.client.scanner.caching"], "2147483647")
            .not_nothing("no row could be read; leave it out for as many as fit into a page")
    },
    setting!(writer_bytes: Bytes)
        .java(&["hbase.client.write.buffer"], "2097152")
        .not_nothing("a writer could take nothing; leave it out for 16 MiB"),
    setting!(calls_per_server: usize).not_nothing(NO_CALLS),
    setting!(max_calls_per_server: Option<usize>)
        .named(&["hbase.client.perserver.requests.threshold"])
        .not_nothing(NO_CALLS),
    setting!(adaptive_window: bool),
    Setting {
        java: &["hbase.client.rpc.compressor"],
        read: |config, text| {
            config.compression = match text {
                "" => None,
                text => Some(Compression::class_of(text)?),
            };
            Ok(())
        },
        ..setting!(compression: Option<String>)
    },
    Setting {
        name: "tls",
        java: &["hbase.client.netty.tls.enabled"],
        java_default: None,
        form: bool::NAME,
        read: |config, text| switch_tls(config, bool::read(text)?),
        read_java: None,
        show: |config| has_tls(config).show(),
        is_nothing: |_| false,
        nothing: None,
    },
    Setting {
        name: "authentication",
        java: &[authentication::AUTHENTICATION],
        java_default: None,
        form: "simple or kerberos",
        read: authentication::apply_mechanism,
        read_java: None,
        show: authentication::show,
        is_nothing: |_| false,
        nothing: None,
    },
    Setting {
        name: "host_override",
        java: &[],
        java_default: None,
        form: HostOverrides::NAME,
        read: |config, text| {
            config.host_overrides = HostOverrides::read(text)?;
            Ok(())
        },
        read_java: None,
        show: |config| config.host_overrides.show(),
        is_nothing: |_| false,
        nothing: None,
    },
    setting!(user: String)
        .not_nothing("servers refuse a user without a name; leave it out for $USER"),
    setting!(namespace: Option<String>)
        .not_nothing("it has no name; leave it out for the namespace `default`"),
    setting!(table_prefix: String),
    Setting {
        name: "row_keys",
        java: &[],
        java_default: None,
        form: RowKeyDisplay::NAME,
        read: |config, text| {
            config.observation.row_keys = RowKeyDisplay::read(text)?;
            Ok(())
        },
        read_java: None,
        show: |config| config.observation.row_keys.show(),
        is_nothing: |_| false,
        nothing: None,
    },
];

#[cfg(feature = "rustls-023")]
fn switch_tls(config: &mut Config, on: bool) -> Result<(), String> {
    config.tls = on.then(crate::Tls::new);
    Ok(())
}

#[cfg(not(feature = "rustls-023"))]
fn switch_tls(_: &mut Config, on: bool) -> Result<(), String> {
    match on {
        true => Err("TLS needs the feature `rustls-023` of tallrow, and `ring`, `aws-lc-rs` or another cryptography provider of rustls; \
                     add them to Cargo.toml"
            .into()),
        false => Ok(()),
    }
}

pub(super) fn has_tls(config: &Config) -> bool {
    #[cfg(feature = "rustls-023")]
    return config.tls.is_some();
    #[cfg(not(feature = "rustls-023"))]
    return {
        let _ = config;
        false
    };
}
