//! The registry that masters and region servers provide (`RpcConnectionRegistry`). Before HBase
//! 2.5, only masters provide it.
//!
//! # Invariants
//!
//! - A client finds its cluster also if all servers in the address are down, and the others are not
//!   those that were there when it connected. Tests:
//!   `tests/suites/faults/addresses.rs::servers_that_come_and_go_are_learnt_anew`.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use prost::Message;
use tokio::time::Instant;

use super::answer::{meta_location, unknown_to};
use super::ask_hosts::HostPoller;
use crate::backend::hbase::location::{Location, address};
use crate::backend::hbase::rpc::{Call, CallError, Connections, Service};
use crate::wire::proto::{
    GetActiveMasterRequest, GetActiveMasterResponse, GetBootstrapNodesRequest,
    GetBootstrapNodesResponse, GetClusterIdRequest, GetClusterIdResponse,
    GetMetaRegionLocationsRequest, GetMetaRegionLocationsResponse,
};

/// The shortest time between two questions for the servers of the cluster
/// (`hbase.client.bootstrap.min_secs_between_refreshes`).
const LEARN_EVERY: Duration = Duration::from_secs(60);
/// How many servers are remembered besides those in the address. A cluster names ten of its
/// servers, unless `hbase.client.bootstrap.node.limit` says otherwise.
const MOST_LEARNT: usize = 32;

#[derive(Clone)]
pub(crate) struct RpcRegistry {
    /// The servers that the address of the cluster contains. They are never forgotten.
    seeds: Arc<[Arc<str>]>,
    /// Further region servers.
    learnt: Arc<Mutex<LearntServers>>,
    hosts: Arc<HostPoller>,
}

#[derive(Default)]
struct LearntServers {
    /// The servers that the cluster named last.
    hosts: Vec<Arc<str>>,
    /// When the cluster was asked last.
    asked: Option<Instant>,
}

impl RpcRegistry {
    pub(super) fn new(seeds: Vec<String>, timeout: Duration) -> Self {
        let seeds = seeds.into_iter().map(Arc::from).collect();
        Self { seeds, learnt: Arc::default(), hosts: Arc::new(HostPoller::new(timeout)) }
    }

    pub(super) fn host_list(&self) -> Arc<str> {
        self.seeds.join(",").into()
    }

    pub(super) async fn meta_location(
        &self,
        servers: &Arc<Connections>,
    ) -> Result<Location, CallError> {
        let found = self
            .ask(
                servers,
                "GetMetaRegionLocations",
                &GetMetaRegionLocationsRequest {},
                "location of hbase:meta",
                |r: GetMetaRegionLocationsResponse| {
                    let located = r.meta_locations.into_iter().filter_map(|location| {
                        let replica = location.region_info.replica_id.unwrap_or(0);
                        Some((u16::try_from(replica).ok()?, location.server_name?))
                    });
                    meta_location(located.collect())
                },
            )
            .await?;
        self.learn(servers);
        Ok(found)
    }

    pub(super) async fn active_master(
        &self,
        servers: &Arc<Connections>,
    ) -> Result<Arc<str>, CallError> {
        self.ask(
            servers,
            "GetActiveMaster",
            &GetActiveMasterRequest {},
            "active master",
            |r: GetActiveMasterResponse| r.server_name.as_ref().map(address),
        )
        .await
    }

    pub(super) async fn cluster_id(&self, servers: &Arc<Connections>) -> Result<String, CallError> {
        let param = &GetClusterIdRequest {};
        let pick = |r: GetClusterIdResponse| r.cluster_id;
        self.ask(servers, "GetClusterId", param, "id of the cluster", pick).await
    }

    /// Asks the servers concurrently until one of them has the answer.
    async fn ask<P: Message, R: Message + Default, T>(
        &self,
        servers: &Arc<Connections>,
        method: &'static str,
        param: &P,
        what: &str,
        pick: impl Fn(R) -> Option<T>,
    ) -> Result<T, CallError> {
        let learnt = self.learnt().hosts.clone();
        let pick = &pick;
        let hosts = self.seeds.iter().cloned().chain(learnt);
        let asked = self.hosts.ask(hosts, |host, deadline| async move {
            let timeout = deadline.saturating_duration_since(Instant::now());
            let call = Call { method, param, high_priority: false, timeout };
            let (response, _) = servers.call(&host, Service::Registry, call).await?;
            pick(response).ok_or_else(|| unknown_to(&host, what))
        });
        asked.await.map(|(_, found)| found)
    }

    /// Asks the cluster in the background for its servers, in case those in the address go down.
    /// The servers that it names replace those that it named before, which may have gone. If it
    /// was asked a short time ago, it is not asked again.
    pub(super) fn learn(&self, servers: &Arc<Connections>) {
        let now = Instant::now();
        let mut learnt = self.learnt();
        if learnt.asked.is_some_and(|asked| now < asked + LEARN_EVERY) {
            return;
        }
        learnt.asked = Some(now);
        drop(learnt);
        let (registry, servers) = (self.clone(), servers.clone());
        tokio::spawn(async move {
            let param = &GetBootstrapNodesRequest {};
            let pick = |r: GetBootstrapNodesResponse| {
                let named = r.server_name.iter().map(address);
                (named.len() > 0).then(|| registry.besides_seeds(named))
            };
            let asked = registry.ask(&servers, "GetBootstrapNodes", param, "servers", pick);
            // Servers before HBase 2.5 do not have this method: what is known then stays.
            if let Ok(hosts) = asked.await {
                registry.learnt().hosts = hosts;
            }
        });
    }

    /// The servers to remember of those that a cluster names.
    fn besides_seeds(&self, named: impl Iterator<Item = Arc<str>>) -> Vec<Arc<str>> {
        named.filter(|host| !self.seeds.contains(host)).take(MOST_LEARNT).collect()
    }

    fn learnt(&self) -> MutexGuard<'_, LearntServers> {
        self.learnt.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_cluster_is_not_remembered_as_a_whole() {
        let registry = RpcRegistry::new(vec!["rs3:1".into()], Duration::from_secs(1));
        let named = (0..1_000).map(|n| Arc::from(format!("rs{n}:1")));
        let kept = registry.besides_seeds(named);
        assert_eq!(kept.len(), MOST_LEARNT);
        assert!(!kept.contains(&Arc::from("rs3:1")), "{kept:?}");
    }
}
