//! gRPC as far as the tests need it: one message in, one message or a status out.

use std::sync::Arc;

use bytes::{BufMut, Bytes, BytesMut};
use h2::RecvStream;
use h2::server::SendResponse;
use http::{HeaderMap, HeaderValue, Request, Response};
use prost::Message;
use tallrow_wire::bigtable::Status;
use tokio::net::TcpStream;

use crate::clients::Clients;
use crate::messages::{
    CheckAndMutateRow, ExecuteQuery, MutateRow, MutateRows, OfClient, ReadModifyWriteRow, ReadRow,
    ReadRows, SampleRowKeys,
};
use crate::{queries, reads, writes};

const SERVICE: &str = "/google.bigtable.testproxy.CloudBigtableV2TestProxy/";
const INVALID_ARGUMENT: i32 = 3;
const UNIMPLEMENTED: i32 = 12;
const PREFIX_BYTES: usize = 5;

/// Serves one connection to its end.
pub(crate) async fn serve(socket: TcpStream, clients: Arc<Clients>) {
    let Ok(mut connection) = h2::server::handshake(socket).await else { return };
    while let Some(Ok((request, respond))) = connection.accept().await {
        tokio::spawn(answer(request, respond, clients.clone()));
    }
}

async fn answer(
    request: Request<RecvStream>,
    mut respond: SendResponse<Bytes>,
    clients: Arc<Clients>,
) {
    let path = request.uri().path().to_owned();
    let method = path.strip_prefix(SERVICE).unwrap_or("");
    let Some(message) = receive(request.into_body()).await else { return };
    let answer = call(method, message, &clients).await;
    let mut head = Response::new(());
    let kind = HeaderValue::from_static("application/grpc");
    head.headers_mut().insert("content-type", kind);
    // An error means that the test has gone.
    let Ok(mut stream) = respond.send_response(head, false) else { return };
    let mut trailers = HeaderMap::new();
    match answer {
        Ok(message) => {
            let _ = stream.send_data(frame(&message), false);
            trailers.insert("grpc-status", HeaderValue::from_static("0"));
        }
        Err(status) => {
            trailers.insert("grpc-status", HeaderValue::from(status.code));
            let text: String = status.message.escape_default().collect();
            if let Ok(text) = HeaderValue::try_from(text.replace('%', "%25")) {
                trailers.insert("grpc-message", text);
            }
        }
    }
    let _ = stream.send_trailers(trailers);
}

async fn call(method: &str, message: Bytes, clients: &Clients) -> Result<Vec<u8>, Status> {
    Ok(match method {
        "CreateClient" => clients.create(read(message)?).await?.encode_to_vec(),
        "CloseClient" => clients.close(read(message)?).await?.encode_to_vec(),
        "RemoveClient" => clients.remove(&read::<OfClient>(message)?)?.encode_to_vec(),
        "ReadRow" => {
            let request: ReadRow = read(message)?;
            reads::read_row(&clients.get(&request.client_id)?, request).await.encode_to_vec()
        }
        "ReadRows" => {
            let request: ReadRows = read(message)?;
            reads::read_rows(&clients.get(&request.client_id)?, request).await.encode_to_vec()
        }
        "SampleRowKeys" => {
            let request: SampleRowKeys = read(message)?;
            reads::sample_row_keys(&clients.get(&request.client_id)?, request).await.encode_to_vec()
        }
        "MutateRow" => {
            let request: MutateRow = read(message)?;
            writes::mutate_row(&clients.get(&request.client_id)?, request).await.encode_to_vec()
        }
        "BulkMutateRows" => {
            let request: MutateRows = read(message)?;
            writes::mutate_rows(&clients.get(&request.client_id)?, request).await.encode_to_vec()
        }
        "CheckAndMutateRow" => {
            let request: CheckAndMutateRow = read(message)?;
            let client = clients.get(&request.client_id)?;
            writes::check_and_mutate_row(&client, request).await.encode_to_vec()
        }
        "ReadModifyWriteRow" => {
            let request: ReadModifyWriteRow = read(message)?;
            let client = clients.get(&request.client_id)?;
            writes::read_modify_write_row(&client, request).await.encode_to_vec()
        }
        "ExecuteQuery" => {
            let request: ExecuteQuery = read(message)?;
            queries::execute(&clients.get(&request.client_id)?, request).await.encode_to_vec()
        }
        other => {
            let message = format!("the proxy has no call {other}");
            return Err(Status { code: UNIMPLEMENTED, message, details: Vec::new() });
        }
    })
}

fn read<M: Message + Default>(message: Bytes) -> Result<M, Status> {
    M::decode(message).map_err(|error| Status {
        code: INVALID_ARGUMENT,
        message: error.to_string(),
        details: Vec::new(),
    })
}

/// The message of a call, without what frames it.
async fn receive(mut body: RecvStream) -> Option<Bytes> {
    let mut whole = BytesMut::new();
    while let Some(part) = body.data().await {
        let part = part.ok()?;
        body.flow_control().release_capacity(part.len()).ok()?;
        whole.extend_from_slice(&part);
    }
    (whole.len() >= PREFIX_BYTES).then(|| whole.freeze().slice(PREFIX_BYTES..))
}

fn frame(message: &[u8]) -> Bytes {
    let mut out = BytesMut::with_capacity(PREFIX_BYTES + message.len());
    out.put_u8(0);
    out.put_u32(u32::try_from(message.len()).unwrap_or(u32::MAX));
    out.extend_from_slice(message);
    out.freeze()
}
