//! `test_row_key!` with every type and encoding that a field can have. It makes the values itself,
//! so it must find some that the type can hold, and must not blame the key for those that it
//! cannot.

use std::net::Ipv4Addr;
use std::num::NonZero;

use tallrow_codec::testing::Keys;
use tallrow_codec::{Digest, NonNeg, RandomSalted, RowKey, TagPairs, Uid, UnixTime, test_row_key};
use tallrow_layout::{Attribute, Encoding, Type, parse, plan};

/// Tests keys, and keeps their schemas.
macro_rules! tested {
    ($($key:ident)*; $($more:ty),*) => {
        $(test_row_key!($key);)*

        const SCHEMAS: &[&str] = &[$(<$key as RowKey>::SCHEMA,)* $(<$more as RowKey>::SCHEMA),*];
    };
}

tested! {
    Chrono ChronoDays Jiff JiffDays Time TimeDays Minutes Mixed Converted Narrow
    Numbers Decimals Texts Separated Lists Pairs Wrappers;
    RandomSalted<Click>, Hashed
}

macro_rules! times {
    ($name:ident $days:ident: $time:ty, $date:ty) => {
        #[derive(RowKey, Clone, Debug, PartialEq)]
        struct $name {
            id: u8,
            #[key(rev_ts)]
            newest: $time,
            #[key(unit = "us", desc)]
            micros: $time,
            #[key(unit = "s", floor = 3600)]
            hour: $time,
            #[key(unit = "ms", truncate)]
            millis: $time,
            #[key(unit = "d", rev_ts, truncate)]
            day: $time,
        }

        #[derive(RowKey, Clone, Debug, PartialEq)]
        struct $days {
            id: u8,
            #[key(unit = "s", raw_be)]
            day: $date,
            #[key(rev_ts)]
            newest: $date,
            #[key(unit = "us", desc)]
            micros: $date,
            #[key(unit = "d")]
            days: $date,
        }
    };
}

times! { Chrono ChronoDays: chrono::DateTime<chrono::Utc>, chrono::NaiveDate }
times! { Jiff JiffDays: jiff::Timestamp, jiff::civil::Date }
times! { Time TimeDays: time::OffsetDateTime, time::Date }

/// The type of the documentation.
#[derive(Clone, Debug, PartialEq)]
struct Minute(i64);

impl UnixTime for Minute {
    fn to_unix(&self) -> (i64, u32) {
        (self.0 * 60, 0)
    }

    fn from_unix(seconds: i64, nanos: u32) -> Option<Self> {
        (seconds % 60 == 0 && nanos == 0).then_some(Self(seconds / 60))
    }
}

#[derive(RowKey, Clone, Debug, PartialEq)]
struct Minutes {
    id: u8,
    #[key(unit = "ms", rev_ts)]
    newest: Minute,
    #[key(unit = "s")]
    at: Minute,
}

/// A point in time that is no field without its unit, beside a field that only the compiler knows.
#[derive(RowKey, Clone, Debug, PartialEq)]
struct Mixed {
    kind: Kind,
    #[key(unit = "s", truncate)]
    at: Minute,
}

/// Every `u32` is an address; the other conversions are partial.
#[derive(RowKey, Clone, Debug, PartialEq)]
struct Converted {
    #[key(via = u32)]
    address: Ipv4Addr,
    #[key(via = u64, desc)]
    small: Small,
    #[key(via = i16)]
    even: Even,
}

#[derive(Clone, Debug, PartialEq)]
struct Small(u8);

impl From<Small> for u64 {
    fn from(Small(number): Small) -> Self {
        number.into()
    }
}

impl TryFrom<u64> for Small {
    type Error = &'static str;

    fn try_from(number: u64) -> Result<Self, Self::Error> {
        number.try_into().ok().filter(|number| *number < 5).map(Self).ok_or("too large")
    }
}

#[derive(Clone, Debug, PartialEq)]
struct Even(i16);

impl From<Even> for i16 {
    fn from(Even(number): Even) -> Self {
        number
    }
}

impl TryFrom<i16> for Even {
    type Error = &'static str;

    fn try_from(number: i16) -> Result<Self, Self::Error> {
        if number % 2 == 0 { Ok(Self(number)) } else { Err("odd") }
    }
}

/// A nested key whose own field is narrower than its number.
#[derive(RowKey, Clone, Debug, PartialEq)]
struct Narrow {
    #[key(escaped)]
    name: String,
    inner: Minutes,
}

#[derive(RowKey, Clone, Debug, PartialEq)]
#[row_key(allow(hotspot))]
struct Numbers {
    uuid: uuid::Uuid,
    unsigned: u8,
    wide: u128,
    signed: i16,
    widest: i128,
    not_zero: NonZero<u16>,
    not_negative: NonNeg<i32>,
    #[key(raw_be)]
    plain: i64,
    yes: bool,
    letter: char,
    float: f32,
    double: f64,
    array: [u8; 3],
    uid: Uid<Minute, 3>,
    digest: Digest<4>,
}

#[derive(RowKey, Clone, Debug, PartialEq)]
struct Decimals {
    #[key(digits = 4)]
    digits: u16,
    #[key(digits = 6, reverse)]
    reversed: u32,
    #[key(floor = 60)]
    minute: u16,
    #[key(rev_ts)]
    newest: u64,
    #[key(rev_ts = "inverted")]
    inverted: u64,
    #[key(desc)]
    last: i8,
}

#[derive(RowKey, Clone, Debug, PartialEq)]
struct Texts {
    #[key(escaped)]
    escaped: String,
    #[key(nul_terminated, chars = "a-c")]
    terminated: String,
    #[key(width = 3, pad = ' ')]
    padded: String,
    #[key(sep = '/', chars = "a-z")]
    sorted: String,
    #[key(escaped, reverse)]
    reversed: String,
    #[key(escaped, desc)]
    bytes: Vec<u8>,
    raw: String,
}

#[derive(RowKey, Clone, Debug, PartialEq)]
#[row_key(text_sep = '|', allow(unsorted_text))]
struct Separated {
    text: String,
    optional: Option<u16>,
    #[key(escaped)]
    optional_text: Option<String>,
    raw: Vec<u8>,
}

#[derive(RowKey, Clone, Debug, PartialEq)]
struct Lists {
    #[key(terminated_list, escaped)]
    texts: Vec<String>,
    #[key(terminated_list, desc)]
    numbers: Vec<i16>,
    last: Vec<u16>,
}

#[derive(RowKey, Clone, Debug, PartialEq)]
struct Pairs {
    id: u8,
    pairs: TagPairs<Uid<Minute, 3>, u8, 4>,
}

#[derive(RowKey, Clone, Copy, Debug, PartialEq)]
enum Kind {
    #[key(tag = 1)]
    A,
    #[key(tag = 7)]
    B,
}

#[derive(RowKey, Clone, Debug, PartialEq)]
#[row_key(transparent)]
struct Wrapped(u32);

#[derive(RowKey, Clone, Debug, PartialEq)]
#[row_key(salt(buckets = 4, fields = (kind)))]
struct Wrappers {
    kind: Kind,
    #[key(digits = 3)]
    wrapped: Wrapped,
    nested: Decimals,
}

#[derive(RowKey, Clone, Debug, PartialEq)]
#[row_key(salt(random, buckets = 5))]
struct Click {
    #[key(unit = "ms")]
    at: Minute,
}

/// A digest cannot be decoded to its value, so the keys are given.
#[derive(RowKey, Clone, Debug, PartialEq)]
struct Hashed {
    #[key(md5(bytes = 4))]
    host: &'static str,
    at: u8,
}

test_row_key!(RandomSalted<Click>);
test_row_key!(
    Hashed,
    ["", "a", "b"].into_iter().flat_map(|host| [0, 1, 255].map(|at| Hashed { host, at }))
);

/// Returns what is to be among the tested encodings for this one, and the ones in it. A new
/// encoding has to be added.
fn encodings(encoding: &Encoding, found: &mut Vec<&'static str>) {
    let (name, inner) = match encoding {
        Encoding::Native => ("Native", None),
        Encoding::RawBe => ("RawBe", None),
        Encoding::RevTs => ("RevTs", None),
        Encoding::RevTsInverted => ("RevTsInverted", None),
        Encoding::Digits(_) => ("Digits", None),
        Encoding::ReversedDigits(_) => ("ReversedDigits", None),
        Encoding::Escaped => ("Escaped", None),
        Encoding::NulTerminated => ("NulTerminated", None),
        Encoding::Fixed { .. } => ("Fixed", None),
        Encoding::Sep { sorted: true, .. } => ("SortedSep", None),
        Encoding::Sep { sorted: false, .. } => ("Sep", None),
        Encoding::Md5(_) => ("Md5", None),
        Encoding::Floor(inner, _) => ("Floor", Some(inner)),
        Encoding::Charset(inner, _) => ("Charset", Some(inner)),
        Encoding::ReversedChars(inner) => ("ReversedChars", Some(inner)),
        Encoding::Nullable(inner) => ("Nullable", Some(inner)),
        Encoding::List(inner) => ("List", Some(inner)),
        Encoding::TerminatedList(inner) => ("TerminatedList", Some(inner)),
        Encoding::Desc(inner) => ("Desc", Some(inner)),
        // Those of `compat`, which a schema cannot read: see `a_key_with_compat_is_not_blamed`.
        Encoding::HbaseBytes
        | Encoding::Ordered
        | Encoding::OrderedNumeric
        | Encoding::OrderedNullable(_)
        | Encoding::OrderedNullableLast(_)
        | Encoding::PhoenixColumn
        | Encoding::PhoenixSeparated
        | Encoding::PhoenixChar(_)
        | Encoding::PhoenixNonEmpty(_)
        | Encoding::PhoenixNullable(_)
        | Encoding::PhoenixNullableLast(_)
        | Encoding::BigtableInt64
        | Encoding::BigtableText
        | Encoding::BigtableLastText
        | Encoding::BigtablePart(_)
        | Encoding::BigtableLastPart(_) => return,
    };
    found.push(name);
    if let Some(inner) = inner {
        encodings(inner, found);
    }
}

const ENCODINGS: [&str; 19] = [
    "Charset",
    "Desc",
    "Digits",
    "Escaped",
    "Fixed",
    "Floor",
    "List",
    "Md5",
    "Native",
    "NulTerminated",
    "Nullable",
    "RawBe",
    "RevTs",
    "RevTsInverted",
    "ReversedChars",
    "ReversedDigits",
    "Sep",
    "SortedSep",
    "TerminatedList",
];

/// Returns the name of a type, and adds those in it. A new type has to be added.
fn types(ty: &Type, found: &mut Vec<&'static str>) {
    let name = match ty {
        Type::Int(_) => "Int",
        Type::Float(_) => "Float",
        Type::Bool => "Bool",
        Type::Char => "Char",
        Type::Array(_) => "Array",
        Type::Uid(_) => "Uid",
        Type::Digest(_) => "Digest",
        Type::Uuid => "Uuid",
        Type::Text => "Text",
        Type::Bytes => "Bytes",
        Type::Optional(inner) => {
            types(inner, found);
            "Optional"
        }
        Type::List(inner) => {
            types(inner, found);
            "List"
        }
        Type::TagPairs { .. } => "TagPairs",
        Type::Key(_) => "Key",
        // No schema has them, or only one with `compat`.
        Type::Foreign(_) | Type::Unknown(_) => return,
    };
    found.push(name);
}

const TYPES: [&str; 14] = [
    "Array", "Bool", "Bytes", "Char", "Digest", "Float", "Int", "Key", "List", "Optional",
    "TagPairs", "Text", "Uid", "Uuid",
];

#[test]
fn every_encoding_type_and_attribute_is_tested() {
    let (mut of_encodings, mut of_types, mut of_attributes) = (Vec::new(), Vec::new(), Vec::new());
    for schema in SCHEMAS {
        let mut layout = parse(schema).unwrap().layout;
        for plan in plan(&mut layout).0 {
            encodings(&plan.encoding, &mut of_encodings);
        }
        for field in layout.all_fields() {
            types(field.ty(), &mut of_types);
            let text = format!(", {}", field.attributes());
            let given =
                |name: &Attribute| text.split([',', ' ', '(']).any(|word| word == name.word());
            of_attributes.extend(Attribute::ALL.into_iter().filter(given).map(Attribute::word));
        }
    }
    for found in [&mut of_encodings, &mut of_types, &mut of_attributes] {
        found.sort_unstable();
        found.dedup();
    }
    assert_eq!(of_encodings, ENCODINGS);
    assert_eq!(of_types, TYPES);
    let mut attributes: Vec<_> = Attribute::ALL.map(Attribute::word).into();
    attributes.retain(|name| *name != "compat");
    attributes.sort_unstable();
    assert_eq!(of_attributes, attributes);
}

#[derive(RowKey, Debug)]
#[row_key(compat = "hbase")]
struct Foreign {
    id: u32,
    at: i64,
}

#[test]
fn a_key_with_compat_is_not_blamed() {
    let wanted = "Foreign cannot be tested: field at has a compatibility encoding, which a schema cannot read, and these tests \
                  compare the key with its schema; compare its rows with those of the other system instead";
    assert_eq!(Keys::<Foreign>::sample().unwrap_err().to_string(), wanted);
    let given = Keys::from_keys([Foreign { id: 1, at: 2 }]);
    assert_eq!(given.unwrap_err().to_string(), wanted);
}

/// A text that only the application understands.
#[derive(Clone, Debug, PartialEq)]
struct Email(String);

impl From<Email> for String {
    fn from(Email(text): Email) -> Self {
        text
    }
}

impl TryFrom<String> for Email {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        if text.contains('@') { Ok(Self(text)) } else { Err("no @") }
    }
}

#[derive(RowKey, Clone, Debug, PartialEq)]
struct Login {
    #[key(via = String, escaped)]
    email: Email,
    at: u16,
}

#[test]
fn a_type_whose_values_cannot_be_guessed_is_not_blamed() {
    let wanted = "Login cannot be tested: no values of field email were found that its type holds (a value that converts to \
                  the field's type); pass the keys to test, as in `test_row_key!(Login, [..])`";
    assert_eq!(Keys::<Login>::sample().unwrap_err().to_string(), wanted);
}

/// All but `no_allocation`: the text is cloned to be converted.
#[test]
fn keys_can_be_given_instead() {
    let keys = ["a@b", "a@b\0", "@", "b@a"].into_iter();
    let logins =
        keys.flat_map(|email| [0, 1, u16::MAX].map(|at| Login { email: Email(email.into()), at }));
    let keys = Keys::from_keys(logins).unwrap();
    let tests = [
        Keys::order,
        Keys::prefix_freedom,
        Keys::round_trip,
        Keys::canonical_decode,
        Keys::ranges_equal_the_model,
    ];
    for test in tests {
        test(&keys).unwrap();
    }
    keys.splits_spread_rows().unwrap();
}
