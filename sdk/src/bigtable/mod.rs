//! The Bigtable backend: connections, retries, messages.

mod address;
pub(crate) mod filter;
pub(crate) mod micros;

pub(crate) use address::{BigtableUrl, EMULATOR_HOST, Place};
