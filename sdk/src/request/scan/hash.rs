//! A hash that is the same in every process and release.

use crate::key::RowRange;

/// 64-bit FNV-1a.
pub(super) struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    pub(super) fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    /// Adds the length of `bytes`, then `bytes`. So the hash shows where one part ends and the next
    /// one starts.
    pub(super) fn add_part(&mut self, bytes: &[u8]) {
        self.add(&(bytes.len() as u64).to_be_bytes());
        self.add(bytes);
    }

    pub(super) fn add_range(&mut self, range: &RowRange) {
        self.add_part(range.start());
        match range.stop() {
            Some(stop) => self.add_part(stop),
            None => self.add(&[0xff; 8]),
        }
    }

    pub(super) fn finish(&self) -> u64 {
        self.0
    }
}
