//! The znodes with their records, and the transactions that change them.
//!
//! The state of the cluster says which znodes there are. Each comparison of the znodes with this
//! state makes the transactions that lead from one to the other.

use std::collections::BTreeMap;

use bytes::Bytes;
use fastrand::Rng;
use tallrow_wire::zookeeper::{EventKind, Stat, encode_znode};

use super::sessions::Sessions;

/// What a znode holds, according to the state of the cluster.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ZnodeContent {
    /// The role and port of the server that writes the znode.
    pub(super) writer: String,
    /// What the server writes; empty for a znode that has children, or whose name contains all
    /// information.
    pub(super) message: Bytes,
    /// Whether the znode ends with the session of its writer.
    pub(super) ephemeral: bool,
}

/// What a client watches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum WatchKind {
    /// The content of a znode that existed.
    Data,
    /// The creation of a znode that did not exist.
    Missing,
    /// The names of the children of a znode.
    Children,
}

/// The znodes, by path.
#[derive(Debug)]
pub(super) struct ZnodeTree {
    znodes: BTreeMap<String, Znode>,
    last_zxid: i64,
    random: Rng,
}

#[derive(Debug)]
struct Znode {
    written: ZnodeContent,
    data: Bytes,
    /// The record, without the number of children.
    stat: Stat,
}

impl ZnodeTree {
    /// Makes a tree without znodes.
    pub(super) fn new(random: Rng) -> Self {
        Self { znodes: BTreeMap::new(), last_zxid: 0, random }
    }

    /// The id of the last transaction.
    pub(super) fn last_zxid(&self) -> i64 {
        self.last_zxid
    }

    /// Begins a transaction, and returns its id. The start and the end of a session are
    /// transactions too.
    pub(super) fn begin_transaction(&mut self) -> i64 {
        self.last_zxid += 1;
        self.last_zxid
    }

    /// The number of znodes.
    pub(super) fn len(&self) -> usize {
        self.znodes.len()
    }

    /// Returns the content of a znode.
    pub(super) fn data(&self, path: &str) -> Option<Bytes> {
        self.znodes.get(rooted(path)).map(|znode| znode.data.clone())
    }

    /// Returns the record of a znode.
    pub(super) fn stat(&self, path: &str) -> Option<Stat> {
        let path = rooted(path);
        let znode = self.znodes.get(path)?;
        Some(Stat { num_children: self.children(path).count() as i32, ..znode.stat })
    }

    /// The names of the children of a znode.
    pub(super) fn children<'a>(&'a self, path: &str) -> impl Iterator<Item = &'a str> {
        let mut prefix = rooted(path).to_owned();
        if !prefix.ends_with('/') {
            prefix.push('/');
        }
        let below = self.znodes.range(prefix.clone()..);
        let names = below.map_while(move |(path, _)| path.strip_prefix(&prefix));
        names.filter(|name| !name.is_empty() && !name.contains('/'))
    }

    /// Returns what has happened to a znode since a watch was set. The watch was set after the
    /// transaction `since`.
    pub(super) fn event_since(&self, kind: WatchKind, path: &str, since: i64) -> Option<EventKind> {
        let created = self.znodes.get(rooted(path)).map(|znode| znode.stat.czxid);
        // A znode that was created since was deleted before.
        match kind != WatchKind::Missing && created.is_some_and(|zxid| zxid > since) {
            true => Some(EventKind::NodeDeleted),
            false => self.missed_event_since(kind, path, since),
        }
    }

    /// Returns how a znode differs from what a client last saw of it. The client saw it after the
    /// transaction `since`.
    pub(super) fn missed_event_since(
        &self,
        kind: WatchKind,
        path: &str,
        since: i64,
    ) -> Option<EventKind> {
        match (kind, self.znodes.get(rooted(path)).map(|znode| &znode.stat)) {
            (WatchKind::Missing, None) => None,
            (WatchKind::Missing, Some(_)) => Some(EventKind::NodeCreated),
            (WatchKind::Data | WatchKind::Children, None) => Some(EventKind::NodeDeleted),
            (WatchKind::Data, Some(stat)) => {
                (stat.mzxid > since).then_some(EventKind::NodeDataChanged)
            }
            (WatchKind::Children, Some(stat)) => {
                (stat.pzxid > since).then_some(EventKind::NodeChildrenChanged)
            }
        }
    }

    /// Makes the transactions that lead to exactly these znodes. If the content of an ephemeral
    /// znode is to change, the znode is deleted and created, because another server writes it.
    pub(super) fn update(
        &mut self,
        wanted: BTreeMap<String, ZnodeContent>,
        now: i64,
        sessions: &mut Sessions,
    ) {
        let is_wanted = |path: &String, znode: &Znode| {
            wanted
                .get(path)
                .is_some_and(|wanted| !wanted.ephemeral || wanted.message == znode.written.message)
        };
        let gone = self.znodes.iter().filter(|(path, znode)| !is_wanted(path, znode));
        let gone: Vec<String> = gone.map(|(path, _)| path.clone()).collect();
        // Children before their parents.
        for path in gone.into_iter().rev() {
            self.znodes.remove(&path);
            self.count_child_change(&path);
        }
        for (path, content) in wanted {
            match self.znodes.get(&path) {
                None => self.create(path, content, now, sessions),
                // The content may be the same if another server is to write it.
                Some(znode) if znode.written.message == content.message => {}
                Some(_) => self.set_data(&path, content, now),
            }
        }
    }

    fn create(&mut self, path: String, written: ZnodeContent, now: i64, sessions: &mut Sessions) {
        self.count_child_change(&path);
        let zxid = self.last_zxid;
        let data = self.encode(&written);
        let stat = Stat {
            czxid: zxid,
            mzxid: zxid,
            pzxid: zxid,
            ctime: now,
            mtime: now,
            ephemeral_owner: if written.ephemeral { sessions.next_id() } else { 0 },
            data_length: data.len() as i32,
            ..Default::default()
        };
        self.znodes.insert(path, Znode { written, data, stat });
    }

    fn set_data(&mut self, path: &str, written: ZnodeContent, now: i64) {
        let (zxid, data) = (self.begin_transaction(), self.encode(&written));
        let Some(znode) = self.znodes.get_mut(path) else { return };
        znode.stat.mzxid = zxid;
        znode.stat.mtime = now;
        znode.stat.version += 1;
        znode.stat.data_length = data.len() as i32;
        (znode.written, znode.data) = (written, data);
    }

    /// Begins the transaction that creates or deletes a znode, and records it in the parent.
    fn count_child_change(&mut self, path: &str) {
        let zxid = self.begin_transaction();
        let Some((parent, _)) = path.rsplit_once('/') else { return };
        if let Some(parent) = self.znodes.get_mut(rooted(parent)) {
            parent.stat.cversion += 1;
            parent.stat.pzxid = zxid;
        }
    }

    fn encode(&mut self, content: &ZnodeContent) -> Bytes {
        match content.message.is_empty() {
            true => Bytes::new(),
            false => encode_znode(&content.writer, self.random.u64(..), &content.message),
        }
    }
}

/// The path of a znode; an empty path is that of the root, as in ZooKeeper.
fn rooted(path: &str) -> &str {
    if path.is_empty() { "/" } else { path }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content(message: &'static str, ephemeral: bool) -> ZnodeContent {
        let message = Bytes::from_static(message.as_bytes());
        ZnodeContent { writer: "master:1".into(), message, ephemeral }
    }

    fn wanted(znodes: &[(&'static str, &'static str, bool)]) -> BTreeMap<String, ZnodeContent> {
        let all = [("/", "", false)].into_iter().chain(znodes.iter().copied());
        all.map(|(path, message, ephemeral)| (path.to_owned(), content(message, ephemeral)))
            .collect()
    }

    #[test]
    fn records_follow_the_changes_of_the_cluster() {
        let mut tree = ZnodeTree::new(Rng::with_seed(0));
        let mut sessions = Sessions::new(Rng::with_seed(0));
        tree.update(wanted(&[("/a", "1", false), ("/m", "x", true)]), 5, &mut sessions);
        assert_eq!((tree.last_zxid(), tree.len()), (3, 3));
        let before = tree.stat("/a").unwrap();
        assert_eq!((before.czxid, before.mzxid, before.version, before.ctime), (2, 2, 0, 5));
        let owner = tree.stat("/m").unwrap().ephemeral_owner;
        tree.update(wanted(&[("/a", "1", false), ("/m", "x", true)]), 6, &mut sessions);
        assert_eq!(tree.last_zxid(), 3, "nothing has changed");
        tree.update(wanted(&[("/a", "2", false), ("/m", "y", true)]), 7, &mut sessions);
        let after = tree.stat("/a").unwrap();
        assert_eq!((after.czxid, after.version, after.mtime), (2, 1, 7));
        assert!(tree.data("/a").unwrap().ends_with(b"2"));
        let again = tree.stat("/m").unwrap();
        assert!(again.czxid > 3 && again.version == 0 && again.ephemeral_owner != owner);
        let root = tree.stat("").unwrap();
        assert_eq!((root.num_children, root.cversion), (2, 4));
        assert_eq!(tree.children("/").collect::<Vec<_>>(), ["a", "m"]);
    }

    #[test]
    fn a_watch_tells_the_last_of_the_changes_since_it_was_set() {
        let mut tree = ZnodeTree::new(Rng::with_seed(0));
        let mut sessions = Sessions::new(Rng::with_seed(0));
        tree.update(wanted(&[("/a", "1", false), ("/m", "x", true)]), 5, &mut sessions);
        let since = tree.last_zxid();
        let change = |tree: &ZnodeTree, kind, path| tree.event_since(kind, path, since);
        assert_eq!(change(&tree, WatchKind::Data, "/a"), None);
        assert_eq!(change(&tree, WatchKind::Missing, "/b"), None);
        tree.update(
            wanted(&[
                ("/a", "2", false),
                ("/a/c", "", false),
                ("/b", "", false),
                ("/m", "y", true),
            ]),
            6,
            &mut sessions,
        );
        assert_eq!(change(&tree, WatchKind::Data, "/a"), Some(EventKind::NodeDataChanged));
        assert_eq!(change(&tree, WatchKind::Children, "/a"), Some(EventKind::NodeChildrenChanged));
        assert_eq!(change(&tree, WatchKind::Missing, "/b"), Some(EventKind::NodeCreated));
        assert_eq!(change(&tree, WatchKind::Data, "/m"), Some(EventKind::NodeDeleted));
        let difference = tree.missed_event_since(WatchKind::Data, "/m", since);
        assert_eq!(difference, Some(EventKind::NodeDataChanged));
        tree.update(wanted(&[]), 7, &mut sessions);
        assert_eq!(change(&tree, WatchKind::Children, "/a"), Some(EventKind::NodeDeleted));
    }
}
