//! The procedures of the master, remembered for the clients that poll for them. Each procedure has
//! finished when it is added.

use std::collections::VecDeque;
use std::sync::Arc;

use tallrow_wire::exception::RemoteException;
use tallrow_wire::proto::{self, GetProcedureResultResponse, ProcedureResultState, ProcedureState};

use super::Nonce;
use super::kept::Recorded;
use crate::base::limits;
use crate::journal::{ProcedureRecord, Record, StateChange};

/// The procedures of one master.
#[derive(Debug, Default)]
pub(crate) struct Procedures {
    /// Those that are remembered, by id. So few are searched one after the other.
    finished: VecDeque<Finished>,
    last_id: u64,
    /// Those that have ended and are not in the log yet.
    new: Vec<ProcedureRecord>,
}

#[derive(Debug)]
struct Finished {
    id: u64,
    /// The identity of the request, if it had a nonce.
    nonce: Option<Nonce>,
    procedure: Procedure,
}

/// A procedure that has finished.
#[derive(Debug)]
pub(crate) struct Procedure {
    /// The Java class, without its package.
    pub(crate) class: Arc<str>,
    /// The user who requested the procedure.
    pub(crate) owner: Arc<str>,
    /// The time at which the procedure ran, in ms.
    pub(crate) ended_at: u64,
    /// The exception of a failed procedure.
    pub(crate) failure: Option<Box<RemoteException>>,
}

impl Procedures {
    /// Lets the ids begin after this one, so that no id is that of a procedure of an earlier
    /// process.
    pub(crate) fn continue_after(&mut self, id: u64) {
        self.last_id = self.last_id.max(id);
    }

    /// Adds a procedure of an earlier process.
    pub(crate) fn restore(&mut self, record: ProcedureRecord) {
        let nonce = Nonce::of(Some(record.nonce_group), Some(record.nonce));
        let procedure = Procedure {
            class: record.class.into(),
            owner: record.owner.into(),
            ended_at: record.ended_at,
            failure: record
                .failure
                .as_ref()
                .map(|failure| Box::new(RemoteException::from_foreign(failure))),
        };
        self.last_id = self.last_id.max(record.id);
        self.insert(Finished { id: record.id, nonce, procedure });
    }

    /// Returns the records of all procedures.
    pub(crate) fn records(&self) -> Vec<ProcedureRecord> {
        self.finished.iter().map(|of| of.procedure.to_record(of.id, of.nonce)).collect()
    }

    /// Returns the id of the procedure that an earlier request with this nonce started.
    pub(crate) fn by_nonce(&self, nonce: Option<Nonce>) -> Option<u64> {
        let nonce = nonce?;
        self.finished.iter().rev().find(|of| of.nonce == Some(nonce)).map(|of| of.id)
    }

    /// Adds a procedure and returns its id.
    pub(crate) fn add(&mut self, nonce: Option<Nonce>, procedure: Procedure) -> u64 {
        self.last_id = self.last_id.saturating_add(1);
        self.new.push(procedure.to_record(self.last_id, nonce));
        self.insert(Finished { id: self.last_id, nonce, procedure });
        self.last_id
    }

    fn insert(&mut self, mut finished: Finished) {
        // Allocations that outlive the cells between which they are made keep the memory of these
        // cells from being given back.
        let Procedure { class, owner, .. } = &mut finished.procedure;
        self.share(class, |of| &of.class);
        self.share(owner, |of| &of.owner);
        match self.finished.binary_search_by_key(&finished.id, |of| of.id) {
            Err(at) => self.finished.insert(at, finished),
            // The id is in the file of an earlier process twice: the later record holds.
            Ok(at) => {
                if let Some(earlier) = self.finished.get_mut(at) {
                    *earlier = finished;
                }
            }
        }
        if self.finished.len() > limits::FINISHED_PROCEDURES {
            self.finished.pop_front();
        }
    }

    /// Replaces a text by the same text of a procedure that is remembered, if there is one.
    fn share(&self, text: &mut Arc<str>, of: impl Fn(&Procedure) -> &Arc<str>) {
        let mut texts = self.finished.iter().rev().map(|finished| of(&finished.procedure));
        if let Some(same) = texts.find(|same| *same == text) {
            *text = Arc::clone(same);
        }
    }

    /// Returns the procedures that ended less than `max_age_ms` ms ago, as the master reports them.
    pub(crate) fn list(&self, now: u64, max_age_ms: u64) -> Vec<proto::Procedure> {
        let is_recent = |p: &Procedure| now < p.ended_at.saturating_add(max_age_ms);
        let recent = self.finished.iter().filter(|of| is_recent(&of.procedure));
        let message = |Finished { id, procedure: p, .. }: &Finished| proto::Procedure {
            class_name: format!("org.apache.hadoop.hbase.master.procedure.{}", p.class),
            parent_id: None,
            proc_id: *id,
            submitted_time: p.ended_at,
            owner: Some(p.owner.to_string()),
            state: match p.failure {
                None => ProcedureState::Success as i32,
                Some(_) => ProcedureState::Rolledback as i32,
            },
            last_update: p.ended_at,
            exception: p.failure.as_deref().map(RemoteException::to_foreign),
        };
        recent.map(message).collect()
    }

    /// Returns the response to a poll.
    pub(crate) fn result(&self, id: u64) -> GetProcedureResultResponse {
        let found = self.finished.binary_search_by_key(&id, |of| of.id);
        let found = found.ok().and_then(|at| self.finished.get(at));
        let Some(Finished { procedure, .. }) = found else {
            let state = ProcedureResultState::NotFound as i32;
            return GetProcedureResultResponse { state, ..Default::default() };
        };
        GetProcedureResultResponse {
            state: ProcedureResultState::Finished as i32,
            submitted_time: Some(procedure.ended_at),
            last_update: Some(procedure.ended_at),
            result: None,
            exception: procedure.failure.as_deref().map(RemoteException::to_foreign),
        }
    }
}

impl Procedure {
    fn to_record(&self, id: u64, nonce: Option<Nonce>) -> ProcedureRecord {
        let (nonce_group, nonce) = nonce.map_or((0, 0), Nonce::parts);
        ProcedureRecord {
            id,
            nonce_group,
            nonce,
            class: self.class.to_string(),
            owner: self.owner.to_string(),
            ended_at: self.ended_at,
            failure: self.failure.as_deref().map(RemoteException::to_foreign),
        }
    }
}

impl Recorded for Procedures {
    fn take_record(&mut self) -> Option<Record> {
        let procedures = std::mem::take(&mut self.new);
        let is_new = !procedures.is_empty();
        is_new.then(|| StateChange { procedures, ..Default::default() }.into())
    }

    fn forget_changes(&mut self) {
        self.new.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn procedure() -> Procedure {
        let class = "CreateTableProcedure".into();
        Procedure { class, owner: "u".into(), ended_at: 5, failure: None }
    }

    #[test]
    fn the_oldest_procedures_are_forgotten_with_their_nonces() {
        let mut procedures = Procedures::default();
        let nonce = |n| Nonce::of(Some(1), Some(n));
        for n in 1..=1_001 {
            assert_eq!(procedures.add(nonce(n), procedure()), n);
        }
        assert_eq!((procedures.by_nonce(nonce(1)), procedures.by_nonce(nonce(2))), (None, Some(2)));
        let state = |id| procedures.result(id).state;
        assert_eq!(state(1), ProcedureResultState::NotFound as i32);
        assert_eq!(state(2), ProcedureResultState::Finished as i32);
        let records = procedures.records();
        assert_eq!(records.len(), 1_000);
        let mut restored = Procedures::default();
        // A record that is there twice is one procedure.
        records.iter().chain(records.last()).cloned().for_each(|record| restored.restore(record));
        assert_eq!(restored.records(), records);
        assert_eq!(restored.add(None, procedure()), 1_002);
    }

    #[test]
    fn a_repeated_request_finds_its_procedure() {
        let mut procedures = Procedures::default();
        let nonce = Nonce::of(Some(1), Some(2));
        let id = procedures.add(nonce, procedure());
        assert_eq!((procedures.list(9, 5).len(), procedures.list(10, 5).len()), (1, 0));
        assert_eq!((procedures.by_nonce(nonce), procedures.by_nonce(None)), (Some(id), None));
        assert_eq!(procedures.result(id).state, ProcedureResultState::Finished as i32);
        assert_eq!(procedures.result(id + 1).state, ProcedureResultState::NotFound as i32);
    }
}
