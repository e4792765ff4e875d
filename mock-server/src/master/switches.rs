//! What can be switched on and off. Nothing here acts by itself, so a switch is only remembered.

use tallrow_wire::proto::*;

use crate::call::{Call, Outcome};
use crate::cluster::lock;

/// The switches of a master, as a fresh cluster has them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Switches {
    /// The balancer.
    pub(crate) balancer: bool,
}

impl Default for Switches {
    fn default() -> Self {
        Self { balancer: true }
    }
}

pub(crate) fn set_balancer(
    call: &Call<'_>,
    r: SetBalancerRunningRequest,
) -> Outcome<SetBalancerRunningResponse> {
    let before = std::mem::replace(&mut lock(&call.cluster.switches).balancer, r.on);
    Ok(SetBalancerRunningResponse { prev_balance_value: Some(before) })
}

pub(crate) fn balancer(
    call: &Call<'_>,
    _: IsBalancerEnabledRequest,
) -> Outcome<IsBalancerEnabledResponse> {
    Ok(IsBalancerEnabledResponse { enabled: lock(&call.cluster.switches).balancer })
}
