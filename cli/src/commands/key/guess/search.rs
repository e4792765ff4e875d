//! Searches the ways to divide all keys into fields.

use super::candidate::{Candidate, GuessedField};
use super::{number, text};

/// The maximum number of fields of a key.
const FIELDS: usize = 10;
/// The maximum number of partial divisions of the keys that the search continues.
const WAYS: usize = 2_000;
/// The score that is subtracted for each field, so that divisions into few fields score higher.
const COST: i32 = 2;

/// Returns up to 4 ways to divide all keys into fields, best first, with names of the fields.
pub(super) fn best_divisions(keys: &[&[u8]], now_ms: i128) -> Vec<Vec<GuessedField>> {
    let mut search = Search { now_ms, ways: 0, whole: Vec::new() };
    search.from(keys.to_vec(), &mut Vec::new());
    let score = |way: &Vec<Candidate>| way.iter().map(|c| c.score - COST).sum::<i32>();
    search.whole.sort_by_key(|way| std::cmp::Reverse(score(way)));
    search.whole.iter().take(4).map(|way| named(way)).collect()
}

struct Search {
    now_ms: i128,
    ways: usize,
    whole: Vec<Vec<Candidate>>,
}

impl Search {
    /// Adds to `whole` all divisions of the keys that begin with the fields in `way`. `rests` are
    /// the bytes of each key after these fields.
    fn from(&mut self, rests: Vec<&[u8]>, way: &mut Vec<Candidate>) {
        if rests.iter().all(|rest| rest.is_empty()) {
            self.whole.push(way.clone());
            return;
        }
        self.ways += 1;
        if way.len() == FIELDS || self.ways > WAYS || rests.iter().any(|rest| rest.is_empty()) {
            return;
        }
        let mut next = number::candidates(&rests, self.now_ms);
        next.extend(text::candidates(&rests));
        next.push(bytes(&rests));
        for candidate in next {
            let after = rests.iter().zip(&candidate.widths);
            let after = after.map(|(rest, width)| rest.get(*width..).unwrap_or_default()).collect();
            way.push(candidate);
            self.from(after, way);
            way.pop();
        }
    }
}

/// Returns the candidate that takes the whole rest of each key as bytes without a known pattern.
fn bytes(rests: &[&[u8]]) -> Candidate {
    let widths: Vec<usize> = rests.iter().map(|rest| rest.len()).collect();
    let first = widths.first().copied().unwrap_or(0);
    let (encoding, what) = match widths.iter().all(|width| *width == first) {
        true => (format!("[u8; {first}]"), format!("{first} bytes without a known pattern")),
        false => ("bytes".into(), "bytes of several lengths without a known pattern".into()),
    };
    Candidate { kind: "bytes", encoding, reason: what, score: 0, widths }
}

/// Gives each field a unique name.
fn named(way: &[Candidate]) -> Vec<GuessedField> {
    let mut found: Vec<GuessedField> = Vec::new();
    for candidate in way {
        let before = way.iter().take(found.len()).filter(|c| c.kind == candidate.kind).count();
        let name = match before {
            0 => candidate.kind.to_owned(),
            before => format!("{}{}", candidate.kind, before + 1),
        };
        let Candidate { encoding, reason, score, .. } = candidate.clone();
        found.push(GuessedField { name, encoding, reason, score: score - COST });
    }
    found
}
