//! Keys with names in place of ids.

use tallrow_codec::{LookupKey, RowKey, Uid};

#[derive(Debug)]
enum Hosts {}

#[derive(RowKey, Debug, PartialEq)]
struct Log<'a> {
    #[key(lookup = "host")]
    host: Uid<Hosts, 3>,
    #[key(escaped)]
    file: &'a str,
    #[key(lookup = "event", desc)]
    event: u16,
    /// An id of the same kind as that of the host.
    #[key(lookup = "host")]
    to: Uid<Hosts, 3>,
}

#[derive(RowKey, Debug, PartialEq)]
struct Pair(#[key(lookup = "host")] Uid<Hosts, 2>, u8);

#[derive(RowKey, Debug, PartialEq)]
#[row_key(shared(host), salt(buckets = 4, fields = (host)))]
enum Rows {
    #[key(tag = 1)]
    Host {
        #[key(lookup = "host")]
        host: Uid<Hosts, 3>,
    },
    #[key(tag = 2)]
    Event {
        #[key(lookup = "host")]
        host: Uid<Hosts, 3>,
        at: u32,
        #[key(lookup = "event")]
        event: u64,
    },
}

#[derive(RowKey, Debug, PartialEq)]
enum Mixed {
    #[key(tag = 1)]
    Plain { number: u8 },
    #[key(tag = 2)]
    Named {
        #[key(lookup = "host")]
        host: u8,
    },
}

fn id<const BYTES: usize>(number: u64) -> Uid<Hosts, BYTES> {
    Uid::new(number).unwrap()
}

#[test]
fn names_take_the_place_of_ids() {
    let kinds: Vec<_> = Log::LOOKUPS.iter().map(|f| (f.name(), f.kind(), f.width())).collect();
    assert_eq!(kinds, [("host", "host", 3), ("event", "event", 2), ("to", "host", 3)]);
    let names = LogNames { host: "a".into(), file: "x", event: "b".into(), to: "c".into() };
    assert_eq!(Log::names_in(&names), [(0, "a"), (1, "b"), (2, "c")]);
    let log = Log { host: id(1), file: "x", event: 2, to: id(3) };
    assert_eq!(Log::from_names(&names, &[1, 2, 3]), Some(log));
    let log = Log { host: id(1), file: "x", event: 2, to: id(3) };
    assert_eq!(log.ids(), [(0, 1), (1, 2), (2, 3)]);
    assert_eq!(log.to_names(["a", "b", "c"].map(String::from)), Some(names));
}

#[test]
fn an_id_that_is_missing_or_too_large_is_no_key() {
    let names = LogNames { host: "a".into(), file: "x", event: "b".into(), to: "c".into() };
    for ids in [&[1, 2][..], &[1 << 24, 2, 3], &[1, 1 << 16, 3]] {
        assert_eq!(Log::from_names(&names, ids), None);
    }
    let log = Log { host: id(1), file: "x", event: 2, to: id(3) };
    assert_eq!(log.to_names(["a".to_owned()]), None);
}

#[test]
fn a_tuple_has_a_tuple_of_names() {
    let names = PairNames("a".into(), 7);
    assert_eq!(Pair::names_in(&names), [(0, "a")]);
    assert_eq!(Pair::from_names(&names, &[258]), Some(Pair(id(258), 7)));
    assert_eq!(Pair(id(258), 7).to_names(["a".to_owned()]), Some(names));
}

#[test]
fn each_variant_has_its_names() {
    let kinds: Vec<_> = Rows::LOOKUPS.iter().map(|f| (f.name(), f.kind(), f.width())).collect();
    assert_eq!(kinds, [("host", "host", 3), ("event", "event", 8)]);
    let host = RowsNames::Host { host: "a".into() };
    let event = RowsNames::Event { host: "a".into(), at: 5, event: "b".into() };
    assert_eq!(Rows::names_in(&host), [(0, "a")]);
    assert_eq!(Rows::names_in(&event), [(0, "a"), (1, "b")]);
    let row = Rows::from_names(&event, &[1, 2]).unwrap();
    assert_eq!(row, Rows::Event { host: id(1), at: 5, event: 2 });
    assert_eq!(row.ids(), [(0, 1), (1, 2)]);
    assert_eq!(row.to_names(["a", "b"].map(String::from)), Some(event));
    let row = Rows::from_names(&host, &[1]).unwrap();
    assert_eq!(row.to_names(["a".to_owned()]), Some(host));
}

#[test]
fn a_variant_without_ids_has_no_names() {
    let names = MixedNames::Plain { number: 7 };
    assert_eq!(Mixed::names_in(&names), []);
    let key = Mixed::from_names(&names, &[]);
    assert_eq!(key, Some(Mixed::Plain { number: 7 }));
    assert_eq!(key.map(|key| key.ids()), Some(vec![]));
    assert_eq!(Mixed::Plain { number: 7 }.to_names([]), Some(names));
    assert_eq!(Mixed::Named { host: 7 }.ids(), [(0, 7)]);
}

mod without {
    #[derive(tallrow_codec::RowKey)]
    pub(super) struct Pair(super::Uid<super::Hosts, 2>, u8);
}

#[test]
fn neither_bytes_nor_schema_depend_on_a_lookup() {
    assert_eq!(Pair::SCHEMA, without::Pair::SCHEMA);
    assert_eq!(Pair::FINGERPRINT, without::Pair::FINGERPRINT);
    assert_eq!(Pair(id(258), 7).encode(), [1, 2, 7]);
}
