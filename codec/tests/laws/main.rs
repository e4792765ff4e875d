//! The laws of row keys, held against derived structs: order, round trip, prefix-freedom, canonical
//! decoding, and ranges that hold exactly the rows a model says.

mod keys;
mod order;
mod ranges;
mod read_back;
mod show;
