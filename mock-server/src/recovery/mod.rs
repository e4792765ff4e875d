//! The state of a cluster that keeps its data: read from its file when the cluster starts, and
//! written to it as a checkpoint.
//!
//! Kept are namespaces, tables with their regions and cells, snapshots, and the nonces and tokens
//! of earlier calls. The tables of HBase itself are made again, and regions are opened again on the
//! servers in turn.

mod checkpoint;
mod image;
mod install;

pub(crate) use checkpoint::write_checkpoint;
pub(crate) use image::Image;
pub(crate) use install::install;
