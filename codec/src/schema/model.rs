//! A schema and its parts.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use crate::order::OrderClass;

/// The layout of a row key as a value: what decodes, encodes, splits and describes rows without the
/// type they were written with.
///
/// ```
/// use tallrow_codec::RowKey;
/// use tallrow_codec::schema::Schema;
///
/// #[derive(RowKey)]
/// struct Login {
///     user: u32,
///     #[key(rev_ts)]
///     at: i64,
/// }
///
/// let schema = Schema::parse(Login::SCHEMA)?;
/// let row = Login { user: 7, at: 1_700_000_000_000 }.encode();
/// let fields = schema.decode(&row)?;
/// assert_eq!(fields.to_string(), "user: 7, at: 2023-11-14T22:13:20.000Z (1700000000000)");
/// assert_eq!(schema.encode_text("user=7, at=2023-11-14T22:13:20Z")?, row);
/// assert_eq!(schema.to_string(), Login::SCHEMA);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Schema {
    pub(super) name: String,
    pub(super) table: Option<String>,
    pub(super) version: Option<u64>,
    pub(super) lead: Lead,
    pub(super) fields: Vec<Field>,
    pub(super) records: Vec<Record>,
    /// How many bytes the tag of a kind of rows takes.
    pub(super) tag_width: usize,
}

impl Schema {
    /// Returns the name of the key type.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the table the keys are for, if the key names one.
    pub fn table(&self) -> Option<&str> {
        self.table.as_deref()
    }

    /// Returns the version of the layout, if the key has one.
    pub fn version(&self) -> Option<u64> {
        self.version
    }

    /// Returns what stands in front of the fields.
    pub fn lead(&self) -> &Lead {
        &self.lead
    }

    /// Returns the fields every row starts with: all of a struct's, those an enum's kinds share.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// Returns the kinds of rows of an enum; none for a struct.
    pub fn records(&self) -> &[Record] {
        &self.records
    }

    /// Returns how many bytes tell the kind of rows of an enum.
    pub fn tag_width(&self) -> usize {
        self.tag_width
    }

    /// Returns the kind of rows of this name.
    pub(super) fn record(&self, name: &str) -> Option<&Record> {
        self.records.iter().find(|record| record.name == name)
    }
}

/// One kind of rows of an enum: behind the shared fields a tag that tells it, then its own fields.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    pub(super) name: String,
    pub(super) tag: u32,
    pub(super) fields: Vec<Field>,
}

impl Record {
    /// Returns the name of the kind.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the number that tells it.
    pub fn tag(&self) -> u32 {
        self.tag
    }

    /// Returns its own fields.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }
}

/// What stands in front of the fields of a row key.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Lead {
    /// Nothing.
    None,
    /// A bucket number.
    Salt {
        /// How many buckets there are.
        buckets: u32,
        /// The number of the first bucket.
        first: u32,
        /// How many bytes the number takes.
        width: usize,
        /// The hash function.
        hash: SaltFunction,
        /// The fields whose encoded bytes are hashed.
        of: Vec<String>,
    },
    /// A bucket number the writer chooses.
    RandomSalt {
        /// How many buckets there are.
        buckets: u32,
        /// The number of the first bucket.
        first: u32,
        /// How many bytes the number takes.
        width: usize,
    },
    /// A piece of an MD5.
    HashPrefix {
        /// How much of it.
        digest: DigestPart,
        /// What follows it.
        sep: Option<u8>,
        /// The fields whose plain values are hashed.
        of: Vec<String>,
    },
}

impl Lead {
    /// Returns how many bytes stand in front.
    pub fn width(&self) -> usize {
        match self {
            Self::None => 0,
            Self::Salt { width, .. } | Self::RandomSalt { width, .. } => *width,
            Self::HashPrefix { digest, sep, .. } => digest.len + usize::from(sep.is_some()),
        }
    }

    /// Returns the names of the fields it is computed from.
    pub fn of(&self) -> &[String] {
        match self {
            Self::None | Self::RandomSalt { .. } => &[],
            Self::Salt { of, .. } | Self::HashPrefix { of, .. } => of,
        }
    }

    pub(super) fn feeds(&self, field: &Field) -> bool {
        self.of().contains(&field.name)
    }
}

/// A hash function of a salt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SaltFunction {
    /// [`Fnv1a`](crate::Fnv1a).
    Fnv1a,
    /// [`Crc32`](crate::Crc32).
    Crc32,
    /// [`Murmur3`](crate::Murmur3).
    Murmur3,
    /// [`Java31`](crate::Java31).
    Java31,
    /// [`Modulo`](crate::Modulo).
    Modulo,
}

impl SaltFunction {
    pub(super) const ALL: [Self; 5] =
        [Self::Fnv1a, Self::Crc32, Self::Murmur3, Self::Java31, Self::Modulo];

    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Fnv1a => "fnv1a",
            Self::Crc32 => "crc32",
            Self::Murmur3 => "murmur3",
            Self::Java31 => "java31",
            Self::Modulo => "modulo",
        }
    }
}

/// How much of an MD5 a row key holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DigestPart {
    /// Whether it is written as lower-case hex digits.
    pub hex: bool,
    /// How many bytes or digits.
    pub len: usize,
}

/// One field of a row key.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    pub(super) name: String,
    pub(super) ty: Type,
    pub(super) form: FieldForm,
}

/// The form of a field, as the attributes say it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct FieldForm {
    pub(super) world: Option<World>,
    pub(super) md5: Option<DigestPart>,
    pub(super) stamp: Option<Stamp>,
    pub(super) end: End,
    pub(super) chars: Option<u128>,
    pub(super) digits: Option<usize>,
    pub(super) twos_complement: bool,
    pub(super) floor: Option<u32>,
    pub(super) reversed: bool,
    pub(super) marked: bool,
    pub(super) descending: bool,
    pub(super) time: Option<Unit>,
}

/// Whose bytes a field has, where they are not ours; see [`compat`](crate::compat).
///
/// The schema says them and the type alone reads and writes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum World {
    /// HBase's `Bytes`.
    Bytes,
    /// HBase's `OrderedBytes`.
    OrderedBytes,
    /// Phoenix's columns.
    Phoenix,
    /// Bigtable's key schemas.
    Bigtable,
}

impl World {
    pub(super) const ALL: [Self; 4] =
        [Self::Bytes, Self::OrderedBytes, Self::Phoenix, Self::Bigtable];

    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Bytes => "Bytes",
            Self::OrderedBytes => "OrderedBytes",
            Self::Phoenix => "Phoenix",
            Self::Bigtable => "Bigtable",
        }
    }
}

/// How a reverse timestamp is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stamp {
    /// `i64::MAX - time`.
    Reverse,
    /// `!time`.
    Inverted,
}

/// How a text or bytes field ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum End {
    /// With the row key, or as numbers do, by its width.
    #[default]
    Native,
    /// With 00 01; an inner 00 is 00 FF.
    Escaped,
    /// With this byte, which it may not hold.
    Byte(u8),
    /// Filled up to a width.
    Width {
        /// How many bytes.
        width: usize,
        /// With what.
        pad: u8,
    },
}

/// What a time counts since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unit {
    /// Seconds.
    Seconds,
    /// Milliseconds.
    Millis,
    /// Microseconds.
    Micros,
}

impl Unit {
    pub(super) const ALL: [Self; 3] = [Self::Seconds, Self::Millis, Self::Micros];

    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Seconds => "s",
            Self::Millis => "ms",
            Self::Micros => "us",
        }
    }
}

/// The type of a field.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Type {
    /// `u8` to `u128` and `i8` to `i128`.
    Int(Int),
    /// `f32`, `f64`: 4 or 8 bytes.
    Float(usize),
    /// `bool`.
    Bool,
    /// `char`.
    Char,
    /// `[u8; N]`.
    Array(usize),
    /// `Id<T, N>`.
    Id(usize),
    /// `Digest<N>`.
    Digest(usize),
    /// `uuid::Uuid`.
    Uuid,
    /// Text.
    Text,
    /// Bytes.
    Bytes,
    /// `Option<T>`.
    Optional(Box<Type>),
    /// `Vec<T>`; the form of the field is that of each item.
    List(Box<Type>),
    /// `Tags<K, V, N>`.
    Tags {
        /// How many pairs there may be.
        most: usize,
        /// The type of what they sort by.
        key: Box<Type>,
        /// The type of what stands beside it.
        value: Box<Type>,
    },
    /// A number of another world: `decimal`, `number`, `timestamp`; see [`compat`](crate::compat).
    Foreign(&'static str),
    /// A nested key.
    Key(Vec<Field>),
}

/// An integer type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Int {
    /// How many bytes.
    pub bytes: usize,
    /// Whether the Rust type is signed.
    pub signed: bool,
    /// Which of its numbers are left out.
    pub limit: Limit,
}

/// Which numbers an integer type leaves out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// None.
    Any,
    /// Zero: `NonZero<T>`.
    NonZero,
    /// Those below zero: `NonNeg<T>`.
    NonNeg,
}

impl Field {
    /// Returns the name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the type of the values.
    pub fn ty(&self) -> &Type {
        &self.ty
    }

    /// Returns how a text ends.
    pub fn end(&self) -> End {
        self.form.end
    }

    /// Returns the characters a text may hold, one bit for each ASCII character; see
    /// [`char_set`](crate::char_set).
    pub fn chars(&self) -> Option<u128> {
        self.form.chars
    }

    /// Returns what the row holds of the MD5 of the value, instead of the value.
    pub fn md5(&self) -> Option<DigestPart> {
        self.form.md5
    }

    /// Returns how many decimal digits the number is written in.
    pub fn digits(&self) -> Option<usize> {
        self.form.digits
    }

    /// Returns the period whose start the row holds.
    pub fn floor(&self) -> Option<u32> {
        self.form.floor
    }

    /// Says whether negative numbers are refused, because the row holds plain two's complement.
    pub fn is_raw(&self) -> bool {
        self.form.twos_complement
    }

    /// Returns whose bytes it has, where they are not ours: such a field is not decoded or encoded by
    /// the schema, and its width, order and end are not known to it.
    pub fn world(&self) -> Option<World> {
        self.form.world
    }

    /// Says whether characters or digits stand last to first.
    pub fn is_reversed(&self) -> bool {
        self.form.reversed
    }

    /// Says whether a list has 01 in front of each item and 00 behind the last.
    pub fn is_marked(&self) -> bool {
        self.form.marked
    }

    /// Says whether every byte is inverted.
    pub fn is_descending(&self) -> bool {
        self.form.descending
    }

    /// Says whether the row holds `i64::MAX - time` or `!time`.
    pub fn is_reverse_timestamp(&self) -> bool {
        self.form.stamp.is_some()
    }

    /// Returns what the number counts since 1970, if it is a time.
    pub fn time(&self) -> Option<Unit> {
        self.form.time
    }

    /// Returns how many bytes each value takes, when it is the same for all.
    pub fn width(&self) -> Option<usize> {
        let form = &self.form;
        if form.world.is_some() {
            return None;
        }
        if let Some(md5) = form.md5 {
            return Some(md5.len);
        }
        if form.stamp.is_some() {
            return Some(8);
        }
        if matches!(self.ty, Type::Optional(_) | Type::List(_)) {
            return None;
        }
        match (form.digits, form.end) {
            (Some(digits), _) => Some(digits),
            (None, End::Width { width, .. }) => Some(width),
            (None, End::Native) => self.ty.width(),
            (None, End::Escaped | End::Byte(_)) => None,
        }
    }

    /// Says whether no encoding begins another, so that a field may follow.
    pub fn is_prefix_free(&self) -> bool {
        match &self.ty {
            // The type would not compile otherwise.
            _ if self.form.world.is_some() => true,
            Type::List(_) => self.form.marked,
            ty => self.form.md5.is_some() || self.form.end != End::Native || ty.is_prefix_free(),
        }
    }

    /// Returns what the order of the bytes says about the order of the values.
    pub fn order(&self) -> OrderClass {
        let form = &self.form;
        if form.world.is_some() {
            return OrderClass::Grouped;
        }
        if form.md5.is_some() {
            return OrderClass::Hashed;
        }
        if form.stamp.is_some() {
            return OrderClass::Reversed;
        }
        match (self.order_ascending(), form.descending) {
            (OrderClass::Natural, true) => OrderClass::Reversed,
            (OrderClass::Reversed, true) => OrderClass::Natural,
            (order, _) => order,
        }
    }

    /// Returns the order without `descending`, for a field that is neither hashed nor a reverse
    /// timestamp.
    pub(super) fn order_ascending(&self) -> OrderClass {
        let form = &self.form;
        let order = if form.reversed { OrderClass::Grouped } else { self.plain_order() };
        match (&self.ty, order) {
            (Type::List(_), OrderClass::Natural) => OrderClass::Natural,
            (Type::List(_), _) => OrderClass::Grouped,
            (_, order) => order,
        }
    }

    /// Returns the order without `reversed` and `descending`.
    fn plain_order(&self) -> OrderClass {
        match self.form.end {
            End::Byte(sep) => {
                let below = (1_u128 << (sep & 0x7f)) | ((1 << (sep & 0x7f)) - 1);
                let sorted = sep == 0 || self.form.chars.is_some_and(|set| set & below == 0);
                if sorted { OrderClass::Natural } else { OrderClass::Grouped }
            }
            _ => self.ty.order(),
        }
    }
}

impl Type {
    pub(super) fn width(&self) -> Option<usize> {
        match self {
            Self::Int(int) => Some(int.bytes),
            Self::Float(bytes) => Some(*bytes),
            Self::Bool => Some(1),
            Self::Char => Some(4),
            Self::Uuid => Some(16),
            Self::Array(len) | Self::Id(len) | Self::Digest(len) => Some(*len),
            Self::Text | Self::Bytes => None,
            Self::Optional(_) | Self::List(_) | Self::Tags { .. } | Self::Foreign(_) => None,
            Self::Key(fields) => {
                fields.iter().try_fold(0_usize, |sum, field| sum.checked_add(field.width()?))
            }
        }
    }

    pub(super) fn is_prefix_free(&self) -> bool {
        match self {
            Self::Text | Self::Bytes | Self::List(_) | Self::Tags { .. } => false,
            Self::Optional(some) => some.is_prefix_free(),
            Self::Key(fields) => fields.iter().all(Field::is_prefix_free),
            _ => true,
        }
    }

    fn order(&self) -> OrderClass {
        match self {
            Self::Id(_) => OrderClass::Grouped,
            Self::Digest(_) => OrderClass::Hashed,
            Self::Optional(some) | Self::List(some) => some.order(),
            Self::Tags { key, value, .. } => {
                let natural = |ty: &Self| ty.order() == OrderClass::Natural;
                if natural(key) && natural(value) {
                    OrderClass::Natural
                } else {
                    OrderClass::Grouped
                }
            }
            Self::Key(fields) => {
                let mut orders = fields.iter().map(Field::order);
                let first = orders.next().unwrap_or(OrderClass::Natural);
                orders.fold(first, |all, one| match (all, one) {
                    (OrderClass::Natural, OrderClass::Natural) => OrderClass::Natural,
                    (OrderClass::Reversed, OrderClass::Reversed) => OrderClass::Reversed,
                    _ => OrderClass::Grouped,
                })
            }
            _ => OrderClass::Natural,
        }
    }

    /// Returns the type of the one value, or of each item, when there is one.
    pub(super) fn innermost(&self) -> &Self {
        match self {
            Self::Optional(some) | Self::List(some) => some.innermost(),
            other => other,
        }
    }

    /// Lends the fields of a nested key.
    pub(super) fn inner_fields(&mut self) -> Option<&mut Vec<Field>> {
        match self {
            Self::Key(fields) => Some(fields),
            Self::Optional(some) | Self::List(some) => some.inner_fields(),
            _ => None,
        }
    }
}
