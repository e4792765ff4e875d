//! How many row keys and ranges of rows one request takes. What does not fit is requested by
//! further requests.

/// The maximum size of the row keys and ranges of a request. The service takes requests of at most
/// 512 KiB, with a filter of up to 20 KiB.
const ROOM_BYTES: usize = 480 << 10;

/// The size of a key or a range in a request, in addition to the bytes of its keys.
const OVERHEAD_BYTES: usize = 12;

/// The room that a request has left for row keys and ranges.
#[derive(Clone, Copy, Debug)]
pub(super) struct RequestRoom {
    taken: usize,
}

impl RequestRoom {
    /// Returns the room of an empty request.
    pub(super) fn new() -> Self {
        Self { taken: 0 }
    }

    /// Whether a key or a range fits. `bytes` is the size of the key, or of both keys of the range.
    /// Anything fits into an empty request.
    pub(super) fn fits(&self, bytes: usize) -> bool {
        self.taken == 0 || self.taken + OVERHEAD_BYTES + bytes <= ROOM_BYTES
    }

    /// Takes the room of a key or a range.
    pub(super) fn take(&mut self, bytes: usize) {
        self.taken += OVERHEAD_BYTES + bytes;
    }

    /// Takes the room of a key or a range if it fits; returns whether it does.
    pub(super) fn take_if_fits(&mut self, bytes: usize) -> bool {
        let fits = self.fits(bytes);
        if fits {
            self.take(bytes);
        }
        fits
    }
}
