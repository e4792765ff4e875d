//! The procedures of the master, remembered for the clients that poll for them. Each procedure has
//! finished when it is added.

use std::collections::{BTreeMap, HashMap};

use tallrow_wire::exception::RemoteException;
use tallrow_wire::proto::{self, GetProcedureResultResponse, ProcedureResultState, ProcedureState};

use super::Nonce;
use super::kept::Recorded;
use crate::journal::{ProcedureRecord, Record, StateChange};

/// The procedures of one master.
#[derive(Debug, Default)]
pub(crate) struct Procedures {
    finished: BTreeMap<u64, Procedure>,
    by_nonce: HashMap<Nonce, u64>,
    last_id: u64,
    /// Those that have ended and are not in the log yet.
    new: Vec<ProcedureRecord>,
}

/// A procedure that has finished.
#[derive(Debug)]
pub(crate) struct Procedure {
    /// The Java class, without its package.
    pub(crate) class: String,
    /// The user who requested the procedure.
    pub(crate) owner: String,
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
            class: record.class,
            owner: record.owner,
            ended_at: record.ended_at,
            failure: record
                .failure
                .as_ref()
                .map(|failure| Box::new(RemoteException::from_foreign(failure))),
        };
        self.last_id = self.last_id.max(record.id);
        self.insert(record.id, nonce, procedure);
    }

    /// Returns the records of all procedures.
    pub(crate) fn records(&self) -> Vec<ProcedureRecord> {
        let nonces: HashMap<u64, Nonce> =
            self.by_nonce.iter().map(|(nonce, id)| (*id, *nonce)).collect();
        let record = |(id, of): (&u64, &Procedure)| of.to_record(*id, nonces.get(id).copied());
        self.finished.iter().map(record).collect()
    }

    /// The maximum number of procedures that are remembered.
    const REMEMBERED: usize = 2_000;

    /// Returns the id of the procedure that an earlier request with this nonce started.
    pub(crate) fn by_nonce(&self, nonce: Option<Nonce>) -> Option<u64> {
        self.by_nonce.get(&nonce?).copied()
    }

    /// Adds a procedure and returns its id.
    pub(crate) fn add(&mut self, nonce: Option<Nonce>, procedure: Procedure) -> u64 {
        self.last_id = self.last_id.saturating_add(1);
        self.new.push(procedure.to_record(self.last_id, nonce));
        self.insert(self.last_id, nonce, procedure);
        self.last_id
    }

    fn insert(&mut self, id: u64, nonce: Option<Nonce>, procedure: Procedure) {
        self.finished.insert(id, procedure);
        if let Some(nonce) = nonce {
            self.by_nonce.insert(nonce, id);
        }
        if self.finished.len() > Self::REMEMBERED
            && let Some((gone, _)) = self.finished.pop_first()
        {
            self.by_nonce.retain(|_, id| *id != gone);
        }
    }

    /// Returns the procedures that ended less than `max_age_ms` ms ago, as the master reports them.
    pub(crate) fn list(&self, now: u64, max_age_ms: u64) -> Vec<proto::Procedure> {
        let recent =
            self.finished.iter().filter(|(_, p)| now < p.ended_at.saturating_add(max_age_ms));
        let message = |(id, p): (&u64, &Procedure)| proto::Procedure {
            class_name: format!("org.apache.hadoop.hbase.master.procedure.{}", p.class),
            parent_id: None,
            proc_id: *id,
            submitted_time: p.ended_at,
            owner: Some(p.owner.clone()),
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
        let Some(procedure) = self.finished.get(&id) else {
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
            class: self.class.clone(),
            owner: self.owner.clone(),
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

    #[test]
    fn a_repeated_request_finds_its_procedure() {
        let mut procedures = Procedures::default();
        let nonce = Nonce::of(Some(1), Some(2));
        let class = "CreateTableProcedure".into();
        let procedure = Procedure { class, owner: "u".into(), ended_at: 5, failure: None };
        let id = procedures.add(nonce, procedure);
        assert_eq!((procedures.list(9, 5).len(), procedures.list(10, 5).len()), (1, 0));
        assert_eq!((procedures.by_nonce(nonce), procedures.by_nonce(None)), (Some(id), None));
        assert_eq!(procedures.result(id).state, ProcedureResultState::Finished as i32);
        assert_eq!(procedures.result(id + 1).state, ProcedureResultState::NotFound as i32);
    }
}
