//! The selection of the rows in which some fields have given values: ranges, and a mask where
//! ranges are not enough.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use tallrow_layout::{Field, SaltOrHash};

use super::encode::RemainingValues;
use super::key_prefix::KeyPrefixState;
use super::model::Schema;
use super::value::Value;
use crate::error::EncodeError;
use crate::key_prefix::salt;
use crate::row::RowBuf;
use crate::scan::RowRange;

/// The ranges to scan and, if ranges are not enough, a mask for the rows to keep.
///
/// Every row that has the values is in one of the ranges and, if there is a mask, matches the mask;
/// no other row of the layout is in a range and also matches the mask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowSelection {
    /// The ranges of rows, in order.
    pub ranges: Vec<RowRange>,
    /// The mask that filters the rows of the ranges.
    pub fuzzy: Option<FuzzyRow>,
}

/// A row key in which some bytes may have any value: an argument of HBase's `FuzzyRowFilter`.
///
/// The mask is the one that the constructor of that filter takes, before the client converts it: 0
/// where a byte must equal the byte of `row`, 1 where any byte matches. Matching rows may be
/// longer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FuzzyRow {
    /// The bytes of the row key; 0 where any byte matches.
    pub row: Vec<u8>,
    /// 0 for each byte that must match, 1 for every other byte.
    pub mask: Vec<u8>,
}

impl FuzzyRow {
    /// Returns the row keys that have the bytes of `row` where `mask` is 0, and any bytes where
    /// `mask` is 1.
    ///
    /// ```
    /// use tallrow_codec::schema::FuzzyRow;
    ///
    /// assert!(FuzzyRow::new("??|7", [1, 1, 0, 0]).matches(b"ab|7"));
    /// ```
    pub fn new(row: impl AsRef<[u8]>, mask: impl AsRef<[u8]>) -> Self {
        Self { row: row.as_ref().to_vec(), mask: mask.as_ref().to_vec() }
    }

    fn put(&mut self, bytes: &[u8]) {
        self.row.extend_from_slice(bytes);
        self.mask.resize(self.row.len(), 0);
    }

    fn skip(&mut self, len: usize) {
        self.row.resize(self.row.len() + len, 0);
        self.mask.resize(self.row.len(), 1);
    }

    /// Returns whether a row matches.
    ///
    /// ```
    /// use tallrow_codec::schema::FuzzyRow;
    ///
    /// let fuzzy = FuzzyRow { row: b"\0b".to_vec(), mask: vec![1, 0] };
    /// assert!(fuzzy.matches(b"abc") && !fuzzy.matches(b"aab") && !fuzzy.matches(b"b"));
    /// ```
    pub fn matches(&self, row: &[u8]) -> bool {
        let fits = |(byte, (wanted, mask)): (&u8, (&u8, &u8))| *mask != 0 || byte == wanted;
        row.len() >= self.row.len() && row.iter().zip(self.row.iter().zip(&self.mask)).all(fits)
    }
}

impl RowSelection {
    /// Returns whether a row has the selected values.
    ///
    /// See [`Schema::select_rows`] for an example.
    pub fn contains(&self, row: &[u8]) -> bool {
        self.ranges.iter().any(|range| range.contains(row))
            && self.fuzzy.as_ref().is_none_or(|fuzzy| fuzzy.matches(row))
    }
}

/// The error for values that ranges and a mask cannot select.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MatchError {
    /// A value does not fit its field, or belongs to no field.
    Encode(EncodeError),
    /// A field without a value has no fixed width, so the fields after it start at different bytes
    /// in each row.
    NoWidth {
        /// The field.
        field: String,
        /// The field after it that has a value.
        after: String,
    },
    /// The last field with a value has no end mark, so a mask would match longer values too.
    NoEndMark {
        /// The field.
        field: String,
    },
}

impl fmt::Display for MatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Encode(error) => error.fmt(f),
            Self::NoWidth { field, after } => write!(
                f,
                "match rows: {field} has no value and no fixed width, so {after} starts at another byte in each \
                 row; give {field} too, or filter what is read"
            ),
            Self::NoEndMark { field } => write!(
                f,
                "match rows: {field} goes to the end of the row key, and a mask would match longer values too; \
                 give the fields before it, or filter what is read"
            ),
        }
    }
}

impl core::error::Error for MatchError {}

impl From<EncodeError> for MatchError {
    fn from(error: EncodeError) -> Self {
        Self::Encode(error)
    }
}

/// One field, with its bytes if it has a value.
struct FieldSlot<'s> {
    name: &'s str,
    width: Option<usize>,
    open: bool,
    bytes: Option<RowBuf>,
}

impl Schema {
    /// Returns the selection of the rows in which these fields have these values; any fields may be
    /// given.
    ///
    /// For the first fields of the key, ranges are enough: one range, or one for each bucket of a
    /// salt that these fields do not determine. If fields without a value precede a field with a
    /// value, a mask for HBase's `FuzzyRowFilter` skips them, and the ranges are those of the first
    /// fields. Values are given as for [`encode`](Self::encode), including the record variant of an
    /// enum.
    ///
    /// # Errors
    /// When a value does not fit its field, when a skipped field has no fixed width, and when a
    /// mask would need the end of a field that has no end.
    ///
    /// ```
    /// use tallrow_codec::schema::{Schema, Value};
    ///
    /// let schema = Schema::parse("row key Log\nhost: u32\nevent: u16\nuser: text, escaped\nat: u64\n")?;
    /// let found = schema.select_rows(&[("host", Value::from(7))])?;
    /// assert_eq!((found.ranges[0].start(), found.fuzzy), (&[0, 0, 0, 7][..], None));
    ///
    /// let found = schema.select_rows(&[("event", Value::from(258))])?;
    /// let fuzzy = found.fuzzy.as_ref().unwrap();
    /// assert_eq!(
    ///     (&fuzzy.row[..], &fuzzy.mask[..]),
    ///     (&[0, 0, 0, 0, 1, 2][..], &[1, 1, 1, 1, 0, 0][..])
    /// );
    /// assert!(found.contains(&schema.encode_text("host=9, event=258, user=bob, at=1")?));
    ///
    /// let error = schema.select_rows(&[("at", Value::from(1))]).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "match rows: user has no value and no fixed width, so at starts at another byte in each row; \
    ///      give user too, or filter what is read"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn select_rows<N: AsRef<str>>(
        &self,
        fields: &[(N, Value)],
    ) -> Result<RowSelection, MatchError> {
        let mut given = RemainingValues::new(fields);
        let mut prefix = KeyPrefixState::new(self.salt_or_hash());
        let mut slots = Vec::new();
        for field in self.fields() {
            slots.push(self.slot(field, &mut given, &mut prefix)?);
        }
        let record = self.take_record(&mut given)?;
        if let Some(record) = record {
            let mut tag = RowBuf::new();
            self.put_tag(record, &mut tag);
            let width = Some(self.tag_width());
            slots.push(FieldSlot { name: "tag", width, open: false, bytes: Some(tag) });
            for field in record.fields() {
                slots.push(self.slot(field, &mut given, &mut prefix)?);
            }
        }
        self.check_nothing_left(&given)?;
        let known = |name: &String| slots.iter().any(|s| s.name == name && s.bytes.is_some());
        let front = match self.salt_or_hash() {
            SaltOrHash::None => Some(Vec::new()),
            SaltOrHash::RandomSalt { .. } => None,
            own => own.fields().iter().all(known).then(|| {
                let mut front = alloc::vec![0; own.width()];
                prefix.write(own, &mut front);
                front
            }),
        };
        let run = slots.iter().take_while(|slot| slot.bytes.is_some()).count();
        let rest = slots.iter().skip(run).any(|slot| slot.bytes.is_some());
        let whole = run == slots.len() && (self.records().is_empty() || record.is_some());
        let fronts = match (&front, self.salt_or_hash()) {
            (Some(front), _) => Some(Vec::from([front.clone()])),
            (
                None,
                SaltOrHash::Salt { buckets, bucket_offset, width, .. }
                | SaltOrHash::RandomSalt { buckets, bucket_offset, width },
            ) => {
                let front = |bucket: u32| {
                    let mut front = alloc::vec![0; *width];
                    salt::put_bucket(bucket_offset.saturating_add(bucket), &mut front);
                    front
                };
                Some((0..*buckets).map(front).collect())
            }
            (None, _) => None,
        };
        let mut ranges = Vec::new();
        for mut row in fronts.iter().flatten().cloned() {
            for slot in slots.iter().take(run) {
                row.extend_from_slice(slot.bytes.as_deref().unwrap_or_default());
            }
            ranges.push(if whole { RowRange::row(&row) } else { RowRange::prefix(&row) });
        }
        if fronts.is_none() {
            ranges.push(RowRange::all());
        }
        let skips = rest || (fronts.is_none() && run > 0);
        let fuzzy = if skips { Some(self.fuzzy(&slots, front.as_deref())?) } else { None };
        Ok(RowSelection { ranges, fuzzy })
    }

    /// Returns a field, with its bytes if it has a value.
    fn slot<'s>(
        &self,
        field: &'s Field,
        given: &mut RemainingValues<'_>,
        prefix: &mut KeyPrefixState,
    ) -> Result<FieldSlot<'s>, EncodeError> {
        let mut bytes = None;
        if let Some(value) = given.take(field.name()) {
            self.put_field(field, value, bytes.insert(RowBuf::new()), prefix)?;
        }
        let open = !field.is_prefix_free();
        Ok(FieldSlot { name: field.name(), width: field.width(), open, bytes })
    }

    fn fuzzy(&self, slots: &[FieldSlot<'_>], front: Option<&[u8]>) -> Result<FuzzyRow, MatchError> {
        let mut fuzzy = FuzzyRow { row: Vec::new(), mask: Vec::new() };
        match front {
            Some(front) => fuzzy.put(front),
            None => fuzzy.skip(self.salt_or_hash().width()),
        }
        let last = slots.iter().rposition(|slot| slot.bytes.is_some()).unwrap_or(0);
        for (index, slot) in slots.iter().enumerate().take(last + 1) {
            match (&slot.bytes, slot.width) {
                (Some(_), _) if slot.open => {
                    return Err(MatchError::NoEndMark { field: slot.name.into() });
                }
                (Some(bytes), _) => fuzzy.put(bytes),
                (None, Some(width)) => fuzzy.skip(width),
                (None, None) => {
                    let after = slots.iter().skip(index).find(|slot| slot.bytes.is_some());
                    let after = after.map_or("", |slot| slot.name);
                    return Err(MatchError::NoWidth {
                        field: slot.name.into(),
                        after: after.into(),
                    });
                }
            }
        }
        Ok(fuzzy)
    }
}
