//! Guesses salts and hash prefixes: computes them from fields, and compares them with the keys.

use tallrow::key::schema::{SaltFunction, SaltOrHash, Schema};

use super::candidate::{CERTAIN_SCORE, GuessedField};

/// A possible salt or hash prefix: the bytes before the fields.
#[derive(Debug)]
pub(super) struct Prefix {
    pub(super) width: usize,
    kind: PrefixKind,
}

#[derive(Debug)]
enum PrefixKind {
    None,
    /// A salt; the value is the largest bucket number in the keys.
    Salt(u32),
    Hex {
        sep: Option<u8>,
    },
    Bytes,
}

/// The hash functions of salts, in the order in which they are tried.
const FUNCTIONS: [SaltFunction; 5] = [
    SaltFunction::Fnv1a,
    SaltFunction::JavaArraysHash,
    SaltFunction::Crc32,
    SaltFunction::Murmur3,
    SaltFunction::Modulo,
];

/// Returns the prefixes that these keys may have before their fields; the first of them means that
/// the keys have no prefix.
pub(super) fn candidate_prefixes(keys: &[Vec<u8>]) -> Vec<Prefix> {
    let mut all = vec![Prefix { width: 0, kind: PrefixKind::None }];
    // With few keys, any prefix may fit by chance.
    if keys.len() < 4 || keys.iter().any(|key| key.len() < 2) {
        return all;
    }
    let firsts = || keys.iter().filter_map(|key| key.first().copied());
    if let Some(largest) = firsts().max() {
        all.push(Prefix { width: 1, kind: PrefixKind::Salt(largest.into()) });
    }
    let hex =
        |key: &Vec<u8>| key.iter().take_while(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')).count();
    if let Some(digits) = keys.iter().map(hex).min().filter(|digits| *digits > 0) {
        let after = |key: &Vec<u8>| key.get(digits).copied();
        let sep = keys
            .first()
            .and_then(after)
            .filter(|sep| keys.iter().all(|key| after(key) == Some(*sep)));
        if let Some(sep) = sep.filter(u8::is_ascii_punctuation).filter(|_| digits <= 32) {
            all.push(Prefix { width: digits + 1, kind: PrefixKind::Hex { sep: Some(sep) } });
        }
        let widths = [2, 4, 5, 6, 8, 16, 32].into_iter().filter(|width| *width <= digits);
        all.extend(widths.map(|width| Prefix { width, kind: PrefixKind::Hex { sep: None } }));
    }
    all.extend([2, 4, 8, 16].map(|width| Prefix { width, kind: PrefixKind::Bytes }));
    all
}

impl Prefix {
    /// Returns a schema with this prefix and these fields that decodes all keys, and whether the
    /// prefix was verified by computing it.
    ///
    /// Returns none if the bytes in the keys are not the prefix that is computed from these fields.
    pub(super) fn schema(
        &self,
        fields: &[GuessedField],
        keys: &[Vec<u8>],
    ) -> Option<(Schema, bool)> {
        let lines: String =
            fields.iter().map(|f| format!("{}: {}\n", f.name, f.encoding)).collect();
        if let PrefixKind::None = self.kind {
            return checked(&format!("row key Guess\n{lines}"), keys).map(|schema| (schema, false));
        }
        // Tries to compute the prefix from the first field, the first two fields, .., and each
        // field alone.
        let names: Vec<&str> = fields.iter().map(|f| f.name.as_str()).collect();
        let runs =
            (1..=names.len()).filter_map(|count| names.get(..count).map(|run| run.join(", ")));
        let alone = names.iter().skip(1).map(|name| (*name).to_owned());
        for of in runs.chain(alone) {
            for line in self.lines(&of) {
                let text = format!("row key Guess\n{line}\n{lines}");
                if let Some(schema) = checked(&text, keys) {
                    return Some((schema, true));
                }
            }
        }
        None
    }

    /// Returns the lines of a schema that may describe this prefix, if it is computed from the
    /// fields `of`.
    fn lines(&self, of: &str) -> Vec<String> {
        let width = self.width;
        match self.kind {
            PrefixKind::None => Vec::new(),
            PrefixKind::Salt(largest) => {
                // The buckets with the largest numbers may have no key among these keys, so more
                // buckets than needed are tried too.
                let counts =
                    (largest + 1..=(largest + 1).next_power_of_two()).filter(|count| *count > 1);
                let counts: Vec<u32> = counts.take(64).collect();
                let line = |buckets: u32, hash: &str| {
                    format!("salt of {of}: buckets = {buckets}, width = 1, hash = {hash}")
                };
                let of_function =
                    |hash: SaltFunction| counts.iter().map(move |n| (*n, hash.word()));
                FUNCTIONS.into_iter().flat_map(of_function).map(|(n, hash)| line(n, hash)).collect()
            }
            PrefixKind::Hex { sep: Some(sep) } => {
                vec![format!("hash_prefix of {of}: md5(hex = {}), sep = 0x{sep:02x}", width - 1)]
            }
            PrefixKind::Hex { sep: None } => {
                vec![format!("hash_prefix of {of}: md5(hex = {width})")]
            }
            PrefixKind::Bytes => vec![format!("hash_prefix of {of}: md5(bytes = {width})")],
        }
    }

    pub(super) fn score(&self, is_verified: bool) -> i32 {
        // The first digits of a hash fit too, so a longer prefix, which may be the whole hash, has
        // a higher score.
        let longer = 2 * i32::try_from(self.width).unwrap_or(0);
        if is_verified { CERTAIN_SCORE + 10 + longer } else { 0 }
    }

    /// Returns the name of the prefix, and why it is taken for a salt or a hash; none if it was not
    /// verified.
    pub(super) fn reason(&self, schema: &Schema, is_verified: bool) -> Option<(String, String)> {
        let (name, what) = match schema.salt_or_hash() {
            SaltOrHash::Salt { hash, buckets, .. } => {
                ("salt", format!("{} of {} modulo {buckets}", hash.word(), self.of(schema)))
            }
            SaltOrHash::HashPrefix { .. } => ("hash", format!("MD5 of {}", self.of(schema))),
            _ => return None,
        };
        is_verified
            .then(|| (name.into(), format!("{what} was computed for every key and is the same")))
    }

    fn of(&self, schema: &Schema) -> String {
        schema.salt_or_hash().fields().join(", ")
    }
}

/// Returns the schema, if the text is a valid schema that decodes all keys.
fn checked(text: &str, keys: &[Vec<u8>]) -> Option<Schema> {
    let schema = Schema::parse(text).ok()?;
    keys.iter().all(|key| schema.decode(key).is_ok()).then_some(schema)
}
