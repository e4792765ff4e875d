//! ZooKeeper: the znodes by which clients find the servers of HBase, sessions, and watches.

mod contents;
mod server;
mod sessions;
mod watches;
mod znode_tree;

pub(crate) use server::{AfterReply, ZooKeeper};
pub(crate) use sessions::OpenSession;
pub(crate) use watches::Watches;
