//! Region servers: listed, called, and taken out of service.

use prost::Message;
use tokio::time::timeout_at;

use super::handle::HBaseAdmin;
use super::regions::Region;
use crate::Result;
use crate::backend::hbase::location::{address, server_name, server_named};
use crate::backend::hbase::retry::{RetryDecision, classify};
use crate::backend::hbase::rpc::{Call, Service};
use crate::wire::proto;

impl HBaseAdmin {
    /// The live region servers, as `host,port,start code`.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// let client = tallrow::Client::connect("mock:").await?;
    /// assert_eq!(client.admin().hbase()?.region_servers().await?.len(), 2);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// No master that answers by the deadline.
    pub async fn region_servers(&self) -> Result<Vec<String>> {
        let status = self.status("region servers", proto::ClusterOption::ServersName).await?;
        Ok(status.servers_name.iter().map(server_name).collect())
    }

    /// Marks region servers as decommissioned: the master assigns no regions to them. With `offload`, it moves their
    /// regions to the others, which goes on after this returns. Servers are named as in
    /// [`region_servers`](HBaseAdmin::region_servers); one with this start code only, so not one that starts there
    /// later.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = tallrow::Client::connect("mock:").await?;
    /// let hbase = client.admin().hbase()?;
    /// let server = hbase.region_servers().await?.remove(0);
    /// hbase.decommission_servers(&[&server], true).await?;
    /// assert_eq!(hbase.list_decommissioned_servers().await?, [server.clone()]);
    /// hbase.recommission_server(&server, &[]).await?;
    /// assert!(hbase.list_decommissioned_servers().await?.is_empty());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a server name that does not parse; no master that
    /// answers by the deadline ([`operation_timeout`](crate::Config::operation_timeout)).
    pub async fn decommission_servers(&self, servers: &[&str], offload: bool) -> Result<()> {
        const NAME: &str = "decommission servers";
        let names = servers.iter().map(|name| server_named(NAME, name));
        let request = proto::DecommissionRegionServersRequest {
            server_name: names.collect::<Result<_>>()?,
            offload,
        };
        let procedure = self.start(NAME, "DecommissionRegionServers", None);
        procedure.request::<_, proto::Empty>(&self.cluster, &request).await.map(drop)
    }

    /// Takes a decommissioned server back into service, and moves these regions to it.
    ///
    /// See [`decommission_servers`](HBaseAdmin::decommission_servers) for an example.
    ///
    /// # Errors
    /// The errors of [`decommission_servers`](HBaseAdmin::decommission_servers).
    pub async fn recommission_server(&self, server: &str, regions: &[Region]) -> Result<()> {
        const NAME: &str = "recommission server";
        let request = proto::RecommissionRegionServerRequest {
            server_name: server_named(NAME, server)?,
            region: regions.iter().map(Region::encoded_specifier).collect(),
        };
        let procedure = self.start(NAME, "RecommissionRegionServer", None);
        procedure.request::<_, proto::Empty>(&self.cluster, &request).await.map(drop)
    }

    /// The region servers that are decommissioned, as `host,port,start code`.
    ///
    /// # Errors
    /// No master that answers by the deadline.
    pub async fn list_decommissioned_servers(&self) -> Result<Vec<String>> {
        let procedure =
            self.start("list decommissioned servers", "ListDecommissionedRegionServers", None);
        let answer: proto::ListDecommissionedRegionServersResponse =
            procedure.ask(&self.cluster, &proto::Empty {}).await?;
        let mut names: Vec<_> = answer.server_name.iter().map(server_name).collect();
        names.sort();
        Ok(names)
    }

    /// Asks one region server, which is named as `host,port,start code`. The call must change nothing.
    pub(super) async fn ask_server<P: Message, R: Message + Default>(
        &self,
        called: &'static str,
        server: &str,
        method: &'static str,
        param: &P,
    ) -> Result<R> {
        let config = &self.cluster.config;
        let server = address(&server_named(called, server)?);
        let mut attempts = self.cluster.attempts_on(called, None, config.operation_timeout);
        let answer = async {
            loop {
                attempts.begin();
                attempts.sent_to(&server);
                let timeout = attempts.left(config.attempt_timeout);
                let call = Call { method, param, high_priority: false, timeout };
                let answer = self.cluster.servers.call(&server, Service::Admin, call);
                match timeout_at(attempts.deadline(), attempts.traced(answer)).await {
                    Ok(Ok((answer, _))) => return Ok(answer),
                    Ok(Err(error)) => match classify(error, &server) {
                        RetryDecision::Fail(error) => return Err(error),
                        RetryDecision::Again(error, wait, _) => attempts.again(error, wait).await?,
                    },
                    Err(_) => return Err(attempts.late(&server, method)),
                }
            }
        };
        let answer = answer.await;
        attempts.end(answer)
    }
}
