//! The registry that masters and region servers provide (`RpcConnectionRegistry`). Before HBase
//! 2.5, only masters provide it.

use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use prost::Message;
use tokio::time::Instant;

use super::answer::{meta_on, unknown_to};
use super::ask_hosts::HostPoller;
use crate::backend::hbase::location::Location;
use crate::backend::hbase::rpc::{Call, CallError, Connections, Service};
use crate::wire::proto::{
    GetActiveMasterRequest, GetActiveMasterResponse, GetBootstrapNodesRequest,
    GetBootstrapNodesResponse, GetClusterIdRequest, GetClusterIdResponse,
    GetMetaRegionLocationsRequest, GetMetaRegionLocationsResponse,
};

pub(crate) struct RpcRegistry {
    /// The servers that the address of the cluster contains. They are never forgotten.
    seeds: Vec<Arc<str>>,
    /// Further region servers, which one of the seeds returned.
    learnt: Arc<RwLock<Vec<Arc<str>>>>,
    hosts: HostPoller,
    timeout: Duration,
}

impl RpcRegistry {
    pub(super) fn new(seeds: Vec<String>, timeout: Duration) -> Self {
        let seeds = seeds.into_iter().map(Arc::from).collect();
        Self { seeds, learnt: Arc::default(), hosts: HostPoller::new(timeout), timeout }
    }

    pub(super) fn host_list(&self) -> Arc<str> {
        self.seeds.join(",").into()
    }

    pub(super) async fn meta_location(
        &self,
        servers: &Arc<Connections>,
    ) -> Result<Location, CallError> {
        let (host, found) = self
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
        self.learn(servers, host);
        Ok(found)
    }

    pub(super) async fn active_master(
        &self,
        servers: &Arc<Connections>,
    ) -> Result<Arc<str>, CallError> {
        let asked = self.ask(
            servers,
            "GetActiveMaster",
            &GetActiveMasterRequest {},
            "active master",
            |r: GetActiveMasterResponse| {
                r.server_name.as_ref().map(crate::backend::hbase::location::address)
            },
        );
        asked.await.map(|(_, master)| master)
    }

    pub(super) async fn cluster_id(&self, servers: &Arc<Connections>) -> Result<String, CallError> {
        let param = &GetClusterIdRequest {};
        let asked = self.ask(
            servers,
            "GetClusterId",
            param,
            "id of the cluster",
            |r: GetClusterIdResponse| r.cluster_id,
        );
        asked.await.map(|(_, id)| id)
    }

    /// Asks the servers concurrently until one of them has the answer.
    async fn ask<P: Message, R: Message + Default, T>(
        &self,
        servers: &Arc<Connections>,
        method: &'static str,
        param: &P,
        what: &str,
        pick: impl Fn(R) -> Option<T>,
    ) -> Result<(Arc<str>, T), CallError> {
        let learnt = self.learnt.read().unwrap_or_else(PoisonError::into_inner).clone();
        let pick = &pick;
        let hosts = self.seeds.iter().cloned().chain(learnt);
        let asked = self.hosts.ask(hosts, |host, deadline| async move {
            let timeout = deadline.saturating_duration_since(Instant::now());
            let call = Call { method, param, high_priority: false, timeout };
            let (response, _) = servers.call(&host, Service::Registry, call).await?;
            pick(response).ok_or_else(|| unknown_to(&host, what))
        });
        asked.await
    }

    /// Asks the server `from` in the background for the names of other servers, in case the servers
    /// in the address go down. Servers before HBase 2.5 do not have this method; their error is
    /// ignored.
    fn learn(&self, servers: &Arc<Connections>, from: Arc<str>) {
        if !self.learnt.read().unwrap_or_else(PoisonError::into_inner).is_empty() {
            return;
        }
        let (servers, timeout) = (servers.clone(), self.timeout);
        let (seeds, learnt) = (self.seeds.clone(), self.learnt.clone());
        tokio::spawn(async move {
            let param = &GetBootstrapNodesRequest {};
            let call = Call { method: "GetBootstrapNodes", param, high_priority: false, timeout };
            let answer = servers.call(&from, Service::Registry, call).await;
            let Ok((response, _)): Result<(GetBootstrapNodesResponse, _), _> = answer else {
                return;
            };
            let named = response.server_name.iter().map(crate::backend::hbase::location::address);
            *learnt.write().unwrap_or_else(PoisonError::into_inner) =
                named.filter(|host| !seeds.contains(host)).collect();
        });
    }
}
