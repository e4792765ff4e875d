//! Every encoding, alone and next to every other: order, round trip, prefix-freedom, canonical
//! decoding, ranges, and what a damaged row is read as.
//!
//! All values of the small types and all pairs of the others are tried.

mod broken;
mod compat;
mod encodings;
mod matrix;
mod of;
mod scalar;
mod values;
