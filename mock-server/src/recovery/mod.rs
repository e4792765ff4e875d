//! The state of a cluster that keeps its data: read from its file when the cluster starts, and
//! written to it as a checkpoint.
//!
//! `docs/mock-program.md` has a table of what is kept and what is not. The tables of HBase itself
//! are made again, and regions are opened again on the servers in turn.

mod checkpoint;
mod image;
mod install;

pub(crate) use checkpoint::write_checkpoint;
pub(crate) use image::Image;
pub(crate) use install::install;
