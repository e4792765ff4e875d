//! Tests of settings from programs, addresses and files: which of them counts, and what is refused.

use std::time::Duration;

use super::report::{ConfigEntry, EntryStatus};
use super::resolve::{ResolvedConfig, resolve};
use super::table::SETTINGS;
use crate::{Config, Connector};

fn with_site(config: Config, properties: &[(&str, &str)]) -> Config {
    let lines = properties.iter().map(|(name, value)| {
        format!("\n<property><name>{name}</name><value>{value}</value></property>")
    });
    let text = format!("<configuration>{}</configuration>", lines.collect::<String>());
    let mut config = config;
    let file = format!("{}.xml", config.site.files().len());
    config.site.read_text(&file, &text).unwrap();
    config
}

fn resolved(config: Config, address: &str) -> ResolvedConfig {
    resolve(config, Some(address.parse().unwrap()))
}

fn shown(resolved: &ResolvedConfig) -> String {
    resolved.report.to_string()
}

#[test]
fn the_program_counts_before_the_address_and_that_before_the_files() {
    let site = &[
        ("hbase.zookeeper.quorum", "zk"),
        ("hbase.client.operation.timeout", "1000"),
        ("hbase.rpc.timeout", "2s"),
        ("hbase.client.pause", "3"),
    ];
    let config = Config::new().operation_timeout(Duration::from_secs(9));
    let address = "hbase-site:?attempt_timeout=8s&operation_timeout=7s";
    let all = resolved(with_site(config, site), address);
    all.check().unwrap();
    assert_eq!(all.config.operation_timeout, Duration::from_secs(9));
    assert_eq!(all.config.attempt_timeout, Duration::from_secs(8));
    assert_eq!(all.config.pause, Duration::from_millis(3));
    assert_eq!(all.config.connect_timeout, Config::new().connect_timeout);
    assert_eq!(all.report.address(), Some("hbase+zk://zk:2181/hbase"));
    assert_eq!(
        shown(&all),
        "0.xml\n\
         \x20 line 2: hbase.zookeeper.quorum = zk: used\n\
         \x20 line 3: hbase.client.operation.timeout = 1000: overridden by operation_timeout of the program\n\
         \x20 line 4: hbase.rpc.timeout = 2s: overridden by attempt_timeout of the address\n\
         \x20 line 5: hbase.client.pause = 3: used\n\
         address\n\
         \x20 attempt_timeout = 8s: used\n\
         \x20 operation_timeout = 7s: overridden by operation_timeout of the program\n\
         program\n\
         \x20 operation_timeout = 9 s: used\n"
    );
    let sources: Vec<_> =
        all.report.settings().iter().take(3).map(|s| (s.value(), s.source())).collect();
    assert_eq!(sources, [("9 s", "program"), ("8 s", "address"), ("30 s", "default")]);
}

#[test]
fn an_address_of_a_place_counts_before_the_files() {
    let site = &[("hbase.zookeeper.quorum", "zk"), ("hbase.client.pause", "3")];
    let all = resolved(with_site(Config::new(), site), "hbase+rpc://m:1");
    assert_eq!(all.report.address(), Some("hbase+rpc://m:1"));
    assert_eq!(all.config.pause, Duration::from_millis(3));
    assert_eq!(all.report.entries()[0].status(), &EntryStatus::Overridden("the address".into()));
}

#[test]
fn two_files_that_disagree_are_told() {
    let config =
        with_site(Config::new(), &[("hbase.zookeeper.quorum", "a"), ("hbase.client.pause", "3")]);
    let all = resolved(with_site(config, &[("hbase.client.pause", "4")]), "hbase-site:");
    assert_eq!(all.config.pause, Duration::from_millis(4));
    assert_eq!(all.report.entries()[1].status(), &EntryStatus::Overridden("1.xml:2".into()));
}

#[test]
fn an_older_name_gives_way_to_the_newer_one() {
    let names = SETTINGS.iter().find(|s| s.name == "admin_timeout").unwrap().java;
    let site = &[("hbase.zookeeper.quorum", "a"), (names[1], "5s"), (names[0], "6s")];
    let all = resolved(with_site(Config::new(), site), "hbase-site:");
    assert_eq!(all.config.admin_timeout, Duration::from_secs(6));
    let status = EntryStatus::Overridden(format!("its newer name, {}", names[0]));
    assert_eq!(all.report.entries()[1].status(), &status);
    let all = resolved(with_site(Config::new(), &site[..2]), "hbase-site:");
    assert_eq!(all.config.admin_timeout, Duration::from_secs(5));
}

#[test]
fn what_is_wrong_is_an_error_with_its_place() {
    for (name, value, expected) in [
        (
            "hbase.rpc.timeout",
            "60 parsecs",
            "connect: 0.xml:3: hbase.rpc.timeout is \"60 parsecs\": it is not a time",
        ),
        (
            "hbase.client.keyvalue.maxsize",
            "big",
            "connect: 0.xml:3: hbase.client.keyvalue.maxsize is \"big\": it is not a number of bytes",
        ),
        (
            "hbase.client.pause",
            "${pause}",
            "connect: 0.xml:3: hbase.client.pause is \"${pause}\": nothing sets ${pause}",
        ),
        ("a", "${a}", "connect: 0.xml:3: a is \"${a}\": its value takes more than 20 replacements"),
        (
            "hbase.security.authentication",
            "kerberos",
            match cfg!(feature = "kerberos") {
                true => {
                    "connect: 0.xml:3: hbase.security.authentication is \"kerberos\": hbase.regionserver.kerberos.principal does not say"
                }
                false => {
                    "connect: 0.xml:3: hbase.security.authentication is \"kerberos\": this takes the feature `kerberos`"
                }
            },
        ),
        (
            "hbase.security.authentication",
            "token",
            "connect: 0.xml:3: hbase.security.authentication is \"token\": it is neither simple nor kerberos",
        ),
        (
            "hbase.zookeeper.property.clientPort",
            "x",
            "connect: 0.xml:3: hbase.zookeeper.property.clientPort is \"x\": it is not a port",
        ),
    ] {
        let site = &[("hbase.zookeeper.quorum", "zk"), (name, value)];
        let error = resolved(with_site(Config::new(), site), "hbase-site:").check().unwrap_err();
        assert!(error.to_string().starts_with(expected), "{error}");
        assert_eq!(error.kind(), crate::ErrorKind::InvalidArgument);
    }
    for (address, expected) in [
        ("mock:?pause=soon", "connect: the address: pause is \"soon\": it is not a time"),
        (
            "mock:?namespace=a&namespace=b",
            "connect: the address: namespace is \"b\": namespace is given twice",
        ),
        ("mock:?puase=5", "connect: the address: puase is \"5\": unknown setting; is it pause?"),
        (
            "mock:?prefix=a",
            "connect: the address: prefix is \"a\": unknown setting; is it one of table_prefix?",
        ),
        (
            "mock:?colour=a",
            "connect: the address: colour is \"a\": unknown setting; there are operation_timeout",
        ),
    ] {
        let error = resolved(Config::new(), address).check().unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
    }
    let error =
        resolved(with_site(Config::new(), &[("hbase.rootdir", "x")]), "hbase-site:").check();
    let error = error.unwrap_err().to_string();
    assert!(
        error.starts_with("connect: the files 0.xml: hbase.zookeeper.quorum: no file sets it"),
        "{error}"
    );
}

#[test]
fn what_an_address_cannot_set_is_told_from_what_is_misspelt() {
    for (setting, expected) in [
        ("hbase.zookeeper.quorum=zk1", "an address says before its `?` where the cluster is"),
        ("app_profile=x", "it is a setting of bigtable:// addresses alone; remove it"),
        ("hbase.ipc.client.tcpnodelay=true", "it sets nothing: it is always on; remove it"),
        ("hbase.security.authentication=krb", "it is neither simple nor kerberos"),
        ("app-profil=x", "unknown setting; is it app_profile?"),
        ("operationTimeout=5s", "unknown setting; is it operation_timeout?"),
        ("NAMESPACE=a", "unknown setting; is it namespace?"),
        ("hbase.client.puase=5", "unknown setting; is it hbase.client.pause?"),
    ] {
        let error = resolved(Config::new(), &format!("mock:?{setting}")).check().unwrap_err();
        let error = error.to_string();
        assert!(error.contains(expected), "{error}");
        // The list of all settings is only for a name that is like none of them.
        assert!(!error.contains("there are"), "{error}");
    }
    let seed = resolved(Config::new(), "hbase+zk://zk1?seed=7").check().unwrap_err();
    assert!(seed.to_string().contains("it is a setting of `mock:` alone"), "{seed}");
}

#[test]
fn a_setting_with_which_nothing_could_be_done_is_refused_whoever_gives_it() {
    let zero = Duration::ZERO;
    let no_time = "is \"0\": nothing can be answered in no time; for no limit, give a long time";
    for (config, name, expected) in [
        (Config::new().operation_timeout(zero), "operation_timeout", no_time),
        (Config::new().attempt_timeout(zero), "attempt_timeout", no_time),
        (Config::new().page_timeout(zero), "page_timeout", no_time),
        (Config::new().admin_timeout(zero), "admin_timeout", no_time),
        (Config::new().connect_timeout(zero), "connect_timeout", no_time),
        (Config::new().read_attempt_timeout(zero), "read_attempt_timeout", no_time),
        (Config::new().max_cell_bytes(0), "max_cell_bytes", "is \"0\": no cell could be written"),
        (Config::new().rows_per_call(0), "rows_per_call", "is \"0\": no row could be read"),
        (Config::new().writer_bytes(0), "writer_bytes", "is \"0\": a writer could take nothing"),
        (Config::new().calls_per_server(0), "calls_per_server", "is \"0\": no call could be made"),
    ] {
        let error = resolved(config, "mock:").check().unwrap_err().to_string();
        assert!(error.starts_with(&format!("connect: the program: {name} {expected}")), "{error}");
        let by_address = format!("mock:?{name}=0");
        let error = resolved(Config::new(), &by_address).check().unwrap_err().to_string();
        assert!(error.starts_with(&format!("connect: the address: {name} is \"0\": ")), "{error}");
    }
    for (address, expected) in [
        ("mock:?user=", "the address: user: servers refuse a user without a name; leave it out"),
        ("mock:?namespace=", "the address: namespace: it has no name; leave it out for the"),
    ] {
        let error = resolved(Config::new(), address).check().unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
    // Without a pause, attempts follow each other at once; without retries there is one attempt.
    let at_once = Config::new().pause(zero).primary_get_timeout(zero).max_retries(0);
    resolved(at_once, "mock:").check().unwrap();
    // Java's 0 is no limit.
    let all = resolved(Config::new(), "mock:?hbase.client.keyvalue.maxsize=0");
    all.check().unwrap();
    assert_eq!(all.config.max_cell_bytes, usize::MAX);
}

#[test]
fn a_wrong_value_that_does_not_count_is_no_error() {
    let site = &[("hbase.rpc.timeout", "x")];
    let config = with_site(Config::new().attempt_timeout(Duration::from_secs(1)), site);
    resolved(config, "mock:").check().unwrap();
}

#[test]
fn an_address_takes_javas_names_too() {
    let all =
        resolved(Config::new(), "mock:?hbase.client.scanner.max.result.size=1m&max_cell_bytes=2m");
    assert_eq!((all.config.prefetch_bytes, all.config.max_cell_bytes), (2 << 20, 2 << 20));
    let all = resolved(Config::new(), "mock:?prefetch_bytes=1m&hbase.client.keyvalue.maxsize=-1");
    assert_eq!((all.config.prefetch_bytes, all.config.max_cell_bytes), (1 << 20, usize::MAX));
}

#[test]
fn secrets_are_not_shown() {
    let site = &[
        ("hbase.rpc.tls.keystore.password", "hunter2"),
        ("my.copy", "x${hbase.rpc.tls.keystore.password}"),
        ("hbase.rpc.tls.keystore.location", "/k.jks"),
    ];
    let all = resolved(with_site(Config::new(), site), "mock:");
    assert!(!format!("{:?}{}", all.report, all.report).contains("hunter2"));
    assert!(shown(&all).contains("hbase.rpc.tls.keystore.password = (hidden): ignored"));
    assert!(shown(&all).contains("hbase.rpc.tls.keystore.location = /k.jks"));
}

#[test]
fn javas_defaults_are_read() {
    for setting in SETTINGS {
        if let Some(text) = setting.java_default {
            setting.set_from_text(&mut Config::new(), text, true).unwrap();
        }
    }
    assert_eq!(Config::java_defaults().operation_timeout, Duration::from_secs(1_200));
    assert_eq!(Config::java_defaults().prefetch_bytes, 4 << 20);
}

#[test]
fn properties_of_a_login_count_where_the_cluster_is_secured() {
    use crate::authentication::{Authentication, Gssapi, StartFuture};

    #[derive(Debug)]
    struct Mechanism;

    impl Gssapi for Mechanism {
        fn start(&self, _: String) -> StartFuture<'_> {
            Box::pin(std::future::ready(Err("no ticket".into())))
        }
    }

    let site = |authentication| {
        [
            ("hbase.zookeeper.quorum", "zk"),
            ("hbase.security.authentication", authentication),
            ("hbase.regionserver.kerberos.principal", "hbase/_HOST@R"),
            ("hbase.master.kerberos.principal", "hbase/_HOST@R"),
            ("hbase.rpc.protection", "privacy"),
            ("hbase.client.keytab.file", "/etc/app.keytab"),
        ]
    };
    let all = resolved(with_site(Config::new(), &site("Simple")), "hbase-site:");
    all.check().unwrap();
    let off = "the cluster is not secured (hbase.security.authentication)";
    let statuses: Vec<_> = all.report.entries().iter().map(ConfigEntry::status).collect();
    assert_eq!(*statuses[1], EntryStatus::Used);
    assert!(statuses[2..].iter().all(|status| **status == EntryStatus::Ignored(off.into())));

    let own = Authentication::gssapi(Mechanism, "hbase/_HOST@R");
    let config = Config::new().authentication(own.clone());
    let all = resolved(with_site(config, &site("kerberos")), "hbase-site:");
    all.check().unwrap();
    assert_eq!(all.config.authentication, Some(own));
    let overridden = EntryStatus::Overridden("authentication of the program".into());
    assert!(all.report.entries()[1..6].iter().all(|entry| *entry.status() == overridden));
    assert!(shown(&all).contains("authentication = kerberos: used"));

    #[cfg(feature = "kerberos")]
    for (name, value, expected) in [
        ("hbase.rpc.protection", "privacy,secret", "\"secret\": it is none of authentication"),
        ("hbase.client.keytab.file", "/k", "hbase.client.keytab.principal does not say whose"),
        ("hbase.ipc.client.fallback-to-simple-auth-allowed", "x", "it is neither true nor false"),
    ] {
        let site = [&site("kerberos")[..5], &[(name, value)]].concat();
        let error = resolved(with_site(Config::new(), &site), "hbase-site:").check().unwrap_err();
        let start = format!("connect: 0.xml:7: {name} is {value:?}: ");
        let error = error.to_string();
        assert!(error.starts_with(&start) && error.contains(expected), "{error}");
    }
}

#[cfg(feature = "rustls-023")]
#[test]
fn properties_of_tls_make_the_settings_of_tls() {
    use crate::Tls;

    let site = &[
        ("hbase.zookeeper.quorum", "zk"),
        ("hbase.rpc.tls.keystore.location", "/k.p12"),
        ("hbase.rpc.tls.keystore.password", "hunter2"),
        ("hbase.rpc.tls.keystore.type", "pkcs12"),
        ("hbase.client.netty.tls.enabled", "true"),
        ("hbase.rpc.tls.truststore.location", "/t.jks"),
        ("hbase.rpc.tls.truststore.type", "jks"),
        ("hbase.client.netty.tls.verify.server.hostname", "False"),
        ("hbase.rpc.tls.enabledProtocols", "TLSv1.3"),
        ("hbase.rpc.tls.protocol", "TLSv1.2"),
        ("hbase.rpc.tls.certReload", "true"),
        ("hbase.client.netty.tls.handshaketimeout", "5000"),
    ];
    let expected = Tls::new()
        .keystore("/k.p12", "hunter2")
        .ca_file("/t.jks")
        .verify_hostname(false)
        .protocols("TLSv1.3");
    let all = resolved(with_site(Config::new(), site), "hbase-site:");
    all.check().unwrap();
    assert_eq!(all.config.tls, Some(expected.clone()));
    let statuses: Vec<_> =
        all.report.entries().iter().map(|entry| entry.status().clone()).collect();
    let used = [0, 1, 2, 4, 5, 7, 8];
    for (at, status) in statuses.iter().enumerate() {
        assert_eq!(used.contains(&at), *status == EntryStatus::Used, "{at}: {status}");
    }
    assert_eq!(statuses[9], EntryStatus::Ignored("there is hbase.rpc.tls.enabledProtocols".into()));

    // The address counts before files, and the program before both.
    let address =
        "hbase-site:?hbase.rpc.tls.keystore.location=/mine.pem&hbase.rpc.tls.keystore.password=pw";
    let all = resolved(with_site(Config::new(), site), address);
    assert_eq!(all.config.tls, Some(expected.clone().keystore("/mine.pem", "pw")));
    assert_eq!(
        all.report.entries()[1].status(),
        &EntryStatus::Overridden("hbase.rpc.tls.keystore.location of the address".into())
    );
    assert!(!format!("{:?}", all.report).contains("pw\""));
    // Also with a typo in the name.
    let address = "hbase-site:?hbase.rpc.tls.keystore.passwords=pw1";
    let all = resolved(with_site(Config::new(), site), address);
    let error = all.check().unwrap_err();
    assert!(!format!("{:?} {error} {error:?}", all.report).contains("pw1"));
    let all = resolved(with_site(Config::new().tls(Tls::new()), site), "hbase-site:");
    assert_eq!(all.config.tls, Some(Tls::new()));
    let overridden = EntryStatus::Overridden("tls of the program".into());
    assert_eq!(
        (all.report.entries()[1].status(), all.report.entries()[4].status()),
        (&overridden, &overridden)
    );

    let all = resolved(with_site(Config::new(), site), "hbase-site:?tls=false");
    assert_eq!(all.config.tls, None);
    all.check().unwrap();
    let all = resolved(Config::new(), "mock:?tls=true&hbase.rpc.tls.truststore.location=/ca.pem");
    assert_eq!(all.config.tls, Some(Tls::new().ca_file("/ca.pem")));
}

#[cfg(feature = "rustls-023")]
#[test]
fn wrong_properties_of_tls_are_errors_if_there_is_tls() {
    for (name, value, expected) in [
        ("hbase.client.netty.tls.enabled", "yes", "it is neither true nor false"),
        ("hbase.rpc.tls.truststore.type", "JCEKS", "it is no type of store"),
        ("hbase.client.netty.tls.verify.server.hostname", "1", "it is neither true nor false"),
        ("hbase.rpc.tls.ocsp", "true", "Tls::with_rustls_023"),
        ("hbase.rpc.tls.keystore.location", "${keys}/k.pem", "nothing sets ${keys}"),
    ] {
        let of = |on| {
            [
                ("hbase.zookeeper.quorum", "zk"),
                ("hbase.client.netty.tls.enabled", on),
                (name, value),
            ]
        };
        let error = resolved(with_site(Config::new(), &of("true")), "hbase-site:").check();
        let error = error.unwrap_err().to_string();
        assert!(error.starts_with(&format!("connect: 0.xml:4: {name} is {value:?}: ")), "{error}");
        assert!(error.contains(expected), "{error}");
        if name != "hbase.client.netty.tls.enabled" {
            resolved(with_site(Config::new(), &of("false")), "hbase-site:").check().unwrap();
        }
    }
}

/// The names are the text constants of `HConstants` and of the packages `client`, `ipc`,
/// `security`, `zookeeper` and `io.crypto.tls` of hbase-common and hbase-client 2.6.4.
#[test]
fn every_property_of_javas_client_is_known() {
    let unknown: Vec<_> = include_str!("java_client_2.6.4.txt")
        .lines()
        .filter(|name| {
            let site = &[("hbase.zookeeper.quorum", "zk"), (*name, "1")];
            let all = resolved(with_site(Config::new(), site), "hbase-site:");
            matches!(all.report.entries()[1].status(), EntryStatus::Unknown(_))
        })
        .collect();
    assert_eq!(unknown, [""; 0]);
}

/// Which functions were called counts, so each has to tell.
#[test]
fn every_setting_is_a_function_that_tells_it_was_called() {
    let source = [
        include_str!("../mod.rs"),
        include_str!("../limits.rs"),
        include_str!("../observing.rs"),
        include_str!("../times.rs"),
    ]
    .concat();
    for setting in SETTINGS {
        let name = setting.name;
        assert!(source.contains(&format!("pub fn {name}(")), "Config::{name} is missing");
        assert!(
            source.contains(&format!("self.given(\"{name}\")")),
            "Config::{name} does not call given"
        );
        let documented = source.lines().any(|line| {
            line.starts_with("/// |")
                // It is there only with a feature, so it has no link.
                && (name == "tls" || line.contains(&format!("[`{name}`](Self::{name})")))
                && setting.java.iter().all(|java| line.contains(&format!("`{java}`")))
        });
        assert!(documented, "the table of Config has no line for {name} and {:?}", setting.java);
    }
    assert_eq!(Config::new().connector(Connector::tcp()), Config::new());
}

#[test]
fn the_book_has_all_settings() {
    let page =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/configuration.md"))
            .unwrap();
    let (new, java) = (Config::new().user("$USER"), Config::java_defaults());
    let mut table = String::from(
        "| setting | values | default | HBase's property | Java's default |\n|---|---|---|---|---|\n",
    );
    for setting in SETTINGS {
        let names: Vec<String> = setting.java.iter().map(|name| format!("`{name}`")).collect();
        let cells = [
            format!("`{}`", setting.name),
            setting.form.to_owned(),
            (setting.show)(&new),
            names.join(", older "),
            match setting.java_default.is_some()
                || (setting.show)(&java) != (setting.show)(&Config::new())
            {
                true => (setting.show)(&java),
                false => String::new(),
            },
        ];
        table.push_str(
            &format!("| {} |\n", cells.join(" | ")).replace("|  |", "| |").replace("|  |", "| |"),
        );
    }
    assert!(page.contains(&table), "put this into docs/configuration.md:\n{table}");
}
