//! Keys that the laws are put to.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt::Debug;

use super::broken::Broken;
use super::fields::TestFields;
use super::{model, sample};
use crate::error::DecodeError;
use crate::key::{DecodeRowKey, RowKey};
use crate::schema::{Fields, Schema};
use crate::show;

/// How many keys are sampled.
const SAMPLES: usize = 120;

/// Keys of one type, with their values as the schema tells them and their rows: what the laws are put
/// to. [`test_row_key!`](crate::test_row_key) makes one for each of its tests.
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
/// let keys = Keys::<Login>::sampled()?;
/// keys.order()?;
/// keys.ranges_equal_the_model()?;
/// # Ok::<(), tallrow_codec::testing::Broken>(())
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
    pub(super) values: Fields,
    pub(super) row: Vec<u8>,
}

impl<K> Case<K> {
    pub(super) fn show(&self) -> String {
        format!("({}) {}", self.values, show::shell(&self.row))
    }
}

impl<K: RowKey + TestFields + Debug> Keys<K> {
    /// Returns keys whose values are sampled from the schema: edges of every type, and many that begin
    /// with the same values or texts.
    ///
    /// # Errors
    /// When a row of the schema is not one of the key, or the other way round.
    pub fn sampled() -> Result<Self, Broken>
    where
        K: DecodeRowKey,
    {
        let mut keys = Self::new(Some(K::decode_key))?;
        let mut random = sample::Random::new();
        // Values that a form refuses are left out, so more are tried than are taken.
        for _ in 0..20 * SAMPLES {
            let like = keys.cases.get(random.below(keys.cases.len())).map(|case| &case.values);
            let values = sample::fields(&keys.schema, like, &mut random);
            let Ok(row) = keys.schema.encode(&values) else { continue };
            let key = K::decode_key(&row).map_err(|error| {
                let row = show::shell(&row);
                keys.broken("round_trip", format!("({values}) {row} by the schema, but {error}"))
            })?;
            keys.take(key)?;
            if let Some(case) = keys.cases.last()
                && case.row != row
            {
                let (row, again) = (show::shell(&row), case.show());
                return Err(keys.broken("round_trip", format!("{row} is read as {again}")));
            }
            if keys.cases.len() == SAMPLES {
                break;
            }
        }
        keys.some()
    }

    /// Returns these keys, for a type that cannot be read back or whose values the schema cannot tell.
    ///
    /// # Errors
    /// When the row of one of them is not what the schema says, or there is none.
    pub fn given(given: impl IntoIterator<Item = K>) -> Result<Self, Broken> {
        let mut keys = Self::new(None)?;
        given.into_iter().try_for_each(|key| keys.take(key))?;
        keys.some()
    }

    /// Adds an order of the keys, first field first and what stands in front left out, that rows must have
    /// too: for fields of types of one's own, whose values the schema tells as those of another type.
    #[must_use]
    pub fn ordered_by(mut self, order: fn(&K, &K) -> Ordering) -> Self {
        self.by_value = Some(order);
        self
    }

    fn new(decode: Option<Decode<K>>) -> Result<Self, Broken> {
        let schema = Schema::parse(K::SCHEMA).map_err(|error| {
            Broken::new("round_trip", core::any::type_name::<K>(), format!("{error}"))
        })?;
        Ok(Self { schema, cases: Vec::new(), decode, by_value: None })
    }

    fn take(&mut self, key: K) -> Result<(), Broken> {
        let row = match key.encode_key() {
            Ok(row) => row.as_ref().to_vec(),
            Err(error) => return Err(self.broken("round_trip", format!("{key:?}: {error}"))),
        };
        let told = self.schema.decode(&row).map(|values| {
            let again = self.schema.encode(&values);
            (values, again)
        });
        match told {
            Ok((values, Ok(again))) if again == row => {
                self.cases.push(Case { key, values, row });
                Ok(())
            }
            told => {
                let how = match told {
                    Ok((values, Ok(again))) => {
                        format!("the schema reads ({values}) and writes {}", show::shell(&again))
                    }
                    Ok((_, Err(error))) => format!("{error}"),
                    Err(error) => format!("{error}"),
                };
                let row = show::shell(&row);
                Err(self.broken("round_trip", format!("{key:?} is {row}, but {how}")))
            }
        }
    }

    fn some(self) -> Result<Self, Broken> {
        if self.cases.is_empty() {
            return Err(self.broken("round_trip", "there is no key to try it with".into()));
        }
        Ok(self)
    }

    pub(super) fn broken(&self, law: &'static str, how: String) -> Broken {
        Broken::new(law, self.schema.name(), how)
    }

    /// Returns how many bytes stand in front of the fields.
    pub(super) fn front(&self) -> usize {
        self.schema.lead().width()
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
