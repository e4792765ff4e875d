//! On which server, and which time of all the times it could strike.

use fastrand::Rng;

/// When a fault strikes, counted over what it is for.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Schedule {
    on: Option<On>,
    nth: u64,
    times: Option<u64>,
    chance: Option<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum On {
    Master,
    Server(usize),
}

impl Schedule {
    /// Every time, on every server.
    pub(super) fn always() -> Self {
        Self { on: None, nth: 1, times: None, chance: None }
    }

    pub(super) fn on_server(&mut self, server: usize) {
        self.on = Some(On::Server(server));
    }

    pub(super) fn on_master(&mut self) {
        self.on = Some(On::Master);
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

    /// Whether it is for this region server, or for the master where there is no number.
    pub(super) fn covers(&self, server: Option<usize>) -> bool {
        match self.on {
            None => true,
            Some(On::Master) => server.is_none(),
            Some(On::Server(number)) => server == Some(number),
        }
    }

    /// Whether it is due, the `seen`th time and after it struck `fired` times.
    pub(super) fn is_due(&self, seen: u64, fired: u64, random: &mut Rng) -> bool {
        seen >= self.nth
            && self.times.is_none_or(|times| fired < times)
            && self.chance.is_none_or(|chance| random.f64() < chance)
    }
}
