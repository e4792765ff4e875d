//! Schemas of tables: defaults, checks, and what regions need of them.

mod attributes;
mod names;
mod region_schema;
#[cfg(test)]
mod samples;
mod sanity;
mod system;
mod text;

pub(crate) use attributes::complete;
pub(crate) use names::{check_namespace, check_table_name};
pub(crate) use region_schema::{Family, KeepDeleted, Schema};
pub(crate) use sanity::check;
pub(crate) use system::{
    meta_name, meta_region, meta_schema, namespace_name, namespace_schema, quota_name, quota_schema,
};
