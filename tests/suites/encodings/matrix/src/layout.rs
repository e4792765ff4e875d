//! The properties of an encoding in every position.
//!
//! A key is a field under test with at most one neighbour on either side. Its rows are all
//! combinations of the values of its fields, so every pair of values meets.

use std::cmp::Ordering;
use std::ops::Bound;

use tallrow_codec::__private::v1::PartialKey;
use tallrow_codec::{DecodeError, Input, RowBuf, RowRange};

use crate::part::{Part, Probe};

const NAMES: [&str; 3] = ["first", "second", "third"];

/// A key whose fields have these encodings.
pub struct Layout<'a>(pub Vec<&'a dyn Part>);

/// A key of a layout, one value of each field, and its bytes.
#[derive(Clone)]
pub struct Key {
    values: Vec<usize>,
    row: Vec<u8>,
}

impl Layout<'_> {
    fn name(&self) -> String {
        self.0.iter().map(|part| part.name()).collect::<Vec<_>>().join(" | ")
    }

    fn prefix_free(&self) -> bool {
        self.0.iter().all(|part| part.prefix_free())
    }

    /// Returns the key of these values.
    pub fn key(&self, values: &[usize]) -> Key {
        let mut row = RowBuf::new();
        for (part, i) in self.0.iter().zip(values) {
            let before = row.len();
            part.put(*i, &mut row);
            assert_eq!(part.width().unwrap_or(row.len() - before), row.len() - before);
        }
        Key { values: values.to_vec(), row: row.to_vec() }
    }

    /// Returns all keys in the order their rows must have.
    pub fn keys(&self) -> Vec<Key> {
        let mut values = vec![vec![]];
        for part in &self.0 {
            let longer = |front: &Vec<usize>| {
                let front = front.clone();
                (0..part.count()).map(move |i| [&front[..], &[i]].concat())
            };
            values = values.iter().flat_map(longer).collect();
        }
        let mut keys: Vec<_> = values.iter().map(|values| self.key(values)).collect();
        keys.sort_by(|a, b| self.order(&a.values, &b.values));
        keys
    }

    /// The order of two keys, or of their first fields.
    fn order(&self, a: &[usize], b: &[usize]) -> Ordering {
        let fields = self.0.iter().zip(a.iter().zip(b));
        fields.fold(Ordering::Equal, |order, (part, (i, j))| order.then_with(|| part.rows(*i, *j)))
    }

    fn show(&self, key: &Key) -> String {
        let fields: Vec<_> = self.0.iter().zip(&key.values).map(|(p, i)| p.show(*i)).collect();
        format!("{}: ({}) {:02x?}", self.name(), fields.join(", "), key.row)
    }

    /// Where each field starts, and the end.
    fn starts(&self, key: &Key) -> Vec<usize> {
        let lens = (0..=self.0.len()).map(|n| {
            let front = Layout(self.0[..n].to_vec());
            front.key(&key.values[..n]).row.len()
        });
        lens.collect()
    }

    /// Reads a row and writes it again.
    fn again(&self, row: &[u8]) -> Result<Vec<u8>, DecodeError> {
        let (mut input, mut again) = (Input::new(row), RowBuf::new());
        for (name, part) in NAMES.iter().zip(&self.0) {
            if input.read_field(name, |input| part.again(input, &mut again)).is_err() {
                return Err(input.error("Probe"));
            }
        }
        input.expect_end().map_err(|_| input.error("Probe"))?;
        Ok(again.to_vec())
    }

    /// Rows sort as the keys do, and none begins another unless the last field may.
    pub fn sorts(&self, keys: &[Key]) {
        for pair in keys.windows(2) {
            let [a, b] = pair else { continue };
            let wanted = self.order(&a.values, &b.values);
            assert_eq!(a.row.cmp(&b.row), wanted, "{}\n{}", self.show(a), self.show(b));
            // In sorted rows, one that begins any other also begins the next different one.
            if wanted.is_lt() && self.prefix_free() {
                let begins = b.row.starts_with(&a.row);
                assert!(!begins, "{} begins {}", self.show(a), self.show(b));
            }
        }
    }

    /// Every row is read as the values that it was written from.
    pub fn reads_back(&self, keys: &[Key]) {
        for key in keys {
            let mut input = Input::new(&key.row);
            for (part, i) in self.0.iter().zip(&key.values) {
                assert_eq!(part.reads(&mut input, *i), Ok(true), "{}", self.show(key));
            }
            assert_eq!(input.remaining(), 0, "{}", self.show(key));
        }
    }

    /// A row cut short or made longer is rejected at the field that is incomplete; a changed byte
    /// gives a row of this layout, or is rejected at its field or after it.
    pub fn damage(&self, key: &Key, changes: &[u8]) {
        let starts = self.starts(key);
        let field = |at: usize| starts[1..].iter().filter(|end| **end <= at).count();
        let last_open = !self.prefix_free();
        for cut in 0..key.row.len() {
            let hurt = field(cut);
            match self.again(&key.row[..cut]) {
                Err(error) => {
                    let place = (error.field(), error.offset());
                    assert_eq!(place, (NAMES[hurt], starts[hurt]), "{error}: {}", self.show(key));
                }
                Ok(again) => {
                    let open = last_open && hurt + 1 == self.0.len();
                    assert!(open && again == key.row[..cut], "cut at {cut}: {}", self.show(key));
                }
            }
        }
        for byte in [0x00, 0x01, 0x02, 0x7c, 0x7f, 0x80, 0xfe, 0xff] {
            let longer = [&key.row[..], &[byte]].concat();
            match self.again(&longer) {
                Err(error) if !last_open => {
                    assert_eq!((error.field(), error.offset()), ("end", key.row.len()), "{error}");
                }
                Err(error) => {
                    let open = [NAMES[self.0.len() - 1], "end"];
                    assert!(open.contains(&error.field()), "{error}: {}", self.show(key));
                }
                Ok(again) => {
                    assert!(last_open && again == longer, "{byte:02x}: {}", self.show(key))
                }
            }
        }
        let mut row = key.row.clone();
        for at in 0..row.len() {
            for change in changes {
                row[at] ^= change;
                match self.again(&row) {
                    Ok(again) => assert_eq!(again, row, "{}", self.show(key)),
                    Err(error) => {
                        let name = NAMES.iter().position(|name| *name == error.field());
                        let after = name.unwrap_or(NAMES.len()) >= field(at);
                        assert!(after, "{error} for byte {at}: {}", self.show(key));
                        assert!(error.offset() >= starts[field(at)] && error.offset() <= row.len());
                        assert!(name.is_some() || error.field() == "end", "{error}");
                    }
                }
                row[at] ^= change;
            }
        }
    }

    fn partial(&self, values: &[usize]) -> PartialKey<Probe> {
        let fields = NAMES.iter().zip(self.0.iter().zip(values));
        fields
            .fold(PartialKey::new(), |partial, (name, (part, i))| part.fix(*i, partial.step(name)))
    }

    /// The rows that have the first fields of a key are one range, and nothing else is in it.
    pub fn fronts(&self, keys: &[Key]) {
        for len in 0..=self.0.len() {
            let same = |a: &Key, b: &Key| self.order(&a.values[..len], &b.values[..len]).is_eq();
            for group in keys.chunk_by(same) {
                let partial = self.partial(&group[0].values[..len]);
                let whole = len == self.0.len();
                let ranges = if whole { partial.row() } else { partial.prefix() };
                let [range] = ranges.unwrap();
                self.holds(keys, &range, group.len(), |key| same(key, &group[0]));
            }
        }
    }

    /// Every range of the field at `n` after the first fields of a key contains the rows of the
    /// model.
    pub fn ranges(&self, keys: &[Key], front: &[usize]) {
        let n = front.len();
        let part = self.0[n];
        let after: usize = self.0[n + 1..].iter().map(|part| part.count()).product();
        let same = |key: &Key| self.order(&key.values[..n], front).is_eq();
        let step = || self.partial(front).step(NAMES[n]);
        let few = || (0..part.count()).step_by(part.count() / 10 + 1);
        let ends = || few().flat_map(|i| [Bound::Included(i), Bound::Excluded(i)]);
        for from in ends().chain([Bound::Unbounded]) {
            for to in ends().chain([Bound::Unbounded]) {
                let Some(range) = part.between(step(), (from, to)) else { return };
                let wanted = |i| part.inside(i, (from, to));
                let count = (0..part.count()).filter(|i| wanted(*i)).count();
                self.holds(keys, &range, count * after, |k| same(k) && wanted(k.values[n]));
            }
        }
        for start in 0..part.count() {
            let Some(range) = part.starting(step(), start) else { return };
            let wanted = |i| part.starts(i, start);
            let count = (0..part.count()).filter(|i| wanted(*i)).count();
            self.holds(keys, &range, count * after, |k| same(k) && wanted(k.values[n]));
        }
    }

    /// Checks that `count` of the sorted keys lie in a range, and that they are wanted. The wanted
    /// keys are adjacent, so the first and the last one found are enough.
    fn holds(&self, keys: &[Key], range: &RowRange, count: usize, wanted: impl Fn(&Key) -> bool) {
        let from = keys.partition_point(|key| &key.row[..] < range.start());
        let to = keys.partition_point(|key| range.stop().is_none_or(|stop| &key.row[..] < stop));
        let found = keys.get(from..to).unwrap_or_default();
        for key in found.first().into_iter().chain(found.last()) {
            assert!(wanted(key), "{range:?} contains a row of another field: {}", self.show(key));
        }
        assert_eq!(found.len(), count, "{}: {range:?} does not hold all rows", self.name());
    }
}

/// Tests all properties of every encoding, alone and next to its neighbours.
///
/// Neighbours are before a field, and after one that is prefix-free; `last` is only after it. With
/// all of them on both sides if `TALLROW_THOROUGH` is set, else with the same one on both.
pub fn all_properties(encodings: &[Box<dyn Part>], neighbours: &[Box<dyn Part>], last: &dyn Part) {
    let thorough = std::env::var_os("TALLROW_THOROUGH").is_some();
    for encoding in encodings {
        let encoding = &**encoding;
        let alone = Layout(vec![encoding]);
        let keys = alone.keys();
        for key in &keys {
            alone.damage(key, &[1, 2, 4, 8, 16, 32, 64, 128, 0xff, 0x7f, 0x7c, 0xfe, 0x81, 3]);
        }
        let before = || [None].into_iter().chain(neighbours.iter().map(|part| Some(&**part)));
        for front in before() {
            let after = encoding.prefix_free().then(|| before().skip(1).chain([Some(last)]));
            for after in [None].into_iter().chain(after.into_iter().flatten()) {
                let both = front.zip(after);
                if !thorough && both.is_some_and(|(front, after)| front.name() != after.name()) {
                    continue;
                }
                let layout = Layout(front.into_iter().chain([encoding]).chain(after).collect());
                let keys = layout.keys();
                layout.sorts(&keys);
                layout.reads_back(&keys);
                layout.fronts(&keys);
                for i in 0..encoding.count() {
                    let near = |part: &dyn Part| i % part.count();
                    let values = front.map(near).into_iter().chain([i]).chain(after.map(near));
                    layout.damage(&layout.key(&values.collect::<Vec<_>>()), &[1, 0x80, 0xff]);
                }
                // The last value of a neighbour is all FF: the hardest to step over.
                let front = front.map(|part| part.count() - 1);
                layout.ranges(&keys, front.as_slice());
            }
        }
    }
}
