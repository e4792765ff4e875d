//! Messages as gRPC sends and reads them.

use std::marker::PhantomData;
use std::sync::Arc;

use prost::Message;
use tonic::Status;
use tonic::codec::{BufferSettings, Codec, EncodeBuf, Encoder};
use tonic_prost::ProstDecoder;

/// How much tonic encodes before it hands it on; a message is handed on alone.
const YIELD: usize = 32 << 10;

/// The codec of one call. Its message is shared, so that it is there for another attempt, and gets a buffer of its size.
pub(super) struct MessageCodec<M, R> {
    size: usize,
    kinds: PhantomData<(M, R)>,
}

impl<M: Message, R> MessageCodec<M, R> {
    pub(super) fn of(message: &M) -> Self {
        Self { size: PREFIX + message.encoded_len(), kinds: PhantomData }
    }
}

/// What gRPC puts before a message: whether it is compressed, and its length.
const PREFIX: usize = 5;

impl<M, R> Codec for MessageCodec<M, R>
where
    M: Message + 'static,
    R: Message + Default + 'static,
{
    type Encode = Arc<M>;
    type Decode = R;
    type Encoder = MessageEncoder<M>;
    type Decoder = ProstDecoder<R>;

    fn encoder(&mut self) -> Self::Encoder {
        MessageEncoder { size: self.size, kind: PhantomData }
    }

    fn decoder(&mut self) -> Self::Decoder {
        ProstDecoder::new(BufferSettings::default())
    }
}

pub(super) struct MessageEncoder<M> {
    size: usize,
    kind: PhantomData<M>,
}

impl<M: Message> Encoder for MessageEncoder<M> {
    type Item = Arc<M>;
    type Error = Status;

    fn encode(&mut self, message: Arc<M>, buffer: &mut EncodeBuf<'_>) -> Result<(), Status> {
        message.encode(buffer).map_err(|e| Status::internal(e.to_string()))
    }

    fn buffer_settings(&self) -> BufferSettings {
        BufferSettings::new(self.size, YIELD)
    }
}
