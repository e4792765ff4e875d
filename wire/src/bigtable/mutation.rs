//! Changes of one row.

use bytes::Bytes;

use super::{TimestampRange, Value};

#[derive(Clone, PartialEq, prost::Message)]
pub struct Mutation {
    #[prost(oneof = "Change", tags = "1, 2, 3, 4, 5, 6")]
    pub mutation: Option<Change>,
}

impl Mutation {
    /// Sets the timestamp, if the mutation is a `SetCell` without a timestamp (-1).
    ///
    /// ```
    /// use tallrow_wire::bigtable::{Change, Mutation, SetCell};
    ///
    /// let set = |timestamp_micros| {
    ///     let cell = SetCell { timestamp_micros, ..Default::default() };
    ///     Mutation { mutation: Some(Change::SetCell(cell)) }
    /// };
    /// let mut mutation = set(-1);
    /// mutation.set_timestamp_if_unset(7_000);
    /// assert_eq!(mutation, set(7_000));
    /// mutation.set_timestamp_if_unset(9_000);
    /// assert_eq!(mutation, set(7_000));
    /// ```
    pub fn set_timestamp_if_unset(&mut self, timestamp_micros: i64) {
        if let Some(Change::SetCell(SetCell { timestamp_micros: time @ -1, .. })) =
            &mut self.mutation
        {
            *time = timestamp_micros;
        }
    }
}

#[doc(alias = "Mutation.mutation")]
#[derive(Clone, PartialEq, prost::Oneof)]
pub enum Change {
    #[prost(message, tag = "1")]
    SetCell(SetCell),
    #[prost(message, tag = "2")]
    DeleteFromColumn(DeleteFromColumn),
    #[prost(message, tag = "3")]
    DeleteFromFamily(DeleteFromFamily),
    #[prost(message, tag = "4")]
    DeleteFromRow(DeleteFromRow),
    #[prost(message, tag = "5")]
    AddToCell(AddToCell),
    #[prost(message, tag = "6")]
    MergeToCell(MergeToCell),
}

#[doc(alias = "Mutation.SetCell")]
#[derive(Clone, PartialEq, prost::Message)]
pub struct SetCell {
    #[prost(string, tag = "1")]
    pub family_name: String,
    #[prost(bytes = "bytes", tag = "2")]
    pub column_qualifier: Bytes,
    /// -1 stands for the server's time.
    #[prost(int64, tag = "3")]
    pub timestamp_micros: i64,
    #[prost(bytes = "bytes", tag = "4")]
    pub value: Bytes,
}

#[doc(alias = "Mutation.DeleteFromColumn")]
#[derive(Clone, PartialEq, prost::Message)]
pub struct DeleteFromColumn {
    #[prost(string, tag = "1")]
    pub family_name: String,
    #[prost(bytes = "bytes", tag = "2")]
    pub column_qualifier: Bytes,
    /// The timestamps of the versions to delete; all versions if it is not set.
    #[prost(message, optional, tag = "3")]
    pub time_range: Option<TimestampRange>,
}

#[doc(alias = "Mutation.DeleteFromFamily")]
#[derive(Clone, PartialEq, prost::Message)]
pub struct DeleteFromFamily {
    #[prost(string, tag = "1")]
    pub family_name: String,
}

#[doc(alias = "Mutation.DeleteFromRow")]
#[derive(Clone, Copy, PartialEq, Eq, prost::Message)]
pub struct DeleteFromRow {}

/// Adds a value to a cell of an aggregate family.
#[doc(alias = "Mutation.AddToCell")]
#[derive(Clone, PartialEq, prost::Message)]
pub struct AddToCell {
    #[prost(string, tag = "1")]
    pub family_name: String,
    /// A raw value.
    #[prost(message, optional, tag = "2")]
    pub column_qualifier: Option<Value>,
    /// A raw timestamp: cells with different timestamps are different cells.
    #[prost(message, optional, tag = "3")]
    pub timestamp: Option<Value>,
    /// A value of the type of the family's inputs.
    #[prost(message, optional, tag = "4")]
    pub input: Option<Value>,
}

/// Merges the state of another aggregate into a cell of an aggregate family.
#[doc(alias = "Mutation.MergeToCell")]
#[derive(Clone, PartialEq, prost::Message)]
pub struct MergeToCell {
    #[prost(string, tag = "1")]
    pub family_name: String,
    /// A raw value.
    #[prost(message, optional, tag = "2")]
    pub column_qualifier: Option<Value>,
    /// A raw timestamp: cells with different timestamps are different cells.
    #[prost(message, optional, tag = "3")]
    pub timestamp: Option<Value>,
    /// A value of the type of the family's states; nothing is merged if it is null.
    #[prost(message, optional, tag = "4")]
    pub input: Option<Value>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ReadModifyWriteRule {
    #[prost(string, tag = "1")]
    pub family_name: String,
    #[prost(bytes = "bytes", tag = "2")]
    pub column_qualifier: Bytes,
    #[prost(oneof = "Rule", tags = "3, 4")]
    pub rule: Option<Rule>,
}

#[doc(alias = "ReadModifyWriteRule.rule")]
#[derive(Clone, PartialEq, Eq, prost::Oneof)]
pub enum Rule {
    #[prost(bytes = "bytes", tag = "3")]
    AppendValue(Bytes),
    #[prost(int64, tag = "4")]
    IncrementAmount(i64),
}
