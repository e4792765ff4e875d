//! The registry that masters and region servers are (`RpcConnectionRegistry`, HBase 2.5 and later; masters only
//! before).

use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use prost::Message;

use super::{meta_on, not_told};
use crate::region::Location;
use crate::rpc::{Call, CallError, Servers, Service};
use crate::wire::proto::{
    GetActiveMasterRequest, GetActiveMasterResponse, GetBootstrapNodesRequest,
    GetBootstrapNodesResponse, GetMetaRegionLocationsRequest, GetMetaRegionLocationsResponse,
    ServerName,
};

pub(crate) struct RpcRegistry {
    /// The servers of the address; asked first, never forgotten.
    seeds: Vec<Arc<str>>,
    /// The region servers that one of them named.
    learnt: RwLock<Vec<Arc<str>>>,
    timeout: Duration,
}

impl RpcRegistry {
    pub(super) fn new(seeds: Vec<String>, timeout: Duration) -> Self {
        let seeds = seeds.into_iter().map(Arc::from).collect();
        Self { seeds, learnt: RwLock::default(), timeout }
    }

    pub(super) fn hosts(&self) -> Arc<str> {
        self.seeds.join(",").into()
    }

    pub(super) async fn meta_location(&self, servers: &Servers) -> Result<Location, CallError> {
        let found = self
            .ask(
                servers,
                "GetMetaRegionLocations",
                &GetMetaRegionLocationsRequest {},
                "location of hbase:meta",
                |r: GetMetaRegionLocationsResponse| {
                    let primary = |l: &&crate::wire::proto::RegionLocation| {
                        l.region_info.replica_id.unwrap_or(0) == 0
                    };
                    meta_on(r.meta_locations.iter().find(primary)?.server_name.clone()?)
                },
            )
            .await?;
        self.learn(servers).await;
        Ok(found)
    }

    pub(super) async fn active_master(&self, servers: &Servers) -> Result<Arc<str>, CallError> {
        self.ask(
            servers,
            "GetActiveMaster",
            &GetActiveMasterRequest {},
            "active master",
            |r: GetActiveMasterResponse| r.server_name.as_ref().map(crate::region::address),
        )
        .await
    }

    /// Asks one server after the other until one knows; the error is the first one's.
    async fn ask<P: Message, R: Message + Default, T>(
        &self,
        servers: &Servers,
        method: &'static str,
        param: &P,
        what: &str,
        pick: impl Fn(R) -> Option<T>,
    ) -> Result<T, CallError> {
        let learnt = self.learnt.read().unwrap_or_else(PoisonError::into_inner).clone();
        let mut first_error = None;
        for address in self.seeds.iter().chain(&learnt) {
            let call = Call { method, param, high_priority: false, timeout: self.timeout };
            let error = match servers.call(address, Service::Registry, call).await {
                Ok((response, _)) => match pick(response) {
                    Some(found) => return Ok(found),
                    None => not_told(address, what),
                },
                Err(error) => error.at(address),
            };
            first_error.get_or_insert(error);
        }
        Err(first_error.unwrap_or_else(|| not_told("the address", what)))
    }

    /// Learns the names of other servers, for the time when those of the address are down. Servers before 2.5 do not
    /// know the question, which is as good as an empty answer.
    async fn learn(&self, servers: &Servers) {
        if !self.learnt.read().unwrap_or_else(PoisonError::into_inner).is_empty() {
            return;
        }
        let pick = |r: GetBootstrapNodesResponse| {
            let known = |a: &Arc<str>| self.seeds.contains(a);
            Some(
                r.server_name
                    .iter()
                    .map(|s: &ServerName| crate::region::address(s))
                    .filter(|a| !known(a))
                    .collect(),
            )
        };
        let asked = self.ask(
            servers,
            "GetBootstrapNodes",
            &GetBootstrapNodesRequest {},
            "other servers",
            pick,
        );
        if let Ok(found) = asked.await {
            *self.learnt.write().unwrap_or_else(PoisonError::into_inner) = found;
        }
    }
}
