//! Tests of operations on single rows and of batches on the Bigtable backend, and of what is
//! refused because Bigtable cannot do it.

use std::time::Duration;

use super::{Fixture, connect_to, name, piped, quick};
use crate::request::filter::CompareOperator;
use crate::request::op::{Append, Check, Delete, Get, Increment, Put, RowMutations, RowOperation};
use crate::{Client, Config, ErrorKind, RawTable, Timestamp};

fn at(millis: u64) -> Timestamp {
    Timestamp::from_millis(millis)
}

/// The cells of a row: `f:q@5=v`.
async fn cells(table: &RawTable, get: Get) -> Vec<String> {
    let row = table.get(get).await.unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let cells = row.iter().flat_map(|row| row.cells());
    let shown = cells.map(|c| {
        let (family, qualifier, value) = (text(c.family()), text(c.qualifier()), text(c.value()));
        format!("{family}:{qualifier}@{}={value}", c.timestamp().as_millis())
    });
    shown.collect()
}

#[tokio::test(start_paused = true)]
async fn a_row_is_written_read_and_deleted() {
    let Fixture { table, cluster: _cluster } = Fixture::start().await;
    assert_eq!(table.get("r").await.unwrap(), None);
    assert!(!table.exists("r").await.unwrap());
    let put = Put::new("r").cell_at("f", "b", at(7), "1").cell_at("f", "a", at(5), "2");
    table.put(put.cell_at("g", "", at(6), "")).await.unwrap();
    table.put(Put::new("r").cell_at("f", "b", at(9), "3")).await.unwrap();
    assert_eq!(cells(&table, Get::new("r")).await, ["f:a@5=2", "f:b@9=3", "g:@6="]);
    let all = Get::new("r").versions(9);
    assert_eq!(cells(&table, all).await, ["f:a@5=2", "f:b@9=3", "f:b@7=1", "g:@6="]);
    assert_eq!(cells(&table, Get::new("r").family("g")).await, ["g:@6="]);
    let two = Get::new("r").column("f", "b").family("g");
    assert_eq!(cells(&table, two).await, ["f:b@9=3", "g:@6="]);
    let twice = Get::new("r").column("f", "b").column("f", "b").column("f", "x");
    assert_eq!(cells(&table, twice).await, ["f:b@9=3"]);
    let before = Get::new("r").time_range(..at(9));
    assert_eq!(cells(&table, before).await, ["f:a@5=2", "f:b@7=1", "g:@6="]);
    assert_eq!(cells(&table, Get::new("r").time_range(..at(0))).await, [""; 0]);
    assert!(table.exists(Get::new("r").column("g", "")).await.unwrap());
    assert!(!table.exists(Get::new("r").column("g", "x")).await.unwrap());
    table.delete(Delete::new("r").version("f", "b", at(9))).await.unwrap();
    assert_eq!(cells(&table, Get::new("r")).await, ["f:a@5=2", "f:b@7=1", "g:@6="]);
    table.delete(Delete::new("r").column("f", "a").family("g")).await.unwrap();
    table.put(Put::new("r").cell_at("f", "b", at(8), "4")).await.unwrap();
    table.delete(Delete::new("r").column_until("f", "b", at(7))).await.unwrap();
    assert_eq!(cells(&table, Get::new("r").versions(9)).await, ["f:b@8=4"]);
    table.delete("r").await.unwrap();
    assert!(!table.exists("r").await.unwrap());
}

#[tokio::test(start_paused = true)]
async fn any_bytes_are_a_row_key_a_qualifier_and_a_value() {
    let Fixture { table, cluster: _cluster } = Fixture::start().await;
    let bytes: Vec<u8> = (0..=255).collect();
    table.put(Put::new(&bytes).cell("f", &bytes, &bytes)).await.unwrap();
    let row = table.get(Get::new(&bytes).column("f", &bytes)).await.unwrap().unwrap();
    assert_eq!((row.key(), row.value("f", &bytes)), (&bytes[..], Some(&bytes[..])));
}

#[tokio::test(start_paused = true)]
async fn increments_and_appends_return_what_they_made() {
    let Fixture { table, cluster: _cluster } = Fixture::start().await;
    let increment = Increment::new("r").add("f", "n", 5).add("f", "m", -2);
    let row = table.increment(increment).await.unwrap().unwrap();
    assert_eq!(row.counter("f", "n").unwrap(), Some(5));
    assert_eq!(row.counter("f", "m").unwrap(), Some(-2));
    let row = table.increment(Increment::new("r").add("f", "n", 3)).await.unwrap().unwrap();
    assert_eq!(row.counter("f", "n").unwrap(), Some(8));
    table.append(Append::new("r").add("f", "t", "to")).await.unwrap();
    let row = table.append(Append::new("r").add("f", "t", "day")).await.unwrap().unwrap();
    assert_eq!(row.value("f", "t"), Some(&b"today"[..]));
    let error = table.increment(Increment::new("r").add("f", "t", 1)).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotACounter, "{error}");
}

#[tokio::test(start_paused = true)]
async fn a_condition_is_the_same_as_in_hbase() {
    let Fixture { table, cluster } = Fixture::start().await;
    let config = piped(&cluster, Config::new());
    let hbase = Client::connect_with(&cluster.url(), config).await.unwrap();
    let hbase = hbase.raw_table("t").unwrap();
    let values: [Option<&str>; 4] = [None, Some(""), Some("m"), Some("ma")];
    for value in values {
        if let Some(value) = value {
            table.put(Put::new("r").cell("f", "q", value)).await.unwrap();
        }
        let check = || Check::new("r", "f", "q");
        let change = || Put::new("r").cell("f", "x", "y");
        let given = ["m", "l", "n", "mb"];
        let cases = given
            .iter()
            .flat_map(|v| CompareOperator::ALL.map(|c| (check().if_matches(c, v), (*v, c))));
        for (condition, case) in
            cases.chain([(check().if_not_exists(), ("", CompareOperator::Equal))])
        {
            let of_hbase = hbase.check_and_mutate(condition.clone().then(change())).await.unwrap();
            let own = table.check_and_mutate(condition.then(change())).await.unwrap();
            assert_eq!(own, of_hbase, "{value:?} {case:?}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn several_changes_of_a_row_are_one_step() {
    let Fixture { table, cluster: _cluster } = Fixture::start().await;
    table.put(Put::new("r").cell_at("f", "a", at(1), "old")).await.unwrap();
    let step = RowMutations::new("r")
        .add(Put::new("r").cell_at("f", "b", at(2), "new"))
        .add(Delete::new("r").column("f", "a"));
    table.mutate_row(step).await.unwrap();
    assert_eq!(cells(&table, Get::new("r")).await, ["f:b@2=new"]);
    let bad = RowMutations::new("r")
        .add(Put::new("r").cell("f", "c", "1"))
        .add(Put::new("r").cell("nope", "c", "1"));
    let error = table.mutate_row(bad).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NoSuchFamily, "{error}");
    assert_eq!(cells(&table, Get::new("r")).await, ["f:b@2=new"], "all or nothing");
}

#[tokio::test(start_paused = true)]
async fn each_operation_of_a_batch_has_its_own_outcome() {
    let Fixture { table, cluster: _cluster } = Fixture::start().await;
    let operations: Vec<RowOperation> = vec![
        Put::new("a").cell("f", "q", "1").into(),
        Put::new("b").cell("nope", "q", "2").into(),
        Put::new("a").cell("f", "q", "3").into(),
        Increment::new("n").add("f", "q", 4).into(),
        Delete::new("c").into(),
        Put::new("d").cell("f", "q", "5").ttl(Duration::from_secs(1)).into(),
    ];
    let outcomes: Vec<_> = table.batch(operations).await.into_iter().collect();
    let kinds: Vec<_> = outcomes.iter().map(|o| o.as_ref().err().map(|e| e.kind())).collect();
    let (family, unsupported) = (Some(ErrorKind::NoSuchFamily), Some(ErrorKind::Unsupported));
    assert_eq!(kinds, [None, family, None, None, None, unsupported]);
    let error = outcomes[1].as_ref().unwrap_err();
    assert_eq!((error.operation(), error.row()), ("put", Some(&b"b"[..])));
    let row = table.get("a").await.unwrap().unwrap();
    assert_eq!(row.value("f", "q"), Some(&b"3"[..]), "in their order");
    let many = (0..5_000).map(|i| Put::new(format!("m{i:04}")).cell("f", "q", [7; 1_000]));
    table.put_all(many).await.into_result().unwrap();
    let keys = (0..5_000).step_by(500).map(|i| format!("m{i:04}"));
    let rows = table.get_all(keys).await.into_result().unwrap();
    assert!(rows.iter().all(Option::is_some));
}

#[tokio::test(start_paused = true)]
async fn what_is_not_there_is_named() {
    let Fixture { table, cluster } = Fixture::start().await;
    let backend = connect_to(&cluster, quick()).await.unwrap();
    let other = RawTable::new(backend, name("other"));
    let error = other.get("r").await.unwrap_err();
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::TableNotFound, 1), "{error}");
    let error = other.increment(Increment::new("r").add("f", "n", 1)).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TableNotFound, "{error}");
    let error = table.put(Put::new("r").cell("x", "q", "v")).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NoSuchFamily, "{error}");
    let long = vec![b'k'; 5_000];
    let error = table.get(&long[..]).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{error}");
}

#[tokio::test(start_paused = true)]
async fn what_bigtable_cannot_do_is_refused_and_not_sent() {
    let Fixture { table, cluster } = Fixture::start().await;
    let until = Delete::new("r").until(at(5));
    let deletes = [
        until,
        Delete::new("r").newest_version("f", "q"),
        Delete::new("r").family_until("f", at(5)),
        Delete::new("r").family_version("f", at(5)),
    ];
    for delete in deletes {
        let error = table.delete(delete).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
        assert!(error.to_string().contains("Bigtable does not support"), "{error}");
    }
    let append = Append::new("r").add("f", "q", "v").ttl(Duration::from_secs(9));
    assert_eq!(table.append(append).await.unwrap_err().kind(), ErrorKind::Unsupported);
    let mixed = RowMutations::new("r")
        .add(Put::new("r").cell("f", "q", "v"))
        .add(Increment::new("r").add("f", "n", 1));
    assert_eq!(table.mutate_row(mixed).await.unwrap_err().kind(), ErrorKind::Unsupported);
    let late = Put::new("r").cell_at("f", "q", at(u64::MAX / 2), "v");
    assert_eq!(table.put(late).await.unwrap_err().kind(), ErrorKind::InvalidArgument);
    assert_eq!(cluster.call_count("MutateRow"), 0);
}
