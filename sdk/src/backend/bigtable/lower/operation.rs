//! Converts one operation to one call.
//!
//! # Invariants
//!
//! - An increment or append is sent to Bigtable once, and without an answer its outcome is unknown.
//!   Tests:
//!   `tests/peers/conformance/tests/lost_replies/main.rs::nothing_is_made_twice_when_the_mock_loses_replies`.
//! - An addition to an aggregate is counted once, however often it is sent. Tests:
//!   `sdk/src/backend/bigtable/tests/aggregates.rs`.

use bytes::Bytes;
use prost::Message;

use super::mutations::{MAX_MUTATIONS, Refusal, add_mutations, read_modify_write_rules};
use super::read::{check_row_key, get_fields, now};
use super::table::TableFacts;
use crate::backend::bigtable::filter::lower_condition;
use crate::backend::repeat::{Idempotency, RepeatPolicy};
use crate::request::call_options::{AttributeScope, CallOptions};
use crate::request::op::{
    CallTarget, CheckAndMutate, Get, Mutation as CrateMutation, MutationKind, RowMutations,
    RowOperation, SingleMutation,
};
use crate::wire::bigtable::{
    CheckAndMutateRowRequest, EncodedMutations, ReadModifyWriteRowRequest,
};
use crate::{DeliveryGuarantee, Error, ErrorKind, Result};

/// The largest value of a cell: 100 MiB.
const MAX_VALUE: usize = 100 << 20;

/// The message of an operation, without the fields that name its table.
#[derive(Clone, Debug)]
pub(crate) enum Call {
    Read {
        /// The encoded fields of the request other than the row.
        fields: Vec<u8>,
        existence_only: bool,
    },
    Mutate(EncodedMutations),
    ReadModifyWrite(Box<ReadModifyWriteRowRequest>),
    /// A conditional change, and whether its condition holds if the predicate finds a cell.
    Check(Box<CheckAndMutateRowRequest>, bool),
}

/// An operation that is valid and ready to be sent.
#[derive(Clone, Debug)]
pub(crate) struct LoweredOperation {
    pub(crate) name: &'static str,
    pub(crate) row: Bytes,
    pub(crate) call: Call,
    pub(crate) idempotency: Idempotency,
    /// Whether cells have no timestamp, and the client sets it before it sends the operation.
    pub(crate) needs_timestamp: bool,
    pub(crate) deletes: bool,
    pub(crate) waits: bool,
    pub(crate) attempt_timeout: Option<std::time::Duration>,
}

impl LoweredOperation {
    /// The size of the operation in bytes.
    pub(crate) fn size(&self) -> usize {
        match &self.call {
            Call::Read { fields, .. } => self.row.len() + fields.len(),
            Call::Mutate(mutations) => self.row.len() + mutations.fields().len(),
            Call::ReadModifyWrite(request) => request.encoded_len(),
            Call::Check(request, _) => request.encoded_len(),
        }
    }

    /// Sets the timestamp of all cells that have none to `millis`.
    pub(crate) fn set_timestamps(&mut self, millis: u64) {
        let micros = i64::try_from(millis).unwrap_or(i64::MAX / 1_000).saturating_mul(1_000);
        match &mut self.call {
            Call::Mutate(mutations) => *mutations = mutations.with_timestamp_if_unset(micros),
            Call::Check(request, _) => {
                let both = request.true_mutations.iter_mut().chain(&mut request.false_mutations);
                both.for_each(|mutation| mutation.set_timestamp_if_unset(micros));
            }
            Call::Read { .. } | Call::ReadModifyWrite(_) => {}
        }
    }
}

/// Returns the error for something that Bigtable does not support.
pub(crate) fn unsupported(what: &str) -> Error {
    Error::new(ErrorKind::Unsupported, format!("Bigtable does not support {what}"))
}

/// Lowers an operation on a table to a call.
pub(crate) fn lower(
    operation: RowOperation,
    to: &CallTarget<'_>,
    facts: &TableFacts<'_>,
) -> Result<LoweredOperation> {
    let lowering = Lowering { to, facts };
    let mut lowered = match operation {
        RowOperation::Get(get) => lowering.get(get, false),
        RowOperation::Exists(get) => lowering.get(get, true),
        RowOperation::Mutation(mutation) => lowering.mutation(mutation),
        RowOperation::CheckAndMutate(check) => lowering.check(check),
    };
    // In place, because an operation is large: to take it out of the result would move it twice.
    if let (Ok(lowered), Some(operation_name)) = (&mut lowered, to.operation_name) {
        lowered.name = operation_name;
    }
    lowered
}

struct Lowering<'a> {
    to: &'a CallTarget<'a>,
    facts: &'a TableFacts<'a>,
}

impl Lowering<'_> {
    fn refused(&self, name: &'static str, row: &Bytes, refusal: Refusal) -> Error {
        match refusal {
            Refusal::Invalid(why) => self.to.invalid(name, row, why),
            Refusal::Failed(error) => error
                .with_operation_if_unset(self.to.operation_name.unwrap_or(name))
                .on_table(self.to.table)
                .on_row(row),
            Refusal::Unsupported(what) => unsupported(&what)
                .with_operation_if_unset(self.to.operation_name.unwrap_or(name))
                .on_table(self.to.table)
                .on_row(row),
        }
    }

    fn lowered(
        &self,
        name: &'static str,
        row: Bytes,
        call: Call,
        often: Idempotency,
    ) -> LoweredOperation {
        LoweredOperation {
            name,
            row,
            call,
            idempotency: often,
            needs_timestamp: false,
            deletes: false,
            waits: self.to.wait_when_full,
            attempt_timeout: self.to.attempt_timeout(),
        }
    }

    fn get(&self, read: Get, existence_only: bool) -> Result<LoweredOperation> {
        let name = if existence_only { "exists" } else { "get" };
        let fields = check_row_key(&read.row)
            .map_err(Refusal::Invalid)
            .and_then(|()| options(self.to.options.map(|o| &**o), AttributeScope::Reads))
            .and_then(|()| get_fields(&read, existence_only, self.facts))
            .map_err(|refusal| self.refused(name, &read.row, refusal))?;
        let call = Call::Read { fields, existence_only };
        Ok(self.lowered(name, read.row, call, Idempotency::Read))
    }

    fn mutation(&self, mutation: CrateMutation) -> Result<LoweredOperation> {
        match mutation.try_into_single() {
            Ok(mut single) => {
                let (kind, cells) = &mut single;
                let name = kind.name();
                let combined = cells.combine_repeated(*kind);
                let row = std::mem::take(&mut cells.row);
                combined.map_err(|why| self.to.invalid(name, &row, why))?;
                self.changes(name, row, None, std::slice::from_ref(&single))
            }
            Err(RowMutations { row, mutations, delivery, in_order, options: _ }) => {
                let several = RowMutations { row, mutations, delivery, options: None, in_order };
                if let Some(problem) = several.problem() {
                    return Err(self.to.invalid("mutate row", &several.row, problem));
                }
                let RowMutations { row, mut mutations, delivery, .. } = several;
                for (kind, cells) in &mut mutations {
                    cells
                        .combine_repeated(*kind)
                        .map_err(|why| self.to.invalid("mutate row", &row, why))?;
                }
                self.changes("mutate row", row, delivery, &mutations)
            }
        }
    }

    fn changes(
        &self,
        name: &'static str,
        row: Bytes,
        delivery: Option<DeliveryGuarantee>,
        all: &[(MutationKind, SingleMutation)],
    ) -> Result<LoweredOperation> {
        if self.facts.is_materialized_view {
            let what = "changes of a materialized view, whose rows its query makes; change the \
                        tables that it reads";
            return Err(self.refused(name, &row, Refusal::Unsupported(what.into())));
        }
        self.check_cells(&row, all).map_err(|refusal| self.refused(name, &row, refusal))?;
        let adds =
            |kind: &MutationKind| matches!(kind, MutationKind::Increment | MutationKind::Append);
        if all.iter().any(|(kind, _)| adds(kind)) {
            if !all.iter().all(|(kind, _)| adds(kind)) {
                let what = "increments or appends in one step with puts or deletes";
                return Err(self.refused(name, &row, Refusal::Unsupported(what.into())));
            }
            return self.additions(name, row, all);
        }
        let deletes = all.iter().any(|(kind, _)| *kind == MutationKind::Delete);
        // In Bigtable, only puts have timestamps: a delete removes the cells that exist at that
        // moment.
        let repetitions = all.iter().map(|(kind, cells)| {
            if matches!(kind, MutationKind::AddToCells | MutationKind::MergeToCells) {
                return RepeatPolicy::of_addition();
            }
            let delivery = delivery.or(cells.delivery).unwrap_or(self.to.delivery);
            let server_time = *kind == MutationKind::Put && cells.server_time;
            RepeatPolicy::of_write(delivery, server_time, cells.must_not_repeat)
        });
        let RepeatPolicy { idempotency, has_client_timestamp } = RepeatPolicy::of_step(repetitions);
        let mut mutations = EncodedMutations::default();
        for (kind, cells) in all {
            add_mutations(*kind, cells, &mut mutations)
                .map_err(|refusal| self.refused(name, &row, refusal))?;
        }
        if mutations.len() > MAX_MUTATIONS {
            let n = mutations.len();
            let why = format!(
                "{n} changes of one row, more than Bigtable's {MAX_MUTATIONS}; divide them among several calls"
            );
            return Err(self.refused(name, &row, Refusal::Invalid(why)));
        }
        Ok(LoweredOperation {
            needs_timestamp: has_client_timestamp,
            deletes,
            ..self.lowered(name, row, Call::Mutate(mutations), idempotency)
        })
    }

    /// Lowers increments and appends of one row.
    fn additions(
        &self,
        name: &'static str,
        row: Bytes,
        several: &[(MutationKind, SingleMutation)],
    ) -> Result<LoweredOperation> {
        let mut all = Vec::new();
        for (kind, cells) in several {
            all.extend(
                read_modify_write_rules(*kind, cells)
                    .map_err(|refusal| self.refused(name, &row, refusal))?,
            );
        }
        let request = ReadModifyWriteRowRequest {
            row_key: row.clone(),
            rules: all,
            ..ReadModifyWriteRowRequest::default()
        };
        Ok(self.lowered(name, row, Call::ReadModifyWrite(Box::new(request)), Idempotency::Never))
    }

    fn check_cells(
        &self,
        row: &Bytes,
        several: &[(MutationKind, SingleMutation)],
    ) -> Result<(), Refusal> {
        check_row_key(row)?;
        options(self.to.options.map(|o| &**o), AttributeScope::Writes)?;
        for (_, cells) in several {
            options(cells.options.as_deref(), AttributeScope::Writes)?;
            let (largest, limit) = (cells.cells.largest_cell_size(), self.facts.max_cell_bytes);
            if largest > limit {
                return Err(Refusal::Invalid(format!(
                    "a cell of {largest} bytes, more than max_cell_bytes, {limit}; split it, or keep it elsewhere"
                )));
            }
            if largest > MAX_VALUE
                && let Some(cell) = cells.cells.cells().find(|cell| cell.value().len() > MAX_VALUE)
            {
                let n = cell.value().len();
                return Err(Refusal::Invalid(format!(
                    "a value of {n} bytes, more than Bigtable's {MAX_VALUE}; split it, or keep it elsewhere"
                )));
            }
        }
        Ok(())
    }

    fn check(&self, check: CheckAndMutate) -> Result<LoweredOperation> {
        const NAME: &str = "check and mutate";
        let problem = check.problem();
        let CheckAndMutate { row, condition, mutation, options: _ } = check;
        let refused = |refusal| self.refused(NAME, &row, refusal);
        let invalid = |why: &str| refused(Refusal::Invalid(why.to_owned()));
        let Some(mutation) = mutation else {
            return Err(invalid("it has nothing to do; give it a mutation with then(..)"));
        };
        if let Some(problem) = problem {
            return Err(invalid(&problem));
        }
        if mutation.row() != row {
            return Err(invalid("the change is of another row than the condition"));
        }
        let lowered = self.mutation(*mutation)?;
        let Call::Mutate(mutations) = lowered.call else {
            return Err(refused(Refusal::Unsupported(
                "increments and appends on a condition".into(),
            )));
        };
        let predicate = lower_condition(&condition, self.facts.family_limits, now())
            .map_err(|e| refused(e.into()))?;
        let (true_mutations, false_mutations) = match predicate.holds_if_found {
            true => (mutations.decode(), Vec::new()),
            false => (Vec::new(), mutations.decode()),
        };
        let request = CheckAndMutateRowRequest {
            row_key: row.clone(),
            true_mutations,
            false_mutations,
            predicate_filter: Some(predicate.filter),
            ..CheckAndMutateRowRequest::default()
        };
        let call = Call::Check(Box::new(request), predicate.holds_if_found);
        Ok(LoweredOperation {
            needs_timestamp: lowered.needs_timestamp,
            deletes: lowered.deletes,
            ..self.lowered(NAME, row.clone(), call, Idempotency::Never)
        })
    }
}

/// Fails if a read has options that Bigtable does not support.
pub(crate) fn check_read_options(read: Option<&CallOptions>) -> Result<()> {
    options(read, AttributeScope::Reads).map_err(|refusal| match refusal {
        Refusal::Invalid(why) => Error::invalid(why),
        Refusal::Failed(error) => error,
        Refusal::Unsupported(what) => unsupported(&what),
    })
}

/// Fails for options that Bigtable does not support and that change what an operation means: such
/// options cannot simply be left out.
fn options(options: Option<&CallOptions>, of: AttributeScope) -> Result<(), Refusal> {
    let Some(options) = options else { return Ok(()) };
    if of == AttributeScope::Reads && options.replica.is_some() {
        return Err(Refusal::Unsupported("reads of one replica".into()));
    }
    match options.attributes(of).find(|a| !a.name.starts_with("_operation.attributes.")) {
        Some(attribute) => {
            let name = &attribute.name;
            Err(Refusal::Unsupported(format!("attributes of operations, such as {name:?}")))
        }
        None => Ok(()),
    }
}
