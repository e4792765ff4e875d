//! The rows of a simulation, and the same rows in a table.

use tallrow::key::schema::{Schema, Value};
use tallrow::simulate::{Simulation, ValueGenerator, Zipf};
use tallrow::{FamilyDescriptor, Put, RowKey, Scan, TableDescriptor};
use tallrow_tests::{Place, thorough};

#[derive(RowKey)]
#[row_key(salt(buckets = 16, fields = (user)))]
struct EventKey {
    user: u32,
    at: u64,
}

fn key(users: &Zipf, draw: &mut ValueGenerator) -> EventKey {
    EventKey { user: draw.zipf(users) as u32, at: draw.index() }
}

pub(crate) async fn the_regions_of_a_table_get_what_was_simulated(place: Place) {
    // A million on a real cluster takes half a minute.
    let rows = if thorough() && place.client.mock_cluster().is_none() { 1_000_000 } else { 10_000 };
    let users = Zipf::new(1_000, 1.0).unwrap();
    let spread = Simulation::new(EventKey::SPLITS).unwrap().keys(rows);
    let values = |draw: &mut ValueGenerator| {
        let EventKey { user, at } = key(&users, draw);
        [("user", Value::from(user)), ("at", Value::from(at))]
    };
    let by_schema = spread.run_schema(&Schema::of::<EventKey>().unwrap(), values).unwrap();
    let spread = spread.run(|draw| key(&users, draw)).unwrap();
    assert_eq!(by_schema, spread);

    let table = TableDescriptor::new(&place.table_name().await).unwrap();
    let table = table.family(FamilyDescriptor::new("f")).splits(EventKey::SPLITS);
    let table = place.create(&table).await;
    let made = std::sync::Mutex::new(Vec::new());
    let same = Simulation::new(EventKey::SPLITS).unwrap().keys(rows);
    same.run_rows(|draw| {
        let row = key(&users, draw).encode();
        made.lock().unwrap().push(row);
        Ok(row)
    })
    .unwrap();
    for rows in made.into_inner().unwrap().chunks(20_000) {
        let puts = rows.iter().map(|row| Put::new(row).cell("f", "q", "v"));
        table.put_all(puts).await.into_result().unwrap();
    }

    if !place.keeps_splits() {
        return;
    }
    let regions = table.region_locator().all_regions().await.unwrap();
    assert_eq!(regions.len(), 16);
    let mut found = Vec::new();
    for region in &regions {
        let scan = match region.end_key() {
            [] => Scan::range(region.start_key()..),
            end => Scan::range(region.start_key()..end),
        };
        found.push(table.count(scan).await.unwrap());
    }
    assert_eq!(found, spread.rows());
    assert_eq!(found.iter().sum::<u64>(), rows);
    place.drop_table(table.name().as_str()).await;
}
