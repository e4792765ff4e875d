//! Tests of one or two keys: order, prefix-freedom, decoding.

use alloc::format;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt::Debug;

use super::failure::Failure;
use super::fields::{KeyFields, VisitFields};
use super::keys::{Case, Keys};
use crate::error::FieldErrorKind;
use crate::key::RowKey;
use crate::show::shell;

impl<K: RowKey + VisitFields + Debug> Keys<K> {
    /// Checks that rows without the key prefix sort as the values of their fields do, first field
    /// first, each field in its order class; and that equal keys have equal rows.
    ///
    /// # Errors
    /// With the first two keys for which this does not hold.
    pub fn order(&self) -> Result<(), Failure> {
        let fields =
            |case: &Case<K>| case.row.get(self.key_prefix_len()..).unwrap_or_default().to_vec();
        for (i, a) in self.cases.iter().enumerate() {
            for b in self.cases.iter().skip(i) {
                let rows = fields(a).cmp(&fields(b));
                let own = self.by_value.map(|order| order(&a.key, &b.key));
                let values = self.compare(a, b, usize::MAX);
                if rows != values || own.is_some_and(|own| own != rows) {
                    let wanted = own.filter(|own| *own != rows).unwrap_or(values);
                    let word = |order| match order {
                        Ordering::Less => "sorts before",
                        Ordering::Equal => "is equal to",
                        Ordering::Greater => "sorts after",
                    };
                    let (a, b) = (a.show(), b.show());
                    let how =
                        format!("{a} {} {b}, but its row {} the other", word(wanted), word(rows));
                    return Err(self.failure("order", how));
                }
            }
        }
        Ok(())
    }

    /// Checks that no encoded value of a field is a prefix of another, except in a last field
    /// without an end; and that every value of a field with a fixed width has that width.
    ///
    /// # Errors
    /// With the first two keys for whose fields this does not hold.
    pub fn prefix_freedom(&self) -> Result<(), Failure> {
        let parts: Vec<_> = self.cases.iter().map(|case| KeyFields::of(&case.key).parts).collect();
        for (i, one) in parts.iter().enumerate() {
            for (j, other) in parts.iter().enumerate() {
                // Record variants share the fields up to the tag.
                let shared = one.iter().zip(other).take_while(|(a, b)| a.name == b.name);
                for (a, b) in shared {
                    let begins = a.bytes != b.bytes && b.bytes.starts_with(&a.bytes);
                    let wide = a.width.is_some_and(|width| width != a.bytes.len());
                    if !(wide || begins && a.prefix_free) {
                        continue;
                    }
                    let (name, x, y) = (a.name, shell(&a.bytes), shell(&b.bytes));
                    let (Some(k), Some(l)) = (self.cases.get(i), self.cases.get(j)) else {
                        continue;
                    };
                    let how = match a.width.filter(|_| wide) {
                        Some(width) => {
                            format!("field {name} is {x}, not {width} bytes, in {}", k.show())
                        }
                        None => format!(
                            "field {name} of {} is a prefix of that of {}: {x} and {y}",
                            k.show(),
                            l.show()
                        ),
                    };
                    return Err(self.failure("prefix_freedom", how));
                }
            }
        }
        Ok(())
    }

    /// Checks that encoded keys decode to the same keys, if the type can be decoded.
    ///
    /// # Errors
    /// With the first key that does not decode to the same key.
    pub fn round_trip(&self) -> Result<(), Failure> {
        let Some(decode) = self.decode else { return Ok(()) };
        for case in &self.cases {
            // Keys are compared as text, because a NaN is not equal to itself.
            let (wanted, read) = (format!("{:?}", case.key), decode(&case.row));
            let found = match read {
                Ok(key) if format!("{key:?}") == wanted => continue,
                Ok(key) => format!("{key:?}"),
                Err(error) => format!("{error}"),
            };
            let how = format!("{wanted} is {}, which is read as {found}", shell(&case.row));
            return Err(self.failure("round_trip", how));
        }
        Ok(())
    }

    /// Checks that shortened, lengthened or changed rows are refused with a position inside them,
    /// or decode to a key that encodes to the same row; and that decoding with the schema gives the
    /// same result.
    ///
    /// # Errors
    /// With the first row for which this does not hold.
    pub fn canonical_decode(&self) -> Result<(), Failure> {
        for case in &self.cases {
            let row = &case.row;
            for len in 0..row.len() {
                self.canonical(row.get(..len).unwrap_or_default())?;
            }
            for byte in [0x00, 0x01, 0x7c, 0x80, 0xff] {
                self.canonical(&[&row[..], &[byte]].concat())?;
            }
            let mut changed = row.clone();
            for at in 0..row.len() {
                for change in [0x01, 0x02, 0x10, 0x20, 0x80, 0xff] {
                    flip(&mut changed, at, change);
                    self.canonical(&changed)?;
                    flip(&mut changed, at, change);
                }
            }
        }
        Ok(())
    }

    fn canonical(&self, row: &[u8]) -> Result<(), Failure> {
        let broken = |how| Err(self.failure("canonical_decode", format!("{}: {how}", shell(row))));
        let by_schema = match self.schema.decode(row) {
            Ok(values) => match self.schema.encode(&values) {
                Ok(again) if again == row => Ok(()),
                Ok(again) => {
                    return broken(format!("is read as ({values}), which is {}", shell(&again)));
                }
                Err(error) => return broken(format!("is read as ({values}), but {error}")),
            },
            Err(error) => Err(error),
        };
        let Some(decode) = self.decode else { return Ok(()) };
        let by_type = match decode(row) {
            Ok(key) => match key.encode_key() {
                Ok(again) if again.as_ref() == row => Ok(()),
                Ok(again) => {
                    let again = shell(again.as_ref());
                    return broken(format!("is read as {key:?}, which is {again}"));
                }
                Err(error) => return broken(format!("is read as {key:?}, but {error}")),
            },
            Err(error) if error.offset() > row.len() => {
                return broken(format!("the position is after the end of the row: {error}"));
            }
            Err(error) => Err(error),
        };
        match (&by_type, &by_schema) {
            (Ok(()), Ok(())) => Ok(()),
            (Err(a), Err(b)) if (a.field(), a.offset()) == (b.field(), b.offset()) => Ok(()),
            // The schema does not know which values the type holds; it may find another error, but
            // not at an earlier position.
            (Err(a), by_schema)
                if matches!(a.kind(), FieldErrorKind::OutsideType { .. })
                    && by_schema.as_ref().err().is_none_or(|b| b.offset() >= a.offset()) =>
            {
                Ok(())
            }
            _ => broken(format!("the type returns {by_type:?}, the schema {by_schema:?}")),
        }
    }
}

fn flip(row: &mut [u8], at: usize, change: u8) {
    if let Some(byte) = row.get_mut(at) {
        *byte ^= change;
    }
}
