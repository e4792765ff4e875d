//! `hbase:meta` as a table that an administrator reads and changes, and several rows of it, or of a
//! user's table, that are changed in one step under conditions.

use prost::Message;
use tallrow_mock::MockCluster;
use tallrow_wire::exception::RemoteException;
use tallrow_wire::proto::*;
use tallrow_wire::region::parse_table_name;

use crate::frames::{Fixture, bytes, meta, mutation};

const ROWS: &str = "org.apache.hadoop.hbase.coprocessor.MultiRowMutationEndpoint";

fn meta_name() -> TableName {
    parse_table_name(b"hbase:meta")
}

/// Like HBase: `hbase:meta` is described, altered, flushed and moved, but not split.
#[tokio::test]
async fn an_administrator_changes_hbase_meta() {
    let mut f = Fixture::with(MockCluster::builder().servers(2), &[], &[]).await;
    let request = GetTableDescriptorsRequest {
        table_names: vec![meta_name()],
        include_sys_tables: Some(true),
        ..Default::default()
    };
    let method = "GetTableDescriptors";
    let (answer, _) = f.master.call::<GetTableDescriptorsResponse>(method, &request).await.unwrap();
    let mut table_schema = answer.table_schema[0].clone();
    let pair = BytesBytesPair { first: "PRIORITY".into(), second: "9".into() };
    table_schema.attributes.push(pair.clone());
    let alter = ModifyTableRequest { table_name: meta_name(), table_schema, ..Default::default() };
    f.master.call::<ProcIdResponse>("ModifyTable", &alter).await.unwrap();
    let (answer, _) = f.master.call::<GetTableDescriptorsResponse>(method, &request).await.unwrap();
    assert!(answer.table_schema[0].attributes.contains(&pair));

    let flush = FlushTableRequest { table_name: meta_name(), ..Default::default() };
    let (started, _) = f.master.call::<FlushTableResponse>("FlushTable", &flush).await.unwrap();
    let poll = GetProcedureResultRequest { proc_id: started.proc_id() };
    let method = "getProcedureResult";
    let (ended, _) = f.master.call::<GetProcedureResultResponse>(method, &poll).await.unwrap();
    assert_eq!(ended.exception, None);

    let from = f.cluster.regions("hbase:meta")[0].server.unwrap();
    let request = MoveRegionRequest { region: meta(), dest_server_name: None };
    f.master.call::<MoveRegionResponse>("MoveRegion", &request).await.unwrap();
    assert_eq!(f.cluster.regions("hbase:meta")[0].server, Some(1 - from));

    let region_info = RegionInfo { region_id: 1, table_name: meta_name(), ..Default::default() };
    let truncate = TruncateRegionRequest { region_info: region_info.clone(), ..Default::default() };
    let (started, _) = f.master.call::<ProcIdResponse>("TruncateRegion", &truncate).await.unwrap();
    let poll = GetProcedureResultRequest { proc_id: started.proc_id() };
    let (ended, _) = f.master.call::<GetProcedureResultResponse>(method, &poll).await.unwrap();
    let refused = RemoteException::from_foreign(&ended.exception.unwrap());
    assert_eq!(refused.message, "Can't truncate region in catalog tables");

    let split_row = Some("m".into());
    let split = SplitTableRegionRequest { region_info, split_row, ..Default::default() };
    let refused = f.master.call::<Empty>("SplitRegion", &split).await.unwrap_err();
    let expected = ("DoNotRetryIOException", "1588230740 NOT splittable");
    assert_eq!((refused.simple_name(), refused.message.as_str()), expected);
}

/// A comparison of column `f:q` of a row with a value.
fn condition(row: &str, compare_type: CompareType, value: &str) -> Condition {
    let comparable = ByteArrayComparable { value: Some(bytes(value)) };
    let serialized = BinaryComparator { comparable }.encode_to_vec().into();
    Condition {
        row: bytes(row),
        family: Some("f".into()),
        qualifier: Some("q".into()),
        compare_type: Some(compare_type as i32),
        comparator: Some(Comparator {
            name: "org.apache.hadoop.hbase.filter.BinaryComparator".to_owned(),
            serialized_comparator: Some(serialized),
        }),
        ..Default::default()
    }
}

/// Writes rows `a` and `b` under conditions, and returns whether they were met.
async fn mutate_rows(
    f: &mut Fixture,
    condition: Vec<Condition>,
) -> std::result::Result<bool, (String, String)> {
    let puts = ["a", "b"].map(|row| mutation(MutationType::Put, row, &[("q", 0, "new")]));
    let request =
        MutateRowsRequest { mutation_request: puts.to_vec(), condition, ..Default::default() };
    let call = CoprocessorServiceCall {
        row: "a".into(),
        service_name: "MultiRowMutationService".to_owned(),
        method_name: "MutateRows".to_owned(),
        request: request.encode_to_vec().into(),
    };
    let request = CoprocessorServiceRequest { region: f.region(b"a"), call };
    let answer = f.client.call::<CoprocessorServiceResponse>("ExecService", &request).await;
    let (answer, _) = answer.map_err(|e| (e.simple_name().to_owned(), e.message))?;
    let value = answer.value.value.unwrap();
    Ok(MutateRowsResponse::decode(value).unwrap().processed.unwrap())
}

/// Like HBase: several rows are changed in one step under conditions. A comparison with an empty
/// value is met by an absent cell, whatever its operator is.
#[tokio::test]
async fn rows_are_changed_in_one_step_if_all_conditions_are_met() {
    let builder = MockCluster::builder().setting("hbase.coprocessor.user.region.classes", ROWS);
    let mut f = Fixture::with(builder.servers(1), &[], &["m"]).await;
    f.put("c", "q", 1, "5").await;
    // The given value is the left operand.
    let met = condition("c", CompareType::Less, "4");
    let unmet = condition("c", CompareType::Greater, "4");
    for (conditions, expected) in [
        (vec![met.clone(), unmet], false),
        (vec![condition("d", CompareType::Equal, "5")], false),
        (vec![condition("c", CompareType::NotEqual, "")], false),
    ] {
        assert_eq!(mutate_rows(&mut f, conditions).await, Ok(expected));
        assert_eq!(f.values("a").await, [""; 0]);
    }
    let absent = condition("d", CompareType::NotEqual, "");
    assert_eq!(mutate_rows(&mut f, vec![met, absent]).await, Ok(true));
    assert_eq!(
        (f.values("a").await, f.values("b").await),
        (vec!["q=new".to_owned()], vec!["q=new".to_owned()])
    );
    let outside = condition("z", CompareType::Equal, "5");
    let (class, text) = mutate_rows(&mut f, vec![outside]).await.unwrap_err();
    assert_eq!(class, "WrongRegionException");
    assert!(text.starts_with("Requested row out of range for row lock on HRegion t,,"), "{text}");
}

/// Like HBase: a coprocessor of all tables, or of one, answers; there are none of whole servers.
#[tokio::test]
async fn a_service_that_no_coprocessor_offers_is_refused() {
    let mut f = Fixture::new(&[]).await;
    let (class, text) = mutate_rows(&mut f, Vec::new()).await.unwrap_err();
    assert_eq!(class, "UnknownProtocolException");
    assert!(text.starts_with("No registered coprocessor service found for MultiRow"), "{text}");
    let call = CoprocessorServiceCall {
        row: "a".into(),
        service_name: "S".to_owned(),
        method_name: "M".to_owned(),
        request: bytes(""),
    };
    let request = CoprocessorServiceRequest { region: f.region(b"a"), call };
    let of_server = f.client.call::<Empty>("ExecRegionServerService", &request).await.unwrap_err();
    assert_eq!(of_server.message, "No registered coprocessor executorService found for S");
    let of_master = f.master.call::<Empty>("ExecMasterService", &request).await.unwrap_err();
    assert_eq!(
        of_master.message,
        "No registered Master Coprocessor Endpoint found for S. Has it been enabled?"
    );
}
