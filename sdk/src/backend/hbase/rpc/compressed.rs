//! Compresses and decompresses the cell blocks of all connections, and remembers whether any server
//! has shown that it has the codec.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bytes::Bytes;

use crate::wire::WireError;
use crate::wire::compression::Codec;
use crate::wire::frame;

/// The codec of the cells of all connections, and whether a server has shown that it has the codec.
#[derive(Clone, Debug)]
pub(crate) struct Compressed {
    codec: Codec,
    shown: Arc<AtomicBool>,
}

impl Compressed {
    pub(crate) fn new(codec: Codec) -> Self {
        Self { codec, shown: Arc::default() }
    }

    pub(crate) fn class(&self) -> &'static str {
        self.codec.class()
    }

    pub(super) fn compress(&self, cells: &[u8]) -> Bytes {
        self.codec.compress(cells)
    }

    /// Decompresses the cells of a response, which must not be larger than a frame may be.
    pub(super) fn decompress(&self, cells: &[u8]) -> Result<Bytes, WireError> {
        let cells = self.codec.decompress(cells, frame::MAX_LEN)?;
        if !cells.is_empty() && !self.shown.load(Ordering::Relaxed) {
            self.shown.store(true, Ordering::Relaxed);
        }
        Ok(cells)
    }

    /// Returns what may be the reason that an operation has no answer. A server that does not have
    /// the codec's class closes the connection; a server that has the class, but not the library
    /// that it needs, never answers a call with cells.
    pub(super) fn doubt(&self) -> Option<String> {
        (!self.shown.load(Ordering::Relaxed)).then(|| {
            format!(
                "no server has sent cells compressed by {} yet; perhaps they do not have it, or a library that it needs: \
                 choose another compression, or none",
                self.class()
            )
        })
    }
}
