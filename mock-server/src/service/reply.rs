//! The response to a call.

use bytes::BytesMut;
use prost::Message;
use tallrow_wire::compression::Codec;
use tallrow_wire::exception::RemoteException;
use tallrow_wire::frame;

/// Writes the response to one call.
pub(crate) struct Reply<'a> {
    /// The id of the call.
    pub(crate) call_id: u32,
    /// Where the response is appended.
    pub(crate) out: &'a mut BytesMut,
    /// How the cell block is compressed.
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
