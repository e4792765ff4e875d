//! Serves a connection over any byte stream: preamble, header, then calls.

use std::sync::Arc;
use std::time::Duration;

use bytes::{BufMut, Bytes, BytesMut};
use tallrow_wire::exception::{self, RemoteException};
use tallrow_wire::frame::{self, Request};
use tallrow_wire::preamble::{self, Auth, Preamble};
use tallrow_wire::proto::{ExceptionResponse, GetConnectionRegistryResponse};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep, sleep_until};

use super::dispatch::{self, AfterRequest};
use crate::base::{limits, remote_exception, to_string_binary};
use crate::faults::ConnectionEffect;
use crate::hbase::{ClientInfo, Reply, Service};
use crate::procedures;
use crate::state::Role;
use crate::transport::RpcServer;
use crate::transport::outbox::Outbox;

/// The number of bytes after which responses are written before further calls are handled.
const WRITE_BYTES: usize = 256 << 10;

/// The 8 bytes that tell a client to continue without SASL: status 0, then -88.
const SWITCH_TO_SIMPLE: [u8; 8] = [0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xA8];

/// The status of a SASL token that is refused (`SaslStatus.ERROR`).
const SASL_ERROR: i32 = 1;

/// The answer to the security preamble.
#[derive(Clone, PartialEq, prost::Message)]
struct SecurityPreamableResponse {
    #[prost(string, required, tag = "1")]
    server_principal: String,
}

/// Serves a connection until the client closes it, breaks the protocol, or the server dies.
pub(crate) async fn serve<S: AsyncRead + AsyncWrite + Unpin>(
    rpc: RpcServer,
    stream: S,
    address: String,
) {
    let (late, late_replies) = mpsc::unbounded_channel();
    let (read, out) = (BytesMut::with_capacity(64 << 10), Outbox::default());
    let server = Arc::clone(&rpc.server);
    let mut connection = Connection { rpc, stream, address, read, out, late };
    tokio::select! {
        biased;
        () = server.wait_until_killed() => {}
        // An I/O error ends the connection, and there is no caller to report it to.
        _ = connection.run(late_replies) => {}
    }
}

struct Connection<S> {
    rpc: RpcServer,
    stream: S,
    address: String,
    read: BytesMut,
    out: Outbox,
    late: mpsc::UnboundedSender<BytesMut>,
}

impl<S: AsyncRead + AsyncWrite + Unpin> Connection<S> {
    async fn run(&mut self, late: mpsc::UnboundedReceiver<BytesMut>) -> std::io::Result<()> {
        match self.rpc.effect_on_connection() {
            None => {}
            Some(ConnectionEffect::Close) => return Ok(()),
            Some(ConnectionEffect::Trickle(pause)) => self.out.trickle(pause),
            Some(ConnectionEffect::Write(bytes)) => {
                self.out.bytes.extend_from_slice(&bytes);
                self.flush().await?;
                return self.ignore().await;
            }
        }
        let Some(peer) = self.open().await? else { return Ok(()) };
        self.calls(Arc::new(peer), late).await
    }

    /// Ignores everything that is received.
    async fn ignore(&mut self) -> std::io::Result<()> {
        while self.stream.read_buf(&mut self.read).await? > 0 {
            self.read.clear();
        }
        Ok(())
    }

    /// Reads the preamble and the header; `None` if the connection is to be closed.
    async fn open(&mut self) -> std::io::Result<Option<ClientInfo>> {
        let mut sasl = false;
        loop {
            if !self.fill(preamble::LEN).await? {
                return Ok(None);
            }
            let first = self.read.split_to(preamble::LEN).freeze();
            match preamble::decode(&first) {
                Ok(Preamble::Registry) => {
                    let answer =
                        GetConnectionRegistryResponse { cluster_id: self.rpc.cluster.id.clone() };
                    Reply {
                        call_id: preamble::NO_CALL,
                        out: &mut self.out.bytes,
                        compression: None,
                    }
                    .send(&answer, b"");
                    self.flush().await?;
                    return Ok(None);
                }
                Ok(Preamble::Security) => self.tell_principal().await?,
                Ok(Preamble::Calls(auth)) if self.rpc.cluster.server_principal.is_some() => {
                    self.refuse_login(auth).await?;
                    return Ok(None);
                }
                Ok(Preamble::Calls(auth)) => {
                    if auth != Auth::Simple {
                        self.out.bytes.extend_from_slice(&SWITCH_TO_SIMPLE);
                        self.flush().await?;
                        sasl = true;
                    }
                    break;
                }
                Err(_) => {
                    let exception = self.rejection(&first);
                    self.reject(&exception).await?;
                    return Ok(None);
                }
            }
        }
        if sasl && self.frame().await?.is_none() {
            return Ok(None);
        }
        let Some(header) = self.frame().await? else { return Ok(None) };
        let Ok(header) = preamble::decode_header(header) else { return Ok(None) };
        let peer = ClientInfo::from_header(&header, self.address.clone());
        let master = self.rpc.server.role == Role::Master;
        Ok(peer.filter(|p| p.service != Service::Master || master))
    }

    /// Answers the security preamble. After it, the connection expects another preamble.
    async fn tell_principal(&mut self) -> std::io::Result<()> {
        let Some(principal) = self.rpc.cluster.server_principal.clone() else {
            let text = "security is not enabled";
            return self.reject(&remote_exception(exception::SECURITY_NOT_ENABLED, text)).await;
        };
        let answer = SecurityPreamableResponse { server_principal: principal };
        Reply { call_id: preamble::NO_CALL, out: &mut self.out.bytes, compression: None }
            .send(&answer, b"");
        self.flush().await
    }

    /// Refuses a client as a secured server refuses one whose proof it cannot verify.
    async fn refuse_login(&mut self, auth: Auth) -> std::io::Result<()> {
        let (class, text) = match auth {
            Auth::Simple => {
                let text = "Authentication is required";
                return self.reject(&remote_exception(exception::ACCESS_DENIED, text)).await;
            }
            Auth::Kerberos => ("javax.security.sasl.SaslException", "GSS initiate failed"),
            Auth::Digest => {
                let text = "Server is not configured to do DIGEST authentication.";
                (exception::ACCESS_DENIED, text)
            }
        };
        // A secured server says nothing before it has the first token.
        if self.frame().await?.is_some() {
            self.out.bytes.put_i32(SASL_ERROR);
            for part in [class, text] {
                self.out.bytes.put_u32(part.len() as u32);
                self.out.bytes.put_slice(part.as_bytes());
            }
        }
        self.flush().await
    }

    /// Makes the exception for bytes that are not a preamble.
    fn rejection(&self, first: &[u8]) -> RemoteException {
        let (magic, rest) = first.split_at_checked(4).unwrap_or((first, &[]));
        let (version, auth) = (rest.first().copied(), rest.get(1).copied().unwrap_or(0));
        if magic != b"HBas" {
            let text = format!(
                "Expected HEADER=HBas but received HEADER={} from {}",
                to_string_binary(magic),
                self.address
            );
            return remote_exception(exception::FATAL_CONNECTION, text);
        }
        let text = format!(
            "serverVersion=0, clientVersion={}, authMethod={auth}, authName=unknown from {}",
            version.unwrap_or(0),
            self.address
        );
        let class = match version {
            Some(0) => exception::BAD_AUTH,
            _ => exception::WRONG_VERSION,
        };
        remote_exception(class, text)
    }

    /// Responds to a preamble with an exception: only its text, without class and stack trace.
    async fn reject(&mut self, exception: &RemoteException) -> std::io::Result<()> {
        let text = Some(exception.message.clone());
        let response = ExceptionResponse { stack_trace: text, ..exception.to_response() };
        frame::encode_exception(preamble::NO_CALL, &response, &mut self.out.bytes);
        self.flush().await
    }

    /// Handles all calls that have arrived, then writes their responses together.
    async fn calls(
        &mut self,
        peer: Arc<ClientInfo>,
        mut late: mpsc::UnboundedReceiver<BytesMut>,
    ) -> std::io::Result<()> {
        loop {
            let limit = self.rpc.cluster.settings.request_bytes;
            while let Some(frame) = match frame::split(&mut self.read, limit) {
                Ok(frame) => frame,
                Err(_) => return self.too_big().await,
            } {
                if !self.rpc.server.is_alive() {
                    return Ok(());
                }
                let Ok(request) = Request::decode(frame) else {
                    self.flush().await?;
                    return Ok(());
                };
                let (start, out) = (self.out.bytes.len(), &mut self.out.bytes);
                match dispatch::handle(&self.rpc, &peer, request, out) {
                    AfterRequest::Continue => {}
                    AfterRequest::Close => return self.flush().await,
                    AfterRequest::Stop => {
                        self.flush().await?;
                        procedures::kill_server(&self.rpc.cluster.lock_admin(), &self.rpc.server);
                        return Ok(());
                    }
                    AfterRequest::StartLater(delay, request) => {
                        self.respond_later(delay, true, &peer, request);
                    }
                    AfterRequest::FinishLater(pause, request) => {
                        self.respond_later(pause, false, &peer, request);
                    }
                    AfterRequest::Trickle(pause) => {
                        self.out.trickle_from(start, pause, &mut self.stream).await?;
                    }
                }
                if self.out.bytes.len() >= WRITE_BYTES && self.out.next_slow_write_at().is_none() {
                    self.flush().await?;
                }
            }
            let slow = self.out.next_slow_write_at();
            if slow.is_none() {
                self.flush().await?;
            }
            tokio::select! {
                // The order is fixed, so that every run with the same seed is the same.
                biased;
                () = sleep_until(slow.unwrap_or_else(Instant::now)), if slow.is_some() => {
                    self.out.write_slow_byte(&mut self.stream).await?;
                }
                read = self.stream.read_buf(&mut self.read) => {
                    if read? == 0 {
                        return Ok(());
                    }
                }
                Some(reply) = late.recv() => self.out.bytes.extend_from_slice(&reply),
            }
            if self.read.capacity() == self.read.len() {
                self.read.reserve(64 << 10);
            }
        }
    }

    /// Responds to a call after a delay. A call that waits in the queue during the delay is dropped
    /// if it expires or its client disconnects; a call that was started is finished.
    fn respond_later(
        &self,
        delay: Duration,
        queued: bool,
        peer: &Arc<ClientInfo>,
        request: Request,
    ) {
        let (rpc, peer, late) = (self.rpc.clone(), Arc::clone(peer), self.late.clone());
        tokio::spawn(async move {
            sleep(delay).await;
            if !rpc.server.is_alive() || queued && late.is_closed() {
                return;
            }
            if queued && dispatch::is_expired(&request.header, delay) {
                let method = request.header.method_name.unwrap_or_default();
                rpc.calls.count_dropped(&method);
                rpc.record_call(&method, &[], "expired, and dropped");
                return;
            }
            let mut out = BytesMut::new();
            let method = request.header.method_name.clone().unwrap_or_default();
            let outcome = dispatch::respond(&rpc, &peer, request, &mut out);
            rpc.record_call(&method, &[], format_args!("{outcome}, late"));
            // The client may have disconnected.
            let _ = late.send(out);
        });
    }

    /// Rejects a frame above the limit.
    async fn too_big(&mut self) -> std::io::Result<()> {
        let text = format!(
            "RPC data length of {} received from {} is greater than max allowed {}. Set \
             \"hbase.ipc.max.request.size\" on server to override this limit (not recommended)",
            self.read.first_chunk::<4>().map_or(0, |l| u32::from_be_bytes(*l)),
            self.address,
            self.rpc.cluster.settings.request_bytes
        );
        let call_id = self.announced_call();
        Reply { call_id, out: &mut self.out.bytes, compression: None }
            .fail(&remote_exception(exception::REQUEST_TOO_BIG, text));
        self.flush().await
    }

    /// Returns the call id in the header of a rejected frame; 0 if the header has not arrived.
    fn announced_call(&self) -> u32 {
        let mut rest = self.read.get(4..).unwrap_or_default();
        let len = prost::encoding::decode_varint(&mut rest).unwrap_or(0) as usize;
        let header =
            rest.get(..len).map(<tallrow_wire::proto::RequestHeader as prost::Message>::decode);
        header.and_then(Result::ok).and_then(|h| h.call_id).unwrap_or(0)
    }

    /// Reads until `len` bytes have arrived; returns false at the end of the stream.
    async fn fill(&mut self, len: usize) -> std::io::Result<bool> {
        while self.read.len() < len {
            if self.stream.read_buf(&mut self.read).await? == 0 {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Reads a frame of the handshake; `None` at the end of the stream, or if the frame is too big.
    async fn frame(&mut self) -> std::io::Result<Option<Bytes>> {
        loop {
            match frame::split(&mut self.read, limits::CONNECTION_HEADER_BYTES) {
                Ok(Some(frame)) => return Ok(Some(frame)),
                Err(_) => return Ok(None),
                Ok(None) => {
                    let more = self.read.len() + 1;
                    if !self.fill(more).await? {
                        return Ok(None);
                    }
                }
            }
        }
    }

    async fn flush(&mut self) -> std::io::Result<()> {
        self.out.flush(&mut self.stream).await
    }
}
