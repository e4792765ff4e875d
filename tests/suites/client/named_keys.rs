//! Row keys with names in place of ids.

use tallrow::key::Uid;
use tallrow::lookup::{self, KeyLookup, Lookup};
use tallrow::{ErrorKind, Get, Put, RawTable, RowKey, Table};
use tallrow_tests::Place;

#[derive(Debug)]
enum Hosts {}

/// 3 + 2 + 3 + 4 bytes.
#[derive(RowKey, Clone, Debug, PartialEq)]
struct CallKey {
    #[key(lookup = "host")]
    from: Uid<Hosts, 3>,
    #[key(lookup = "service")]
    service: u16,
    #[key(lookup = "host")]
    to: Uid<Hosts, 3>,
    at: u32,
}

#[derive(Table, Clone, Debug, PartialEq)]
#[table(name = "named_calls")]
#[family("d")]
struct Call {
    #[key]
    key: CallKey,
    #[cell("d:m")]
    millis: u32,
}

#[derive(RowKey, Debug, PartialEq)]
#[row_key(shared(host))]
enum HostRow {
    #[key(tag = 1)]
    Host {
        #[key(lookup = "host")]
        host: Uid<Hosts, 3>,
    },
    #[key(tag = 2)]
    Event {
        #[key(lookup = "host")]
        host: Uid<Hosts, 3>,
        #[key(lookup = "event")]
        event: u64,
    },
}

async fn names(place: &Place) -> RawTable {
    place.create(&lookup::table_descriptor(&place.table_name().await).unwrap()).await
}

fn call(from: &str, service: &str, to: &str, at: u32) -> CallKeyNames {
    CallKeyNames { from: from.into(), service: service.into(), to: to.into(), at }
}

pub(crate) async fn names_become_ids_and_ids_names(place: Place) {
    let table = names(&place).await;
    let lookup = KeyLookup::<CallKey>::new(table.clone()).unwrap();
    let names = call("web01", "login", "db01", 5);
    assert_eq!(lookup.find(&names).await.unwrap(), None);
    let key = lookup.get_or_create(&names).await.unwrap();
    assert_ne!(key.from, key.to);
    assert_eq!((key.service, key.at, key.encode().len()), (1, 5, 12));
    assert_eq!(lookup.names(&key).await.unwrap(), names);

    // Without its caches, in the other direction, and by the lookups of each kind.
    let fresh = KeyLookup::<CallKey>::new(table.clone()).unwrap();
    assert_eq!(fresh.find(&names).await.unwrap(), Some(key.clone()));
    assert_eq!(fresh.names(&key).await.unwrap(), names);
    assert_eq!(fresh.lookup("host").unwrap().find("db01").await.unwrap(), Some(key.to.number()));
    assert!(fresh.lookup("event").is_none());
    let row = table.get(Get::new("login").column("id", "service")).await.unwrap().unwrap();
    assert_eq!(row.value("id", "service"), Some(&[0, 1][..]));

    // A name that is known already, and one of another kind, in a batch.
    let more = [call("web01", "web01", "db02", 6), call("db02", "login", "web01", 7)];
    let keys = fresh.get_or_create_all(&more).await.into_result().unwrap();
    assert_eq!((keys[0].from, keys[1].to, keys[0].to), (key.from, key.from, keys[1].from));
    assert_eq!((keys[0].service, keys[1].service), (2, 1));
    for kind in ["host", "service"] {
        assert_eq!(fresh.lookup(kind).unwrap().fsck().await.unwrap().findings, []);
    }
}

pub(crate) async fn new_names_get_ids_in_their_order(place: Place) {
    let hosts = Lookup::builder(names(&place).await, "host").width(3).build().unwrap();
    // Each name twice.
    let all: Vec<_> = (0..600).map(|i| format!("web{:03}", i / 2)).collect();
    let ids = hosts.get_or_create_all(&all).await.into_result().unwrap();
    assert_eq!(ids, (0..600).map(|i| i / 2 + 1).collect::<Vec<_>>());
}

pub(crate) async fn scanned_rows_get_their_names_back(place: Place) {
    let lookup = KeyLookup::<CallKey>::new(names(&place).await).unwrap();
    let calls = crate::typed::table::<Call>(&place, &[""; 0]).await;
    let named: Vec<_> = (0..50)
        .map(|at| call(&format!("web{}", at % 3), &format!("s{}", at % 7), "db", at))
        .collect();
    let keys = lookup.get_or_create_all(&named).await.into_result().unwrap();
    let rows: Vec<_> = keys.into_iter().map(|key| Call { key, millis: 1 }).collect();
    calls.put_all(&rows).await.into_result().unwrap();

    let host = lookup.lookup("host").unwrap().find("web1").await.unwrap().and_then(Uid::new);
    let mut scan = calls.scan(CallKey::scan().from(host.unwrap())).rows();
    let mut found = Vec::new();
    while let Some(row) = scan.next_row().await.unwrap() {
        found.push(row.key);
    }
    let mut found = lookup.names_all(&found).await.into_result().unwrap();
    found.sort_by_key(|names| names.at);
    let expected: Vec<_> = named.into_iter().filter(|names| names.from == "web1").collect();
    assert_eq!(found, expected);
}

pub(crate) async fn each_variant_of_an_enum_has_its_names(place: Place) {
    let lookup = KeyLookup::<HostRow>::new(names(&place).await).unwrap();
    let named = [
        HostRowNames::Host { host: "web01".into() },
        HostRowNames::Event { host: "web01".into(), event: "started".into() },
    ];
    let keys = lookup.get_or_create_all(&named).await.into_result().unwrap();
    let host = Uid::new(1).unwrap();
    assert_eq!(keys, [HostRow::Host { host }, HostRow::Event { host, event: 1 }]);
    assert_eq!(lookup.names_all(&keys).await.into_result().unwrap(), named);
}

pub(crate) async fn lookups_of_other_tables_and_settings_are_used(place: Place) {
    let (hosts, services) = (names(&place).await, names(&place).await);
    // Ids may be narrower in the table than in the key.
    let hosts = Lookup::builder(hosts, "host").width(2).block_size(100).build().unwrap();
    let services = Lookup::builder(services, "service").width(1).build().unwrap();
    let lookup = KeyLookup::<CallKey>::from_lookups([services.clone(), hosts.clone()]).unwrap();
    let names = call("web01", "login", "db01", 5);
    let key = lookup.get_or_create(&names).await.unwrap();
    assert_eq!(hosts.find("db01").await.unwrap(), Some(key.to.number()));
    assert_eq!(services.find("login").await.unwrap(), Some(key.service.into()));
    assert_eq!(lookup.names(&key).await.unwrap(), names);
}

pub(crate) async fn a_read_only_lookup_creates_no_key(place: Place) {
    let table = names(&place).await;
    let hosts = Lookup::builder(table.clone(), "host").width(3).build().unwrap();
    let services = Lookup::builder(table, "service").width(2).read_only().build().unwrap();
    hosts.get_or_create_all(["web01", "db01"]).await.into_result().unwrap();
    let lookup = KeyLookup::<CallKey>::from_lookups([hosts, services]).unwrap();
    let names = call("web01", "login", "db01", 5);
    let error = lookup.get_or_create(&names).await.unwrap_err();
    assert_eq!((error.kind(), error.operation()), (ErrorKind::InvalidArgument, "get or create"));
    assert!(error.to_string().contains("login"), "{error}");
    assert_eq!(lookup.find(&names).await.unwrap(), None);
}

pub(crate) async fn what_has_no_name_does_not_affect_other_keys(place: Place) {
    let table = names(&place).await;
    let lookup = KeyLookup::<CallKey>::new(table.clone()).unwrap();
    let names = call("web01", "login", "web01", 5);
    let good = lookup.get_or_create(&names).await.unwrap();
    table.put(Put::new([0, 9]).cell("name", "service", b"\xff\xfe")).await.unwrap();
    let keys =
        [CallKey { service: 8, ..good.clone() }, good.clone(), CallKey { service: 9, ..good }];
    let found = lookup.names_all(&keys).await;
    let errors = [&found[0], &found[2]].map(|found| found.as_ref().unwrap_err());
    assert_eq!(errors.map(|error| error.kind()), [ErrorKind::Inconsistent, ErrorKind::Decode]);
    assert!(errors[0].to_string().ends_with("the id 8 of service has no name"), "{}", errors[0]);
    assert!(errors[1].to_string().contains("the id 9 of service"), "{}", errors[1]);
    assert_eq!(found[1].as_ref().unwrap(), &names);

    let more = [call("", "login", "web01", 1), names.clone(), call("", "new", "web02", 2)];
    let found = lookup.get_or_create_all(&more).await;
    assert_eq!(found.failed_count(), 2);
    for error in [&found[0], &found[2]].map(|found| found.as_ref().unwrap_err()) {
        assert_eq!(
            (error.kind(), error.operation()),
            (ErrorKind::InvalidArgument, "get or create")
        );
    }
    assert_eq!(found[1].as_ref().unwrap().at, 5);
}

pub(crate) async fn lookups_that_do_not_fit_a_key_are_refused(place: Place) {
    let table = names(&place).await;
    let of = |kind, width| Lookup::builder(table.clone(), kind).width(width).build().unwrap();
    let error = KeyLookup::<CallKey>::from_lookups([of("host", 3)]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    assert!(error.to_string().contains("there is no lookup of `service`"), "{error}");
    let wide = [of("service", 2), of("host", 4)];
    let error = KeyLookup::<CallKey>::from_lookups(wide).unwrap_err();
    assert!(error.to_string().contains("4 bytes wide, and the field from has 3"), "{error}");
}
