//! CRC32C, the checksum of the batches in the results of queries.

use std::array;
use std::sync::LazyLock;

/// The polynomial of Castagnoli, with its bits reversed.
const POLYNOMIAL: u32 = 0x82F6_3B78;

/// The checksum of each byte.
static OF_BYTES: LazyLock<[u32; 256]> = LazyLock::new(|| {
    array::from_fn(|byte| {
        let step = |sum: u32, _| (sum >> 1) ^ (POLYNOMIAL * (sum & 1));
        (0..8).fold(byte as u32, step)
    })
});

/// Returns the CRC32C of these bytes.
///
/// ```
/// // The check value of the catalogue of CRC algorithms.
/// assert_eq!(tallrow_wire::bigtable::crc32c(b"123456789"), 0xE306_9283);
/// assert_eq!(tallrow_wire::bigtable::crc32c(b""), 0);
/// ```
pub fn crc32c(bytes: &[u8]) -> u32 {
    let of_bytes = &*OF_BYTES;
    let sum = bytes.iter().fold(u32::MAX, |sum, byte| {
        let [low, ..] = sum.to_le_bytes();
        (sum >> 8) ^ of_bytes.get(usize::from(low ^ byte)).copied().unwrap_or_default()
    });
    !sum
}
