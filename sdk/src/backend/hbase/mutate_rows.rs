//! Changes of several rows of one region in one step.

use tokio::time::sleep_until;

use super::cluster::Cluster;
use super::endpoint::{ServiceCall, exec_service};
use super::lower::{MultiRowMutation, lower_mutate_rows};
use super::region::LookupTarget;
use crate::backend::attempts::Attempts;
use crate::backend::repeat::Idempotency;
use crate::model::show;
use crate::request::op::{CallTarget, Mutation};
use crate::runtime::in_flight_limit::OP_OVERHEAD_BYTES;
use crate::wire::exception::DO_NOT_RETRY;
use crate::{Error, Result, TableName};

/// Applies these puts and deletes in one step: all of them or none.
pub(crate) async fn mutate_rows(
    cluster: &Cluster,
    mutations: Vec<Mutation>,
    to: &CallTarget<'_>,
) -> Result<()> {
    let mut step = lower_mutate_rows(mutations, to, cluster.config.max_cell_bytes)?;
    let mut attempts = cluster.budgeted_attempts("mutate rows", to.table, step.timeout);
    if let Some(until) = step.rows.iter().filter_map(|row| cluster.deletes.blocked_until(row)).max()
    {
        sleep_until(until.min(attempts.deadline())).await;
        attempts.restart_first_attempt();
    }
    let done = send(cluster, &mut step, to, &mut attempts).await;
    if done.is_ok() && step.deletes_until_server_time {
        step.rows.iter().for_each(|row| cluster.deletes.record(row));
    }
    let failed = |error: Error| {
        let error = error.on_table(to.table).on_row(&step.row);
        match error.exception() == Some(DO_NOT_RETRY) {
            true => outside(cluster, to.table, &step).iter().fold(error, |e, why| e.with_note(why)),
            false => error,
        }
    };
    attempts.end(done.map_err(failed))
}

/// Sends a step, again after failed attempts if that is allowed, until it is answered.
async fn send(
    cluster: &Cluster,
    step: &mut MultiRowMutation,
    to: &CallTarget<'_>,
    attempts: &mut Attempts,
) -> Result<()> {
    let mut timestamps = match step.repeat_policy.has_client_timestamp {
        true => Some(cluster.await_write_timestamps(&step.rows, attempts).await?),
        false => None,
    };
    if let Some(timestamps) = &timestamps {
        step.set_timestamps(|row| timestamps.time_of(row));
    }
    let call = ServiceCall {
        service: "MultiRowMutationService",
        method: "MutateRows",
        request: step.take_request(),
        repeatable: step.repeat_policy.idempotency == Idempotency::Write,
        writes: true,
        attempt_timeout: step.attempt_timeout.unwrap_or(cluster.config.attempt_timeout),
        priority: step.priority,
        not_ready: |_| None,
    };
    let (bytes, on) = (OP_OVERHEAD_BYTES + call.request.len(), (to.table, &step.row));
    let sent = async {
        let _permit =
            cluster.reserve_in_flight_bytes(bytes, to.wait_when_full, on, attempts).await?;
        exec_service(cluster, to.table, &step.row, &call, attempts).await
    };
    let sent = sent.await;
    if let Some(timestamps) = &mut timestamps {
        match attempts.count() {
            0 => timestamps.mark_unsent(),
            1 if sent.is_ok() && !step.deletes => timestamps.mark_answered(),
            _ => {}
        }
    }
    sent.map(drop)
}

/// Explains which rows of a step are not in the region of its first row, and what to do about it.
fn outside(cluster: &Cluster, table: &TableName, step: &MultiRowMutation) -> Option<String> {
    let region = cluster.locator.cached(table, LookupTarget::Containing(&step.row))?;
    let mut outside: Vec<_> = step.rows.iter().filter(|row| !region.contains(row)).collect();
    outside.sort();
    outside.dedup();
    let (first, more) = outside.split_first()?;
    let more = if more.is_empty() { String::new() } else { format!(", like {} more,", more.len()) };
    let bounds = match (region.start(), region.end()) {
        (start, _) if ***first < *start => format!("begins at row {}", show::row_key(start)),
        (_, end) => format!("ends before row {}", show::row_key(end)),
    };
    Some(format!(
        "all rows of a step must be in one region: row {}{more} is not in that of row {}, which {bounds}; give \
         rows that change together a common prefix, and split the table at such prefixes only, as \
         DelimitedKeyPrefixRegionSplitPolicy does",
        show::row_key(first),
        show::row_key(&step.row),
    ))
}
