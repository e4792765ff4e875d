//! What the batches of both stores share: the outcomes of their operations as they become known, in
//! their order, the one result that observers are told, and what the own options of an operation
//! make of those of its batch.

use std::sync::Arc;
use std::time::Duration;

use crate::request::call_options::CallOptions;
use crate::request::op::{NamedOperation, Outcome, Target};
use crate::{Error, ErrorKind, Result, TableName};

/// What is known about each operation of a batch; `None` until it is.
pub(crate) struct BatchOutcomes(Vec<Option<Result<Outcome>>>);

impl BatchOutcomes {
    /// BatchOutcomes for about `expected` operations, of which none was added yet.
    pub(crate) fn with_capacity(expected: usize) -> Self {
        Self(Vec::with_capacity(expected))
    }

    /// Adds an operation without an outcome.
    pub(crate) fn add(&mut self) {
        self.0.push(None);
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// The operation at `at` has this outcome.
    pub(crate) fn settle(&mut self, at: usize, outcome: Result<Outcome>) {
        if let Some(place) = self.0.get_mut(at) {
            *place = Some(outcome);
        }
    }

    /// What is told of the batch as one: how many of its operations failed, and why the first did.
    pub(crate) fn summary(&self, table: &TableName) -> Result<()> {
        let errors = || self.0.iter().flatten().filter_map(|outcome| outcome.as_ref().err());
        let Some(first) = errors().next() else { return Ok(()) };
        let (failed, all) = (errors().count(), self.len());
        let text = format!("{failed} of {all} operations failed; the first: {first}");
        Err(Error::new(first.kind(), text).on_table(table))
    }

    /// The outcomes, each known by now.
    pub(crate) fn finish(self) -> Vec<Result<Outcome>> {
        let forgotten = || Err(Error::new(ErrorKind::Protocol, "it has no outcome"));
        self.0.into_iter().map(|outcome| outcome.unwrap_or_else(forgotten)).collect()
    }
}

/// How one operation of a batch is sent.
pub(crate) struct OfBatch {
    /// Whether it is sent in a call of its own.
    pub(crate) is_apart: bool,
    pub(crate) timeout: Duration,
    called: Option<&'static str>,
    options: Option<Arc<CallOptions>>,
}

impl OfBatch {
    /// What the own options of an operation make of those of its batch, which is sent to `to`.
    pub(crate) fn of(named: &NamedOperation, to: &Target<'_>) -> Self {
        let own = named.operation.options();
        let own_timeout = own.and_then(|own| own.timeout);
        Self {
            is_apart: own.is_some_and(|own| own.is_sent_apart()),
            timeout: own_timeout.map_or(to.timeout, |own| own.min(to.most)),
            called: named.called,
            options: CallOptions::over(own, to.options),
        }
    }

    pub(crate) fn target<'a>(&'a self, to: &Target<'a>) -> Target<'a> {
        let Self { timeout, called, .. } = *self;
        Target { timeout, called, options: self.options.as_ref(), ..*to }
    }
}
