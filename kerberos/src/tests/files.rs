use std::path::Path;

use proptest::collection::vec;
use proptest::prelude::*;

use super::principal;
use crate::{Config, Enctype, Keytab, Principal, Ticket, TicketCache};

fn counted(bytes: &[u8]) -> Vec<u8> {
    [&(bytes.len() as u32).to_be_bytes()[..], bytes].concat()
}

fn short(bytes: &[u8]) -> Vec<u8> {
    [&(bytes.len() as u16).to_be_bytes()[..], bytes].concat()
}

/// An entry of a keytab, as `ktutil` writes it.
pub(super) fn entry(
    name: &[&str],
    enctype: u16,
    version: u8,
    long_version: Option<u32>,
    key: &[u8],
) -> Vec<u8> {
    let mut entry = ((name.len()) as u16).to_be_bytes().to_vec();
    entry.extend(short(b"TEST"));
    name.iter().for_each(|component| entry.extend(short(component.as_bytes())));
    entry.extend([0, 0, 0, 1, 0x5f, 0, 0, 0, version]);
    entry.extend(enctype.to_be_bytes());
    entry.extend(short(key));
    entry.extend(long_version.iter().flat_map(|version| version.to_be_bytes()));
    counted(&entry)
}

fn keytab() -> Vec<u8> {
    let hole = [&(-5_i32).to_be_bytes()[..], &[9; 5]].concat();
    let entries = [
        entry(&["alice"], 18, 1, None, &[1; 32]),
        entry(&["alice"], 18, 0, Some(300), &[2; 32]),
        hole,
        entry(&["alice"], 17, 44, Some(300), &[3; 16]),
        entry(&["alice"], 23, 44, Some(301), &[4; 16]),
        entry(&["host", "server"], 20, 1, Some(0), &[5; 32]),
        entry(&["old"], 23, 1, None, &[6; 16]),
    ];
    [&[5, 2][..], &entries.concat()].concat()
}

#[test]
fn the_newest_keys_of_a_keytab_are_used() {
    let keytab = Keytab::parse(&keytab()).unwrap();
    let keys = keytab.keys(&principal("alice")).unwrap();
    let kinds: Vec<_> = keys.iter().map(|key| (key.enctype(), key.bytes()[0])).collect();
    assert_eq!(kinds, [(Enctype::Aes256Sha1, 2), (Enctype::Aes128Sha1, 3)]);
    assert_eq!(keytab.keys(&principal("host/server")).unwrap().len(), 1);
    let error = keytab.keys(&principal("bob")).unwrap_err().to_string();
    assert!(
        error.ends_with("has no key of bob@TEST; it has alice@TEST, host/server@TEST"),
        "{error}"
    );
    let error = keytab.keys(&principal("old")).unwrap_err().to_string();
    assert!(error.contains("only keys of old@TEST of encryption types [23]"), "{error}");
}

/// A ticket cache, as `kinit` writes it, in one of its two formats.
fn cache(version: u8) -> Vec<u8> {
    let name = |components: &[&str], realm: &str| {
        let mut name = [0, 0, 0, 1, 0, 0, 0, components.len() as u8].to_vec();
        name.extend(counted(realm.as_bytes()));
        components.iter().for_each(|component| name.extend(counted(component.as_bytes())));
        name
    };
    let ticket = |server: &[&str], realm: &str, enctype: u8, key: &[u8]| {
        let mut ticket = [name(&["alice"], "TEST"), name(server, realm)].concat();
        ticket.extend([0, enctype]);
        if version == 3 {
            ticket.extend([0, enctype]);
        }
        ticket.extend(counted(key));
        ticket.extend([1_u32, 2, 3, 4].iter().flat_map(|time| time.to_be_bytes()));
        ticket.extend([0, 0, 0, 0, 0]);
        // An address, and what is said of the user.
        ticket.extend([0, 0, 0, 1, 0, 2, 0, 0, 0, 4, 127, 0, 0, 1]);
        ticket.extend([0, 0, 0, 1, 0, 1, 0, 0, 0, 2, 9, 9]);
        ticket.extend(counted(b"a ticket"));
        ticket.extend(counted(b""));
        ticket
    };
    let mut cache = vec![5, version];
    if version == 4 {
        cache.extend(short(&[0, 1, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0]));
    }
    cache.extend(name(&["alice"], "TEST"));
    cache.extend(ticket(&["krb5_ccache_conf_data", "fast_avail"], "X-CACHECONF:", 0, b""));
    cache.extend(ticket(&["krbtgt", "TEST"], "TEST", 18, &[1; 32]));
    cache.extend(ticket(&["krbtgt", "TEST"], "TEST", 23, &[1; 16]));
    cache.extend(ticket(&["host", "server"], "TEST", 19, &[2; 16]));
    cache
}

#[test]
fn both_formats_of_ticket_caches_are_read() {
    for version in [3, 4] {
        let cache = TicketCache::parse(&cache(version)).unwrap();
        assert_eq!(*cache.principal(), principal("alice"));
        let servers: Vec<_> = cache.tickets().iter().map(|t| t.server().to_string()).collect();
        assert_eq!(servers, ["krbtgt/TEST@TEST", "host/server@TEST"], "{version}");
        let first = &cache.tickets()[0];
        assert_eq!((first.starts, first.ends, first.renewable_until), (2, 3, Some(4)));
        assert_eq!(first.observed_clock_difference(), None, "nobody knows when it was asked for");
        assert_eq!(first.bytes, b"a ticket");
    }
}

/// A ticket cache of these tickets, in MIT's format.
pub(super) fn cache_of(tickets: &[Ticket]) -> Vec<u8> {
    let number = |number: usize| u32::try_from(number).unwrap().to_be_bytes();
    let counted = |bytes: &[u8]| [&number(bytes.len())[..], bytes].concat();
    let name = |principal: &Principal| {
        let mut name = [number(1), number(principal.components().len())].concat();
        name.extend(counted(principal.realm().unwrap().as_bytes()));
        principal.components().iter().for_each(|part| name.extend(counted(part.as_bytes())));
        name
    };
    let mut file = [&[5_u8, 4, 0, 0][..], &name(&tickets[0].client)].concat();
    for ticket in tickets {
        file.extend([name(&ticket.client), name(&ticket.server)].concat());
        file.extend(u16::try_from(ticket.key.enctype().number()).unwrap().to_be_bytes());
        file.extend(counted(ticket.key.bytes()));
        for time in [ticket.starts, ticket.starts, ticket.ends, 0] {
            file.extend(u32::try_from(time).unwrap().to_be_bytes());
        }
        // It is for a service; no flags, addresses and data.
        file.extend([0; 1 + 4 + 4 + 4]);
        file.extend([counted(&ticket.bytes), counted(b"")].concat());
    }
    file
}

#[test]
fn files_of_other_kinds_are_named() {
    let of_keytab = |bytes: &[u8]| Keytab::parse(bytes).unwrap_err().to_string();
    assert!(of_keytab(&[5, 1]).contains("old format 0x0501"));
    assert!(of_keytab(&[5, 4, 0]).contains("this is no keytab"));
    let of_cache = |bytes: &[u8]| TicketCache::parse(bytes).unwrap_err().to_string();
    assert!(of_cache(&[5, 2]).contains("old format 0x0502"));
    assert!(of_cache(b"").contains("this is no ticket cache"));
    for (at, whole) in [keytab(), cache(3), cache(4)].iter().enumerate() {
        for len in 0..whole.len() {
            // A keytab may end behind any entry, a cache behind any ticket.
            let _ = if at == 0 {
                Keytab::parse(&whole[..len]).is_ok()
            } else {
                TicketCache::parse(&whole[..len]).is_ok()
            };
        }
    }
}

#[test]
fn a_file_without_an_end_is_an_error() {
    let endless = Path::new("/dev/zero");
    if !endless.exists() {
        return;
    }
    let expected = "cannot be read: it has more than the";
    for error in [
        Keytab::read(endless).unwrap_err(),
        TicketCache::read(endless).unwrap_err(),
        Config::read([endless]).unwrap_err(),
    ] {
        let text = error.to_string();
        assert!(text.contains("/dev/zero") && text.contains(expected), "{text}");
    }
}

#[test]
fn a_name_in_an_error_is_not_longer_than_a_few_lines() {
    // A cache whose principal has a name of a megabyte that is no text.
    let name = counted(&vec![0xFF; 1 << 20]);
    let cache = [&[5, 4, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1][..], &counted(b"TEST"), &name].concat();
    let error = TicketCache::parse(&cache).unwrap_err().to_string();
    assert!(error.contains("a name that is not UTF-8") && error.len() < 2_000, "{}", error.len());
}

proptest! {
    /// Whatever bytes a file has, reading it ends, without taking more memory than the file has.
    #[test]
    fn any_file_is_read_or_refused(bytes in vec(any::<u8>(), 0..200), at in 0_usize..500, byte in any::<u8>()) {
        let _ = Keytab::parse(&bytes);
        let _ = TicketCache::parse(&bytes);
        let _ = Config::parse(&String::from_utf8_lossy(&bytes));
        for mut file in [keytab(), cache(3), cache(4)] {
            let at = at % file.len();
            file[at] = byte;
            let _ = Keytab::parse(&file);
            let _ = TicketCache::parse(&file);
        }
    }

    /// A name is read as it is shown.
    #[test]
    fn names_are_read_as_they_are_shown(
        components in vec("[a/@\\\\\t\n\0é]{0,4}", 1..4),
        realm in proptest::option::of("[A/@\\\\]{1,4}"),
    ) {
        let Ok(name) = crate::Principal::new(components, realm.as_deref()) else { return Ok(()) };
        prop_assert_eq!(name.to_string().parse::<crate::Principal>().unwrap(), name);
    }

    /// Texts of krb5.conf in any order of their pieces.
    #[test]
    fn any_configuration_is_read_or_refused(
        pieces in vec(proptest::sample::select(vec![
            "[libdefaults]", "[realms]", "R = {", "}", "kdc = a:1", "kdc = [", "a = \"b", "*", "\n", " ",
            "default_realm = R", "clockskew = 9:9:9:9", "#x", "include /nowhere", "=",
        ]), 0..30)
    ) {
        if let Ok(config) = Config::parse(&pieces.join("\n")) {
            let _ = (config.kdcs("R"), config.clock_skew(), config.enctypes(true));
            let _ = config.realm_of_host("a.b.c");
        }
    }
}
