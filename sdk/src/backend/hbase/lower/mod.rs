//! Turns operations into HBase's messages.

mod check_and_mutate;
mod columns;
mod comparator;
mod descriptor;
mod encoder;
mod filter;
mod get;
mod mutate_rows;
mod mutation;
mod operation;
mod options;
mod row_op;
mod scan;
#[cfg(test)]
mod tests;

pub(crate) use descriptor::{apply_alter_step, from_schema, to_schema};
pub(crate) use encoder::Encoder;
pub(crate) use mutate_rows::{MultiRowMutation, lower_mutate_rows};
pub(crate) use operation::{encode_operation, outcome};
pub(crate) use row_op::{
    EncodedRowOperation, MissingTimestamps, OperationContext, ReplicaSelection,
};
pub(crate) use scan::scan_message;
