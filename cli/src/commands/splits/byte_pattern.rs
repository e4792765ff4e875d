//! Finds the values that the first bytes of row keys can have.

use tallrow::key::schema::{DigestPart, End, Field, Limit, SaltOrHash, Schema, Type};

/// The values that a byte at one position can have, sorted.
type ByteSet = Vec<u8>;

/// The maximum number of buckets of a salt that are listed one by one. A salt with more buckets is
/// treated as arbitrary bytes.
const MAX_ALTERNATIVES: u32 = 1 << 16;

/// The bytes with which row keys of a layout can start, as far as the layout determines them.
#[derive(Debug)]
pub(crate) struct BytePatterns {
    /// The alternatives for the bytes before the fields: one for each bucket, or a single
    /// alternative.
    fronts: Vec<Vec<ByteSet>>,
    /// The bytes that follow each front.
    rest: Vec<ByteSet>,
    /// Whether arbitrary bytes may follow after `rest`.
    open: bool,
}

impl BytePatterns {
    pub(crate) fn of(schema: &Schema) -> Self {
        let fronts = fronts(schema.salt_or_hash());
        let mut rest = Vec::new();
        let known = schema.fields().iter().all(|field| add(field, &mut rest));
        let open = !known || !schema.records().is_empty();
        Self { fronts, rest, open }
    }

    /// Returns whether a row key can be in the region from `start` to `end`; an empty `end` is the
    /// end of the table.
    pub(crate) fn can_match_range(&self, start: &[u8], end: &[u8]) -> bool {
        self.first_from(start).is_some_and(|first| end.is_empty() || first.as_slice() < end)
    }

    /// Returns the first possible row key that is not before `start`; none if there is no such key.
    fn first_from(&self, start: &[u8]) -> Option<Vec<u8>> {
        let of = |front: &Vec<ByteSet>| {
            let places: Vec<&ByteSet> = front.iter().chain(&self.rest).collect();
            first_from(&places, self.open, start)
        };
        self.fronts.iter().filter_map(of).min()
    }
}

fn first_from(places: &[&ByteSet], open: bool, start: &[u8]) -> Option<Vec<u8>> {
    let least = |from: usize| places.iter().skip(from).map(|set| set.first().copied());
    // The number of first positions that can have the same bytes as `start`.
    let same = places.iter().zip(start).take_while(|(set, byte)| set.contains(byte)).count();
    if same == start.len() {
        let rest: Option<Vec<u8>> = least(same).collect();
        return rest.map(|rest| [start, &rest].concat());
    }
    if same == places.len() && open {
        return Some(start.to_vec());
    }
    // Find the last position that can have a larger byte than `start`. Before it are the bytes of
    // `start`, and after it the smallest possible bytes.
    (0..=same).rev().find_map(|at| {
        let larger = places.get(at)?.iter().find(|byte| Some(*byte) > start.get(at))?;
        let rest: Option<Vec<u8>> = least(at + 1).collect();
        Some([start.get(..at)?, &[*larger], &rest?].concat())
    })
}

fn any() -> ByteSet {
    (0..=0xff).collect()
}

fn hex_digits() -> ByteSet {
    (b'0'..=b'9').chain(b'a'..=b'f').collect()
}

fn fronts(prefix: &SaltOrHash) -> Vec<Vec<ByteSet>> {
    match prefix {
        SaltOrHash::None => vec![Vec::new()],
        SaltOrHash::Salt { buckets, bucket_offset, width, .. }
        | SaltOrHash::RandomSalt { buckets, bucket_offset, width } => {
            if *buckets > MAX_ALTERNATIVES {
                return vec![vec![any(); *width]];
            }
            let number = |bucket: u32| bucket_offset.saturating_add(bucket).to_be_bytes();
            let front = |number: [u8; 4]| {
                let bytes = number.iter().skip(4_usize.saturating_sub(*width));
                bytes.map(|byte| vec![*byte]).collect()
            };
            (0..*buckets).map(number).map(front).collect()
        }
        SaltOrHash::HashPrefix { digest, sep, .. } => {
            let mut front = digits_of(*digest);
            front.extend(sep.map(|sep| vec![sep]));
            vec![front]
        }
    }
}

fn digits_of(digest: DigestPart) -> Vec<ByteSet> {
    vec![if digest.hex { hex_digits() } else { any() }; digest.len]
}

/// Adds the positions of a field; returns whether they cover the whole field.
fn add(field: &Field, places: &mut Vec<ByteSet>) -> bool {
    let from = places.len();
    let whole = add_ascending(field, places);
    if field.attributes().desc {
        for set in places.iter_mut().skip(from) {
            set.iter_mut().for_each(|byte| *byte = !*byte);
            set.reverse();
        }
    }
    whole
}

fn add_ascending(field: &Field, places: &mut Vec<ByteSet>) -> bool {
    let attributes = field.attributes();
    if attributes.compat.is_some() {
        return false;
    }
    if let Some(digest) = attributes.md5 {
        places.extend(digits_of(digest));
        return true;
    }
    if let Some(digits) = attributes.digits {
        places.extend(vec![(b'0'..=b'9').collect::<ByteSet>(); digits]);
        return true;
    }
    if attributes.rev_ts.is_some() {
        places.extend(vec![any(); 8]);
        return true;
    }
    match field.ty() {
        Type::Int(int) => {
            // In two's complement, numbers that are not negative start with 00 to 7F.
            let is_positive = attributes.raw_be || int.limit == Limit::NonNeg;
            let first = if is_positive { (0..=0x7f).collect() } else { any() };
            places.push(first);
            places.extend(vec![any(); int.bytes.saturating_sub(1)]);
            true
        }
        Type::Bool => {
            places.push(vec![0, 1]);
            true
        }
        Type::Key(inner) => inner.iter().all(|field| add(field, places)),
        Type::Text => add_text(field, places),
        _ => match field.width() {
            Some(width) => {
                places.extend(vec![any(); width]);
                true
            }
            None => false,
        },
    }
}

/// Adds the positions of a text: each byte of a text with a fixed width, or only the first byte of
/// any other text.
fn add_text(field: &Field, places: &mut Vec<ByteSet>) -> bool {
    let attributes = field.attributes();
    let of_text = |is_first: bool| -> ByteSet {
        match attributes.chars {
            Some(chars) => (0..128).filter(|byte| chars >> byte & 1 == 1).collect(),
            // The bytes of UTF-8: no character starts with 80 to BF, and no character contains C0,
            // C1 or F5 to FF.
            None if is_first => (0..=0x7f).chain(0xc2..=0xf4).collect(),
            None => (0..=0xbf).chain(0xc2..=0xf4).collect(),
        }
    };
    let with = |mut set: ByteSet, byte: u8| {
        if let Err(place) = set.binary_search(&byte) {
            set.insert(place, byte);
        }
        set
    };
    match attributes.end() {
        End::Width { width, pad } => {
            places.extend((0..width).map(|at| with(of_text(at == 0), pad)));
            true
        }
        // An empty text has only the byte that ends it.
        End::Byte(end) => {
            places.push(with(of_text(true), end));
            false
        }
        End::Escaped => {
            places.push(with(of_text(true), 0));
            false
        }
        // The row key ends here, and may be empty.
        End::Native => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn patterns(schema: &str) -> BytePatterns {
        BytePatterns::of(&Schema::parse(schema).unwrap())
    }

    #[test]
    fn a_hex_hash_has_no_keys_between_its_digits() {
        let log = patterns("row key Log\nhost: text, md5(hex = 6)\nat: u64\n");
        assert!(log.can_match_range(b"", b"1"));
        assert!(log.can_match_range(b"9", b":"));
        assert!(!log.can_match_range(b":", b"a"), "between 9 and a");
        assert!(!log.can_match_range(b"g", b""));
        assert!(!log.can_match_range(b"\x80", b"\xc0"));
        assert!(!log.can_match_range(b"9fffg", b"a"), "9fffff is the last before a");
    }

    #[test]
    fn a_salt_has_its_buckets_only() {
        let event = "row key E\nsalt of user: buckets = 300, width = 2, hash = fnv1a\nuser: u16\n";
        let event = patterns(event);
        assert!(event.can_match_range(&[1, 43], &[]));
        assert!(!event.can_match_range(&[1, 44], &[]));
        assert!(!event.can_match_range(&[0, 5, 0, 7, 0], &[0, 5, 0, 8]), "keys have 4 bytes");
    }

    #[test]
    fn descending_text_and_booleans_are_inverted() {
        let flags = patterns("row key F\nis: bool, desc\nname: text, width = 2, pad = 0x20\n");
        assert!(!flags.can_match_range(&[], &[0xfe]));
        assert!(flags.can_match_range(&[0xfe], &[0xff]));
        assert!(!flags.can_match_range(&[0xff, 0xff], &[]));
    }

    #[test]
    fn what_is_not_known_can_be_anything() {
        let any = patterns("row key A\nid: u8\nname: optional text\n");
        assert!(any.can_match_range(&[7, 200, 1], &[7, 200, 2]));
        assert!(!patterns("row key B\nid: u8\n").can_match_range(&[7, 200, 1], &[7, 200, 2]));
    }
}
