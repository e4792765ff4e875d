//! The keys that are tested, sampled from a schema or given by the user.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt::Debug;

use super::failure::{Failure, NOT_TESTABLE};
use super::fields::VisitFields;
use super::{model, sample};
use crate::error::{DecodeError, FieldErrorKind};
use crate::key::{DecodeRowKey, RowKey};
use crate::schema::{Field, FieldValues, Schema};
use crate::show;

/// How many keys are sampled.
const SAMPLES: usize = 120;

/// The minimum number of keys for a type whose fields do not hold all values of the schema.
const FEW: usize = 8;

/// Keys of one type to test, with their rows and the values that the schema decodes from them.
/// `test_row_key!` makes a `Keys` for each of its tests.
///
/// ```
/// use tallrow_codec::RowKey;
/// use tallrow_codec::testing::Keys;
///
/// #[derive(RowKey, Debug)]
/// struct Login {
///     #[key(escaped)]
///     user: String,
///     #[key(rev_ts)]
///     at: i64,
/// }
///
/// let keys = Keys::<Login>::sample()?;
/// keys.order()?;
/// keys.ranges_equal_the_model()?;
/// # Ok::<(), tallrow_codec::testing::Failure>(())
/// ```
pub struct Keys<K> {
    pub(super) schema: Schema,
    pub(super) cases: Vec<Case<K>>,
    pub(super) decode: Option<Decode<K>>,
    pub(super) by_value: Option<fn(&K, &K) -> Ordering>,
}

type Decode<K> = fn(&[u8]) -> Result<K, DecodeError>;

/// A key, its values and its row.
pub(super) struct Case<K> {
    pub(super) key: K,
    pub(super) values: FieldValues,
    pub(super) row: Vec<u8>,
}

impl<K> Case<K> {
    pub(super) fn show(&self) -> String {
        format!("({}) {}", self.values, show::shell(&self.row))
    }
}

impl<K: RowKey + VisitFields + Debug> Keys<K> {
    /// Samples keys from the schema: the limits of every type, and many keys with common first
    /// values or prefixes.
    ///
    /// The type of a field may not hold all values of the type in the schema; for example, a date
    /// does not hold all milliseconds. Then other values are tried: whole minutes, hours and days,
    /// and small numbers.
    ///
    /// # Errors
    /// If the schema and the type disagree about a row, or if no value is found that the type of a
    /// field holds.
    pub fn sample() -> Result<Self, Failure>
    where
        K: DecodeRowKey,
    {
        let mut keys = Self::new(Some(K::decode_key))?;
        keys.check_no_compat()?;
        let mut random = sample::Random::new();
        let mut outside = None;
        // Values that an encoding refuses are left out, so more are tried than are taken.
        for _ in 0..20 * SAMPLES {
            let like = keys.cases.get(random.below(keys.cases.len())).map(|case| &case.values);
            let values = sample::sample_values(&keys.schema, like, &mut random);
            let Some((row, key)) = keys.held(values, &mut random, &mut outside)? else { continue };
            keys.take(key)?;
            if let Some(case) = keys.cases.last()
                && case.row != row
            {
                let (row, again) = (show::shell(&row), case.show());
                return Err(keys.failure("round_trip", format!("{row} is read as {again}")));
            }
            if keys.cases.len() == SAMPLES {
                break;
            }
        }
        match outside {
            Some((field, expected)) if keys.cases.len() < FEW => {
                let how = format!(
                    "no values of field {field} were found that its type holds ({expected}); pass the keys to test, as in \
                     `test_row_key!({}, [..])`",
                    keys.schema.name()
                );
                Err(keys.failure(NOT_TESTABLE, how))
            }
            _ => keys.some(),
        }
    }

    /// Returns the row and the key of `values`, or of similar values that the types of all fields
    /// hold, if such values are found. If the type of a field does not hold a value, `outside`
    /// becomes the name of the field and what its type holds.
    fn held(
        &self,
        mut values: FieldValues,
        random: &mut sample::Random,
        outside: &mut Option<(String, &'static str)>,
    ) -> Result<Option<(Vec<u8>, K)>, Failure>
    where
        K: DecodeRowKey,
    {
        let mut search = sample::ValueSearch::new();
        loop {
            let Ok(row) = self.schema.encode(&values) else { return Ok(None) };
            let error = match K::decode_key(&row) {
                Ok(key) => return Ok(Some((row, key))),
                Err(error) => error,
            };
            let FieldErrorKind::OutsideType { expected } = error.kind() else {
                let how = format!("({values}) {} by the schema, but {error}", show::shell(&row));
                return Err(self.failure("round_trip", how));
            };
            *outside = Some((error.field().into(), expected));
            let known = self.cases.get(random.below(self.cases.len())).map(|case| &case.values);
            let place = (error.field(), error.inner());
            if !search.next(&self.schema, &mut values, place, known, random) {
                return Ok(None);
            }
        }
    }

    /// Refuses a key whose bytes a schema cannot read.
    fn check_no_compat(&self) -> Result<(), Failure> {
        let compat = |field: &Field| field.attributes().compat.is_some();
        let records = self.schema.records().iter().flat_map(|record| record.fields());
        match self.schema.fields().iter().chain(records).find(|field| compat(field)) {
            Some(field) => {
                let how = format!(
                    "field {} has a compatibility encoding, which a schema cannot read, and these tests compare the key with \
                     its schema; compare its rows with those of the other system instead",
                    field.name()
                );
                Err(self.failure(NOT_TESTABLE, how))
            }
            None => Ok(()),
        }
    }

    /// Makes a `Keys` of the given keys, for a type that cannot be decoded or whose values the
    /// schema cannot describe.
    ///
    /// # Errors
    /// If the row of a key is not what the schema describes, or if no keys are given.
    pub fn from_keys(given: impl IntoIterator<Item = K>) -> Result<Self, Failure> {
        let mut keys = Self::new(None)?;
        keys.check_no_compat()?;
        given.into_iter().try_for_each(|key| keys.take(key))?;
        keys.some()
    }

    /// Sets an order of the keys. The rows of the keys, without a salt or hash prefix, must sort in
    /// the same order. Use it for fields with a custom encoding that the schema describes as
    /// another type.
    #[must_use]
    pub fn ordered_by(mut self, order: fn(&K, &K) -> Ordering) -> Self {
        self.by_value = Some(order);
        self
    }

    fn new(decode: Option<Decode<K>>) -> Result<Self, Failure> {
        let schema = Schema::parse(K::SCHEMA).map_err(|error| {
            Failure::new("round_trip", core::any::type_name::<K>(), format!("{error}"))
        })?;
        Ok(Self { schema, cases: Vec::new(), decode, by_value: None })
    }

    fn take(&mut self, key: K) -> Result<(), Failure> {
        let row = match key.encode_key() {
            Ok(row) => row.as_ref().to_vec(),
            Err(error) => return Err(self.failure("round_trip", format!("{key:?}: {error}"))),
        };
        let decoded = self.schema.decode(&row).map(|values| {
            let again = self.schema.encode(&values);
            (values, again)
        });
        match decoded {
            Ok((values, Ok(again))) if again == row => {
                self.cases.push(Case { key, values, row });
                Ok(())
            }
            decoded => {
                let how = match decoded {
                    Ok((values, Ok(again))) => {
                        format!("the schema reads ({values}) and writes {}", show::shell(&again))
                    }
                    Ok((_, Err(error))) => format!("{error}"),
                    Err(error) => format!("{error}"),
                };
                let row = show::shell(&row);
                Err(self.failure("round_trip", format!("{key:?} is {row}, but {how}")))
            }
        }
    }

    fn some(self) -> Result<Self, Failure> {
        if self.cases.is_empty() {
            return Err(self.failure(NOT_TESTABLE, "there are no keys".into()));
        }
        Ok(self)
    }

    pub(super) fn failure(&self, test: &'static str, how: String) -> Failure {
        Failure::new(test, self.schema.name(), how)
    }

    /// Returns the length of the salt or hash prefix.
    pub(super) fn key_prefix_len(&self) -> usize {
        self.schema.salt_or_hash().width()
    }

    /// Compares the first `len` fields as their rows must sort.
    pub(super) fn compare(&self, a: &Case<K>, b: &Case<K>, len: usize) -> Ordering {
        model::compare(&self.schema, &a.values, &b.values, len)
    }
}

impl<K> Debug for Keys<K> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Keys({}, {})", self.schema.name(), self.cases.len())
    }
}
