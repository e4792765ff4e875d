//! Serves a connection over any byte stream: the request for a session, then the requests of the
//! session, and the events of its watches.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use tallrow_wire::frame;
use tallrow_wire::zookeeper::{
    ConnectRequest, ConnectResponse, MARSHALLING_ERROR, MAX_PACKET, Operation, RequestHeader,
};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite};
use tokio::time::{Instant, sleep_until, timeout};

use super::words::answer_four_letter_word;
use crate::faults::ConnectionEffect;
use crate::transport::RpcServer;
use crate::transport::outbox::Outbox;
use crate::zookeeper::{AfterReply, OpenSession, Watches, ZooKeeper};

/// How long a connection may have no session (`zookeeper.nio.sessionlessCnxnTimeout`).
const SESSIONLESS_TIMEOUT: Duration = Duration::from_secs(10);

/// Serves a connection until the client closes it, breaks the protocol or is silent for longer than
/// the timeout of its session, or until the server dies.
pub(crate) async fn serve<S: AsyncRead + AsyncWrite + Unpin>(
    rpc: RpcServer,
    zookeeper: Arc<ZooKeeper>,
    stream: S,
) {
    let Some(_permit) = zookeeper.admit() else { return };
    let server = Arc::clone(&rpc.server);
    let (read, out) = (BytesMut::with_capacity(4 << 10), Outbox::default());
    let mut connection = Connection { rpc, zookeeper: &zookeeper, stream, read, out };
    tokio::select! {
        biased;
        () = server.wait_until_killed() => {}
        // An I/O error ends the connection, and there is no caller to report it to.
        _ = connection.run() => {}
    }
}

struct Connection<'a, S> {
    rpc: RpcServer,
    zookeeper: &'a ZooKeeper,
    stream: S,
    read: BytesMut,
    out: Outbox,
}

impl<S: AsyncRead + AsyncWrite + Unpin> Connection<'_, S> {
    async fn run(&mut self) -> io::Result<()> {
        match self.rpc.effect_on_connection() {
            None => {}
            Some(ConnectionEffect::Close) => return Ok(()),
            Some(ConnectionEffect::Trickle(pause)) => self.out.trickle(pause),
            Some(ConnectionEffect::Write(bytes)) => {
                self.out.bytes.extend_from_slice(&bytes);
                self.flush().await?;
                return tokio::io::copy(&mut self.stream, &mut tokio::io::sink()).await.map(drop);
            }
        }
        match timeout(SESSIONLESS_TIMEOUT, self.open()).await {
            Ok(Ok(Some(session))) => self.requests(session).await,
            Ok(Ok(None)) | Err(_) => Ok(()),
            Ok(Err(error)) => Err(error),
        }
    }

    /// Reads the request for a session, and answers it; `None` if the connection is to be closed.
    async fn open(&mut self) -> io::Result<Option<OpenSession>> {
        while self.read.len() < size_of::<u32>() {
            if !self.receive().await? {
                return Ok(None);
            }
        }
        let word = self.read.get(..size_of::<u32>()).unwrap_or_default();
        if let Some(answer) = answer_four_letter_word(word, self.zookeeper) {
            self.out.bytes.extend_from_slice(answer.as_bytes());
            self.flush().await?;
            return Ok(None);
        }
        let request = loop {
            match frame::split(&mut self.read, MAX_PACKET) {
                Ok(Some(packet)) => break ConnectRequest::decode(packet),
                Ok(None) => {
                    if !self.receive().await? {
                        return Ok(None);
                    }
                }
                Err(_) => return Ok(None),
            }
        };
        let Ok(request) = request else { return Ok(None) };
        let session = self.zookeeper.open_session(&request);
        let response = match &session {
            Some(session) => ConnectResponse {
                session_timeout_ms: session.timeout.as_millis() as i32,
                session_id: session.id,
                password: session.password.clone(),
                // A client that does not send this field cannot read it either.
                read_only: request.read_only.map(|_| false),
            },
            None => ConnectResponse::refusal(request.read_only.map(|_| false)),
        };
        self.out.bytes.extend_from_slice(&response.encode());
        self.flush().await?;
        Ok(session)
    }

    /// Answers the requests of a session until it ends, or until another connection continues it.
    async fn requests(&mut self, mut session: OpenSession) -> io::Result<()> {
        let (mut watches, mut changes) = (Watches::default(), self.zookeeper.changes());
        let mut last_heard = Instant::now();
        loop {
            loop {
                let packet = match frame::split(&mut self.read, MAX_PACKET) {
                    Ok(Some(packet)) => packet,
                    Ok(None) => break,
                    Err(_) => return Ok(()),
                };
                last_heard = Instant::now();
                self.zookeeper.touch(session.id);
                let after = self.reply(packet, session.id, &mut watches);
                self.flush().await?;
                if after == AfterReply::Close {
                    return Ok(());
                }
            }
            tokio::select! {
                // The order is fixed, so that every run with the same seed is the same.
                biased;
                _ = &mut session.lost => return Ok(()),
                () = sleep_until(last_heard + session.timeout) => {
                    self.zookeeper.end_session(session.id);
                    return Ok(());
                }
                // The sender is part of the cluster, which outlives its connections.
                Ok(()) = changes.changed() => {
                    self.zookeeper.notify(&mut watches, &mut self.out.bytes);
                    self.flush().await?;
                }
                received = self.receive() => {
                    if !received? {
                        return Ok(());
                    }
                }
            }
        }
    }

    /// Appends the reply to a request.
    fn reply(&mut self, mut packet: Bytes, session: i64, watches: &mut Watches) -> AfterReply {
        let Ok(RequestHeader { xid, code }) = RequestHeader::decode(&mut packet) else {
            return AfterReply::Close;
        };
        let operation = Operation::decode(code, packet);
        if let Ok(operation) = &operation {
            self.rpc.calls.count_arrived(operation.name());
        }
        if operation == Ok(Operation::Close) {
            self.zookeeper.end_session(session);
        }
        let operation = operation.as_ref().map_err(|_| MARSHALLING_ERROR);
        self.zookeeper.reply(xid, operation, watches, &mut self.out.bytes)
    }

    /// Reads what has arrived; returns false at the end of the stream.
    async fn receive(&mut self) -> io::Result<bool> {
        if self.read.capacity() == self.read.len() {
            self.read.reserve(4 << 10);
        }
        Ok(self.stream.read_buf(&mut self.read).await? > 0)
    }

    async fn flush(&mut self) -> io::Result<()> {
        self.out.flush(&mut self.stream).await
    }
}
