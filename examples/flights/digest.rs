//! One number for all answers, so that two runs can be compared by one line.

use std::fmt::{self, Write};

/// The 64-bit FNV-1a of all texts that were added.
pub(crate) struct Digest(u64);

impl Digest {
    pub(crate) fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    pub(crate) fn add(&mut self, text: &impl fmt::Display) {
        // Writing to it never fails.
        let _ = writeln!(self, "{text}");
    }
}

impl Write for Digest {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for byte in text.bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
        Ok(())
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}
