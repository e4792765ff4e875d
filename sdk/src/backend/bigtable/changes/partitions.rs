//! Asks for the partitions with which a stream begins.

use prost::Message;

use super::source::ChangesOf;
use crate::backend::attempts::Attempts;
use crate::backend::bigtable::call::{AttemptContext, AttemptDeadline, next_message};
use crate::backend::bigtable::explanation::invalid_answer_error;
use crate::backend::bigtable::failure::{ChangesFrom, Failure};
use crate::backend::bigtable::headers::RoutingState;
use crate::backend::bigtable::retry::RetryState;
use crate::backend::core::CLOSED;
use crate::backend::repeat::Idempotency;
use crate::model::changes::ChangePartition;
use crate::wire::bigtable::{
    GenerateInitialChangeStreamPartitionsRequest, GenerateInitialChangeStreamPartitionsResponse,
    StreamPartition, method,
};
use crate::{Error, ErrorKind, Result};

/// Returns the partitions of the table's stream now.
pub(super) async fn first_partitions(of: &ChangesOf) -> Result<Vec<ChangePartition>> {
    let mut attempts = of.attempts();
    let found = ask(of, &mut attempts).await;
    attempts.end(found.map_err(|error| error.on_table(&of.table)))
}

async fn ask(of: &ChangesOf, attempts: &mut Attempts) -> Result<Vec<ChangePartition>> {
    let mut cookies = RoutingState::default();
    let mut retry = RetryState::new(Idempotency::Read);
    loop {
        if of.instance.closing.is_closed() {
            return Err(Error::new(ErrorKind::Closed, CLOSED));
        }
        attempts.begin_attempt();
        match ask_once(of, attempts, &mut cookies).await? {
            Ok(partitions) => return Ok(partitions),
            Err(failure) => {
                let failure = Failure { changes_from: Some(ChangesFrom::Now), ..failure };
                retry.pause(&failure, of.instance.data.server(), attempts).await?;
            }
        }
    }
}

async fn ask_once(
    of: &ChangesOf,
    attempts: &mut Attempts,
    cookies: &mut RoutingState,
) -> Result<Result<Vec<ChangePartition>, Failure>> {
    let instance = &*of.instance;
    let known = instance.table_context(&of.table)?;
    let request = GenerateInitialChangeStreamPartitionsRequest {
        table_name: instance.table_path(&of.table)?,
        app_profile_id: instance.endpoint.app_profile.clone(),
    };
    let limit = AttemptDeadline::of(attempts, instance.stream_silence_limit(None, 0));
    let sending = AttemptContext {
        instance,
        pool: &instance.data,
        path: method::GENERATE_INITIAL_CHANGE_STREAM_PARTITIONS,
        headers: &known.headers,
        limit,
        lasts: false,
    };
    let mut stream = match sending.streaming(&request, attempts, cookies).await {
        Ok(stream) => stream,
        Err(failure) => return Ok(Err(failure)),
    };
    let mut partitions = Vec::new();
    loop {
        match next_message(&mut stream, limit, cookies).await {
            Ok(Some(message)) => {
                let response = GenerateInitialChangeStreamPartitionsResponse::decode(message)
                    .map_err(invalid_answer_error)?;
                let partition = response.partition.unwrap_or_default();
                partitions.push(read_partition(&partition).map_err(invalid_answer_error)?);
            }
            Ok(None) if partitions.is_empty() => {
                return Err(invalid_answer_error("a change stream without partitions"));
            }
            Ok(None) => break,
            Err(failure) => return Ok(Err(failure)),
        }
    }
    partitions.sort();
    match partitions.windows(2).find(|pair| matches!(pair, [a, b] if a.overlaps(b))) {
        Some(pair) => Err(invalid_answer_error(format!(
            "partitions of a stream with the same rows: {pair:?}"
        ))),
        None => Ok(Ok(partitions)),
    }
}

/// Converts the message of a partition.
pub(super) fn read_partition(message: &StreamPartition) -> Result<ChangePartition, String> {
    let keys = message.keys();
    let partition = keys.and_then(|(start, end)| ChangePartition::new(start, end));
    partition.ok_or_else(|| format!("a partition that is none: {:?}", message.row_range))
}
