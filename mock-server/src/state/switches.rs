//! The switches of the master. Nothing but a split by size runs by itself in the mock, so most
//! switches are only stored. Splits and merges are refused while their switch is off.

use tallrow_wire::proto::MasterSwitchType;

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
}
