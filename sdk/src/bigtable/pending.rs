//! Tables, until their administration is here.

use super::instance::Instance;
use super::lower::unsupported;
use crate::descriptor::{SchemaDiff, TableDescriptor};
use crate::{Result, TableName};

fn not_yet<T>() -> Result<T> {
    Err(unsupported("the administration of tables, in this version of the client"))
}

pub(crate) async fn create_table(_: &Instance, _: &TableDescriptor) -> Result<()> {
    not_yet()
}

pub(crate) async fn delete_table(_: &Instance, _: &TableName) -> Result<()> {
    not_yet()
}

pub(crate) async fn truncate_table(_: &Instance, _: &TableName) -> Result<()> {
    not_yet()
}

pub(crate) async fn list_tables(_: &Instance) -> Result<Vec<TableName>> {
    not_yet()
}

pub(crate) async fn table_exists(_: &Instance, _: &TableName) -> Result<bool> {
    not_yet()
}

pub(crate) async fn describe(
    _: &Instance,
    _: &'static str,
    _: &TableName,
) -> Result<TableDescriptor> {
    not_yet()
}

pub(crate) async fn alter(_: &Instance, _: &SchemaDiff) -> Result<()> {
    not_yet()
}
