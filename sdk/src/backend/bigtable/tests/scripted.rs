//! A server that gives each call the answer of a script, whatever the mock would say.

use std::future::{poll_fn, ready};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bytes::Bytes;
use h2::server::SendResponse;
use http::{HeaderMap, Request, Response};
use prost::Message;
use tokio::io::DuplexStream;
use tokio::sync::watch;

use super::{connect, name, quick};
use crate::backend::Backend;
use crate::wire::bigtable::{CellChunk, ReadRowsResponse, RowStatus};
use crate::{Connector, RawTable};

/// An answer.
#[derive(Clone)]
pub(super) struct Scripted {
    pub(super) http: u16,
    pub(super) body: Bytes,
    /// How large its pieces are.
    pub(super) piece: usize,
    pub(super) end: End,
}

/// How an answer ends.
#[derive(Clone, Copy)]
pub(super) enum End {
    /// With this code.
    Code(&'static str),
    /// Without one.
    Nothing,
    /// Its stream is reset.
    Reset,
    /// It has no end, until the client cancels the call.
    Never,
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
        Self { http: 200, body: body.into(), piece: usize::MAX, end: End::Code("0") }
    }

    pub(super) fn ending(self, end: End) -> Self {
        Self { end, ..self }
    }
}

/// A table of a server with such an answer, and how many calls there were.
pub(super) async fn answering<M: Message>(messages: &[M]) -> (RawTable, Arc<AtomicUsize>) {
    answering_as(Scripted::of(messages)).await
}

pub(super) async fn answering_as(answer: Scripted) -> (RawTable, Arc<AtomicUsize>) {
    let calls = Arc::new(AtomicUsize::new(0));
    let counter = calls.clone();
    let table = answering_by(move |_message| {
        counter.fetch_add(1, Ordering::Relaxed);
        answer.clone()
    });
    (table.await, calls)
}

/// A table of a server that answers each message by this function.
pub(super) async fn answering_by(
    answer: impl Fn(Bytes) -> Scripted + Send + Sync + 'static,
) -> RawTable {
    RawTable::new(server(answer).await, name("t"))
}

/// A server that answers each message by this function.
pub(super) async fn server(answer: impl Fn(Bytes) -> Scripted + Send + Sync + 'static) -> Backend {
    server_with_ends(answer, &Ends::default()).await
}

/// How the calls and the connections of a server end.
#[derive(Clone, Default)]
pub(super) struct Ends {
    /// Tells the connections that are open to end when their calls have ended.
    pub(super) connections: watch::Sender<()>,
    /// How many calls the client has cancelled whose answer has no end.
    pub(super) cancelled: Arc<AtomicUsize>,
    /// How many connections were opened.
    pub(super) opened: Arc<AtomicUsize>,
}

pub(super) async fn server_with_ends(
    answer: impl Fn(Bytes) -> Scripted + Send + Sync + 'static,
    ends: &Ends,
) -> Backend {
    let (answer, ends) = (Arc::new(answer), ends.clone());
    let config = quick().connector(Connector::new(move |_host, _port| {
        let (near, far) = tokio::io::duplex(64 << 10);
        ends.opened.fetch_add(1, Ordering::Relaxed);
        tokio::spawn(serve(far, answer.clone(), ends.clone()));
        ready(Ok(near))
    }));
    connect("localhost:8086", config).await.unwrap()
}

pub(super) async fn serve(
    stream: DuplexStream,
    answer: Arc<impl Fn(Bytes) -> Scripted + Send + Sync + 'static>,
    ends: Ends,
) {
    let mut ending = ends.connections.subscribe();
    let mut settings = h2::server::Builder::new();
    // As many calls at a time as the service takes.
    settings.max_concurrent_streams(100);
    let mut connection = settings.handshake(stream).await.unwrap();
    loop {
        let (request, respond) = tokio::select! {
            accepted = connection.accept() => match accepted {
                Some(Ok(accepted)) => accepted,
                _ => return,
            },
            Ok(()) = ending.changed() => {
                connection.graceful_shutdown();
                continue;
            }
        };
        let (answer, cancelled) = (answer.clone(), ends.cancelled.clone());
        tokio::spawn(async move {
            // A client that has gone away reads no answer.
            if let Some(message) = message_of(request).await {
                let _ = respond_as(respond, answer(message), &cancelled).await;
            }
        });
    }
}

/// The message of a call that has one.
async fn message_of(request: Request<h2::RecvStream>) -> Option<Bytes> {
    let (mut body, mut message) = (request.into_body(), Vec::new());
    while let Some(data) = body.data().await {
        let data = data.ok()?;
        body.flow_control().release_capacity(data.len()).ok()?;
        message.extend_from_slice(&data);
    }
    Some(Bytes::from(message).slice(5..))
}

async fn respond_as(
    mut respond: SendResponse<Bytes>,
    answer: Scripted,
    cancelled: &AtomicUsize,
) -> Result<(), h2::Error> {
    let head = Response::builder().status(answer.http);
    let head = head.header("content-type", "application/grpc").body(()).unwrap();
    let mut body = respond.send_response(head, false)?;
    let mut rest = answer.body;
    while !rest.is_empty() {
        let piece = rest.split_to(answer.piece.min(rest.len()));
        body.send_data(piece, false)?;
    }
    match answer.end {
        End::Nothing => body.send_data(Bytes::new(), true),
        End::Reset => {
            body.send_reset(h2::Reason::INTERNAL_ERROR);
            Ok(())
        }
        End::Never => {
            // An error means that the connection was closed.
            let reset = poll_fn(|cx| body.poll_reset(cx)).await;
            cancelled.fetch_add(1, Ordering::Relaxed);
            reset.map(drop)
        }
        End::Code(code) => {
            let status = [("grpc-status".parse().unwrap(), code.parse().unwrap())];
            body.send_trailers(HeaderMap::from_iter(status))
        }
    }
}

/// The only cell of a row, with the whole row or its beginning.
pub(super) fn cell(row: &'static str, is_whole: bool) -> CellChunk {
    cell_of(row.as_bytes(), is_whole)
}

pub(super) fn cell_of(row: &[u8], is_whole: bool) -> CellChunk {
    CellChunk {
        row_key: Bytes::copy_from_slice(row),
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
