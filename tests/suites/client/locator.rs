//! Where rows are, as the program is told, and regions that are known from a file.

use std::collections::BTreeMap;

use tallrow::admin::HBaseAdmin;
use tallrow::regions::RegionLocation;
use tallrow::{
    Client, ErrorKind, FamilyDescriptor, Put, RawTable, RowKey, Scan, Table, TableDescriptor,
};
use tallrow_mock::MockCluster;
use tallrow_tests::{Place, in_memory, patient, until};

#[derive(RowKey, Clone, Debug, PartialEq)]
#[row_key(salt(buckets = 4, fields = (user)))]
struct EventKey {
    user: u32,
    at: u64,
}

#[derive(Table, Clone, Debug, PartialEq)]
#[table(name = "located")]
#[family("f")]
struct Event {
    #[key]
    key: EventKey,
    #[cell("f:w")]
    what: String,
}

fn hbase(place: &Place) -> HBaseAdmin {
    place.client.admin().hbase().unwrap()
}

fn starts(regions: &[RegionLocation]) -> Vec<&str> {
    regions.iter().map(|region| std::str::from_utf8(region.start_key()).unwrap()).collect()
}

async fn write(table: &RawTable, rows: &[&str]) {
    let puts = rows.iter().map(|row| Put::new(*row).cell("f", "q", *row));
    table.put_all(puts).await.into_result().unwrap();
}

/// Moves a region to a server that it is not on, if there is one.
async fn move_away(place: &Place, table: &RawTable, at: usize) {
    let hbase = hbase(place);
    let region = hbase.regions(table.name()).await.unwrap().remove(at);
    let servers = hbase.region_servers().await.unwrap();
    if let Some(other) = servers.iter().find(|server| Some(server.as_str()) != region.server()) {
        hbase.move_region(&region, other).await.unwrap();
    }
}

pub(crate) async fn located_regions_are_those_of_the_cluster(place: Place) {
    let table = place.table(&["h", "p"]).await;
    let listed = hbase(&place).regions(table.name()).await.unwrap();
    let locator = table.region_locator();
    assert_eq!(locator.table(), table.name());
    assert!(locator.cached_regions().is_empty());
    for (row, at) in [("", 0), ("a", 0), ("h", 1), ("k", 1), ("p", 2), ("z", 2)] {
        let (region, expected) = (locator.locate(row).await.unwrap(), &listed[at]);
        assert_eq!(region.encoded_name(), expected.encoded_name());
        assert_eq!(region.start_key(), expected.start_key());
        assert_eq!(region.end_key(), expected.end_key());
        assert_eq!(Some(region.server_name().as_str()), expected.server());
        assert!(region.contains(row.as_bytes()), "{region:?}");
        assert!(region.name().starts_with(table.name().as_str().as_bytes()));
    }
    let all = locator.all_regions().await.unwrap();
    assert_eq!(starts(&all), ["", "h", "p"]);
    assert_eq!(locator.cached_regions(), all);

    let mut expected = BTreeMap::<String, usize>::new();
    for region in &listed {
        *expected.entry(region.server().unwrap().to_owned()).or_default() += 1;
    }
    let by_server = locator.regions_by_server_name().await.unwrap();
    let counts: BTreeMap<_, _> = by_server.into_iter().map(|(s, r)| (s, r.len())).collect();
    assert_eq!(counts, expected);

    let meta = place.client.region_locator("hbase:meta").unwrap();
    let all = meta.all_regions().await.unwrap();
    assert_eq!(all, [meta.locate("anything").await.unwrap()]);
    let listed = hbase(&place).regions("hbase:meta").await.unwrap();
    let [of_meta] = &listed[..] else { panic!("{listed:?}") };
    assert_eq!(of_meta.encoded_name(), all[0].encoded_name());
    assert_eq!((of_meta.start_key(), of_meta.end_key()), (&b""[..], &b""[..]));
    assert_eq!(of_meta.server(), Some(all[0].server_name().as_str()));
    let error =
        place.client.region_locator("located_nowhere").unwrap().locate("r").await.unwrap_err();
    assert_eq!(
        (error.kind(), error.operation()),
        (ErrorKind::TableNotFound, "locate"),
        "{error:?}"
    );
    assert_eq!(error.row(), Some(&b"r"[..]));
    let error =
        place.client.region_locator("located_nowhere").unwrap().all_regions().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TableNotFound, "{error:?}");
}

pub(crate) async fn keys_are_located_with_all_their_buckets(place: Place) {
    let events = place.typed::<Event>().await;
    let all = events.locate_range(EventKey::scan()).await.unwrap();
    assert_eq!(all, events.raw().unwrap().region_locator().all_regions().await.unwrap());
    let mut used = 0;
    for user in 0..20 {
        let key = EventKey { user, at: 7 };
        let region = events.locate(&key).await.unwrap();
        assert!(region.contains(&key.encode()));
        let of_user = events.locate_range(EventKey::scan().user(user)).await.unwrap();
        assert!(of_user.contains(&region), "{of_user:?}");
        used += usize::from(region != all[0]);
    }
    assert!(all.len() == 1 || used > 0, "20 users are in several buckets");
}

pub(crate) async fn what_is_cleared_is_looked_up_again(place: Place) {
    let table = place.table(&["h", "p"]).await;
    let locator = table.region_locator();
    let all = locator.all_regions().await.unwrap();
    let other = place.table(&[]).await;
    other.region_locator().locate("a").await.unwrap();

    locator.clear_cache_of_row("k");
    assert_eq!(starts(&locator.cached_regions()), ["", "p"]);
    write(&table, &["k"]).await;
    assert!(starts(&locator.cached_regions()).contains(&"h"));

    locator.clear_cache();
    assert!(locator.cached_regions().is_empty());
    assert_eq!(other.region_locator().cached_regions().len(), 1, "another table");
    assert_eq!(locator.all_regions().await.unwrap(), all);

    let server = all[0].server_name();
    place.client.clear_region_cache_of(&server).unwrap();
    let left = locator.cached_regions();
    assert!(left.iter().all(|region| region.server_name() != server), "{left:?}");
    let elsewhere = all.iter().filter(|region| region.server_name() != server).count();
    assert_eq!(left.len(), elsewhere);
    write(&table, &["a"]).await;
    // As after a restart: an address has another start code.
    place
        .client
        .clear_region_cache_of(&format!("{},1", server.rsplit_once(',').unwrap().0))
        .unwrap();
    assert!(!locator.cached_regions().is_empty());

    place.client.clear_region_cache();
    assert!(
        locator.cached_regions().is_empty() && other.region_locator().cached_regions().is_empty()
    );
    write(&table, &["a", "k", "z"]).await;
    assert_eq!(Place::keys(&table, Scan::all()).await, ["a", "k", "z"]);
    for wrong in ["", "nowhere", "host:", ":1", "host:70000", "host,1", "host,1,x"] {
        let error = place.client.clear_region_cache_of(wrong).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{wrong}: {error:?}");
    }
}

pub(crate) async fn a_reload_finds_splits_and_moves(place: Place) {
    let table = place.table(&[]).await;
    write(&table, &["a", "x"]).await;
    let locator = table.region_locator();
    let whole = locator.locate("a").await.unwrap();
    let hbase = hbase(&place);
    hbase.split_region(&hbase.regions(table.name()).await.unwrap()[0], "m").await.unwrap();
    assert_eq!(locator.locate("a").await.unwrap(), whole);
    let half = locator.reload("a").await.unwrap();
    assert_eq!((half.start_key(), half.end_key()), (&b""[..], &b"m"[..]));
    assert_eq!(locator.locate("x").await.unwrap().start_key(), b"m");

    move_away(&place, &table, 0).await;
    let now = hbase.regions(table.name()).await.unwrap().remove(0);
    until("the region is found where it moved", async || {
        Some(locator.reload("a").await.unwrap().server_name().as_str()) == now.server()
    })
    .await;
    let found = locator.locate("a").await.unwrap();
    assert_eq!(Some(found.server_name().as_str()), now.server());
    assert_eq!(Place::keys(&table, Scan::all()).await, ["a", "x"]);
}

/// How often a client has read `hbase:meta`.
fn lookups(client: &Client) -> u64 {
    client.metrics().meta_lookups.count()
}

pub(crate) async fn a_client_is_warmed_from_a_file(place: Place) {
    let table = place.table(&["h", "p"]).await;
    write(&table, &["a", "k", "z"]).await;
    place.client.prefetch_regions(table.name()).await.unwrap();
    let file = place.client.export_region_locations().await.unwrap();

    let client = place.client_of(patient()).await;
    // The client of the test may know of other tables too.
    assert!(client.import_region_locations(&file).await.unwrap() >= 3);
    let warm = client.raw_table(table.name()).unwrap();
    assert_eq!(warm.region_locator().cached_regions(), table.region_locator().cached_regions());
    write(&warm, &["b", "l", "y"]).await;
    assert!(warm.get("a").await.unwrap().is_some());
    assert_eq!(Place::keys(&warm, Scan::all()).await, ["a", "b", "k", "l", "y", "z"]);
    assert_eq!(Place::keys(&warm, Scan::all().reversed()).await.len(), 6);
    assert_eq!(lookups(&client), 0, "no region was looked up");
    assert_eq!(client.import_region_locations(&file).await.unwrap(), 0, "all of them are known");
    assert_eq!(client.export_region_locations().await.unwrap(), file);
}

pub(crate) async fn an_old_file_is_corrected_as_it_is_used(place: Place) {
    let table = place.table(&["h", "p"]).await;
    write(&table, &["a", "k", "n", "z"]).await;
    place.client.prefetch_regions(table.name()).await.unwrap();
    let file = place.client.export_region_locations().await.unwrap();

    let hbase = hbase(&place);
    let regions = hbase.regions(table.name()).await.unwrap();
    hbase.split_region(&regions[1], "m").await.unwrap();
    move_away(&place, &table, 0).await;

    let client = place.client_of(patient()).await;
    client.import_region_locations(&file).await.unwrap();
    let old = client.raw_table(table.name()).unwrap();
    assert_eq!(starts(&old.region_locator().cached_regions()), ["", "h", "p"]);
    assert_eq!(Place::keys(&old, Scan::all()).await, ["a", "k", "n", "z"]);
    write(&old, &["b", "l", "o", "y"]).await;
    assert_eq!(Place::keys(&table, Scan::all()).await.len(), 8);
    assert!(lookups(&client) > 0);
    // What is known is newer than the file now, and stays.
    client.import_region_locations(&file).await.unwrap();
    assert!(starts(&old.region_locator().cached_regions()).contains(&"m"));
}

pub(crate) async fn a_file_of_another_cluster_is_refused(place: Place) {
    let mock = MockCluster::builder().in_memory().seed(4711).start().await.unwrap();
    let config = patient().connector(in_memory(&mock));
    let other = Client::connect_with(&mock.url(), config).await.unwrap();
    let descriptor = TableDescriptor::new("elsewhere").unwrap().family(FamilyDescriptor::new("f"));
    other.admin().create_table(&descriptor).await.unwrap();
    other.prefetch_regions("elsewhere").await.unwrap();
    let file = other.export_region_locations().await.unwrap();
    let error = place.client.import_region_locations(&file).await.unwrap_err();
    assert_eq!(
        (error.kind(), error.operation()),
        (ErrorKind::InvalidArgument, "import regions"),
        "{error:?}"
    );
    for client in [&other, &place.client] {
        let hbase = client.admin().hbase().unwrap();
        let id = hbase.cluster_status().await.unwrap().cluster_id.unwrap();
        assert!(error.to_string().contains(&id), "{error}");
    }
    assert!(place.client.region_locator("elsewhere").unwrap().cached_regions().is_empty());
    for wrong in [&file[..file.len() - 1], &file[..20], b"", b"<?xml version='1.0'?>"] {
        let error = place.client.import_region_locations(wrong).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{error:?}");
    }
}
