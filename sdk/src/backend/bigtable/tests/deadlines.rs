//! Streams whose next message is always ready. tokio's `timeout_at` looks at the clock only if
//! nothing is ready, so that a deadline alone does not end the reading of such a stream.

use std::future::ready;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use prost::Message;
use tokio::io::{AsyncRead, DuplexStream, ReadBuf, ReadHalf, join, split};
use tokio::time::advance;

use super::quick;
use super::scripted::{End, Ends, Scripted, serve};
use crate::key::RowRange;
use crate::request::op::{Get, Put};
use crate::wire::bigtable::{
    ColumnMetadata, ExecuteQueryResponse, GenerateInitialChangeStreamPartitionsResponse,
    MutateRowsOutcome, MutateRowsResponse, PartialResultSet, PrepareQueryResponse, ProtoSchema,
    ReadRowsResponse, ResultSetMetadata, SampleRowKeysResponse, StreamPartition, Type, TypeKind,
};
use crate::{Client, Connector, ErrorKind, Result, Scan};

/// What a client reads of a connection: as soon as much has arrived, the clock goes on, past every
/// deadline. The client is told after that, and finds all of it ready.
struct LateReads(ReadHalf<DuplexStream>);

impl AsyncRead for LateReads {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        ready!(Pin::new(&mut self.0).poll_read(cx, buf))?;
        if buf.filled().len() - before > 1_000 {
            // It goes on at the first poll.
            let _ = advance(Duration::from_secs(60)).now_or_never();
        }
        Poll::Ready(Ok(()))
    }
}

/// The answer of a stream of these messages, each of which is padded with a field that no message
/// has.
fn answer(messages: &[Vec<u8>]) -> Scripted {
    let padding = [&[0xfa, 0x7f, 80][..], &[0; 80]].concat();
    let mut body = Vec::new();
    for message in messages {
        let size = message.len() + padding.len();
        body.extend(
            [&[0], &u32::try_from(size).unwrap().to_be_bytes()[..], message, &padding].concat(),
        );
    }
    Scripted { http: 200, body: body.into(), piece: usize::MAX, end: End::Code("0") }
}

/// A client of a server that answers the query with a plan, and all else with this stream.
async fn connected(messages: Vec<Vec<u8>>) -> Client {
    let answer = answer(&messages);
    let answer = move |message: Bytes| match message.windows(6).any(|part| part == b"SELECT") {
        true => Scripted::of(&[plan()]),
        false => answer.clone(),
    };
    let answer = Arc::new(answer);
    let config = quick().connector(Connector::new(move |_host, _port| {
        let (near, far) = tokio::io::duplex(64 << 10);
        tokio::spawn(serve(far, answer.clone(), Ends::default()));
        let (reads, writes) = split(near);
        ready(Ok(join(LateReads(reads), writes)))
    }));
    Client::connect_with("bigtable://p/i?endpoint=localhost:8086", config).await.unwrap()
}

fn plan() -> PrepareQueryResponse {
    let of = Type { kind: Some(TypeKind::Int64Type(Default::default())) };
    let columns = vec![ColumnMetadata { name: "n".into(), r#type: Some(of) }];
    PrepareQueryResponse {
        metadata: Some(ResultSetMetadata { proto_schema: Some(ProtoSchema { columns }) }),
        prepared_query: "plan".into(),
        ..Default::default()
    }
}

/// A call that reads a stream: its name, the message of the stream with a number, and the call.
type StreamCall =
    (&'static str, fn(usize) -> Vec<u8>, fn(Client) -> BoxFuture<'static, Result<()>>);

/// All calls that read a stream under a deadline.
const CALLS: [StreamCall; 8] = [
    ("get", no_rows, |client| {
        async move { client.raw_table("t")?.get("r").await.map(|row| assert_eq!(row, None)) }
            .boxed()
    }),
    ("get_all", no_rows, |client| {
        let gets = ["a", "b"].map(Get::new);
        async move { client.raw_table("t")?.get_all(gets).await.into_result().map(drop) }.boxed()
    }),
    ("put_all", outcome, |client| {
        let puts = (0..500).map(|n| Put::new(format!("{n:03}")).cell("f", "q", "v"));
        async move { client.raw_table("t")?.put_all(puts).await.into_result().map(drop) }.boxed()
    }),
    ("scan", no_rows, |client| {
        async move {
            let row = client.raw_table("t")?.scan(Scan::all())?.next_row().await?;
            assert_eq!(row, None);
            Ok(())
        }
        .boxed()
    }),
    ("sample_row_keys", sample, |client| {
        async move {
            let all = RowRange::all();
            client.admin().bigtable()?.sample_row_keys("t", &all).await.map(drop)
        }
        .boxed()
    }),
    ("explain", sample, |client| {
        async move { client.raw_table("t")?.explain(Scan::all()).await.map(drop) }.boxed()
    }),
    ("changes", partition, |client| {
        async move { client.raw_table("t")?.changes().open()?.next_record().await.map(drop) }
            .boxed()
    }),
    ("execute", no_results, |client| {
        async move {
            let query = client.prepare("SELECT n", []).await?;
            query.execute::<(i64,)>()?.next_row().await.map(|row| assert_eq!(row, None))
        }
        .boxed()
    }),
];

fn no_rows(_: usize) -> Vec<u8> {
    ReadRowsResponse::default().encode_to_vec()
}

fn outcome(n: usize) -> Vec<u8> {
    let entry = MutateRowsOutcome { index: n as i64, status: Some(Default::default()) };
    MutateRowsResponse { entries: vec![entry], ..Default::default() }.encode_to_vec()
}

fn sample(n: usize) -> Vec<u8> {
    let row_key = format!("{n:06}").into();
    SampleRowKeysResponse { row_key, offset_bytes: 0 }.encode_to_vec()
}

fn partition(n: usize) -> Vec<u8> {
    let key = |n: usize| Bytes::from(format!("{n:06}"));
    let partition = Some(StreamPartition::of(key(n), key(n + 1)));
    GenerateInitialChangeStreamPartitionsResponse { partition }.encode_to_vec()
}

fn no_results(_: usize) -> Vec<u8> {
    let results = Some(PartialResultSet::default());
    ExecuteQueryResponse { results, ..Default::default() }.encode_to_vec()
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_always_has_a_message_ready_ends_by_its_deadline() {
    for (name, message, call) in CALLS {
        let client = connected((0..500).map(message).collect()).await;
        let error = call(client).await.expect_err(name);
        let late = matches!(error.kind(), ErrorKind::Timeout | ErrorKind::OutcomeUnknown);
        assert!(late && error.server().is_some(), "{name}: {error}");
        let text = match name {
            "put_all" => "436 of 500 operations failed",
            _ => "had not ended",
        };
        assert!(error.to_string().contains(text), "{name}: {error}");
    }
}

/// A program that was not running when its deadline passed finds what has arrived meanwhile.
#[tokio::test(start_paused = true)]
async fn an_answer_that_has_arrived_is_read_after_its_deadline() {
    for (name, message, call) in CALLS {
        // The partitions are read next, of which there is no stream here.
        if name != "changes" {
            let client = connected((0..50).map(message).collect()).await;
            let done = call(client).await;
            match name {
                "put_all" => {
                    let error = done.unwrap_err().to_string();
                    assert!(error.contains("450 of 500 operations failed"), "{error}");
                }
                _ => done.unwrap_or_else(|error| panic!("{name}: {error}")),
            }
        }
    }
}
