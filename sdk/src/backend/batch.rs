//! The parts that the batches of HBase and Bigtable share: the outcomes of the operations in their
//! order, the result of the whole batch for observers, and the combination of an operation's
//! options with those of its batch.

use std::sync::Arc;
use std::time::Duration;

use crate::request::call_options::CallOptions;
use crate::request::op::{BatchOutcome, CallTarget, NamedOperation};
use crate::{Error, ErrorKind, Result, TableName};

/// The outcomes of the operations of a batch, in the order of the operations. An outcome is `None`
/// until it is known.
pub(crate) struct BatchOutcomes(Vec<Option<Result<BatchOutcome>>>);

impl BatchOutcomes {
    /// Returns an empty list with room for `expected` operations.
    pub(crate) fn with_capacity(expected: usize) -> Self {
        Self(Vec::with_capacity(expected))
    }

    /// Adds an operation that has no outcome yet.
    pub(crate) fn push_unknown(&mut self) {
        self.0.push(None);
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Sets the outcome of the operation at position `at`.
    pub(crate) fn set(&mut self, at: usize, outcome: Result<BatchOutcome>) {
        if let Some(place) = self.0.get_mut(at) {
            *place = Some(outcome);
        }
    }

    /// Returns the result of the batch as a whole: the error says how many operations failed, and
    /// why the first of them failed.
    pub(crate) fn summary(&self, table: &TableName) -> Result<()> {
        let errors = || self.0.iter().flatten().filter_map(|outcome| outcome.as_ref().err());
        let Some(first) = errors().next() else { return Ok(()) };
        let (failed, all) = (errors().count(), self.len());
        let text = format!("{failed} of {all} operations failed; the first: {first}");
        Err(Error::new(first.kind(), text).on_table(table))
    }

    /// Returns the outcomes, all of which must be known by now. An operation without an outcome
    /// gets an error.
    pub(crate) fn finish(self) -> Vec<Result<BatchOutcome>> {
        let forgotten = || Err(Error::new(ErrorKind::Protocol, "it has no outcome"));
        self.0.into_iter().map(|outcome| outcome.unwrap_or_else(forgotten)).collect()
    }
}

/// How one operation of a batch is sent.
pub(crate) struct EntryOptions {
    /// Whether the operation is sent in a call of its own.
    pub(crate) is_apart: bool,
    pub(crate) timeout: Duration,
    operation_name: Option<&'static str>,
    options: Option<Arc<CallOptions>>,
}

impl EntryOptions {
    /// Combines the options of an operation with the options of its batch; `to` is the target of
    /// the batch.
    pub(crate) fn of(named: &NamedOperation, to: &CallTarget<'_>) -> Self {
        let own = named.operation.options();
        let own_timeout = own.and_then(|own| own.timeout);
        Self {
            is_apart: own.is_some_and(|own| own.needs_own_call()),
            timeout: own_timeout.map_or(to.timeout, |own| own.min(to.max_timeout)),
            operation_name: named.operation_name,
            options: CallOptions::merge(own, to.options),
        }
    }

    pub(crate) fn target<'a>(&'a self, to: &CallTarget<'a>) -> CallTarget<'a> {
        let Self { timeout, operation_name, .. } = *self;
        CallTarget { timeout, operation_name, options: self.options.as_ref(), ..*to }
    }
}
