//! A mutation of a row, borrowed from its request.

use tallrow_wire::WireError;
use tallrow_wire::bigtable::{self, Change, Fields};

use super::cell_input::AggregateInput;
use crate::bigtable::limits::{check_qualifier, check_value};
use crate::bigtable::status::{StatusCode, StatusResult, invalid};
use crate::bigtable::timestamp::{self, TimeRange};
use crate::bigtable::views::ViewSubset;

/// The timestamp that stands for the server's time.
const SERVER_TIME: i64 = -1;

/// A mutation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RowMutation<'m> {
    /// No mutation, or one of a kind that the mock does not have.
    Unknown,
    /// A cell is written.
    Set(SetCell<'m>),
    /// A value is added to a cell of an aggregate family.
    Add(AggregateInput<'m>),
    /// A state is merged into a cell of an aggregate family.
    Merge(AggregateInput<'m>),
    /// Cells of a column are removed.
    DeleteColumn(DeleteColumn<'m>),
    /// The cells of a family are removed.
    DeleteFamily { family: &'m str },
    /// All cells are removed.
    DeleteRow,
}

/// A cell to be written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct SetCell<'m> {
    pub(super) family: &'m str,
    pub(super) qualifier: &'m [u8],
    micros: i64,
    pub(super) value: &'m [u8],
}

/// A deletion of cells of a column: all of them, or those in a range of timestamps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct DeleteColumn<'m> {
    pub(super) family: &'m str,
    pub(super) qualifier: &'m [u8],
    pub(super) range: Option<TimeRange>,
}

impl<'m> RowMutation<'m> {
    /// Decodes a mutation. As in every protobuf message, a later field replaces an earlier one or
    /// is merged into it.
    pub(super) fn read(message: &'m [u8]) -> Result<Self, WireError> {
        let mut mutation = Self::Unknown;
        let mut fields = Fields::of(message);
        while let Some(field) = fields.next_field()? {
            mutation = match (field.number, mutation) {
                (1, Self::Set(set)) => Self::Set(set.merge_encoded(field.bytes()?)?),
                (1, _) => Self::Set(SetCell::default().merge_encoded(field.bytes()?)?),
                (2, Self::DeleteColumn(column)) => {
                    Self::DeleteColumn(column.merge_encoded(field.bytes()?)?)
                }
                (2, _) => {
                    Self::DeleteColumn(DeleteColumn::default().merge_encoded(field.bytes()?)?)
                }
                (3, Self::DeleteFamily { family }) => read_family(field.bytes()?, family)?,
                (3, _) => read_family(field.bytes()?, "")?,
                (4, _) => {
                    let mut fields = Fields::of(field.bytes()?);
                    while fields.next_field()?.is_some() {}
                    Self::DeleteRow
                }
                (5, Self::Add(input)) => Self::Add(input.merge_encoded(field.bytes()?)?),
                (5, _) => Self::Add(AggregateInput::default().merge_encoded(field.bytes()?)?),
                (6, Self::Merge(input)) => Self::Merge(input.merge_encoded(field.bytes()?)?),
                (6, _) => Self::Merge(AggregateInput::default().merge_encoded(field.bytes()?)?),
                (_, mutation) => mutation,
            };
        }
        Ok(mutation)
    }

    /// Checks the mutation, as far as that is possible without the table.
    pub(super) fn check(&self) -> StatusResult<()> {
        match self {
            Self::Set(set) => set.check(),
            Self::Add(input) | Self::Merge(input) => input.check(),
            Self::DeleteColumn(DeleteColumn { range: Some(range), .. }) => {
                range.checked_range().map(drop)
            }
            Self::DeleteColumn(_) | Self::DeleteFamily { .. } | Self::DeleteRow => Ok(()),
            Self::Unknown => Err(StatusCode::Unimplemented
                .status("The mutation is not set, or of a kind that the mock does not have")),
        }
    }

    /// Returns an error unless all that the mutation may change is in a view. The deletion of a row
    /// may change cells of columns that no view can name.
    pub(super) fn check_view(&self, view: &ViewSubset) -> StatusResult<()> {
        match self {
            Self::Unknown => Ok(()),
            Self::Set(set) => view.check_column(set.family, set.qualifier),
            Self::Add(input) | Self::Merge(input) => {
                view.check_column(input.family, input.qualifier())
            }
            Self::DeleteColumn(delete) => view.check_column(delete.family, delete.qualifier),
            Self::DeleteFamily { family } if view.has_family(family) => Ok(()),
            Self::DeleteFamily { family } => {
                Err(view.outside(&format!("A part of the column family {family}")))
            }
            Self::DeleteRow => Err(view.outside("A part of the row")),
        }
    }

    /// Returns the family that the mutation names.
    pub(super) fn family(&self) -> Option<&'m str> {
        match self {
            Self::Set(SetCell { family, .. })
            | Self::Add(AggregateInput { family, .. })
            | Self::Merge(AggregateInput { family, .. })
            | Self::DeleteColumn(DeleteColumn { family, .. })
            | Self::DeleteFamily { family } => Some(family),
            Self::Unknown | Self::DeleteRow => None,
        }
    }

    /// Returns whether the mutation may remove cells.
    pub(super) fn is_deletion(&self) -> bool {
        matches!(self, Self::DeleteColumn(_) | Self::DeleteFamily { .. } | Self::DeleteRow)
    }

    /// Returns whether the mutation removes a cell with this timestamp in microseconds.
    pub(super) fn deletes(&self, family: &[u8], qualifier: &[u8], micros: i64) -> bool {
        match self {
            Self::Unknown | Self::Set(_) | Self::Add(_) | Self::Merge(_) => false,
            Self::DeleteColumn(column) => {
                column.family.as_bytes() == family
                    && column.qualifier == qualifier
                    && column.range.is_none_or(|range| range.contains(micros))
            }
            Self::DeleteFamily { family: of } => of.as_bytes() == family,
            Self::DeleteRow => true,
        }
    }
}

fn read_family<'m>(message: &'m [u8], mut family: &'m str) -> Result<RowMutation<'m>, WireError> {
    let mut fields = Fields::of(message);
    while let Some(field) = fields.next_field()? {
        if field.number == 1 {
            family = field.text()?;
        }
    }
    Ok(RowMutation::DeleteFamily { family })
}

impl<'m> SetCell<'m> {
    fn merge_encoded(mut self, message: &'m [u8]) -> Result<Self, WireError> {
        let mut fields = Fields::of(message);
        while let Some(field) = fields.next_field()? {
            match field.number {
                1 => self.family = field.text()?,
                2 => self.qualifier = field.bytes()?,
                3 => self.micros = field.int64()?,
                4 => self.value = field.bytes()?,
                _ => {}
            }
        }
        Ok(self)
    }

    fn check(&self) -> StatusResult<()> {
        check_qualifier(self.qualifier)?;
        check_value(self.value)?;
        match self.micros {
            SERVER_TIME => Ok(()),
            below if below < SERVER_TIME => {
                Err(invalid(format!("Timestamps must be >= -1, but got {below}")))
            }
            at => timestamp::micros_to_millis(at).map(drop),
        }
    }

    /// Returns the timestamp in ms; `now` if the mutation asks for the server's time.
    pub(super) fn millis(&self, now: u64) -> u64 {
        u64::try_from(self.micros).map_or(now, |micros| micros / 1000)
    }
}

impl<'m> DeleteColumn<'m> {
    fn merge_encoded(mut self, message: &'m [u8]) -> Result<Self, WireError> {
        let mut fields = Fields::of(message);
        while let Some(field) = fields.next_field()? {
            match field.number {
                1 => self.family = field.text()?,
                2 => self.qualifier = field.bytes()?,
                3 => {
                    self.range = Some(self.range.unwrap_or_default().merge_encoded(field.bytes()?)?)
                }
                _ => {}
            }
        }
        Ok(self)
    }
}

impl<'m> From<&'m bigtable::Mutation> for RowMutation<'m> {
    fn from(mutation: &'m bigtable::Mutation) -> Self {
        match &mutation.mutation {
            None => Self::Unknown,
            Some(Change::SetCell(set)) => Self::Set(SetCell {
                family: &set.family_name,
                qualifier: &set.column_qualifier,
                micros: set.timestamp_micros,
                value: &set.value,
            }),
            Some(Change::DeleteFromColumn(delete)) => Self::DeleteColumn(DeleteColumn {
                family: &delete.family_name,
                qualifier: &delete.column_qualifier,
                range: delete.time_range.as_ref().map(TimeRange::from),
            }),
            Some(Change::DeleteFromFamily(delete)) => {
                Self::DeleteFamily { family: &delete.family_name }
            }
            Some(Change::DeleteFromRow(_)) => Self::DeleteRow,
            Some(Change::AddToCell(add)) => Self::Add(AggregateInput::from(add)),
            Some(Change::MergeToCell(merge)) => Self::Merge(AggregateInput::from(merge)),
        }
    }
}

#[cfg(test)]
mod tests {
    use prost::Message;
    use tallrow_wire::bigtable::{
        AddToCell, DeleteFromColumn, DeleteFromFamily, DeleteFromRow, MergeToCell, TimestampRange,
        Type, Value, ValueKind,
    };

    use super::*;

    fn changes() -> Vec<Change> {
        let set = |micros, value: &'static [u8]| bigtable::SetCell {
            family_name: "f".into(),
            column_qualifier: "q".into(),
            timestamp_micros: micros,
            value: value.into(),
        };
        let column = |time_range| {
            let (family_name, column_qualifier) = ("f".into(), "q".into());
            Change::DeleteFromColumn(DeleteFromColumn { family_name, column_qualifier, time_range })
        };
        let string = Value { r#type: None, kind: Some(ValueKind::StringValue("s".into())) };
        let bytes = ValueKind::BytesValue("b".into());
        let times = TimestampRange { start_timestamp_micros: 0, end_timestamp_micros: 2000 };
        vec![
            Change::SetCell(set(-1, b"v")),
            Change::SetCell(set(0, &[7; 300])),
            Change::SetCell(bigtable::SetCell::default()),
            column(None),
            column(Some(times)),
            Change::DeleteFromFamily(DeleteFromFamily { family_name: "g".into() }),
            Change::DeleteFromRow(DeleteFromRow {}),
            Change::AddToCell(AddToCell {
                family_name: "f".into(),
                column_qualifier: Some(Value::raw("q")),
                timestamp: Some(Value::timestamp(-1)),
                input: Some(Value { r#type: Some(Type::big_endian_int64()), ..Value::int(-5) }),
            }),
            Change::AddToCell(AddToCell { input: Some(string), ..AddToCell::default() }),
            Change::MergeToCell(MergeToCell {
                column_qualifier: Some(Value::int(7)),
                timestamp: Some(Value::default()),
                input: Some(Value { kind: Some(bytes), r#type: None }),
                ..MergeToCell::default()
            }),
        ]
    }

    #[test]
    fn a_mutation_is_read_as_its_message_is_decoded() {
        let encoded: Vec<Vec<u8>> = changes()
            .into_iter()
            .map(|change| bigtable::Mutation { mutation: Some(change) }.encode_to_vec())
            .chain([Vec::new(), b"\x3a\x01a".to_vec()])
            .collect();
        // Two mutations in one message are merged, or the second replaces the first. Half of a
        // mutation is refused.
        for (a, b) in encoded.iter().flat_map(|a| encoded.iter().map(move |b| (a, b))) {
            let both = [&a[..], b].concat();
            for len in [both.len(), a.len() + b.len() / 2, a.len() / 2] {
                let part = &both[..len];
                match bigtable::Mutation::decode(part) {
                    Ok(message) => {
                        assert_eq!(RowMutation::read(part), Ok(RowMutation::from(&message)))
                    }
                    Err(_) => assert!(RowMutation::read(part).is_err()),
                }
            }
        }
    }

    #[test]
    fn text_that_is_none_and_fields_of_other_types_are_refused() {
        for bad in [
            &b"\x0a\x03\x0a\x01\xff"[..],
            b"\x08\x01",
            b"\x0a\x02\x1a\x00",
            b"\x1a\x02\x08\x01",
            // In an AddToCell: a text that is none, a type that is none.
            b"\x2a\x05\x22\x03\x1a\x01\xff",
            b"\x2a\x05\x22\x03\x3a\x01\xff",
        ] {
            assert!(bigtable::Mutation::decode(bad).is_err());
            assert!(RowMutation::read(bad).is_err());
        }
    }
}
