//! A table and its families.

use std::collections::BTreeMap;

use super::{Duration, StructType, Type};

#[derive(Clone, PartialEq, prost::Message)]
pub struct Table {
    /// `projects/P/instances/I/tables/T`.
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(btree_map = "string, message", tag = "2")]
    pub cluster_states: BTreeMap<String, ClusterState>,
    #[prost(btree_map = "string, message", tag = "3")]
    pub column_families: BTreeMap<String, ColumnFamily>,
    #[prost(enumeration = "TimestampGranularity", tag = "4")]
    pub granularity: i32,
    /// The table has a change stream if it is set.
    #[prost(message, optional, tag = "8")]
    pub change_stream_config: Option<ChangeStreamConfig>,
    #[prost(bool, tag = "9")]
    pub deletion_protection: bool,
    /// The fields that queries read from row keys; a row key is only bytes if it is not set.
    #[prost(message, optional, tag = "15")]
    pub row_key_schema: Option<StructType>,
}

#[derive(Clone, Copy, PartialEq, Eq, prost::Message)]
pub struct ChangeStreamConfig {
    /// How long changes can be read: one day to seven days.
    #[prost(message, optional, tag = "1")]
    pub retention_period: Option<Duration>,
}

#[doc(alias = "Table.ClusterState")]
#[derive(Clone, PartialEq, prost::Message)]
pub struct ClusterState {
    #[prost(enumeration = "ReplicationState", tag = "1")]
    pub replication_state: i32,
}

#[doc(alias = "Table.ClusterState.ReplicationState")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, prost::Enumeration)]
#[repr(i32)]
pub enum ReplicationState {
    StateNotKnown = 0,
    Initializing = 1,
    PlannedMaintenance = 2,
    UnplannedMaintenance = 3,
    Ready = 4,
    ReadyOptimizing = 5,
}

#[doc(alias = "Table.TimestampGranularity")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, prost::Enumeration)]
#[repr(i32)]
pub enum TimestampGranularity {
    TimestampGranularityUnspecified = 0,
    Millis = 1,
    Micros = 2,
}

/// The parts of a table that a request asks for.
#[doc(alias = "Table.View")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, prost::Enumeration)]
#[repr(i32)]
pub enum View {
    ViewUnspecified = 0,
    NameOnly = 1,
    SchemaView = 2,
    ReplicationView = 3,
    Full = 4,
    EncryptionView = 5,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ColumnFamily {
    /// The rule for garbage collection; nothing is collected if it is not set. In the map of a
    /// table, a family without any field is encoded without a value.
    #[prost(message, optional, tag = "1")]
    pub gc_rule: Option<GcRule>,
    /// The type of the cells' values; cells contain any bytes if it is not set.
    #[prost(message, optional, tag = "3")]
    pub value_type: Option<Type>,
}

/// A rule that says which cells are garbage.
#[derive(Clone, PartialEq, prost::Message)]
pub struct GcRule {
    #[prost(oneof = "GarbageRule", tags = "1, 2, 3, 4")]
    pub rule: Option<GarbageRule>,
}

#[doc(alias = "GcRule.rule")]
#[derive(Clone, PartialEq, prost::Oneof)]
pub enum GarbageRule {
    #[prost(int32, tag = "1")]
    MaxNumVersions(i32),
    #[prost(message, tag = "2")]
    MaxAge(Duration),
    #[prost(message, tag = "3")]
    Intersection(Intersection),
    #[prost(message, tag = "4")]
    Union(Union),
}

/// A rule by which a cell is garbage if all rules in it say so.
#[doc(alias = "GcRule.Intersection")]
#[derive(Clone, PartialEq, prost::Message)]
pub struct Intersection {
    #[prost(message, repeated, tag = "1")]
    pub rules: Vec<GcRule>,
}

/// A rule by which a cell is garbage if any rule in it says so.
#[doc(alias = "GcRule.Union")]
#[derive(Clone, PartialEq, prost::Message)]
pub struct Union {
    #[prost(message, repeated, tag = "1")]
    pub rules: Vec<GcRule>,
}
