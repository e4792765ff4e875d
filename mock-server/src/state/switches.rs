//! The switches of the master. Nothing but a split by size runs by itself in the mock, so most
//! switches are only stored. Splits and merges are refused while their switch is off.

use tallrow_wire::proto::MasterSwitchType;

use super::kept::Recorded;
use crate::journal::{Record, StateChange, SwitchesRecord};

/// The switches of a master. The default is that of a new cluster.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Switches {
    pub(crate) balancer: bool,
    pub(crate) normalizer: bool,
    pub(crate) catalog_janitor: bool,
    pub(crate) cleaner_chore: bool,
    pub(crate) snapshot_cleanup: bool,
    pub(crate) rpc_throttle: bool,
    pub(crate) exceed_throttle_quota: bool,
    pub(crate) compaction: bool,
    pub(crate) peer_modification: bool,
    split: bool,
    merge: bool,
}

impl Default for Switches {
    fn default() -> Self {
        Self {
            balancer: true,
            normalizer: true,
            catalog_janitor: true,
            cleaner_chore: true,
            snapshot_cleanup: true,
            rpc_throttle: true,
            exceed_throttle_quota: false,
            compaction: true,
            peer_modification: true,
            split: true,
            merge: true,
        }
    }
}

/// Selects one of the switches.
pub(crate) type Switch = fn(&mut Switches) -> &mut bool;

impl Switches {
    /// Returns the switch of splits or of merges, by its number on the wire.
    pub(crate) fn split_or_merge(&mut self, kind: i32) -> &mut bool {
        match MasterSwitchType::try_from(kind) {
            Ok(MasterSwitchType::Merge) => &mut self.merge,
            _ => &mut self.split,
        }
    }

    /// Whether the switch of splits or of merges is on.
    pub(crate) fn allows(mut self, kind: i32) -> bool {
        *self.split_or_merge(kind)
    }

    /// All switches, in the order in which they are recorded. A new one comes last.
    fn all(&mut self) -> [&mut bool; 11] {
        [
            &mut self.balancer,
            &mut self.normalizer,
            &mut self.catalog_janitor,
            &mut self.cleaner_chore,
            &mut self.snapshot_cleanup,
            &mut self.rpc_throttle,
            &mut self.exceed_throttle_quota,
            &mut self.compaction,
            &mut self.split,
            &mut self.merge,
            &mut self.peer_modification,
        ]
    }
}

impl From<&Switches> for StateChange {
    fn from(switches: &Switches) -> Self {
        let are_on = switches.to_owned().all().map(|switch| *switch).to_vec();
        Self { switches: Some(SwitchesRecord { are_on }), ..Self::default() }
    }
}

impl From<SwitchesRecord> for Switches {
    fn from(record: SwitchesRecord) -> Self {
        let mut switches = Self::default();
        for (switch, is_on) in switches.all().into_iter().zip(record.are_on) {
            *switch = is_on;
        }
        switches
    }
}

impl Recorded for Switches {
    fn take_record(&mut self) -> Option<Record> {
        Some(StateChange::from(&*self).into())
    }
}
