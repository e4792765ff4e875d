//! A cell, as a view of its encoded bytes, which HBase calls a `KeyValue`.

use std::cmp::Ordering;
use std::fmt;

use bytes::{BufMut, Bytes, BytesMut};

use crate::WireError;
use crate::proto::ProtoCell;

/// The timestamp that a server replaces by its own time: 2^63 - 1.
pub const LATEST_TIMESTAMP: u64 = i64::MAX as u64;

/// The maximum length of a row key: 32,767 bytes.
pub const MAX_ROW_LEN: usize = i16::MAX as usize;

/// The maximum length of a family name: 127 bytes.
pub const MAX_FAMILY_LEN: usize = i8::MAX as usize;

/// The number of bytes of the three length fields, those of the key, the value and the row key.
const FIXED: usize = 4 + 4 + 2;

/// The type of a cell: a value or a delete marker. The numbers are those of `KeyValue.Type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum CellType {
    /// A value.
    Put = 4,
    /// Deletes the version of the column with the marker's timestamp.
    Delete = 8,
    /// Deletes every cell of the family with the marker's timestamp.
    DeleteFamilyVersion = 10,
    /// Deletes every version of the column with the marker's timestamp or an older one.
    DeleteColumn = 12,
    /// Deletes every cell of the family with the marker's timestamp or an older one.
    DeleteFamily = 14,
}

impl CellType {
    /// Returns the type with this number, if cells of that type can be stored.
    ///
    /// ```
    /// use tallrow_wire::cell::CellType;
    ///
    /// assert_eq!(CellType::from_byte(4), Some(CellType::Put));
    /// assert_eq!(CellType::from_byte(255), None);
    /// ```
    pub fn from_byte(byte: u8) -> Option<Self> {
        match byte {
            4 => Some(Self::Put),
            8 => Some(Self::Delete),
            10 => Some(Self::DeleteFamilyVersion),
            12 => Some(Self::DeleteColumn),
            14 => Some(Self::DeleteFamily),
            _ => None,
        }
    }
}

/// A cell. A clone shares the bytes of the cell.
///
/// The bytes are those of a `KeyValue`: `int32` key length, `int32` value length, `int16` row
/// length, row, `int8` family length, family, qualifier, `int64` timestamp, type byte, value, and
/// optionally tags, which are kept but not decoded. Cells are ordered as in HBase: by row, family
/// and qualifier as bytes, then by timestamp and type, both descending.
///
/// ```
/// use tallrow_wire::cell::{Cell, CellType};
///
/// let old = Cell::new(b"r", b"f", b"q", 10, CellType::Put, b"a").unwrap();
/// let new = Cell::new(b"r", b"f", b"q", 20, CellType::Put, b"b").unwrap();
/// assert_eq!(
///     (new.row(), new.family(), new.qualifier(), new.value()),
///     (&b"r"[..], &b"f"[..], &b"q"[..], &b"b"[..])
/// );
/// assert!(new < old);
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Cell {
    bytes: Bytes,
    row_len: u16,
    family_len: u8,
    kind: CellType,
    key_len: u32,
    value_len: u32,
    timestamp: u64,
}

impl Cell {
    /// Makes a cell from its parts, which are copied.
    ///
    /// ```
    /// use tallrow_wire::cell::{Cell, CellType};
    ///
    /// assert!(Cell::new(&[0; 32_768], b"f", b"q", 1, CellType::Put, b"").is_err());
    /// ```
    ///
    /// # Errors
    /// The errors of [`KeyValue::encode`].
    pub fn new(
        row: &[u8],
        family: &[u8],
        qualifier: &[u8],
        timestamp: u64,
        kind: CellType,
        value: &[u8],
    ) -> Result<Self, WireError> {
        let key_value = KeyValue { row, family, qualifier, timestamp, kind, value };
        let mut bytes = BytesMut::with_capacity(key_value.encoded_len());
        key_value.encode(&mut bytes)?;
        Self::decode(bytes.freeze())
    }

    /// Makes a cell from the bytes of a `KeyValue`, which are not copied.
    ///
    /// ```
    /// use tallrow_wire::cell::{Cell, CellType};
    ///
    /// let cell = Cell::new(b"r", b"f", b"q", 1, CellType::Put, b"v").unwrap();
    /// assert_eq!(Cell::decode(cell.bytes().clone()).unwrap(), cell);
    /// assert!(Cell::decode(cell.bytes().slice(1..)).is_err());
    /// ```
    ///
    /// # Errors
    /// Lengths that contradict each other, a negative timestamp, an unknown type.
    pub fn decode(bytes: Bytes) -> Result<Self, WireError> {
        let key_value = KeyValue::decode(&bytes)?;
        let KeyValue { row, family, timestamp, kind, value, .. } = key_value;
        Ok(Self {
            row_len: row.len() as u16,
            family_len: family.len() as u8,
            kind,
            key_len: key_value.key_len() as u32,
            value_len: value.len() as u32,
            timestamp,
            bytes,
        })
    }

    /// Makes a cell from a protobuf cell; its tags are dropped.
    ///
    /// ```
    /// use tallrow_wire::cell::Cell;
    /// use tallrow_wire::proto::ProtoCell;
    ///
    /// let proto = ProtoCell {
    ///     row: Some("r".into()),
    ///     family: Some("f".into()),
    ///     cell_type: Some(4),
    ///     ..Default::default()
    /// };
    /// assert_eq!(Cell::from_proto(&proto).unwrap().row(), b"r");
    /// ```
    ///
    /// # Errors
    /// The errors of [`Cell::new`]; also an unknown type.
    pub fn from_proto(cell: &ProtoCell) -> Result<Self, WireError> {
        let number = cell.cell_type.unwrap_or(CellType::Put as i32);
        let kind = u8::try_from(number).ok().and_then(CellType::from_byte);
        let kind =
            kind.ok_or_else(|| WireError::new("cell", format!("unknown cell type {number}")))?;
        Self::new(
            cell.row.as_deref().unwrap_or_default(),
            cell.family.as_deref().unwrap_or_default(),
            cell.qualifier.as_deref().unwrap_or_default(),
            cell.timestamp.unwrap_or(LATEST_TIMESTAMP),
            kind,
            cell.value.as_deref().unwrap_or_default(),
        )
    }

    /// Returns the cell as a protobuf cell, which shares the bytes of this cell.
    ///
    /// ```
    /// use tallrow_wire::cell::{Cell, CellType};
    ///
    /// let cell = Cell::new(b"r", b"f", b"q", 1, CellType::Put, b"v").unwrap();
    /// assert_eq!(Cell::from_proto(&cell.to_proto()).unwrap(), cell);
    /// ```
    pub fn to_proto(&self) -> ProtoCell {
        ProtoCell {
            row: Some(self.slice_ref(self.row())),
            family: Some(self.slice_ref(self.family())),
            qualifier: Some(self.slice_ref(self.qualifier())),
            timestamp: Some(self.timestamp),
            cell_type: Some(self.kind as i32),
            value: Some(self.slice_ref(self.value())),
            tags: None,
        }
    }

    /// The row key.
    ///
    /// See [`Cell`] for an example of this and the other parts.
    pub fn row(&self) -> &[u8] {
        self.part(FIXED, usize::from(self.row_len))
    }

    /// The family.
    pub fn family(&self) -> &[u8] {
        self.part(FIXED + usize::from(self.row_len) + 1, usize::from(self.family_len))
    }

    /// The qualifier; may be empty.
    pub fn qualifier(&self) -> &[u8] {
        let at = FIXED + usize::from(self.row_len) + 1 + usize::from(self.family_len);
        self.part(at, (8 + self.key_len as usize).saturating_sub(9 + at))
    }

    /// Whether both cells have the same row and family. This takes one comparison, as row and
    /// family are next to each other in the bytes of a cell.
    ///
    /// ```
    /// use tallrow_wire::cell::{Cell, CellType};
    ///
    /// let cell = |row, family| Cell::new(row, family, b"q", 1, CellType::Put, b"v").unwrap();
    /// assert!(cell(b"r", b"f").has_same_row_and_family(&cell(b"r", b"f")));
    /// assert!(!cell(b"r", b"f").has_same_row_and_family(&cell(b"rf", b"")));
    /// ```
    pub fn has_same_row_and_family(&self, other: &Self) -> bool {
        // From the length of the row key to the end of the family.
        let place = |cell: &Self| 3 + usize::from(cell.row_len) + usize::from(cell.family_len);
        self.part(FIXED - 2, place(self)) == other.part(FIXED - 2, place(other))
    }

    /// The timestamp in ms, 0 to 2^63 - 1.
    pub fn timestamp(&self) -> u64 {
        self.timestamp
    }

    /// The type: a value, or one of the delete markers.
    pub fn kind(&self) -> CellType {
        self.kind
    }

    /// The value; may be empty.
    pub fn value(&self) -> &[u8] {
        self.part(8 + self.key_len as usize, self.value_len as usize)
    }

    /// The bytes of the `KeyValue`.
    pub fn bytes(&self) -> &Bytes {
        &self.bytes
    }

    /// Returns a slice of this cell's bytes, such as one of its parts, as shared bytes.
    ///
    /// # Panics
    /// If `part` is not a slice of these bytes.
    ///
    /// ```
    /// use tallrow_wire::cell::{Cell, CellType};
    ///
    /// let cell = Cell::new(b"r", b"f", b"q", 1, CellType::Put, b"v").unwrap();
    /// assert_eq!(&cell.slice_ref(cell.value())[..], b"v");
    /// ```
    pub fn slice_ref(&self, part: &[u8]) -> Bytes {
        self.bytes.slice_ref(part)
    }

    /// Returns a copy of the cell with another timestamp.
    ///
    /// ```
    /// use tallrow_wire::cell::{Cell, CellType, LATEST_TIMESTAMP};
    ///
    /// let cell = Cell::new(b"r", b"f", b"q", LATEST_TIMESTAMP, CellType::Put, b"v").unwrap();
    /// assert_eq!(cell.with_timestamp(5).unwrap().timestamp(), 5);
    /// ```
    ///
    /// # Errors
    /// A timestamp over 2^63 - 1.
    pub fn with_timestamp(&self, timestamp: u64) -> Result<Self, WireError> {
        Self::new(self.row(), self.family(), self.qualifier(), timestamp, self.kind, self.value())
    }

    /// Compares two cells by their keys, in HBase's order. Cells of the same row, column, timestamp
    /// and type are equal in this order, whatever their values.
    ///
    /// ```
    /// use tallrow_wire::cell::{Cell, CellType};
    ///
    /// let [a, b] =
    ///     [b"a", b"b"].map(|value| Cell::new(b"r", b"f", b"q", 1, CellType::Put, value).unwrap());
    /// assert!(a.cmp_key(&b).is_eq());
    /// assert!(a < b);
    /// ```
    pub fn cmp_key(&self, other: &Self) -> Ordering {
        (self.row().cmp(other.row()))
            .then_with(|| self.family().cmp(other.family()))
            .then_with(|| self.qualifier().cmp(other.qualifier()))
            .then_with(|| other.timestamp.cmp(&self.timestamp))
            .then_with(|| other.kind.cmp(&self.kind))
    }

    fn part(&self, at: usize, len: usize) -> &[u8] {
        self.bytes.get(at..at + len).unwrap_or_default()
    }
}

/// The parts of a cell: to be encoded, or borrowed from the encoded bytes.
///
/// ```
/// use bytes::BytesMut;
/// use tallrow_wire::cell::{Cell, CellType, KeyValue};
///
/// let key_value = KeyValue {
///     row: b"r",
///     family: b"f",
///     qualifier: b"q",
///     timestamp: 1,
///     kind: CellType::Put,
///     value: b"v",
/// };
/// let mut out = BytesMut::new();
/// key_value.encode(&mut out).unwrap();
/// assert_eq!(out.len(), key_value.encoded_len());
/// assert_eq!(Cell::decode(out.freeze()).unwrap().value(), b"v");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyValue<'a> {
    /// The row key, at most [`MAX_ROW_LEN`] bytes.
    pub row: &'a [u8],
    /// The family, at most [`MAX_FAMILY_LEN`] bytes.
    pub family: &'a [u8],
    /// The qualifier; may be empty.
    pub qualifier: &'a [u8],
    /// The timestamp in ms, at most [`LATEST_TIMESTAMP`].
    pub timestamp: u64,
    /// The type: a value, or one of the delete markers.
    pub kind: CellType,
    /// The value; may be empty.
    pub value: &'a [u8],
}

impl<'a> KeyValue<'a> {
    /// Decodes the parts of a cell, which borrow from `bytes`. Tags after the value are skipped.
    ///
    /// ```
    /// use tallrow_wire::cell::{Cell, CellType, KeyValue};
    ///
    /// let cell = Cell::new(b"r", b"f", b"q", 1, CellType::Put, b"v").unwrap();
    /// let parts = KeyValue::decode(cell.bytes()).unwrap();
    /// assert_eq!(
    ///     (parts.row, parts.family, parts.qualifier, parts.value),
    ///     (&b"r"[..], &b"f"[..], &b"q"[..], &b"v"[..])
    /// );
    /// ```
    ///
    /// # Errors
    /// The errors of [`Cell::decode`].
    #[inline]
    pub fn decode(bytes: &'a [u8]) -> Result<Self, WireError> {
        let bad = |found: String| WireError::new("cell", found);
        let short = || bad(format!("{} bytes are too few", bytes.len()));
        let be32 = |at: usize| -> Option<u32> {
            Some(u32::from_be_bytes(*bytes.get(at..)?.first_chunk()?))
        };
        let key_len = be32(0).ok_or_else(short)?;
        let value_len = be32(4).ok_or_else(short)?;
        let (key_end, value_end) =
            (8 + u64::from(key_len), 8 + u64::from(key_len) + u64::from(value_len));
        if value_end > bytes.len() as u64 {
            return Err(bad(format!(
                "a key of {key_len} and a value of {value_len} bytes in {} bytes",
                bytes.len()
            )));
        }
        let (key_end, value_end) = (key_end as usize, value_end as usize);
        let row_len = bytes
            .get(8..)
            .and_then(|b| b.first_chunk())
            .map(|b| u16::from_be_bytes(*b))
            .ok_or_else(short)?;
        let family_at = FIXED + usize::from(row_len);
        let family_len = *bytes.get(family_at).ok_or_else(short)?;
        let qualifier_at = family_at + 1 + usize::from(family_len);
        if usize::from(row_len) > MAX_ROW_LEN
            || usize::from(family_len) > MAX_FAMILY_LEN
            || qualifier_at + 9 > key_end
        {
            return Err(bad(format!(
                "a row key of {row_len} and a family of {family_len} bytes in a key of {key_len} \
                 bytes"
            )));
        }
        let part = |from: usize, to: usize| bytes.get(from..to).ok_or_else(short);
        let tail = part(key_end - 9, key_end)?.split_first_chunk::<8>();
        let Some((timestamp, &[kind])) = tail else { return Err(short()) };
        let timestamp = u64::from_be_bytes(*timestamp);
        if timestamp > LATEST_TIMESTAMP {
            return Err(bad(format!("a negative timestamp, {}", timestamp as i64)));
        }
        let kind =
            CellType::from_byte(kind).ok_or_else(|| bad(format!("unknown cell type {kind}")))?;
        Ok(Self {
            row: part(FIXED, family_at)?,
            family: part(family_at + 1, qualifier_at)?,
            qualifier: part(qualifier_at, key_end - 9)?,
            timestamp,
            kind,
            value: part(key_end, value_end)?,
        })
    }

    fn key_len(&self) -> usize {
        2 + self.row.len() + 1 + self.family.len() + self.qualifier.len() + 9
    }

    /// Returns how many bytes [`encode`](Self::encode) appends.
    ///
    /// See [`KeyValue`] for an example.
    pub fn encoded_len(&self) -> usize {
        8 + self.key_len() + self.value.len()
    }

    /// Appends the bytes of the `KeyValue` to `out`.
    ///
    /// See [`KeyValue`] for an example.
    ///
    /// # Errors
    /// A row key over 32,767 bytes, a family over 127 bytes, a timestamp over 2^63 - 1, or a key or
    /// a value over 2 GiB. Then nothing is appended.
    pub fn encode(&self, out: &mut impl BufMut) -> Result<(), WireError> {
        self.validate()?;
        self.put(out);
        Ok(())
    }

    /// Returns the error of [`encode`](Self::encode), if there is one.
    pub(crate) fn validate(&self) -> Result<(), WireError> {
        let Self { row, family, qualifier, timestamp, kind: _, value } = *self;
        let bad = |found: String| Err(WireError::new("parts of a cell", found));
        if row.len() > MAX_ROW_LEN {
            return bad(format!("a row key of {} bytes, more than {MAX_ROW_LEN}", row.len()));
        }
        if family.len() > MAX_FAMILY_LEN {
            return bad(format!("a family of {} bytes, more than {MAX_FAMILY_LEN}", family.len()));
        }
        if timestamp > LATEST_TIMESTAMP {
            return bad(format!("timestamp {timestamp}, more than {LATEST_TIMESTAMP}"));
        }
        if i32::try_from(self.key_len()).is_err() || i32::try_from(value.len()).is_err() {
            let (qualifier, value) = (qualifier.len(), value.len());
            return bad(format!("a qualifier of {qualifier} and a value of {value} bytes"));
        }
        Ok(())
    }

    /// Appends the bytes of a cell that is valid.
    pub(crate) fn put(&self, out: &mut impl BufMut) {
        out.put_u32(self.key_len() as u32);
        out.put_u32(self.value.len() as u32);
        out.put_u16(self.row.len() as u16);
        out.put_slice(self.row);
        out.put_u8(self.family.len() as u8);
        out.put_slice(self.family);
        out.put_slice(self.qualifier);
        out.put_u64(self.timestamp);
        out.put_u8(self.kind as u8);
        out.put_slice(self.value);
    }
}

impl Ord for Cell {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.cmp_key(other))
            .then_with(|| self.value().cmp(other.value()))
            .then_with(|| self.bytes.cmp(&other.bytes))
    }
}

impl PartialOrd for Cell {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "\"{}\" {}:{}@{} {:?} = \"{}\"",
            self.row().escape_ascii(),
            self.family().escape_ascii(),
            self.qualifier().escape_ascii(),
            self.timestamp,
            self.kind,
            self.value().escape_ascii()
        )
    }
}
