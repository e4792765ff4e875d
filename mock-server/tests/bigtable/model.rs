//! Random mutations, compared with a map after each.

use std::collections::BTreeMap;

use fastrand::Rng;
use tallrow_wire::bigtable::*;

use crate::client::{Client, set};

const ROWS: [&str; 4] = ["a", "b", "m", "z"];
const FAMILIES: [&str; 2] = ["f", "g"];
const QUALIFIERS: [&str; 3] = ["", "p", "q"];

/// The values of each row, family and qualifier by their timestamp in ms.
#[derive(Default)]
struct Model(BTreeMap<(&'static str, &'static str, &'static str), BTreeMap<i64, String>>);

impl Model {
    fn cells(&self) -> Vec<String> {
        let column =
            |((row, family, qualifier), versions): (&(_, _, _), &BTreeMap<i64, String>)| {
                let cell = |(at, value): (&i64, &String)| {
                    format!("{row}/{family}:{qualifier}@{}={value}", at * 1000)
                };
                versions.iter().rev().map(cell).collect::<Vec<_>>()
            };
        self.0.iter().flat_map(column).collect()
    }

    fn mutate(&mut self, random: &mut Rng, row: &'static str, step: usize) -> Mutation {
        let pick = |random: &mut Rng, of: &[&'static str]| of[random.usize(..of.len())];
        let (family, qualifier) = (pick(random, &FAMILIES), pick(random, &QUALIFIERS));
        let at = random.i64(0..6);
        let column = self.0.entry((row, family, qualifier)).or_default();
        let change = match random.u8(..10) {
            0 => {
                self.0.retain(|key, _| key.0 != row);
                Change::DeleteFromRow(DeleteFromRow {})
            }
            1 => {
                self.0.retain(|key, _| (key.0, key.1) != (row, family));
                Change::DeleteFromFamily(DeleteFromFamily { family_name: family.into() })
            }
            2 | 3 => {
                let range = random.bool().then(|| (at, random.i64(at + 1..8)));
                column.retain(|at, _| range.is_some_and(|(from, to)| !(from..to).contains(at)));
                Change::DeleteFromColumn(DeleteFromColumn {
                    family_name: family.into(),
                    column_qualifier: qualifier.into(),
                    time_range: range.map(|(from, to)| TimestampRange {
                        start_timestamp_micros: from * 1000,
                        end_timestamp_micros: to * 1000,
                    }),
                })
            }
            _ => {
                column.insert(at, step.to_string());
                return set(family, qualifier, at * 1000, &step.to_string());
            }
        };
        Mutation { mutation: Some(change) }
    }
}

#[tokio::test]
async fn a_table_is_a_map_whatever_is_done_to_it() {
    let seed = 11;
    let mut random = Rng::with_seed(seed);
    let client = Client::start().await;
    let table = client.table("t", &FAMILIES, &["k"]).await;
    let mut model = Model::default();
    for step in 0..400 {
        let row = ROWS[random.usize(..ROWS.len())];
        let mutations = (0..random.usize(1..4)).map(|_| model.mutate(&mut random, row, step));
        let mutations: Vec<Mutation> = mutations.collect();
        client.mutate(&table, row, mutations.clone()).await.unwrap();
        if random.u8(..50) == 0 {
            // Regions that are already split there are left alone.
            let _ = client.cluster.split_region("t", row.as_bytes());
        }
        assert_eq!(client.all(&table).await, model.cells(), "step {step}: {mutations:?}");
        let reversed =
            ReadRowsRequest { table_name: table.clone(), reversed: true, ..Default::default() };
        let mut rows = client.read(reversed).await;
        // The rows are reversed, and not the cells of a row.
        rows.sort_by_key(|cell| cell.split_once('/').unwrap().0.to_owned());
        assert_eq!(rows, model.cells(), "step {step}, reversed");
    }
}

#[tokio::test]
async fn nobody_sees_half_of_a_mutation() {
    let client = Client::start().await;
    let table = client.table("t", &["f", "g"], &[]).await;
    let writer = {
        let (client, table) = (client.clone(), table.clone());
        tokio::spawn(async move {
            for step in 0..300 {
                let value = step.to_string();
                let delete = Change::DeleteFromRow(DeleteFromRow {});
                let delete = Mutation { mutation: Some(delete) };
                let both = vec![delete, set("f", "q", 0, &value), set("g", "q", 0, &value)];
                client.mutate(&table, "r", both).await.unwrap();
            }
        })
    };
    let mut read = 0;
    while !writer.is_finished() {
        let cells = client.all(&table).await;
        let values: Vec<_> = cells.iter().map(|cell| cell.rsplit('=').next().unwrap()).collect();
        match values[..] {
            [] => assert_eq!(read, 0, "the row has gone"),
            [f, g] => assert_eq!(f, g),
            _ => panic!("{cells:?}"),
        }
        read += values.len();
    }
    writer.await.unwrap();
    assert!(read > 0);
}

#[tokio::test]
async fn a_table_without_a_server_is_unavailable_until_there_is_one() {
    let client = Client::start().await;
    let table = client.table("t", &["f"], &[]).await;
    client.put(&table, "r", &[("f", "q", 0, "v")]).await;
    client.cluster.kill_server(0).unwrap();
    assert_eq!(client.all(&table).await, ["r/f:q@0=v"]);
    client.cluster.kill_server(1).unwrap();
    let write = || client.mutate(&table, "r", vec![set("f", "q", 0, "w")]);
    let status = write().await.unwrap_err();
    assert_eq!(status.code(), tonic::Code::Unavailable);
    client.cluster.start_server().unwrap();
    write().await.unwrap();
    assert_eq!(client.all(&table).await, ["r/f:q@0=w"]);
}
