//! Assigns an id to a new name, and writes the mappings in both directions.

use std::sync::Arc;

use bytes::Bytes;
use tokio::time::Instant;

use super::state::{State, Unused};
use crate::runtime::tasks::SharedTask;
use crate::{Error, ErrorKind, Result};

/// How many ids are tried for a name if other names already use these ids.
const TAKEN: usize = 16;

/// Assigns an id to a name that was not in the table, and returns the id. Concurrent callers with
/// the same name wait for the same id.
pub(super) async fn create_id(state: &Arc<State>, name: Bytes, deadline: Instant) -> Result<u64> {
    if state.read_only {
        let text = "the name has no id, and the lookup is read-only";
        return Err(Error::invalid(text).on_table(state.mappings.table.name()).on_row(&name));
    }
    loop {
        let running = {
            let mut creating = state.creating();
            // The name may have been created since the table was read.
            if let Some(id) = state.cache.id(&name) {
                return Ok(id);
            }
            let running = creating.get(&name).filter(|task| !task.was_received()).cloned();
            running.unwrap_or_else(|| {
                // The id is taken here and not in the task: tasks start in any order, but callers
                // start in the order of their names.
                let id = state.take_unused();
                let work = run(state.clone(), name.clone(), id, deadline);
                let task = SharedTask::spawn(deadline, work);
                creating.insert(name.clone(), task.clone());
                task
            })
        };
        // A name that another caller began to create, and had no time left for, is created with the
        // deadline of this caller.
        if let Some(id) = running.wait_or_restart(deadline).await? {
            return Ok(id);
        }
    }
}

async fn run(
    state: Arc<State>,
    name: Bytes,
    held: Option<Unused>,
    deadline: Instant,
) -> Result<u64> {
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
    mut held: Option<Unused>,
    deadline: Instant,
) -> Result<u64> {
    for _ in 0..TAKEN {
        let unused = match held.take() {
            Some(unused) => unused,
            None => Unused { id: state.ids.next_until(deadline).await?, name: None },
        };
        match assign(state, name, unused, deadline).await {
            Ok(Some(id)) => return Ok(id),
            Ok(None) => {}
            Err(error) => {
                state.counts.leaked.increment();
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

/// Writes both mappings, and returns the id that the name then has; `None` if the id belongs to
/// another name.
///
/// If another writer gave the name an id first, the id of this writer is kept for the next name. No
/// caller has received this id, and it can never become the id of this name, because a name keeps
/// its id. So no name has it.
async fn assign(
    state: &State,
    name: &Bytes,
    unused: Unused,
    deadline: Instant,
) -> Result<Option<u64>> {
    let Unused { id, name: before } = unused;
    let found = match before {
        None => state.mappings.add_name_of_id(id, name, deadline).await?,
        Some(before) => state.mappings.replace_name_of_id(id, &before, name, deadline).await?,
    };
    if found != *name {
        return Ok(None);
    }
    let winner = state.mappings.add_id_of_name(name, id, deadline).await?;
    match winner == id {
        true => state.counts.created.increment(),
        false => state.keep_unused(Unused { id, name: Some(name.clone()) }),
    }
    Ok(Some(winner))
}
