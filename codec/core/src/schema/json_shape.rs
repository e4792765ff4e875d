//! The shape of a schema in JSON.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use tallrow_layout::{
    Attributes, CompatTarget, DigestPart, Field, Layout, MAX_NESTING, RecordVariant, RevTsKind,
    SaltFunction, SaltOrHash, Tags, Type, Unit, chars,
};

/// The path to an error, and its message.
type WrongMember = (String, String);

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a schema")]
pub(super) struct JsonSchema {
    key: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    layout: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    salt: Option<JsonSalt>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hash_prefix: Option<JsonHashPrefix>,
    #[serde(default)]
    fields: Vec<JsonField>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    records: Vec<JsonRecord>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tag_type: Option<JsonTagType>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) fingerprint: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a salt")]
struct JsonSalt {
    #[serde(default, skip_serializing_if = "is_false")]
    random: bool,
    buckets: u32,
    #[serde(default)]
    bucket_offset: u32,
    #[serde(default = "one")]
    width: usize,
    #[serde(default, with = "word", skip_serializing_if = "Option::is_none")]
    hash: Option<SaltFunction>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    fields: Vec<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a hash prefix")]
struct JsonHashPrefix {
    md5: JsonDigest,
    #[serde(skip_serializing_if = "Option::is_none")]
    sep: Option<u8>,
    fields: Vec<String>,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum JsonDigest {
    Bytes(usize),
    Hex(usize),
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum JsonTagType {
    U8,
    U16,
    U32,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a record variant")]
struct JsonRecord {
    name: String,
    tag: u64,
    fields: Vec<JsonField>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a field")]
struct JsonField {
    name: String,
    #[serde(rename = "type")]
    ty: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    fields: Vec<Self>,
    #[serde(default, with = "word", skip_serializing_if = "Option::is_none")]
    compat: Option<CompatTarget>,
    #[serde(skip_serializing_if = "Option::is_none")]
    md5: Option<JsonDigest>,
    #[serde(default, with = "word", skip_serializing_if = "Option::is_none")]
    rev_ts: Option<RevTsKind>,
    #[serde(default, skip_serializing_if = "is_false")]
    escaped: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    nul_terminated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    sep: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    width: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pad: Option<u8>,
    #[serde(default, with = "characters", skip_serializing_if = "Option::is_none")]
    chars: Option<u128>,
    #[serde(skip_serializing_if = "Option::is_none")]
    digits: Option<usize>,
    #[serde(default, skip_serializing_if = "is_false")]
    raw_be: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    floor: Option<u64>,
    #[serde(default, skip_serializing_if = "is_false")]
    reverse: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    terminated: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    desc: bool,
    #[serde(default, with = "word", skip_serializing_if = "Option::is_none")]
    display_time: Option<Unit>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tags: Option<String>,
}

fn one() -> usize {
    1
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_false(flag: &bool) -> bool {
    !flag
}

/// A type whose values are written as one of a few words.
trait Word: Copy + Sized + 'static {
    const ALL: &'static [Self];

    fn word(self) -> &'static str;
}

macro_rules! words {
    ($($ty:ident)*) => {$(
        impl Word for $ty {
            const ALL: &'static [Self] = &$ty::ALL;

            fn word(self) -> &'static str {
                $ty::word(self)
            }
        }
    )*};
}

words! { CompatTarget RevTsKind SaltFunction Unit }

mod word {
    use super::*;

    pub(super) fn serialize<T: Word, S: Serializer>(
        value: &Option<T>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        value.map(Word::word).serialize(serializer)
    }

    pub(super) fn deserialize<'de, T: Word, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<T>, D::Error> {
        let given = String::deserialize(deserializer)?;
        let found = T::ALL.iter().copied().find(|one| one.word() == given);
        found.map(Some).ok_or_else(|| {
            let known: Vec<&str> = T::ALL.iter().map(|one| one.word()).collect();
            D::Error::custom(format!("{given:?} is not one of {}", known.join(", ")))
        })
    }
}

mod characters {
    use super::*;

    pub(super) fn serialize<S: Serializer>(
        set: &Option<u128>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let text = |set| chars(set).into_iter().map(char::from).collect::<String>();
        set.map(text).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<u128>, D::Error> {
        let text = String::deserialize(deserializer)?;
        if !text.is_ascii() {
            return Err(D::Error::custom(format!("{text:?} is not of ASCII characters")));
        }
        Ok(Some(text.bytes().fold(0, |set, byte| set | 1 << byte)))
    }
}

impl JsonSchema {
    pub(super) fn new(layout: &Layout) -> Self {
        let (salt, hash_prefix) = match layout.prefix.clone() {
            SaltOrHash::None => (None, None),
            SaltOrHash::Salt { buckets, bucket_offset, width, hash, fields } => {
                let hash = Some(hash);
                (
                    Some(JsonSalt { random: false, buckets, bucket_offset, width, hash, fields }),
                    None,
                )
            }
            SaltOrHash::RandomSalt { buckets, bucket_offset, width } => {
                let (hash, fields) = (None, Vec::new());
                (Some(JsonSalt { random: true, buckets, bucket_offset, width, hash, fields }), None)
            }
            SaltOrHash::HashPrefix { digest, sep, fields } => {
                (None, Some(JsonHashPrefix { md5: digest.into(), sep, fields }))
            }
        };
        let record = |record: &RecordVariant| JsonRecord {
            name: record.name().to_string(),
            tag: record.tag(),
            fields: record.fields().iter().map(JsonField::new).collect(),
        };
        let tag_type = match layout.tag_width {
            _ if layout.records.is_empty() => None,
            1 => Some(JsonTagType::U8),
            2 => Some(JsonTagType::U16),
            _ => Some(JsonTagType::U32),
        };
        Self {
            key: layout.name.clone(),
            table: layout.table.clone(),
            layout: layout.number,
            salt,
            hash_prefix,
            fields: layout.fields.iter().map(JsonField::new).collect(),
            records: layout.records.iter().map(record).collect(),
            tag_type,
            fingerprint: Some(format!("{:016x}", layout.fingerprint())),
        }
    }

    pub(super) fn into_layout(self) -> Result<Layout, WrongMember> {
        let prefix = match (self.salt, self.hash_prefix) {
            (None, None) => SaltOrHash::None,
            (Some(salt), None) => salt.into_prefix()?,
            (None, Some(JsonHashPrefix { md5, sep, fields })) => {
                SaltOrHash::HashPrefix { digest: md5.into(), sep, fields }
            }
            (Some(_), Some(_)) => {
                return Err(wrong("hash_prefix", "a key has a salt or a hash prefix, not both"));
            }
        };
        let fields = fields(self.fields, "", 0)?;
        let record = |(index, record): (usize, JsonRecord)| -> Result<RecordVariant, WrongMember> {
            let fields = self::fields(record.fields, &format!("records[{index}]."), 0)?;
            Ok(RecordVariant::new(record.name, record.tag, fields))
        };
        Ok(Layout {
            name: self.key,
            table: self.table,
            number: self.layout,
            prefix,
            fields,
            records: self.records.into_iter().enumerate().map(record).collect::<Result<_, _>>()?,
            tag_width: match self.tag_type {
                None | Some(JsonTagType::U8) => 1,
                Some(JsonTagType::U16) => 2,
                Some(JsonTagType::U32) => 4,
            },
            ..Layout::default()
        })
    }
}

fn wrong(path: &str, message: &str) -> WrongMember {
    (path.to_string(), message.to_string())
}

impl JsonSalt {
    fn into_prefix(self) -> Result<SaltOrHash, WrongMember> {
        let Self { random, buckets, bucket_offset, width, hash, fields } = self;
        match hash {
            None if random && fields.is_empty() => {
                Ok(SaltOrHash::RandomSalt { buckets, bucket_offset, width })
            }
            Some(hash) if !random && !fields.is_empty() => {
                Ok(SaltOrHash::Salt { buckets, bucket_offset, width, hash, fields })
            }
            _ => Err(wrong("salt", "a salt has `random`, or `hash` and the `fields` it is of")),
        }
    }
}

fn fields(list: Vec<JsonField>, front: &str, depth: usize) -> Result<Vec<Field>, WrongMember> {
    let one = |(index, field): (usize, JsonField)| {
        let path = format!("{front}fields[{index}]");
        field.into_field(&path, depth)
    };
    list.into_iter().enumerate().map(one).collect()
}

impl JsonField {
    fn new(field: &Field) -> Self {
        let Attributes {
            compat,
            md5,
            rev_ts,
            escaped,
            nul_terminated,
            sep,
            width,
            pad,
            chars,
            digits,
            raw_be,
            floor,
            reverse,
            terminated,
            desc,
            display_time,
        } = *field.attributes();
        let inner = match field.ty().innermost() {
            Type::Key(inner) => inner.iter().map(Self::new).collect(),
            _ => Vec::new(),
        };
        Self {
            name: field.name().to_string(),
            ty: field.ty().to_string(),
            fields: inner,
            compat,
            md5: md5.map(JsonDigest::from),
            rev_ts,
            escaped,
            nul_terminated,
            sep,
            width,
            pad,
            chars,
            digits,
            raw_be,
            floor,
            reverse,
            terminated,
            desc,
            display_time,
            tags: field.tags().map(ToString::to_string),
        }
    }

    fn into_field(self, path: &str, depth: usize) -> Result<Field, WrongMember> {
        let mut ty =
            Type::from_word(&self.ty).map_err(|message| (format!("{path}.type"), message))?;
        match ty.inner_fields_mut() {
            Some(_) if depth == MAX_NESTING => {
                return Err(wrong(path, &format!("keys nest at most {MAX_NESTING} deep")));
            }
            Some(inner) => *inner = fields(self.fields, &format!("{path}."), depth + 1)?,
            None if !self.fields.is_empty() => {
                return Err(wrong(&format!("{path}.fields"), "only a key has fields"));
            }
            None => {}
        }
        let mut attributes = Attributes {
            compat: self.compat,
            md5: self.md5.map(DigestPart::from),
            rev_ts: self.rev_ts,
            escaped: self.escaped,
            nul_terminated: self.nul_terminated,
            sep: self.sep,
            width: self.width,
            pad: self.pad,
            chars: self.chars,
            digits: self.digits,
            raw_be: self.raw_be,
            floor: self.floor,
            reverse: self.reverse,
            terminated: self.terminated,
            desc: self.desc,
            display_time: self.display_time,
        };
        attributes.fill_in_default_pad();
        let tags = match self.tags {
            Some(tags) => tags.parse().map_err(|message| (format!("{path}.tags"), message))?,
            None => Tags::default(),
        };
        Ok(Field::new(self.name, ty, attributes).with_tags(tags))
    }
}

impl From<DigestPart> for JsonDigest {
    fn from(part: DigestPart) -> Self {
        if part.hex { Self::Hex(part.len) } else { Self::Bytes(part.len) }
    }
}

impl From<JsonDigest> for DigestPart {
    fn from(digest: JsonDigest) -> Self {
        match digest {
            JsonDigest::Bytes(len) => Self { hex: false, len },
            JsonDigest::Hex(len) => Self { hex: true, len },
        }
    }
}
