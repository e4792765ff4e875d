//! All rows of a small encoding.

use std::collections::BTreeMap;

/// Returns the value whose row this many bytes of another row are.
pub type ValueOf<'a> = dyn Fn(usize) -> Option<usize> + 'a;

/// The rows of an encoding, each with the index of its value.
#[derive(Default)]
pub struct Rows(BTreeMap<Vec<u8>, usize>);

impl Rows {
    /// Adds a row. Returns the value that had the same row.
    pub fn insert(&mut self, row: Vec<u8>, value: usize) -> Option<usize> {
        self.0.insert(row, value)
    }

    /// Calls `check` with the values of all adjacent rows, and whether the second row starts with
    /// the first.
    pub fn pairs(&self, check: &dyn Fn(usize, usize, bool)) {
        for ((a, first), (b, second)) in self.0.iter().zip(self.0.iter().skip(1)) {
            check(*first, *second, b.starts_with(a));
        }
    }

    /// Calls `check` with every row of up to two bytes, and with longer ones around those of the
    /// encoding.
    pub fn near(&self, check: &dyn Fn(&[u8], &ValueOf<'_>)) {
        let pairs = (0..=u16::MAX).map(|n| n.to_be_bytes().to_vec());
        let short = [vec![]].into_iter().chain((0..=u8::MAX).map(|b| vec![b]));
        let near = self.0.keys().flat_map(|row| {
            let longer = [0, 1, 0x7f, 0x80, 0xff].map(|b| [&row[..], &[b]].concat());
            longer.into_iter().chain([row.clone()])
        });
        for row in short.chain(pairs).chain(near) {
            check(&row, &|len| self.0.get(&row[..len]).copied());
        }
    }
}
