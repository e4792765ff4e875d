//! Coprocessor endpoints: HBase's own `AggregateService`, which counts and adds in the servers.

use bytes::Bytes;
use tallrow::admin::{Endpoint, EndpointAnswer};
use tallrow::{ErrorKind, FamilyDescriptor, Put, RawTable, TableDescriptor};
use tallrow_tests::Place;

const AGGREGATE: &str = "|org.apache.hadoop.hbase.coprocessor.AggregateImplementation|536870911|";
const INTERPRETER: &str = "org.apache.hadoop.hbase.client.coprocessor.LongColumnInterpreter";
/// A `Scan` of family `f`.
const SCAN_OF_F: &[u8] = b"\x0a\x03\x0a\x01f";

/// `AggregateRequest`; the scan is encoded already.
#[derive(Clone, PartialEq, prost::Message)]
struct Request {
    #[prost(string, required, tag = "1")]
    interpreter_class_name: String,
    #[prost(bytes = "bytes", required, tag = "2")]
    scan: Bytes,
    #[prost(bytes = "bytes", optional, tag = "3")]
    interpreter_specific_bytes: Option<Bytes>,
}

/// `AggregateResponse`
#[derive(Clone, PartialEq, prost::Message)]
struct Response {
    #[prost(bytes = "bytes", repeated, tag = "1")]
    first_part: Vec<Bytes>,
}

/// `LongMsg`
#[derive(Clone, PartialEq, prost::Message)]
struct LongMsg {
    #[prost(int64, required, tag = "1")]
    long_msg: i64,
}

fn request() -> Request {
    Request {
        interpreter_class_name: INTERPRETER.into(),
        scan: Bytes::from_static(SCAN_OF_F),
        interpreter_specific_bytes: Some(Bytes::new()),
    }
}

/// A table with the coprocessor, three regions, and the rows a0 .. a4 and x0 .. x2 with a number
/// each.
async fn numbers(place: &Place) -> RawTable {
    let table = TableDescriptor::new(&place.table_name().await).unwrap();
    let table = table.family(FamilyDescriptor::new("f")).attribute("coprocessor$1", AGGREGATE);
    let table = place.create(&table.splits(["h", "p"])).await;
    for (prefix, count) in [("a", 5), ("x", 3)] {
        for n in 0..count {
            let value = i64::from(n).to_be_bytes().to_vec();
            table.put(Put::new(format!("{prefix}{n}")).cell("f", "n", value)).await.unwrap();
        }
    }
    table
}

fn rows(answer: &EndpointAnswer<Response>) -> u64 {
    let count = &answer.answer.first_part[0];
    u64::from_be_bytes(count[..].try_into().unwrap())
}

pub(crate) async fn an_endpoint_answers_for_the_region_of_a_row(place: Place) {
    let table = numbers(&place).await;
    let hbase = place.client.admin().hbase().unwrap();
    let sum = Endpoint::new("AggregateService", "GetSum").repeatable();
    for (row, expected) in [("a", Some(10)), ("x9", Some(3)), ("k", None)] {
        let answer: Response =
            hbase.call_endpoint(table.name(), row, &sum, &request()).await.unwrap();
        let found = answer.first_part.first().map(|part| {
            let message: LongMsg = prost::Message::decode(part.clone()).unwrap();
            message.long_msg
        });
        assert_eq!(found, expected, "{row}");
    }
}

pub(crate) async fn an_endpoint_is_called_in_every_region_of_a_range(place: Place) {
    let table = numbers(&place).await;
    let hbase = place.client.admin().hbase().unwrap();
    let count = Endpoint::new("AggregateService", "GetRowNum").repeatable();
    let all = |from: &'static str, to: &'static str| {
        let (hbase, count, name) = (hbase.clone(), count.clone(), table.name().clone());
        async move {
            let request = request();
            let answers =
                hbase.call_endpoint_on_range::<Response>(&name, from..to, &count, &request);
            answers.await.unwrap().iter().map(rows).collect::<Vec<_>>()
        }
    };
    assert_eq!(all("", "").await, [5, 0, 3]);
    assert_eq!(all("h", "").await, [0, 3]);
    assert_eq!(all("", "h").await, [5]);
    assert_eq!(all("b", "i").await, [5, 0], "the endpoint sees whole regions");
    assert_eq!(all("i", "b").await, Vec::<u64>::new());

    // The cache of locations is older than the split.
    let region = hbase.regions(table.name()).await.unwrap().remove(0);
    hbase.split_region(&region, "a3").await.unwrap();
    assert_eq!(all("", "").await, [3, 2, 0, 3]);
}

pub(crate) async fn an_endpoint_that_is_not_there_is_a_clear_error(place: Place) {
    let (with, without) = (numbers(&place).await, place.table(&[]).await);
    let hbase = place.client.admin().hbase().unwrap();
    let count = Endpoint::new("AggregateService", "GetRowNum");
    let error =
        hbase.call_endpoint::<Response>(without.name(), "r", &count, &request()).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DoNotRetry, "{error:?}");
    assert!(error.to_string().contains("coprocessor$1"), "{error}");
    assert!(error.to_string().contains("AggregateService"), "{error}");

    let other = Endpoint::new("AggregateService", "GetNothing");
    let error =
        hbase.call_endpoint::<Response>(with.name(), "r", &other, &request()).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DoNotRetry, "{error:?}");
    assert!(error.to_string().contains("GetNothing"), "{error}");

    let error = hbase
        .call_endpoint::<Response>("no_such_table", "r", &count, &request())
        .await
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TableNotFound, "{error:?}");
}
