use std::time::Duration;

use super::{Config, KdcAddress, Transport};
use crate::Enctype;

fn parsed(text: &str) -> Config {
    Config::parse(text).unwrap()
}

#[test]
fn settings_are_read_as_mit_reads_them() {
    let config = parsed(
        "# a comment
[libdefaults]
\tdefault_realm = A.ORG
; another
  default_realm = LATER
  clockskew = 2m 5s
  ticket_lifetime = 10:30
  renew_lifetime = 7d
  udp_preference_limit = 1
  dns_canonicalize_hostname = No
[realms]
A.ORG = {
  kdc = one.a.org
  kdc = tcp/two.a.org:750
  kdc = [::1]:99
  kdc = udp/10.0.0.1
  kdc = ::1
  auth_to_local = {
    inner = \"a = { b\\n\"
  }
}
[domain_realm]
.a.org = A.ORG
a.org = A.ORG
[realms]
A.ORG = {
  kdc = six
}
[capaths]
A.ORG = {
  C.ORG = B.ORG
  D.ORG = .
}",
    );
    assert_eq!(config.default_realm(), Some("A.ORG"));
    assert_eq!(config.clock_skew().unwrap(), Duration::from_secs(125));
    assert_eq!(config.lifetime().unwrap(), Duration::from_secs(37_800));
    assert_eq!(config.renew_lifetime().unwrap(), Some(Duration::from_secs(604_800)));
    assert_eq!(config.udp_limit().unwrap(), 1);
    assert!(!config.canonicalizes_host_names() && !config.uses_reverse_dns());
    let kdc = |host: &str, port, only| KdcAddress { host: host.into(), port, only };
    assert_eq!(
        config.kdcs("A.ORG").unwrap(),
        [
            kdc("one.a.org", 88, None),
            kdc("two.a.org", 750, Some(Transport::Tcp)),
            kdc("::1", 99, None),
            kdc("10.0.0.1", 88, Some(Transport::Udp)),
            kdc("::1", 88, None),
            kdc("six", 88, None),
        ]
    );
    let error = config.kdcs("B.ORG").unwrap_err().to_string();
    assert!(
        error.contains("no KDC of the realm B.ORG is known: [realms] of krb5.conf names A.ORG")
    );
    assert_eq!(config.realms_between("A.ORG", "C.ORG"), ["B.ORG"]);
    assert!(config.realms_between("A.ORG", "D.ORG").is_empty());
    assert_eq!(config.profile.texts(&["realms", "A.ORG", "auth_to_local", "inner"]), ["a = { b\n"]);
}

#[test]
fn what_is_final_is_not_added_to() {
    let config = parsed("[libdefaults]*\n a = 1\n[libdefaults]\n a = 2");
    assert_eq!(config.profile.texts(&["libdefaults", "a"]), ["1"]);
    let config = parsed("[libdefaults]\n a* = 1\n a = 2");
    assert_eq!(config.profile.texts(&["libdefaults", "a"]), ["1"]);
}

#[test]
fn kinds_of_keys_are_lists() {
    let of = |list: &str| {
        parsed(&format!("[libdefaults]\n permitted_enctypes = {list}")).enctypes(true).ok()
    };
    use Enctype::{Aes128Sha1, Aes128Sha2, Aes256Sha1, Aes256Sha2};
    assert_eq!(of("aes128-cts, rc4-hmac aes256-sha2"), Some(vec![Aes128Sha1, Aes256Sha2]));
    assert_eq!(of("DEFAULT -aes256-sha2 -aes128-sha2 -des3"), Some(vec![Aes256Sha1, Aes128Sha1]));
    assert_eq!(of("aes"), Some(vec![Aes256Sha1, Aes128Sha1, Aes256Sha2, Aes128Sha2]));
    assert_eq!(of("arcfour-hmac des3-cbc-sha1"), None);
    let both =
        "[libdefaults]\n permitted_enctypes = aes128-cts\n default_tkt_enctypes = aes256-cts";
    assert!(parsed(both).enctypes(true).is_err() && parsed(both).enctypes(false).is_ok());
}

#[test]
fn mistakes_have_a_line() {
    for (text, expected) in [
        ("a = b", "line 1: a setting before the first section"),
        ("[a", "line 1: a section without \"]\""),
        ("[a]\n b", "line 2: neither a section nor \"name = value\""),
        ("[a]\n }", "line 2: a \"}\" without a \"{\" before it"),
        ("[a]\n b = {\n[c]", "line 3: a \"{\" without a \"}\" behind it"),
        ("[a]\n b = \"c", "line 2: a quoted value without its last quote"),
        ("[a]\n b c = d", "line 2: \"b c\" is no name of a setting"),
        ("module /lib/x.so:y", "line 1: \"module\" is not supported"),
        ("include /nowhere/a", "line 1: included: the configuration /nowhere/a cannot be read"),
        ("includedir /nowhere", "line 1: the folder /nowhere cannot be read"),
    ] {
        let error = Config::parse(text).unwrap_err().to_string();
        assert!(error.contains(expected), "{text:?}: {error}");
    }
    for setting in ["clockskew = soon", "udp_preference_limit = -1", "ticket_lifetime = 1x"] {
        let config = parsed(&format!("[libdefaults]\n {setting}"));
        let all = config.clock_skew().and(config.udp_limit().map(|_| Duration::ZERO));
        let error = all.and(config.lifetime()).unwrap_err().to_string();
        assert!(error.starts_with(setting), "{error}");
    }
    for kdc in ["https://kdc/KdcProxy", "host:port", "host:0", "", "a b", "[::1"] {
        let config = parsed(&format!("[realms]\n R = {{\n kdc = {kdc}\n }}"));
        assert!(config.kdcs("R").is_err(), "{kdc}");
    }
}

#[test]
fn files_include_others() {
    let folder = std::env::temp_dir().join(format!("tallrow-krb5-{}", std::process::id()));
    let inner = folder.join("d");
    std::fs::create_dir_all(&inner).unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
    write("d/10-realm", "[libdefaults]\n default_realm = TEN");
    write("d/20.conf", "[libdefaults]\n default_realm = TWENTY\n clockskew = 7");
    write("d/.hidden.conf", "broken");
    write("d/old~", "broken");
    let main = folder.join("krb5.conf");
    write(
        "krb5.conf",
        &format!("includedir {}\n[libdefaults]\n default_realm = LAST", inner.display()),
    );
    let config = Config::read([&main]).unwrap();
    assert_eq!(config.default_realm(), Some("TEN"));
    assert_eq!(config.clock_skew().unwrap(), Duration::from_secs(7));
    write("krb5.conf", &format!("include {}\n", main.display()));
    let error = Config::read([&main]).unwrap_err().to_string();
    assert!(error.contains("files include each other without an end"), "{error}");
    // Each file includes the next one ten times.
    for at in 0..8 {
        let next = folder.join((at + 1).to_string());
        write(&at.to_string(), &format!("include {}\n", next.display()).repeat(10));
    }
    write("8", "");
    let error = Config::read([folder.join("0")]).unwrap_err().to_string();
    assert!(error.contains("more than 1000 files are included"), "{error}");
    // All files together are not too long either.
    write("9", &"# nothing\n".repeat(1 << 20));
    write("0", &format!("include {}\n", folder.join("9").display()).repeat(2));
    let error = Config::read([folder.join("0")]).unwrap_err().to_string();
    assert!(error.contains("9 cannot be read: it has more than the"), "{error}");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_time_that_no_clock_can_be_set_for_is_a_day() {
    // Each of these is as long as a number of seconds can be; together they are longer than a
    // clock can count.
    let days = "4294967295d".repeat(40_000);
    for text in ["4294967295", "4294967295d", "4294967295:59:59", &days] {
        let config = parsed(&format!("[libdefaults]\n kdc_timeout = {text}"));
        let limit = config.timeout().unwrap();
        assert_eq!(limit, Duration::from_secs(86_400));
        let _ = tokio::time::Instant::now() + limit;
    }
    let config = parsed(&format!("[libdefaults]\n kdc_timeout = {}", "9".repeat(20)));
    let error = config.timeout().unwrap_err().to_string();
    assert!(error.contains("is not a time such as 300"), "{error}");
}
