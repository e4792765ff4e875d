//! A server that gives each call the same answer, whatever it asks for.

use std::future::ready;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bytes::Bytes;
use http::{HeaderMap, Response};
use prost::Message;
use tokio::io::DuplexStream;

use super::{connect, name, quick};
use crate::wire::bigtable::{CellChunk, ReadRowsResponse, RowStatus};
use crate::{Connector, RawTable};

/// An answer.
#[derive(Clone)]
pub(super) struct Scripted {
    pub(super) http: u16,
    pub(super) body: Bytes,
    /// How large its pieces are.
    pub(super) piece: usize,
    /// The code at its end, if it has one.
    pub(super) code: Option<&'static str>,
}

impl Scripted {
    /// One that is as it should be.
    pub(super) fn of<M: Message>(messages: &[M]) -> Self {
        let mut body = Vec::new();
        for message in messages {
            body.push(0);
            body.extend_from_slice(&u32::try_from(message.encoded_len()).unwrap().to_be_bytes());
            message.encode(&mut body).unwrap();
        }
        Self { http: 200, body: body.into(), piece: usize::MAX, code: Some("0") }
    }
}

/// A table of a server with such an answer, and how many calls there were.
pub(super) async fn answering<M: Message>(messages: &[M]) -> (RawTable, Arc<AtomicUsize>) {
    answering_as(Scripted::of(messages)).await
}

pub(super) async fn answering_as(answer: Scripted) -> (RawTable, Arc<AtomicUsize>) {
    let calls = Arc::new(AtomicUsize::new(0));
    let counter = calls.clone();
    let config = quick().connector(Connector::new(move |_host, _port| {
        let (near, far) = tokio::io::duplex(64 << 10);
        tokio::spawn(serve(far, answer.clone(), counter.clone()));
        ready(Ok(near))
    }));
    (RawTable::new(connect("localhost:8086", config).await.unwrap(), name("t")), calls)
}

async fn serve(stream: DuplexStream, answer: Scripted, calls: Arc<AtomicUsize>) {
    let mut connection = h2::server::handshake(stream).await.unwrap();
    while let Some(Ok((_request, mut respond))) = connection.accept().await {
        calls.fetch_add(1, Ordering::Relaxed);
        let head = Response::builder().status(answer.http);
        let head = head.header("content-type", "application/grpc").body(()).unwrap();
        let mut body = respond.send_response(head, false).unwrap();
        let mut rest = answer.body.clone();
        while !rest.is_empty() {
            let piece = rest.split_to(answer.piece.min(rest.len()));
            body.send_data(piece, false).unwrap();
        }
        match answer.code {
            None => body.send_data(Bytes::new(), true).unwrap(),
            Some(code) => {
                let status = [("grpc-status".parse().unwrap(), code.parse().unwrap())];
                body.send_trailers(HeaderMap::from_iter(status)).unwrap();
            }
        }
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
