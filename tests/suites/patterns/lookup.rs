//! A name has one id, and an id one name.

use std::collections::{BTreeMap, BTreeSet};

use tallrow::Client;
use tallrow::lookup::{self, Finding, Lookup};
use tallrow_tests::{Random, drop_table, tell, until};

use super::{Pattern, done};

const TABLE: &str = "names";
const NAMES: u64 = 500;

pub(super) const PATTERN: Pattern = Pattern {
    name: "lookup",
    tables: &[TABLE],
    create: |client| {
        Box::pin(async move {
            drop_table(&client.admin(), TABLE).await;
            let table = lookup::table_descriptor(TABLE).unwrap();
            client.admin().create_table(&table).await.unwrap();
        })
    },
    work: |client, number| {
        Box::pin(async move {
            let mut random = Random::new(2, number);
            let names = names(&client);
            // All processes begin with the same names.
            for step in 0.. {
                let name = if step < 40 { step } else { random.below(NAMES) };
                if let Some(id) = done(names.get_or_create(format!("name{name}")).await) {
                    tell(format!("{name} {id}"));
                }
            }
        })
    },
    check: |client, told| {
        Box::pin(async move {
            let mut id_of = BTreeMap::new();
            for [name, id] in told.numbers() {
                assert_eq!(*id_of.entry(name).or_insert(id), id, "name{name} has two ids");
            }
            assert_eq!(id_of.values().collect::<BTreeSet<_>>().len(), id_of.len(), "an id twice");
            let names = names(&client);
            // A server may still work on the last call of a process that was killed.
            until("nothing is left to repair", async || {
                let report = names.fsck().await.unwrap();
                for finding in &report.findings {
                    let known =
                        matches!(finding, Finding::LeakedId { .. } | Finding::NameWithoutId { .. });
                    assert!(known, "{finding}");
                }
                names.repair(&report.findings).await.into_result().unwrap();
                report.findings.is_empty()
            })
            .await;
            for (name, id) in id_of {
                let name = format!("name{name}");
                assert_eq!(names.find(&name).await.unwrap(), Some(id));
                assert_eq!(names.name(id).await.unwrap().as_deref(), Some(name.as_bytes()));
            }
            drop_table(&client.admin(), TABLE).await;
        })
    },
};

fn names(client: &Client) -> Lookup {
    Lookup::builder(client.raw_table(TABLE).unwrap(), "host").width(3).build().unwrap()
}
