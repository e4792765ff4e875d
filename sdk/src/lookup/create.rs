//! Giving an id to a name.

use std::sync::Arc;

use bytes::Bytes;
use tokio::time::Instant;

use super::state::State;
use crate::shared_task::SharedTask;
use crate::{Error, ErrorKind, Result};

/// How many ids in a row may be in use by other names already.
const TAKEN: usize = 16;

/// Gives an id to a name that was not in the table; callers with the same name wait for the same id.
pub(super) async fn create(state: &Arc<State>, name: Bytes, deadline: Instant) -> Result<u64> {
    if state.read_only {
        let text = "the name has no id, and the lookup is read-only";
        return Err(Error::invalid(text).on_table(state.mappings.table.name()).on_row(&name));
    }
    let running = {
        let mut creating = state.creating();
        // It may have been created since the table was read.
        if let Some(id) = state.cache.id(&name) {
            return Ok(id);
        }
        let running = creating.get(&name).filter(|task| !task.is_done()).cloned();
        running.unwrap_or_else(|| {
            // Taken here and not in the task: tasks start in any order, callers in that of their names.
            let id = state.ids.take_held();
            let task = SharedTask::spawn(deadline, run(state.clone(), name.clone(), id, deadline));
            creating.insert(name, task.clone());
            task
        })
    };
    running.wait_until(deadline).await
}

async fn run(state: Arc<State>, name: Bytes, held: Option<u64>, deadline: Instant) -> Result<u64> {
    let created = take_and_assign(&state, &name, held, deadline).await;
    let mut creating = state.creating();
    if let Ok(id) = created {
        state.cache.insert_id(&name, id);
        state.cache.insert_name(id, &name);
    }
    creating.remove(&name);
    created
}

async fn take_and_assign(
    state: &State,
    name: &Bytes,
    mut held: Option<u64>,
    deadline: Instant,
) -> Result<u64> {
    for _ in 0..TAKEN {
        let id = match held.take() {
            Some(id) => id,
            None => state.ids.next_until(deadline).await?,
        };
        match assign(state, name, id, deadline).await {
            Ok(Some(id)) => return Ok(id),
            Ok(None) => {}
            Err(error) => {
                state.counts.leaked.one();
                return Err(error);
            }
        }
    }
    let text = format!(
        "{TAKEN} ids in a row are in use although the counter is below them; fsck and repair raise it"
    );
    let error = Error::new(ErrorKind::Inconsistent, text);
    Err(error.on_table(state.mappings.table.name()).on_row(name))
}

/// Writes both mappings, and returns the id that the name has then; none if the id belongs to another name.
async fn assign(state: &State, name: &Bytes, id: u64, deadline: Instant) -> Result<Option<u64>> {
    if state.mappings.add_name(id, name, deadline).await? != *name {
        return Ok(None);
    }
    let winner = state.mappings.add_id(name, id, deadline).await?;
    let count = if winner == id { &state.counts.created } else { &state.counts.leaked };
    count.one();
    Ok(Some(winner))
}
