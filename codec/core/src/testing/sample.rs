//! Sample values for the fields of a schema, made of bytes that are edge cases: 00, 01, 02, 7C, 7F,
//! 80, FE, FF.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::schema::{End, Field, FieldValues, Int, Limit, SaltOrHash, Schema, Type, Value};

const EDGES: [u8; 8] = [0x00, 0x01, 0x02, 0x7c, 0x7f, 0x80, 0xfe, 0xff];
const CHARS: [char; 10] =
    ['\0', '\u{1}', '\u{2}', ' ', 'a', 'b', '|', '\u{7f}', '\u{80}', '\u{10ffff}'];

/// Pseudo-random numbers, the same in every run.
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new() -> Self {
        Self(0x2545_f491_4f6c_dd1d)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub(super) fn below(&mut self, end: usize) -> usize {
        let end = u64::try_from(end.max(1)).unwrap_or(u64::MAX);
        usize::try_from(self.next() % end).unwrap_or(0)
    }

    fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    fn of<T: Clone>(&mut self, items: &[T], none: T) -> T {
        let at = self.below(items.len());
        items.get(at).cloned().unwrap_or(none)
    }

    fn bytes(&mut self, len: usize) -> Vec<u8> {
        (0..len).map(|_| self.of(&EDGES, 0)).collect()
    }
}

/// Returns values for all fields. The first values are mostly those of `like`; some values may not
/// fit their encodings.
pub(super) fn sample_values(
    schema: &Schema,
    like: Option<&FieldValues>,
    random: &mut Random,
) -> FieldValues {
    let mut values = Vec::new();
    if let SaltOrHash::RandomSalt { buckets, .. } = schema.salt_or_hash() {
        let index = random.below(usize::try_from(*buckets).unwrap_or(1));
        values.push(("salt".to_string(), Value::Unsigned(index as u128)));
    }
    values.extend(schema.fields().iter().map(|f| (f.name().to_string(), value(f, random))));
    let record = random.below(schema.records().len());
    if let Some(record) = schema.records().get(record) {
        values.push(("tag".to_string(), Value::Variant(record.name().to_string())));
        values.extend(record.fields().iter().map(|f| (f.name().to_string(), value(f, random))));
    }
    if let Some(like) = like {
        let kept = random.below(schema.fields().len() + 1);
        for (own, other) in values.iter_mut().zip(like.iter()).take(kept) {
            own.1 = other.1.clone();
        }
    }
    values.into_iter().collect()
}

fn value(field: &Field, random: &mut Random) -> Value {
    let number = |value: Value| match (field.attributes().floor_period(), value) {
        (Some(step), Value::Unsigned(n)) => Value::Unsigned(n - n % u128::from(step)),
        (Some(step), Value::Signed(n)) => Value::Signed(n - n.rem_euclid(step.into())),
        (_, value) => value,
    };
    number(of_type(field, field.ty(), random))
}

fn of_type(field: &Field, ty: &Type, random: &mut Random) -> Value {
    if let Some(md5) = field.attributes().md5 {
        let mut hex = alloc::format!("{:016x}{:016x}", random.next(), random.next());
        hex.truncate(if md5.hex { md5.len } else { 2 * md5.len });
        return Value::Digest(hex);
    }
    match ty {
        Type::Int(int) => integer(field, *int, random),
        Type::Float(4) => {
            let edges = [0.0, -0.0, f32::MIN_POSITIVE, f32::INFINITY, f32::NEG_INFINITY, f32::NAN];
            let any = f32::from_bits(random.next() as u32);
            Value::Float32(if random.one_in(2) { any } else { random.of(&edges, 0.0) })
        }
        Type::Float(_) => {
            let edges = [0.0, -0.0, f64::MIN_POSITIVE, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
            let any = f64::from_bits(random.next());
            Value::Float64(if random.one_in(2) { any } else { random.of(&edges, 0.0) })
        }
        Type::Bool => Value::Bool(random.one_in(2)),
        Type::Char => Value::Char(random.of(&CHARS, 'a')),
        Type::Array(len) => Value::Bytes(random.bytes(*len)),
        Type::Uid(len) => Value::Unsigned(of_bytes(&random.bytes((*len).min(8)))),
        Type::Digest(len) => {
            let bytes = random.bytes(*len);
            Value::Digest(crate::show::hex(&bytes).to_string())
        }
        Type::Uuid => Value::Uuid(random.bytes(16).try_into().unwrap_or_default()),
        Type::Text => Value::Text(text(field, random)),
        Type::Bytes => {
            let len = random.below(max_len(field) + 1);
            Value::Bytes(random.bytes(len))
        }
        // A schema cannot encode values of compatibility encodings.
        Type::Foreign(_) | Type::Unknown(_) => Value::None,
        Type::Optional(_) if random.one_in(4) => Value::None,
        Type::Optional(some) => of_type(field, some, random),
        Type::List(item) => {
            let len = random.below(4);
            Value::List((0..len).map(|_| of_type(field, item, random)).collect())
        }
        Type::TagPairs { max, key, value } => {
            let mut pairs: Vec<(Value, Value)> = Vec::new();
            for _ in 0..random.below(max.saturating_add(1).min(4)) {
                let pair = (of_type(field, key, random), of_type(field, value, random));
                if pairs.iter().all(|(key, _)| *key != pair.0) {
                    pairs.push(pair);
                }
            }
            Value::TagPairs(pairs)
        }
        Type::Key(fields) => {
            let values = fields.iter().map(|f| (f.name().to_string(), value(f, random)));
            Value::Key(values.collect())
        }
    }
}

/// A search for values that the types of all fields hold, for a key whose types hold fewer values
/// than the types in its schema.
pub(super) struct ValueSearch {
    /// The number of values tried so far.
    tried: usize,
}

/// The numbers of bits of the numbers to try.
const BITS: [u32; 10] = [64, 52, 44, 37, 32, 24, 16, 8, 4, 2];
/// The numbers to try are multiples of one of these; for a time, the steps above 2 are seconds.
const STEPS: [i128; 5] = [1, 2, 60, 3_600, 86_400];

impl ValueSearch {
    pub(super) fn new() -> Self {
        Self { tried: 0 }
    }

    /// Replaces the value of the field `name`, or of its inner field `inner`, by the next value to
    /// try; the first may be the value in `known`. Returns whether there was another value.
    pub(super) fn next(
        &mut self,
        schema: &Schema,
        values: &mut FieldValues,
        (name, inner): (&str, Option<&str>),
        known: Option<&FieldValues>,
        random: &mut Random,
    ) -> bool {
        let at = self.tried;
        self.tried += 1;
        let records = schema.records().iter().flat_map(|record| record.fields());
        let field = schema.fields().iter().chain(records).find(|field| field.name() == name);
        let Some(field) = field else { return false };
        let value = values.as_mut().iter_mut().find(|(own, _)| own == name).map(|(_, value)| value);
        let Some(value) = value else { return false };
        let known = known.and_then(|known| known.iter().find(|(own, _)| own == name));
        if let Some((_, known)) = known.filter(|_| at == 0 && random.one_in(2)) {
            *value = known.clone();
            return true;
        }
        replace(field, value, inner, at)
    }
}

/// Replaces a number by the number to try after `tried` others. Returns whether there was another
/// number.
fn replace(field: &Field, value: &mut Value, inner: Option<&str>, tried: usize) -> bool {
    let (Some(bits), Some(step)) = (BITS.get(tried / STEPS.len()), STEPS.get(tried % STEPS.len()))
    else {
        return false;
    };
    let unit =
        field.attributes().display_time.map_or(1, |unit| 1_000_000_000 / unit.nanos().max(1));
    let step = if *step > 2 { step * i128::from(unit.max(1)) } else { *step };
    let period = field.attributes().floor_period().map_or(1, i128::from);
    let tried_number = |number: i128| {
        let small = number % (1 << bits);
        let whole = small - small.rem_euclid(step);
        whole - whole.rem_euclid(period.max(1))
    };
    match value {
        Value::Unsigned(number) => {
            let small = i128::try_from(*number & u128::from(u64::MAX)).unwrap_or(0);
            *number = tried_number(small).unsigned_abs();
        }
        Value::Signed(number) => *number = tried_number(*number),
        Value::Time(time) => *value = Value::Signed(tried_number(time.count)),
        Value::Key(fields) => {
            let Type::Key(types) = field.ty().innermost() else { return false };
            let at = fields.iter().position(|(name, _)| Some(name.as_str()) == inner);
            let Some(at) = at else { return false };
            let (Some(field), Some((_, value))) = (types.get(at), fields.as_mut().get_mut(at))
            else {
                return false;
            };
            return replace(field, value, None, tried);
        }
        _ => return false,
    }
    true
}

fn of_bytes(bytes: &[u8]) -> u128 {
    bytes.iter().fold(0, |number, byte| number << 8 | u128::from(*byte))
}

/// Returns a limit of the type, a number made of edge-case bytes, a small number, or any number.
fn integer(field: &Field, int: Int, random: &mut Random) -> Value {
    let bits = u32::try_from(int.bytes * 8).unwrap_or(128).min(128);
    let largest = u128::MAX >> (128 - bits);
    let pattern = match random.below(5) {
        0 => of_bytes(&random.bytes(int.bytes)),
        1 => random.of(&[0, 1, largest, largest - 1, largest >> 1, (largest >> 1) + 1], 0),
        2 => (u128::from(random.next()) << 64 | u128::from(random.next())) & largest,
        _ => u128::from(random.next() % 4),
    };
    let pattern =
        match field.attributes().digits.and_then(|n| 10_u128.checked_pow(u32::try_from(n).ok()?)) {
            Some(end) => pattern % end,
            None => pattern,
        };
    if !int.signed {
        // A time above `i64::MAX` is refused, so half of the samples are kept below it.
        let stamp = field.attributes().rev_ts.is_some() && random.one_in(2);
        return Value::Unsigned(if stamp { pattern >> 1 } else { pattern });
    }
    let sign = 1 << (bits - 1);
    let signed = ((pattern ^ sign) as i128).wrapping_sub(sign as i128);
    let natural = field.attributes().raw_be || int.limit == Limit::NonNeg;
    Value::Signed(if natural { (pattern & !sign) as i128 } else { signed })
}

/// Returns the maximum number of characters of a text.
fn max_len(field: &Field) -> usize {
    match field.attributes().end() {
        End::Width { width, .. } => width.min(5),
        _ => 4,
    }
}

fn text(field: &Field, random: &mut Random) -> String {
    let chars: Vec<char> = match field.attributes().chars {
        Some(set) => (0..128_u8).filter(|c| set >> c & 1 == 1).map(char::from).collect(),
        None => CHARS.to_vec(),
    };
    // Only the first and the last character of a set and one between them, so that many texts are
    // prefixes of others.
    let few: Vec<char> = [chars.first(), chars.get(chars.len() / 2), chars.last()]
        .into_iter()
        .flatten()
        .copied()
        .collect();
    let chars = if field.attributes().chars.is_some() { few } else { chars };
    let len = random.below(max_len(field) + 1);
    (0..len).map(|_| random.of(&chars, 'a')).collect()
}
