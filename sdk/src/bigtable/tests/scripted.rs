//! A server that gives each call the same answer, whatever it asks for.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bytes::Bytes;
use http::{HeaderMap, Response};
use prost::Message;
use tokio::net::TcpListener;

use super::{connect, name, quick};
use crate::RawTable;
use crate::wire::bigtable::{CellChunk, ReadRowsResponse, RowStatus};

/// A table of such a server, and how many calls there were.
pub(super) async fn answering<M: Message>(messages: &[M]) -> (RawTable, Arc<AtomicUsize>) {
    let mut answer = Vec::new();
    for message in messages {
        answer.push(0);
        answer.extend_from_slice(&u32::try_from(message.encoded_len()).unwrap().to_be_bytes());
        message.encode(&mut answer).unwrap();
    }
    let (answer, calls) = (Bytes::from(answer), Arc::new(AtomicUsize::new(0)));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let at = listener.local_addr().unwrap().to_string();
    let counter = calls.clone();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(serve(stream, answer.clone(), counter.clone()));
        }
    });
    (RawTable::new(connect(&at, quick()).await.unwrap(), name("t")), calls)
}

async fn serve(stream: tokio::net::TcpStream, answer: Bytes, calls: Arc<AtomicUsize>) {
    let mut connection = h2::server::handshake(stream).await.unwrap();
    while let Some(Ok((_request, mut respond))) = connection.accept().await {
        calls.fetch_add(1, Ordering::Relaxed);
        let head = Response::builder().header("content-type", "application/grpc").body(()).unwrap();
        let mut body = respond.send_response(head, false).unwrap();
        body.send_data(answer.clone(), false).unwrap();
        let ok = HeaderMap::from_iter([("grpc-status".parse().unwrap(), "0".parse().unwrap())]);
        body.send_trailers(ok).unwrap();
    }
}

/// The only cell of a row, with the whole row or its beginning.
pub(super) fn cell(row: &'static str, is_whole: bool) -> CellChunk {
    CellChunk {
        row_key: row.into(),
        family_name: Some("f".into()),
        qualifier: Some("q".into()),
        value: "v".into(),
        row_status: is_whole.then_some(RowStatus::CommitRow(true)),
        ..CellChunk::default()
    }
}

pub(super) fn rows(chunks: Vec<CellChunk>) -> ReadRowsResponse {
    ReadRowsResponse { chunks, ..ReadRowsResponse::default() }
}
