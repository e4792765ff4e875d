//! Proposes layouts that some row keys may have.
//!
//! Keys are divided into fields from left to right, and each candidate for a field has a score: the
//! strength of the evidence. A layout is only proposed if it decodes every key; a salt or a hash
//! prefix is only proposed if computing it gives the bytes in every key.

use clap::ValueEnum;
use tallrow::key::schema::Schema;

use super::candidate::{CERTAIN_SCORE, GuessedField};
use super::{prefix, search};
use crate::keys::layouts::BuiltInLayout;

/// A proposed layout, which decodes all keys.
#[derive(Debug)]
pub(crate) struct Proposal {
    pub(crate) schema: Schema,
    /// The names of the parts that were found, in key order, each with the reason why the bytes are
    /// taken for that part.
    pub(crate) reasons: Vec<(String, String)>,
    pub(crate) confidence: Confidence,
    score: i32,
}

/// The strength of the evidence for a proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Confidence {
    Low,
    Medium,
    High,
}

impl Confidence {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }

    /// Returns the confidence. It is lower with few keys, which may fit by chance, and with fields
    /// of unknown bytes, which always fit.
    fn of(keys: usize, fields: &[GuessedField], is_verified: bool) -> Self {
        let is_certain = is_verified || fields.iter().any(|found| found.score >= CERTAIN_SCORE);
        let is_open = fields.iter().any(|found| found.score <= 0);
        match keys {
            8.. if is_certain && !is_open => Self::High,
            4.. if is_certain || !is_open => Self::Medium,
            _ => Self::Low,
        }
    }
}

/// The maximum number of proposals.
const MOST: usize = 3;

/// Returns the layouts that these keys may have, most likely first.
///
/// `now_ms` is in milliseconds since 1970; times long after it are unlikely.
pub(crate) fn proposals(keys: &[Vec<u8>], now_ms: i128) -> Vec<Proposal> {
    let mut proposals: Vec<Proposal> = Vec::new();
    for prefix in prefix::candidate_prefixes(keys) {
        let bodies: Vec<&[u8]> =
            keys.iter().map(|key| key.get(prefix.width..).unwrap_or_default()).collect();
        for fields in search::best_divisions(&bodies, now_ms) {
            let Some((schema, is_verified)) = prefix.schema(&fields, keys) else { continue };
            let own = prefix.reason(&schema, is_verified);
            let score =
                fields.iter().map(|found| found.score).sum::<i32>() + prefix.score(is_verified);
            let found = fields.iter().map(|found| (found.name.clone(), found.reason.clone()));
            proposals.push(Proposal {
                reasons: own.into_iter().chain(found).collect(),
                confidence: Confidence::of(keys.len(), &fields, is_verified),
                schema,
                score,
            });
        }
    }
    proposals.extend(
        BuiltInLayout::value_variants().iter().filter_map(|layout| of_built_in(*layout, keys)),
    );
    proposals.sort_by_key(|proposal| std::cmp::Reverse(proposal.score));
    let mut known = Vec::new();
    proposals.retain(|proposal| {
        let print = proposal.schema.fingerprint();
        let is_new = !known.contains(&print);
        known.push(print);
        is_new
    });
    proposals.truncate(MOST);
    proposals
}

/// Proposes a built-in layout if it decodes all keys.
fn of_built_in(layout: BuiltInLayout, keys: &[Vec<u8>]) -> Option<Proposal> {
    let schema = Schema::parse(layout.schema()).ok()?;
    let decodes = !keys.is_empty() && keys.iter().all(|key| schema.decode(key).is_ok());
    decodes.then(|| Proposal {
        reasons: vec![(
            schema.name().to_owned(),
            format!("every key is as its layout: {}", layout.key_rule()),
        )],
        confidence: Confidence::of(keys.len(), &[], true),
        schema,
        score: 5 * CERTAIN_SCORE,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: i128 = 1_750_000_000_000;

    /// The schema of the best proposal for keys of a schema, without the first and the last line.
    fn guess(schema: &str, values: impl Fn(u64) -> String) -> (String, Confidence) {
        let schema = Schema::parse(schema).unwrap();
        let keys: Vec<_> = (0..20).map(|n| schema.encode_text(&values(n)).unwrap()).collect();
        let best = proposals(&keys, NOW).into_iter().next().unwrap();
        for key in &keys {
            assert_eq!(best.schema.encode(&best.schema.decode(key).unwrap()).unwrap(), *key);
        }
        let text = best.schema.to_string();
        let lines: Vec<&str> = text.lines().collect();
        (lines[1..lines.len() - 1].join("\n"), best.confidence)
    }

    /// Numbers without a pattern.
    fn mixed(n: u64) -> u64 {
        (n + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    #[test]
    fn numbers_and_reverse_times_are_found() {
        let schema = "row key E\nuser: u32\nat: i64, rev_ts, display_time = ms\n";
        let values = |n: u64| {
            format!("user={}, at={}", n * 977, 1_700_000_000_000 + mixed(n) % 1_000_000_000)
        };
        assert_eq!(
            guess(schema, values),
            ("number: u32\ntime: i64, rev_ts, display_time = ms".into(), Confidence::High)
        );
    }

    #[test]
    fn a_salt_is_found_with_its_function() {
        for hash in ["fnv1a", "crc32", "java_arrays_hash"] {
            let schema = format!(
                "row key E\nsalt of user: buckets = 16, width = 1, hash = {hash}\nuser: u32\nat: \
                 u64, display_time = ms\n"
            );
            let values = |n: u64| {
                format!("user={}, at={}", n * 977, 1_700_000_000_000 + mixed(n) % 1_000_000_000)
            };
            let expected = format!(
                "salt of number: buckets = 16, width = 1, hash = {hash}\nnumber: u32\ntime: u64, \
                 display_time = ms"
            );
            assert_eq!(guess(&schema, values), (expected, Confidence::High));
        }
    }

    #[test]
    fn a_hash_prefix_is_found_with_its_fields() {
        let schema = "row key E\nhash_prefix of host: md5(hex = 8), sep = 0x7c\nhost: text, sep = \
                      0x7c\nwhat: text\n";
        let values = |n: u64| format!("host=host{n}, what=event{}", mixed(n) % 1000);
        let expected =
            "hash_prefix of text: md5(hex = 8), sep = 0x7c\ntext: text, sep = 0x7c\ntext2: text";
        assert_eq!(guess(schema, values), (expected.into(), Confidence::High));
    }

    #[test]
    fn texts_are_cut_at_what_ends_them() {
        for (end, at) in [
            ("sep = 0x3a", "sep = 0x3a"),
            ("nul_terminated", "nul_terminated"),
            ("escaped", "escaped"),
        ] {
            let schema = format!("row key E\na: text, {end}\nb: text\n");
            let (found, confidence) = guess(&schema, |n| format!("a=user{n}, b=x{}", mixed(n)));
            assert_eq!(found, format!("text: text, {at}\ntext2: text"));
            assert_eq!(confidence, Confidence::Medium);
        }
    }

    #[test]
    fn ids_are_found() {
        let schema = "row key E\nid: uuid\nat: u32, display_time = s\n";
        let id = |n: u64| {
            let (a, b) = (mixed(n), mixed(n + 100));
            format!(
                "{:08x}-{:04x}-4{:03x}-a{:03x}-{:012x}",
                a >> 32,
                a >> 16 & 0xffff,
                a & 0xfff,
                b >> 52,
                b & 0xffff_ffff_ffff
            )
        };
        let values = |n: u64| format!("id={}, at={}", id(n), 1_700_000_000 + mixed(n) % 1_000_000);
        let (found, confidence) = guess(schema, values);
        assert_eq!(found, "id: uuid\ntime: u32, display_time = s");
        assert_eq!(confidence, Confidence::High);
    }

    #[test]
    fn a_built_in_layout_is_recognized() {
        let schema = BuiltInLayout::Opentsdb.schema();
        let values = |n: u64| {
            format!("metric={}, base={}, tags=[1={}, 2=7]", n % 3, 1_699_999_200 + n * 3600, n)
        };
        let (found, confidence) = guess(schema, values);
        assert!(found.starts_with("metric: uid 3\n"), "{found}");
        assert_eq!(confidence, Confidence::High);
    }

    #[test]
    fn bytes_without_a_pattern_are_said_to_be_bytes() {
        let keys: Vec<_> = (0..20).map(|n| mixed(n).to_be_bytes()[..7].to_vec()).collect();
        let best = proposals(&keys, NOW).into_iter().next().unwrap();
        assert_eq!(best.confidence, Confidence::Low);
        assert!(best.schema.to_string().contains("bytes: [u8; 7]"));
    }
}
