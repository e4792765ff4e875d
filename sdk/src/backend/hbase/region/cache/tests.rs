//! Tests of the cache of region locations, against examples and against a simple model of it.

use proptest::prelude::*;
use proptest::sample::Index;

use super::*;

fn location(start: &str, end: &str, sequence: u64) -> Location {
    let name = format!("t,{start},{sequence}");
    named(name.as_bytes(), (start.as_bytes(), end.as_bytes()), "s:1", sequence)
}

fn named(name: &[u8], keys: (&[u8], &[u8]), server: &str, sequence: u64) -> Location {
    Location::new(name, keys, Server::new(server.into(), 1), sequence)
}

fn table() -> TableName {
    "t".parse().unwrap()
}

#[test]
fn a_row_is_found_in_the_region_that_holds_it_or_not_at_all() {
    let cache = Cache::default();
    cache.insert(&table(), location("", "g", 1));
    cache.insert(&table(), location("p", "", 1));
    let start = |row: &str| {
        cache.get(&table(), row.as_bytes()).map(|l| String::from_utf8_lossy(l.start()).into_owned())
    };
    assert_eq!(start("a"), Some("".into()));
    assert_eq!(start("g"), None, "the end key belongs to the next region");
    assert_eq!(start("h"), None, "a hole is not filled by its neighbour");
    assert_eq!(start("p"), Some("p".into()));
    assert_eq!(start("z"), Some("p".into()));
}

#[test]
fn the_region_before_a_row_ends_there_or_holds_what_is_before_it() {
    let cache = Cache::default();
    cache.insert(&table(), location("", "g", 1));
    cache.insert(&table(), location("g", "", 1));
    let start = |row: &str| {
        cache
            .get_before(&table(), row.as_bytes())
            .map(|l| String::from_utf8_lossy(l.start()).into_owned())
    };
    assert_eq!(start("g"), Some("".into()));
    assert_eq!(start("h"), Some("g".into()));
    assert_eq!(start(""), Some("g".into()));
}

#[test]
fn daughters_replace_their_parent_and_a_merged_region_its_parents() {
    let cache = Cache::default();
    cache.insert(&table(), location("", "", 1));
    cache.insert(&table(), location("m", "", 2));
    assert!(cache.get(&table(), b"a").is_none(), "the parent is gone with its first daughter");
    cache.insert(&table(), location("", "m", 2));
    cache.insert(&table(), location("", "", 3));
    assert_eq!(cache.get(&table(), b"z").unwrap().sequence, 3);
}

#[test]
fn only_the_location_that_failed_is_forgotten() {
    let cache = Cache::default();
    let old = cache.insert(&table(), location("", "", 1));
    let new = old.moved_to(Server::new("s:2".into(), 1), 2);
    cache.insert(&table(), new.clone());
    cache.evict(&table(), &old);
    assert_eq!(cache.get(&table(), b"a").as_deref(), Some(&new));
    cache.insert(&table(), (*old).clone());
    assert_eq!(
        cache.get(&table(), b"a").as_deref(),
        Some(&new),
        "an older location of a region is ignored"
    );
    cache.evict_server("s:2", 1);
    assert!(cache.get(&table(), b"a").is_none());
}

#[test]
fn a_move_is_followed_once_and_not_back() {
    let cache = Cache::default();
    let on = |server: &str, sequence| named(b"t,,1", (b"", b""), server, sequence);
    cache.insert(&table(), on("a:1", 2));
    // Away from a and back; then it was split on a.
    cache.replace_moved(&table(), &on("a:1", 2), on("b:1", 5));
    assert_eq!(cache.get(&table(), b"r").as_deref(), Some(&on("b:1", 5)));
    cache.replace_moved(&table(), &on("b:1", 5), on("a:1", 8));
    assert_eq!(cache.get(&table(), b"r").as_deref(), Some(&on("a:1", 8)));
    cache.replace_moved(&table(), &on("a:1", 8), on("b:1", 5));
    assert!(cache.get(&table(), b"r").is_none(), "`hbase:meta` has to be asked");

    // Another caller has found its daughters since.
    cache.insert(&table(), location("", "m", 9));
    cache.replace_moved(&table(), &on("a:1", 2), on("b:1", 5));
    assert_eq!(cache.get(&table(), b"r"), None);
    assert_eq!(cache.get(&table(), b"a").as_deref(), Some(&location("", "m", 9)));
}

#[test]
fn a_server_that_restarted_is_not_the_one_that_is_gone() {
    let cache = Cache::default();
    cache.insert(&table(), location("", "g", 1));
    let restarted = location("g", "", 1).moved_to(Server::new("s:1".into(), 2), 1);
    cache.insert(&table(), restarted);
    cache.evict_server("s:1", 1);
    assert!(cache.get(&table(), b"a").is_none());
    assert!(cache.get(&table(), b"z").is_some());
    cache.insert(&table(), location("", "g", 1));
    assert!(cache.get(&table(), b"a").is_some(), "it was found there again");
}

/// What happens to a table, and what a client learns of it.
#[derive(Clone, Debug)]
enum Step {
    Split(Index, u8),
    Merge(Index),
    Move(Index, u8),
    /// The location of a region as it is or was at some time.
    Learn(Index),
    /// A call failed at a location that is or was known.
    Fail(Index),
    ServerGone(u8),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        2 => (any::<Index>(), 1..20u8).prop_map(|(at, key)| Step::Split(at, key)),
        1 => any::<Index>().prop_map(Step::Merge),
        2 => (any::<Index>(), 0..3u8).prop_map(|(at, server)| Step::Move(at, server)),
        6 => any::<Index>().prop_map(Step::Learn),
        2 => any::<Index>().prop_map(Step::Fail),
        1 => (0..3u8).prop_map(Step::ServerGone),
    ]
}

/// The regions of a table, and every location that one of them ever had.
struct Truth {
    regions: Vec<Location>,
    ever: Vec<Location>,
    next: u64,
}

impl Truth {
    fn new() -> Self {
        let whole = named(b"t,,1", (b"", b""), "s:0", 1);
        Self { regions: vec![whole.clone()], ever: vec![whole], next: 2 }
    }

    /// A region in place of those at `at`; a move keeps its name.
    fn replace(&mut self, at: std::ops::Range<usize>, regions: Vec<Location>, moved: bool) {
        for mut region in regions.into_iter().rev() {
            region.sequence = self.next;
            if !moved {
                let name = [b"t,", region.start(), format!(",{}", self.next).as_bytes()].concat();
                region = named(
                    &name,
                    (region.start(), region.end()),
                    region.server_address(),
                    self.next,
                );
            }
            self.next += 1;
            self.ever.push(region.clone());
            self.regions.insert(at.end, region);
        }
        self.regions.drain(at);
    }

    fn apply(&mut self, step: &Step) {
        match step {
            Step::Split(at, key) => {
                let at = at.index(self.regions.len());
                let (old, key) = (self.regions[at].clone(), [*key]);
                if old.contains(&key) && *old.start() != key {
                    let half = |keys| named(old.name(), keys, old.server_address(), 0);
                    let halves = vec![half((old.start(), &key)), half((&key, old.end()))];
                    self.replace(at..at + 1, halves, false);
                }
            }
            Step::Merge(at) => {
                let at = at.index(self.regions.len());
                if let Some(next) = self.regions.get(at + 1) {
                    let first = &self.regions[at];
                    let merged =
                        named(first.name(), (first.start(), next.end()), first.server_address(), 0);
                    self.replace(at..at + 2, vec![merged], false);
                }
            }
            Step::Move(at, server) => {
                let at = at.index(self.regions.len());
                let server = Server::new(format!("s:{server}").into(), 1);
                let moved = self.regions[at].moved_to(server, 0);
                self.replace(at..at + 1, vec![moved], true);
            }
            Step::Learn(_) | Step::Fail(_) | Step::ServerGone(_) => {}
        }
    }
}

/// What the cache is to know, without an index.
#[derive(Default)]
struct Model(Vec<Location>);

impl Model {
    fn insert(&mut self, new: &Location) {
        let newer = |l: &Location| l.name() == new.name() && l.sequence > new.sequence;
        if !self.0.iter().any(newer) {
            let before = |end: &[u8], start: &[u8]| !end.is_empty() && end <= start;
            self.0.retain(|l| before(l.end(), new.start()) || before(new.end(), l.start()));
            self.0.push(new.clone());
        }
    }

    fn get(&self, row: &[u8]) -> Option<&Location> {
        self.0.iter().find(|l| l.contains(row))
    }

    fn get_before(&self, row: &[u8]) -> Option<&Location> {
        self.0.iter().find(|l| match row {
            [] => l.end().is_empty(),
            row => l.start() < row && (l.end().is_empty() || row <= l.end()),
        })
    }
}

proptest! {
    #[test]
    fn the_cache_knows_what_the_model_knows(steps in prop::collection::vec(step(), 1..60)) {
        let (mut truth, mut model, cache) = (Truth::new(), Model::default(), Cache::default());
        for step in steps {
            truth.apply(&step);
            match &step {
                Step::Learn(which) => {
                    let learnt = which.get(&truth.ever);
                    model.insert(learnt);
                    cache.insert(&table(), learnt.clone());
                }
                Step::Fail(which) => {
                    let failed = which.get(&truth.ever);
                    model.0.retain(|l| l != failed);
                    cache.evict(&table(), failed);
                }
                Step::ServerGone(server) => {
                    let server = format!("s:{server}");
                    model.0.retain(|l| !l.is_on(&server, 1));
                    cache.evict_server(&server, 1);
                }
                Step::Split(..) | Step::Merge(_) | Step::Move(..) => {}
            }
            for row in (0..21u8).map(|key| vec![key]).chain([vec![], vec![5, 1]]) {
                let (found, before) = (cache.get(&table(), &row), cache.get_before(&table(), &row));
                prop_assert_eq!(found.as_deref(), model.get(&row));
                prop_assert_eq!(before.as_deref(), model.get_before(&row));
            }
        }
    }
}

#[test]
fn an_old_location_is_only_added_where_nothing_is_known() {
    let cache = Cache::default();
    cache.insert(&table(), location("g", "p", 5));
    for (start, end) in [("", ""), ("a", "h"), ("g", "p"), ("h", "k"), ("o", ""), ("a", "z")] {
        assert!(
            !cache.insert_unless_overlapping(&table(), location(start, end, 9)),
            "{start} to {end}"
        );
    }
    assert!(cache.insert_unless_overlapping(&table(), location("", "g", 1)));
    assert!(cache.insert_unless_overlapping(&table(), location("p", "", 1)));
    let starts: Vec<_> = cache.of_table(&table()).iter().map(|l| l.start().to_vec()).collect();
    assert_eq!(starts, [&b""[..], b"g", b"p"]);
    cache.evict_server("s:1", 1);
    assert!(cache.of_table(&table()).is_empty());
    assert!(
        cache.insert_unless_overlapping(&table(), location("a", "z", 1)),
        "those of a server that is gone are not known"
    );
    assert_eq!(cache.of_table(&table()).len(), 1);
}

#[test]
fn the_regions_of_a_row_a_server_and_everything_are_forgotten() {
    let cache = Cache::default();
    let fill = || {
        cache.insert(&table(), location("", "g", 1));
        cache.insert(&table(), named(b"t,g,1", (b"g", b"p"), "s:2", 1));
        cache.insert(&"u".parse().unwrap(), location("", "", 1));
    };
    let known = || {
        let tables = ["t", "u"].map(|name| cache.of_table(&name.parse().unwrap()));
        tables.map(|regions| regions.len())
    };
    fill();
    assert_eq!((known(), cache.tables().len()), ([2, 1], 2));
    cache.forget_region_of(&table(), b"h");
    cache.forget_region_of(&table(), b"z");
    assert_eq!(known(), [1, 1]);
    fill();
    cache.forget_server("s:1", Some(2));
    cache.forget_server("s:3", None);
    assert_eq!(known(), [2, 1], "another server");
    cache.forget_server("s:1", None);
    assert_eq!(known(), [1, 0]);
    fill();
    cache.clear();
    assert_eq!((known(), cache.tables().len()), ([0, 0], 0));
}
