//! When a fault fires.

use fastrand::Rng;

use crate::state::Role;

/// The server on which a fault fires, and for which of the calls or connections that match.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Schedule {
    on: Option<Role>,
    nth: u64,
    times: Option<u64>,
    chance: Option<f64>,
}

impl Schedule {
    /// Always, on every server.
    pub(super) fn always() -> Self {
        Self { on: None, nth: 1, times: None, chance: None }
    }

    pub(super) fn on(&mut self, role: Role) {
        self.on = Some(role);
    }

    pub(super) fn nth(&mut self, n: u64) {
        self.nth = n.max(1);
        self.times = self.times.or(Some(1));
    }

    pub(super) fn times(&mut self, times: u64) {
        self.times = Some(times);
    }

    pub(super) fn chance(&mut self, chance: f64) {
        self.chance = Some(chance);
    }

    /// Whether it is for this server.
    pub(super) fn covers(&self, role: Role) -> bool {
        self.on.is_none_or(|on| on == role)
    }

    /// Whether it fires now, given how many calls or connections matched and how many times it fired.
    pub(super) fn fires(&self, matched: u64, fired: u64, random: &mut Rng) -> bool {
        matched >= self.nth
            && self.times.is_none_or(|times| fired < times)
            && self.chance.is_none_or(|chance| random.f64() < chance)
    }
}
