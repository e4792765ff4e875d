//! AddToCell and MergeToCell, borrowed from their request, and the values in them.

use prost::Message;
use tallrow_wire::WireError;
use tallrow_wire::bigtable::{self, AddToCell, Fields, MergeToCell, Type, ValueKind};

use crate::bigtable::limits::check_qualifier;
use crate::bigtable::status::{StatusResult, invalid};
use crate::bigtable::timestamp::micros_to_millis;

/// A value that is added to or merged into a cell of an aggregate family.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct AggregateInput<'m> {
    pub(super) family: &'m str,
    qualifier: Value<'m>,
    timestamp: Value<'m>,
    input: Value<'m>,
}

/// A value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Value<'m> {
    has_type: bool,
    kind: Kind<'m>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Kind<'m> {
    /// No kind, or one that the mock does not use.
    #[default]
    Null,
    Raw(&'m [u8]),
    RawTimestamp(i64),
    Bytes(&'m [u8]),
    Text(&'m str),
    Int(i64),
}

impl<'m> AggregateInput<'m> {
    /// Returns the input with the fields that an encoded message sets. AddToCell and MergeToCell
    /// have the same fields.
    pub(super) fn merge_encoded(mut self, message: &'m [u8]) -> Result<Self, WireError> {
        let mut fields = Fields::of(message);
        while let Some(field) = fields.next_field()? {
            match field.number {
                1 => self.family = field.text()?,
                2 => self.qualifier = self.qualifier.merge_encoded(field.bytes()?)?,
                3 => self.timestamp = self.timestamp.merge_encoded(field.bytes()?)?,
                4 => self.input = self.input.merge_encoded(field.bytes()?)?,
                _ => {}
            }
        }
        Ok(self)
    }

    /// Checks the parts that do not depend on the type of the family.
    pub(super) fn check(&self) -> StatusResult<()> {
        let Value { has_type: false, kind: Kind::Raw(qualifier) } = self.qualifier else {
            return Err(invalid("The column_qualifier must be a raw_value without a type"));
        };
        check_qualifier(qualifier)?;
        let Value { has_type: false, kind: Kind::RawTimestamp(micros) } = self.timestamp else {
            return Err(invalid("The timestamp must be a raw_timestamp_micros without a type"));
        };
        match micros {
            below @ ..0 => Err(invalid(format!("Timestamps must be >= 0, but got {below}"))),
            at => micros_to_millis(at).map(drop),
        }
    }

    /// Returns the qualifier, which has been checked.
    pub(super) fn qualifier(&self) -> &'m [u8] {
        match self.qualifier.kind {
            Kind::Raw(qualifier) => qualifier,
            _ => &[],
        }
    }

    /// Returns the timestamp in ms, which has been checked.
    pub(super) fn millis(&self) -> u64 {
        match self.timestamp.kind {
            Kind::RawTimestamp(micros) => u64::try_from(micros / 1000).unwrap_or(0),
            _ => 0,
        }
    }

    /// Returns the input of an AddToCell to a family of integers.
    pub(super) fn integer_to_add(&self) -> StatusResult<i64> {
        match self.input.kind {
            Kind::Int(value) => Ok(value),
            _ => Err(invalid(format!(
                "The input of an AddToCell to column family {} must be an int_value",
                self.family
            ))),
        }
    }

    /// Returns the input of a MergeToCell to a family of integers; `None` if there is nothing to
    /// merge.
    pub(super) fn integer_to_merge(&self) -> StatusResult<Option<i64>> {
        let state = match self.input.kind {
            Kind::Null => return Ok(None),
            Kind::Raw(state) => decode_integer(state),
            _ => None,
        };
        state.map(Some).ok_or_else(|| {
            invalid(format!(
                "The input of a MergeToCell to column family {} must be a raw_value of 8 bytes, \
                 a 64-bit big-endian integer",
                self.family
            ))
        })
    }
}

/// Decodes the state of an aggregate of integers.
pub(super) fn decode_integer(state: &[u8]) -> Option<i64> {
    state.try_into().ok().map(i64::from_be_bytes)
}

impl<'m> Value<'m> {
    fn merge_encoded(mut self, message: &'m [u8]) -> Result<Self, WireError> {
        let mut fields = Fields::of(message);
        while let Some(field) = fields.next_field()? {
            match field.number {
                2 => self.kind = Kind::Bytes(field.bytes()?),
                3 => self.kind = Kind::Text(field.text()?),
                6 => self.kind = Kind::Int(field.int64()?),
                7 => {
                    Type::decode(field.bytes()?)
                        .map_err(|error| WireError::new("type", error.to_string()))?;
                    self.has_type = true;
                }
                8 => self.kind = Kind::Raw(field.bytes()?),
                9 => self.kind = Kind::RawTimestamp(field.int64()?),
                _ => {}
            }
        }
        Ok(self)
    }

    fn of(value: Option<&'m bigtable::Value>) -> Self {
        let Some(value) = value else { return Self::default() };
        let kind = match &value.kind {
            None => Kind::Null,
            Some(ValueKind::RawValue(bytes)) => Kind::Raw(bytes),
            Some(ValueKind::RawTimestampMicros(micros)) => Kind::RawTimestamp(*micros),
            Some(ValueKind::BytesValue(bytes)) => Kind::Bytes(bytes),
            Some(ValueKind::StringValue(text)) => Kind::Text(text),
            Some(ValueKind::IntValue(int)) => Kind::Int(*int),
            // As in an encoded message: no cell has such a value.
            Some(_) => Kind::Null,
        };
        Self { has_type: value.r#type.is_some(), kind }
    }
}

impl<'m> From<&'m AddToCell> for AggregateInput<'m> {
    fn from(add: &'m AddToCell) -> Self {
        Self {
            family: &add.family_name,
            qualifier: Value::of(add.column_qualifier.as_ref()),
            timestamp: Value::of(add.timestamp.as_ref()),
            input: Value::of(add.input.as_ref()),
        }
    }
}

impl<'m> From<&'m MergeToCell> for AggregateInput<'m> {
    fn from(merge: &'m MergeToCell) -> Self {
        Self {
            family: &merge.family_name,
            qualifier: Value::of(merge.column_qualifier.as_ref()),
            timestamp: Value::of(merge.timestamp.as_ref()),
            input: Value::of(merge.input.as_ref()),
        }
    }
}
