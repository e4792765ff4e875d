//! Guesses fields of a fixed width: numbers, times and ids.

use super::candidate::{CERTAIN_SCORE, Candidate};

/// The earliest likely time: 2000-01-01, in seconds since 1970.
const FIRST: i128 = 946_684_800;
/// How far in the future likely times may be, in seconds.
const AHEAD: i128 = 2 * 365 * 86_400;

/// Returns the fixed-width fields that may come next. `rests` holds the bytes of each key that
/// belong to no field yet. `now_ms` is in milliseconds since 1970.
pub(super) fn candidates(rests: &[&[u8]], now_ms: i128) -> Vec<Candidate> {
    let mut all = Vec::new();
    all.extend(uuid(rests));
    all.extend(times(rests, now_ms));
    all.extend([8, 4, 2, 1].into_iter().filter_map(|width| integer(rests, width)));
    all
}

/// Reads the first `width` bytes of each key as a big-endian number; `None` if a key is shorter, or
/// if these bytes are printable in all keys.
fn numbers(rests: &[&[u8]], width: usize) -> Option<Vec<u64>> {
    let is_printable =
        |rest: &&[u8]| rest.iter().take(width).all(|byte| (b' '..=b'~').contains(byte));
    if rests.iter().all(is_printable) {
        return None;
    }
    let number = |rest: &&[u8]| {
        let bytes = rest.get(..width)?;
        Some(bytes.iter().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    };
    rests.iter().map(number).collect()
}

fn candidate(
    rests: &[&[u8]],
    width: usize,
    kind: &'static str,
    encoding: String,
    reason: String,
    score: i32,
) -> Candidate {
    Candidate { kind, encoding, reason, score, widths: vec![width; rests.len()] }
}

/// Returns the candidates that are times since 1970, plain or reversed.
fn times(rests: &[&[u8]], now_ms: i128) -> Vec<Candidate> {
    let mut found = Vec::new();
    let is_time = |seconds: i128| (FIRST..now_ms / 1000 + AHEAD).contains(&seconds);
    type ReadTime = fn(u64) -> i128;
    let reads: [(&str, &str, ReadTime); 4] = [
        ("u64", "times", |n| i128::from(n)),
        ("i64", "times, the sign bit inverted", |n| i128::from((n ^ 1 << 63).cast_signed())),
        ("i64, rev_ts", "Long.MAX_VALUE minus times", |n| i128::from(i64::MAX) - i128::from(n)),
        ("i64, rev_ts = inverted", "times, all bits inverted", |n| i128::from((!n).cast_signed())),
    ];
    if let Some(all) = numbers(rests, 8) {
        for (encoding, what, read) in reads {
            for (unit, name, per_second) in [
                ("s", "seconds", 1),
                ("ms", "milliseconds", 1_000),
                ("us", "microseconds", 1_000_000),
            ] {
                if all.iter().all(|number| is_time(read(*number).div_euclid(per_second))) {
                    let encoding = format!("{encoding}, display_time = {unit}");
                    let reason = format!("8 bytes that are {what} between 2000 and now, in {name}");
                    found.push(candidate(rests, 8, "time", encoding, reason, CERTAIN_SCORE + 10));
                }
            }
        }
    }
    if let Some(all) = numbers(rests, 4)
        && all.iter().all(|number| is_time(i128::from(*number)))
    {
        let is_hours = all.iter().all(|number| number % 3600 == 0);
        // A quarter of all numbers of 4 bytes are such times.
        let score = if is_hours {
            CERTAIN_SCORE
        } else {
            i32::try_from(all.len()).map_or(12, |n| n.min(12))
        };
        let (encoding, hours) = match is_hours {
            true => ("u32, floor = 3600, display_time = s", ", all full hours"),
            false => ("u32, display_time = s", ""),
        };
        let reason = format!("4 bytes that are times between 2000 and now, in seconds{hours}");
        found.push(candidate(rests, 4, "time", encoding.into(), reason, score));
    }
    found
}

/// Returns a candidate that is a number, if the numbers in all keys are so small that their first
/// bytes are the same. A number of 1 byte must have few different values instead.
fn integer(rests: &[&[u8]], width: usize) -> Option<Candidate> {
    let numbers = numbers(rests, width)?;
    let bits = 8 * u32::try_from(width).ok()?;
    type ReadNumber = fn(u64, u32) -> u64;
    let kind = "number";
    if width == 1 {
        let at_most = numbers.iter().max()?;
        let distinct = distinct(&numbers);
        // A byte with many different values is more likely a part of a longer field.
        let is_few = distinct <= 16 && distinct * 2 <= numbers.len();
        let reason = format!("1 byte with {distinct} values, at most {at_most}");
        return is_few.then(|| candidate(rests, 1, kind, "u8".into(), reason, 1));
    }
    let same = |read: ReadNumber| {
        // The number of leading zero bytes of the largest number.
        numbers
            .iter()
            .map(|number| read(*number, bits))
            .max()
            .map(|most| (most.leading_zeros() - (64 - bits)) / 8)
    };
    let forms: [(&str, &str, ReadNumber); 3] = [
        ("u", "00", |number, _| number),
        ("i", "80 00, as of signed numbers", |number, bits| number ^ 1 << (bits - 1)),
        ("u, desc", "FF, as of descending numbers", |number, bits| {
            !number & u64::MAX >> (64 - bits)
        }),
    ];
    let (form, first, zeros) = forms
        .into_iter()
        .filter_map(|(form, first, read)| Some((form, first, same(read)?)))
        .max_by_key(|f| f.2)?;
    if zeros == 0 || distinct(&numbers) == 1 {
        return None;
    }
    let encoding = match form.split_once(", ") {
        Some((letter, more)) => format!("{letter}{bits}, {more}"),
        None => format!("{form}{bits}"),
    };
    let reason = format!("{width} bytes, of which the first {zeros} are {first}: small numbers");
    // Half of a number also looks like a number, so a width with more equal bytes has a higher
    // score.
    let part = |count: usize| i32::try_from(count).unwrap_or(0);
    let score = 3 + 2 * i32::try_from(zeros).unwrap_or(0) - part(width / 2);
    Some(candidate(rests, width, kind, encoding, reason, score))
}

/// Returns a candidate that is a UUID, recognized by the version and the variant.
fn uuid(rests: &[&[u8]]) -> Option<Candidate> {
    let is_uuid = |rest: &&[u8]| {
        let version = rest.get(6).is_some_and(|byte| (1..=8).contains(&(byte >> 4)));
        let variant = rest.get(8).is_some_and(|byte| byte >> 6 == 0b10);
        version && variant && rest.len() >= 16
    };
    let same_version = |a: &&[u8]| a.get(6).map(|byte| byte >> 4);
    let versions: Vec<_> = rests.iter().map(same_version).collect();
    let is_one = versions.windows(2).all(|pair| pair.first() == pair.last());
    let all = rests.iter().all(is_uuid) && is_one && rests.len() >= 3;
    let version = versions.first().copied().flatten()?;
    let reason =
        format!("16 bytes with the version ({version}) and the variant of a UUID in their places");
    all.then(|| candidate(rests, 16, "id", "uuid".into(), reason, CERTAIN_SCORE + 10))
}

fn distinct(numbers: &[u64]) -> usize {
    let mut sorted = numbers.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    sorted.len()
}
