//! One call on its way through a handler, and the reply it makes.

use bytes::{Bytes, BytesMut};
use prost::Message;
use prost::encoding::{DecodeContext, decode_key, skip_field};
use tallrow_wire::cell_block::CellBlock;
use tallrow_wire::exception::{self, RemoteException};
use tallrow_wire::frame;
use tallrow_wire::proto::ConnectionHeader;

use crate::cell::StoredCell;
use crate::cluster::Cluster;
use crate::remote_exception::{RemoteResult, remote_exception};
use crate::server::{Server, server_text};

/// What the server keeps about the other end of a connection.
#[derive(Clone, Debug)]
pub(crate) struct Peer {
    /// The service the connection is for.
    pub(crate) service: Service,
    /// The address it comes from.
    pub(crate) address: String,
    /// Whether it reads cells beside a message.
    pub(crate) cell_blocks: bool,
    /// The version it claims to be.
    version: (u32, u32),
}

/// The services a server can offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Service {
    /// Reads and writes.
    Client,
    /// Administration of one server.
    Admin,
    /// Tables, namespaces, regions.
    Master,
    /// Where the others are.
    Registry,
}

impl Service {
    /// The service with this name.
    pub(crate) fn of(name: &str) -> Option<Self> {
        match name {
            "ClientService" => Some(Self::Client),
            "AdminService" => Some(Self::Admin),
            "MasterService" => Some(Self::Master),
            "ClientMetaService" => Some(Self::Registry),
            _ => None,
        }
    }
}

impl Peer {
    /// What a connection header says; none for one the server closes on without a word.
    pub(crate) fn of(header: &ConnectionHeader, address: String) -> Option<Self> {
        if header.user_info.as_ref().is_some_and(|u| u.effective_user.is_empty()) {
            return None;
        }
        let codec = header.cell_block_codec_class.as_deref().unwrap_or_default();
        let known = matches!(
            codec,
            "" | tallrow_wire::preamble::KEY_VALUE_CODEC
                | "org.apache.hadoop.hbase.codec.KeyValueCodecWithTags"
        );
        let compressed =
            header.cell_block_compressor_class.as_deref().is_some_and(|c| !c.is_empty());
        if !known || compressed {
            return None;
        }
        let version = header.version_info.as_ref().map_or((0, 0), |v| {
            let mut parts = v.version.split(['.', '-']).map(|p| p.parse().unwrap_or(0));
            let (major, minor) = (parts.next().unwrap_or(0), parts.next().unwrap_or(0));
            (v.version_major.unwrap_or(major), v.version_minor.unwrap_or(minor))
        });
        Some(Self {
            service: Service::of(header.service_name.as_deref()?)?,
            address,
            cell_blocks: !codec.is_empty(),
            version,
        })
    }

    /// Whether a Get is answered with cells beside the message.
    pub(crate) fn get_in_blocks(&self) -> bool {
        self.cell_blocks && self.version >= (1, 3)
    }
}

/// One call.
pub(crate) struct Call<'a> {
    /// The cluster.
    pub(crate) cluster: &'a Cluster,
    /// The server that was called.
    pub(crate) server: &'a Server,
    /// Who called.
    pub(crate) peer: &'a Peer,
    /// The method's name.
    pub(crate) method: &'a str,
    /// The parameter message, still encoded.
    pub(crate) param: Bytes,
    /// The cells beside it.
    pub(crate) cells: Bytes,
}

impl Call<'_> {
    /// The parameter message. `required` are the numbers of its required fields.
    pub(crate) fn param<M: Message + Default>(&self, required: &[u32]) -> RemoteResult<M> {
        let unreadable = |class: &str, why: String| {
            let server = server_text(&self.server.name);
            let client = &self.peer.address;
            remote_exception(
                class,
                format!(
                    "{server} is unable to read call parameter from client {client}; {class}: {why}"
                ),
            )
        };
        let message = M::decode(self.param.clone())
            .map_err(|e| unreadable(exception::INVALID_PROTOBUF, e.to_string()))?;
        if !required.is_empty() && !has_fields(self.param.clone(), required) {
            let why = format!("Message missing required fields in {}", self.method);
            return Err(unreadable(exception::UNINITIALIZED_MESSAGE, why));
        }
        Ok(message)
    }

    /// The cells beside the parameter message, to be read from the front.
    pub(crate) fn cell_block(&self) -> CellBlock {
        CellBlock::new(self.cells.clone())
    }

    /// The time.
    pub(crate) fn now(&self) -> u64 {
        self.cluster.clock.now()
    }
}

/// Whether every one of these fields stands in an encoded message that is known to decode.
fn has_fields(mut message: Bytes, required: &[u32]) -> bool {
    let mut missing: Vec<u32> = required.to_vec();
    while !message.is_empty() && !missing.is_empty() {
        let Ok((tag, kind)) = decode_key(&mut message) else { return false };
        if skip_field(kind, tag, &mut message, DecodeContext::default()).is_err() {
            return false;
        }
        missing.retain(|m| *m != tag);
    }
    missing.is_empty()
}

/// Where a reply is written.
pub(crate) struct Reply<'a> {
    /// The call it answers.
    pub(crate) call_id: u32,
    /// The bytes on their way to the client.
    pub(crate) out: &'a mut BytesMut,
}

impl Reply<'_> {
    /// Answers with a message.
    pub(crate) fn send(&mut self, message: &impl Message, cells: &[u8]) {
        frame::encode_response(self.call_id, message, cells, self.out);
    }

    /// Answers with an exception.
    pub(crate) fn fail(&mut self, exception: &RemoteException) {
        frame::encode_exception(self.call_id, &exception.to_response(), self.out);
    }
}

/// Appends a stored cell to a block.
pub(crate) fn put_cell(cell: &StoredCell, block: &mut BytesMut) {
    tallrow_wire::cell_block::put_bytes(cell.key_value(), block);
}
