//! Schemas of tables: defaults, checks, and the parts that regions need.

mod attributes;
#[cfg(feature = "bigtable")]
mod change_stream;
mod compactions;
mod file_tracker;
#[cfg(feature = "bigtable")]
mod gc_rule;
mod names;
mod region_schema;
mod sanity;
mod system;
mod text;
#[cfg(feature = "bigtable")]
mod value_type;

#[cfg(test)]
pub(crate) use attributes::sample_table;
pub(crate) use attributes::{add_defaults, add_defaults_when_altered, without_defaults};
#[cfg(feature = "bigtable")]
pub(crate) use attributes::{attribute, set_attribute};
#[cfg(feature = "bigtable")]
pub(crate) use change_stream::{set_stream_retention_ms, stream_retention_ms};
pub(crate) use file_tracker::{
    check_altered_trackers, check_new_trackers, check_tracker_target, migrate_tracker_one_step,
    set_tracker,
};
#[cfg(feature = "bigtable")]
pub(crate) use gc_rule::{family_of_rule, is_garbage, rule_of_family};
pub(crate) use names::{check_namespace, check_table_name, table_text};
pub(crate) use region_schema::{Family, KeepDeleted, RegionSchema};
pub(crate) use sanity::check_schema;
pub(crate) use system::{
    META_FAMILIES, meta_region, meta_schema, meta_table_name, namespace_schema,
    namespace_table_name, quota_schema, quota_table_name,
};
#[cfg(feature = "bigtable")]
pub(crate) use value_type::{Aggregation, aggregation_of_family, set_aggregation};
