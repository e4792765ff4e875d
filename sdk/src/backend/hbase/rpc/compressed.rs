//! Compresses and decompresses the cell blocks of all connections, and remembers whether any server
//! has sent compressed cells. A server that sends them has the codec.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bytes::Bytes;

use crate::wire::WireError;
use crate::wire::compression::Codec;
use crate::wire::frame;

/// The codec that compresses cells on all connections, and whether any server has sent cells that
/// were compressed by this codec.
#[derive(Clone, Debug)]
pub(crate) struct CellCompression {
    codec: Codec,
    shown: Arc<AtomicBool>,
}

impl CellCompression {
    pub(crate) fn new(codec: Codec) -> Self {
        Self { codec, shown: Arc::default() }
    }

    pub(crate) fn class(&self) -> &'static str {
        self.codec.class()
    }

    pub(super) fn compress(&self, cells: &[u8]) -> Bytes {
        self.codec.compress(cells)
    }

    /// Decompresses the cells of a response; fails if the decompressed cells are larger than a
    /// frame may be.
    pub(super) fn decompress(&self, cells: &[u8]) -> Result<Bytes, WireError> {
        let cells = self.codec.decompress(cells, frame::DEFAULT_MAX_LEN)?;
        if !cells.is_empty() && !self.shown.load(Ordering::Relaxed) {
            self.shown.store(true, Ordering::Relaxed);
        }
        Ok(cells)
    }

    /// Returns a possible reason why an operation has no answer, unless a server has sent
    /// compressed cells. A server that does not have the class of the codec closes the connection.
    /// A server that has the class, but not the library that the class needs, never answers a call
    /// with cells.
    pub(super) fn suspected_cause(&self) -> Option<String> {
        (!self.shown.load(Ordering::Relaxed)).then(|| {
            format!(
                "no server has sent cells compressed by {} yet; perhaps they do not have it, or a library that it needs: \
                 choose another compression, or none",
                self.class()
            )
        })
    }
}
