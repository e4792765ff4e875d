//! A call of HBase's RPC, as its method receives it, and the response to it.

use std::sync::Arc;

use bytes::{Bytes, BytesMut};
use prost::Message;
use prost::encoding::{DecodeContext, decode_key, skip_field};
use tallrow_wire::cell_block::CellBlock;
use tallrow_wire::compression::Codec;
use tallrow_wire::exception::{self, RemoteException};
use tallrow_wire::frame;
use tallrow_wire::proto::RegionSpecifier;

use super::peer::ClientInfo;
use crate::base::{RemoteResult, remote_exception};
use crate::regions::{Region, RegionGuard};
use crate::state::{Cluster, Server, server_text};

/// A call of one of HBase's methods.
pub(crate) struct Call<'a> {
    /// The cluster.
    pub(crate) cluster: &'a Cluster,
    /// The server that was called.
    pub(crate) server: &'a Server,
    /// The client.
    pub(crate) peer: &'a ClientInfo,
    /// The name of the method.
    pub(crate) method: &'a str,
    /// The encoded parameter message.
    pub(crate) param: Bytes,
    /// The cell block of the request.
    pub(crate) cell_block: Bytes,
}

impl Call<'_> {
    /// Decodes the parameter message, given the numbers of its required fields.
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

    /// Returns the cells of the request, to be read from the front.
    pub(crate) fn cells(&self) -> CellBlock {
        CellBlock::new(self.cell_block.clone())
    }

    /// Returns the region that the request names.
    pub(super) fn region(&self, specifier: &RegionSpecifier) -> RemoteResult<Arc<Region>> {
        self.cluster.region(self.server, specifier)
    }

    /// Locks the state of a region that is open on the server, for reads.
    pub(super) fn lock_for_read<'r>(&self, region: &'r Region) -> RemoteResult<RegionGuard<'r>> {
        self.cluster.lock_for_read(self.server, region)
    }

    /// Locks the state of a region that is open on the server, for writes.
    pub(super) fn lock_for_write<'r>(&self, region: &'r Region) -> RemoteResult<RegionGuard<'r>> {
        self.cluster.lock_for_write(self.server, region)
    }

    /// Locks the state of a region that is open on the server.
    pub(super) fn lock_open_region<'r>(&self, region: &'r Region) -> RemoteResult<RegionGuard<'r>> {
        self.cluster.lock_open_region(self.server, region)
    }

    /// The current time of the cluster, in ms.
    pub(crate) fn now(&self) -> u64 {
        self.cluster.clock.now()
    }
}

/// A method: its name on the wire, and the function that answers a call of the method.
pub(super) type Method = (&'static str, fn(&Call<'_>, &mut Reply<'_>) -> RemoteResult<()>);

/// Answers a call with a message; `required` are the numbers of the required fields of the request.
pub(super) fn answer_with_message<R: Message + Default, M: Message>(
    call: &Call<'_>,
    reply: &mut Reply<'_>,
    required: &[u32],
    answer: impl FnOnce(&Call<'_>, R) -> RemoteResult<M>,
) -> RemoteResult<()> {
    let message = answer(call, call.param(required)?)?;
    reply.send(&message, b"");
    Ok(())
}

/// Like [`answer_with_message`], but responds with a message and a cell block.
pub(super) fn answer_with_cells<R: Message + Default, M: Message>(
    call: &Call<'_>,
    reply: &mut Reply<'_>,
    required: &[u32],
    answer: impl FnOnce(&Call<'_>, R) -> RemoteResult<(M, BytesMut)>,
) -> RemoteResult<()> {
    let (message, cells) = answer(call, call.param(required)?)?;
    reply.send(&message, &cells);
    Ok(())
}

/// Whether an encoded message has all of these fields.
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

/// A writer of the response to one call.
pub(crate) struct Reply<'a> {
    /// The id of the call.
    pub(crate) call_id: u32,
    /// The buffer to which the response is appended.
    pub(crate) out: &'a mut BytesMut,
    /// The codec that compresses the cell block.
    pub(crate) compression: Option<Codec>,
}

impl Reply<'_> {
    /// Responds with a message and a cell block.
    pub(crate) fn send(&mut self, message: &impl Message, cells: &[u8]) {
        match self.compression.map(|codec| codec.compress(cells)) {
            None => frame::encode_response(self.call_id, message, cells, self.out),
            Some(cells) => frame::encode_response(self.call_id, message, &cells, self.out),
        }
    }

    /// Responds with an exception.
    pub(crate) fn fail(&mut self, exception: &RemoteException) {
        frame::encode_exception(self.call_id, &exception.to_response(), self.out);
    }
}
