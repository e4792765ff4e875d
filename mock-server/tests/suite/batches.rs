//! Multi: the order of the results, the effect of one bad action on the others, atomic groups.

use bytes::BytesMut;
use tallrow_mock::MockCluster;
use tallrow_wire::cell::{Cell, CellType};
use tallrow_wire::cell_block;
use tallrow_wire::exception::{self, RemoteException};
use tallrow_wire::proto::*;

use crate::frames::{Answer, Fixture, delete, get, increment, mutation, short};

fn put_action(index: u32, row: &str, qualifier: &str) -> Action {
    let mutation = mutation(MutationType::Put, row, &[(qualifier, 1, "v")]);
    Action { index: Some(index), mutation: Some(mutation), ..Default::default() }
}

fn of_family(family: &'static str, mut action: Action) -> Action {
    if let Some(mutation) = &mut action.mutation {
        mutation.column_value[0].family = family.into();
    }
    action
}

fn get_action(index: u32, row: &str, existence: bool) -> Action {
    let get = Get { existence_only: Some(existence), ..get(row) };
    Action { index: Some(index), get: Some(Box::new(get)), ..Default::default() }
}

fn increment_action(index: u32, row: &str) -> Action {
    Action { index: Some(index), mutation: Some(increment(row, 5, 0)), ..Default::default() }
}

async fn multi(t: &mut Fixture, atomic: bool, action: Vec<Action>) -> Answer<MultiResponse> {
    multi_if(t, atomic, action, None).await
}

async fn multi_if(
    t: &mut Fixture,
    atomic: bool,
    action: Vec<Action>,
    condition: Option<Condition>,
) -> Answer<MultiResponse> {
    let region = t.region(b"");
    let action = RegionAction { region, atomic: Some(atomic), action, condition };
    let request = MultiRequest { region_action: vec![action], ..Default::default() };
    t.client.call("Multi", &request).await
}

/// Index and result of every action: `ok`, the number of cells, `exists`, or the class of the
/// exception.
fn outcomes(answer: &MultiResponse) -> Vec<(u32, String)> {
    let outcome = |r: &ResultOrException| {
        let text = match (&r.exception, &r.result) {
            (Some(e), _) => RemoteException::from_pair(e).simple_name().to_owned(),
            (_, Some(result)) => match (result.exists, result.associated_cell_count) {
                (Some(exists), _) => format!("exists {exists}"),
                (_, Some(count)) => format!("{count} cells"),
                _ => "ok".into(),
            },
            _ => "nothing".into(),
        };
        (r.index.unwrap(), text)
    };
    answer.region_action_result[0].result_or_exception.iter().map(outcome).collect()
}

fn pairs(expected: &[(u32, &str)]) -> Vec<(u32, String)> {
    expected.iter().map(|(i, s)| (*i, (*s).to_owned())).collect()
}

/// Like HBase: the order in which the actions of a batch happen.
#[tokio::test]
async fn reads_and_counters_run_at_once_and_puts_wait_for_the_next_counter() {
    let mut t = Fixture::new(&[]).await;
    let actions = vec![
        put_action(0, "a", "q"),
        get_action(1, "a", false),
        increment_action(2, "c"),
        put_action(3, "b", "q"),
        get_action(4, "a", false),
        get_action(5, "b", true),
    ];
    let (answer, cells) = multi(&mut t, false, actions).await.unwrap();
    let expected =
        [(1, "0 cells"), (0, "ok"), (2, "1 cells"), (4, "1 cells"), (5, "exists false"), (3, "ok")];
    assert_eq!(outcomes(&answer), pairs(&expected));
    assert_eq!(cells.len(), 2);
    assert_eq!((answer.processed, answer.region_statistics.is_some()), (None, true));
}

/// Like HBase: a bad action of a batch fails alone.
#[tokio::test]
async fn a_bad_family_fails_only_its_action_and_so_does_an_empty_action() {
    let mut t = Fixture::new(&[]).await;
    let nothing = Action { index: Some(2), ..Default::default() };
    let actions = vec![put_action(0, "a", "q"), of_family("zz", put_action(1, "b", "q")), nothing];
    let (answer, _) = multi(&mut t, false, actions).await.unwrap();
    let expected = [(2, "HBaseIOException"), (0, "ok"), (1, "NoSuchColumnFamilyException")];
    assert_eq!(outcomes(&answer), pairs(&expected));
    assert_eq!(t.values("a").await, ["q=v"]);
}

#[tokio::test]
async fn a_bad_row_key_fails_the_whole_call() {
    let mut t = Fixture::new(&[]).await;
    let actions = vec![put_action(0, "a", "q"), put_action(1, "", "q")];
    let error = multi(&mut t, false, actions).await.unwrap_err();
    assert_eq!((error.class.as_str(), error.message.as_str()), (exception::IO, "Row length is 0"));
    assert_eq!(t.values("a").await, [""; 0]);
    let error =
        t.client.call::<MultiResponse>("Multi", &MultiRequest::default()).await.unwrap_err();
    assert_eq!(error.message, "Index: 0");
}

#[tokio::test]
async fn a_cell_above_the_limit_fails_every_put_of_its_group() {
    let mut t = Fixture::new(&[]).await;
    let mut big = put_action(1, "b", "q");
    let value = bytes::Bytes::from(vec![0; 11 << 20]);
    big.mutation.as_mut().unwrap().column_value[0].qualifier_value[0].value = Some(value);
    let actions = vec![put_action(0, "a", "q"), big.clone(), get_action(2, "a", false)];
    let (answer, _) = multi(&mut t, false, actions).await.unwrap();
    let expected = [(2, "0 cells"), (0, "DoNotRetryIOException"), (1, "DoNotRetryIOException")];
    assert_eq!(outcomes(&answer), pairs(&expected));
    let error = t.mutate(big.mutation.unwrap()).await.unwrap_err();
    assert_eq!(
        error.message,
        "Cell[b/f:q/1/Put/vlen=11534336/seqid=0] with size 11534363 exceeds limit of 10485760 bytes"
    );
}

/// Limits the size of the cells of the table, and adds the family `g`.
async fn limit_cells(t: &mut Fixture, bytes: &'static str) {
    let limit =
        BytesBytesPair { first: "hbase.server.keyvalue.maxsize".into(), second: bytes.into() };
    let family =
        |name: &'static str| ColumnFamilySchema { name: name.into(), ..Default::default() };
    let table_name = TableName { namespace: "default".into(), qualifier: "t".into() };
    let table_schema = TableSchema {
        table_name: Some(table_name.clone()),
        attributes: vec![limit],
        column_families: vec![family("f"), family("g")],
        ..Default::default()
    };
    let request = ModifyTableRequest { table_name, table_schema, ..Default::default() };
    t.master.call::<ProcIdResponse>("ModifyTable", &request).await.unwrap();
}

/// `RSRpcServices` checks the sizes of cells before the condition of a mutation, and those of
/// Deletes too, except in a group of several mutations that has a condition; it names the cell of
/// the first family.
/// Like HBase: which cells the limit of a table applies to.
#[tokio::test]
async fn the_limit_of_cells_applies_before_a_condition_and_to_deletes() {
    let mut t = Fixture::new(&[]).await;
    limit_cells(&mut t, "26").await;

    let absent = Condition {
        row: "r".into(),
        family: Some("f".into()),
        qualifier: Some("q".into()),
        compare_type: Some(CompareType::NotEqual as i32),
        comparator: None,
        ..Default::default()
    };
    let mut put = mutation(MutationType::Put, "r", &[("q", 1, "v")]);
    let mut of_f = put.column_value.clone();
    put.column_value[0].family = "g".into();
    put.column_value.append(&mut of_f);
    let request = MutateRequest { condition: Some(absent.clone()), ..t.request(put) };
    let error = t.client.call::<MutateResponse>("Mutate", &request).await.unwrap_err();
    let text = "Cell[r/f:q/1/Put/vlen=1/seqid=0] with size 28 exceeds limit of 26 bytes";
    assert_eq!(error.message, text);

    let delete = delete("r", "q", 1, DeleteType::DeleteOneVersion);
    let delete = Action { index: Some(0), mutation: Some(delete), ..Default::default() };
    for (condition, count, refused) in
        [(None, 2, true), (Some(absent.clone()), 1, true), (Some(absent), 2, false)]
    {
        let deletes = vec![delete.clone(); count];
        let (answer, _) = multi_if(&mut t, true, deletes, condition).await.unwrap();
        assert_eq!(answer.region_action_result[0].exception.is_some(), refused);
    }
}

/// HBase names the object of the batch where it means to name the region.
#[tokio::test]
async fn a_cell_that_grows_above_the_limit_is_refused_in_words_of_its_own() {
    let mut t = Fixture::new(&[]).await;
    limit_cells(&mut t, "29").await;
    t.put("r", "q", 1, "ab").await;
    let append = mutation(MutationType::Append, "r", &[("q", 1, "c")]);
    let error = t.mutate(append).await.unwrap_err();
    let number = error.message.strip_prefix(
        "Cell with size 30 exceeds limit of 29 bytes in region \
         org.apache.hadoop.hbase.regionserver.HRegion$MutationBatchOperation@",
    );
    assert!(number.is_some_and(|n| u32::from_str_radix(n, 16).is_ok()), "{}", error.message);
    assert_eq!(t.values("r").await, ["q=ab"]);
}

#[tokio::test]
async fn an_unknown_region_fails_alone_and_its_cells_are_skipped() {
    let mut t = Fixture::with(MockCluster::builder().servers(1), &[], &["m"]).await;
    let with_cells = |row: &str| {
        let mut action = put_action(0, row, "q");
        let mutation = action.mutation.as_mut().unwrap();
        mutation.column_value.clear();
        mutation.associated_cell_count = Some(1);
        action
    };
    let mut block = BytesMut::new();
    for (row, value) in [(b"a", b"1"), (b"z", b"2")] {
        let cell = Cell::new(row, b"f", b"q", 1, CellType::Put, value).unwrap();
        cell_block::put_cell(cell.bytes(), &mut block);
    }
    let mut unknown = t.region(b"a");
    unknown.value = "t,,1.0123456789abcdef0123456789abcdef.".into();
    let group =
        |region, row| RegionAction { region, action: vec![with_cells(row)], ..Default::default() };
    let request = MultiRequest {
        region_action: vec![group(unknown, "a"), group(t.region(b"z"), "z")],
        ..Default::default()
    };
    let (answer, _) = t.client.call_with::<MultiResponse>("Multi", &request, &block).await.unwrap();
    let refused = answer.region_action_result[0].exception.as_ref().unwrap();
    assert_eq!(refused.name, exception::NOT_SERVING_REGION);
    assert_eq!(t.values("z").await, ["q=2"]);
}

/// Like HBase: row mutations happen together or not at all.
#[tokio::test]
async fn an_atomic_group_is_applied_whole_or_not_at_all() {
    let mut t = Fixture::new(&[]).await;
    let good = vec![put_action(7, "a", "q"), increment_action(9, "a")];
    let (answer, cells) = multi(&mut t, true, good).await.unwrap();
    assert_eq!(outcomes(&answer), pairs(&[(0, "ok"), (1, "ok")]));
    // The sum is inside the first result, not in the cell block.
    let first = &answer.region_action_result[0].result_or_exception[0];
    assert_eq!((first.result.as_ref().unwrap().cell.len(), cells.len()), (1, 0));
    assert_eq!(
        (answer.processed, answer.region_action_result[0].processed),
        (Some(true), Some(true))
    );

    let bad = vec![put_action(0, "b", "q"), of_family("zz", put_action(1, "b", "q"))];
    let (answer, _) = multi(&mut t, true, bad).await.unwrap();
    let refused = answer.region_action_result[0].exception.as_ref().unwrap();
    assert_eq!(refused.name, exception::NO_SUCH_COLUMN_FAMILY);
    let read = vec![put_action(0, "b", "q"), get_action(1, "b", false)];
    let (answer, _) = multi(&mut t, true, read).await.unwrap();
    let refused = answer.region_action_result[0].exception.as_ref().unwrap();
    let text = "Atomic put and/or delete only, not a Get=row: \"b\"";
    assert_eq!(RemoteException::from_pair(refused).message, text);
    assert_eq!(t.values("b").await, [""; 0]);
}

#[tokio::test]
async fn a_group_with_a_condition_is_applied_only_if_it_is_met() {
    let mut t = Fixture::new(&[]).await;
    t.put("a", "q", 1, "v").await;
    let condition = |value: &str| Condition {
        row: "a".into(),
        family: Some("f".into()),
        qualifier: Some("q".into()),
        compare_type: Some(CompareType::Equal as i32),
        comparator: Some(crate::conditions::binary(value)),
        ..Default::default()
    };
    let actions = || vec![put_action(0, "a", "x"), put_action(1, "a", "y")];
    let (no, _) = multi_if(&mut t, true, actions(), Some(condition("w"))).await.unwrap();
    assert_eq!(no.region_action_result[0].processed, Some(false));
    assert_eq!(outcomes(&no), pairs(&[(0, "nothing"), (1, "nothing")]));
    assert_eq!(t.values("a").await, ["q=v"]);
    let (yes, _) = multi_if(&mut t, true, actions(), Some(condition("v"))).await.unwrap();
    assert_eq!((yes.processed, yes.region_action_result[0].processed), (None, Some(true)));
    assert_eq!(t.values("a").await, ["q=v", "x=v", "y=v"]);
    let elsewhere = vec![put_action(0, "b", "x")];
    let (refused, _) = multi_if(&mut t, true, elsewhere, Some(condition("v"))).await.unwrap();
    let exception = refused.region_action_result[0].exception.as_ref().unwrap();
    let text = "The row of the action <b> doesn't match the original one <a>";
    assert_eq!(RemoteException::from_pair(exception).message, text);
}

#[tokio::test]
async fn a_put_and_a_delete_of_one_millisecond_leave_nothing() {
    let mut t = Fixture::new(&[]).await;
    let stamped = |kind, index| {
        let mutation = mutation(kind, "a", &[("q", 0, "v")]);
        Action { index: Some(index), mutation: Some(mutation), ..Default::default() }
    };
    let mut delete = stamped(MutationType::Delete, 1);
    delete.mutation.as_mut().unwrap().column_value[0].qualifier_value[0].delete_type =
        Some(DeleteType::DeleteMultipleVersions as i32);
    let actions = vec![stamped(MutationType::Put, 0), delete, stamped(MutationType::Put, 2)];
    multi(&mut t, false, actions).await.unwrap();
    assert_eq!(short(&t.get(get("a")).await.unwrap().1), "");
}
