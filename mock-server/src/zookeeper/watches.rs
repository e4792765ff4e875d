//! The watches of a connection. Each of them fires once.

use std::collections::BTreeMap;

use tallrow_wire::zookeeper::WatchEvent;

use super::znode_tree::{WatchKind, ZnodeTree};
use crate::base::limits;

/// The memory of a watch besides its path, about.
const WATCH_BYTES: usize = 64;

/// The watches of a connection. For each watch, the last transaction before it was set is kept.
#[derive(Debug, Default)]
pub(crate) struct Watches {
    since: BTreeMap<(String, WatchKind), i64>,
    bytes: usize,
}

impl Watches {
    /// Adds a watch; returns false if the watches of the connection take too much memory.
    pub(super) fn add(&mut self, kind: WatchKind, path: &str, since: i64) -> bool {
        self.since.entry((path.to_owned(), kind)).or_insert_with(|| {
            self.bytes += path.len() + WATCH_BYTES;
            since
        });
        self.bytes <= limits::WATCH_BYTES_PER_CONNECTION
    }

    /// Removes the watches whose znodes have changed, and returns their events, sorted by path. If
    /// two watches have the same event, it is returned once.
    pub(super) fn take_fired(&mut self, znodes: &ZnodeTree) -> Vec<WatchEvent> {
        let mut events: Vec<WatchEvent> = Vec::new();
        self.since.retain(|(path, kind), since| {
            let Some(event) = znodes.event_since(*kind, path, *since) else { return true };
            let event = WatchEvent { kind: event, path: path.clone() };
            self.bytes = self.bytes.saturating_sub(path.len() + WATCH_BYTES);
            if events.last() != Some(&event) {
                events.push(event);
            }
            false
        });
        events
    }
}
