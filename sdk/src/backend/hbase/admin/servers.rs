//! Region servers: how they are listed, called, and taken out of service.

use super::handle::HBaseAdmin;
use super::methods::{
    DecommissionRegionServers, ListDecommissionedRegionServers, Method, RecommissionRegionServer,
};
use super::regions::Region;
use crate::Result;
use crate::backend::hbase::location::{address, parse_server_name_for, server_name};
use crate::wire::proto;

impl HBaseAdmin {
    /// Returns the server names of the live region servers, as `host,port,start code`.
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
    /// Fails if no master answers by the deadline.
    pub async fn region_servers(&self) -> Result<Vec<String>> {
        let status = self.status("region servers", proto::ClusterOption::ServersName).await?;
        Ok(status.servers_name.iter().map(server_name).collect())
    }

    /// Marks region servers as decommissioned: the master assigns no regions to them. With
    /// `offload`, the master also moves their regions to other servers, and continues to do so
    /// after this function has returned. `servers` are names that
    /// [`region_servers`](HBaseAdmin::region_servers) returned. A server that starts later at the
    /// same address has another start code, and is not marked.
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
    /// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for an invalid server name. Also
    /// fails if no master answers by the deadline
    /// ([`operation_timeout`](crate::Config::operation_timeout)).
    pub async fn decommission_servers(&self, servers: &[&str], offload: bool) -> Result<()> {
        const NAME: &str = "decommission servers";
        let names = servers.iter().map(|name| parse_server_name_for(NAME, name));
        let request = proto::DecommissionRegionServersRequest {
            server_name: names.collect::<Result<_>>()?,
            offload,
        };
        self.call::<DecommissionRegionServers>(NAME, None, request).await.map(drop)
    }

    /// Takes a decommissioned server back into service, and moves `regions` to it.
    ///
    /// See [`decommission_servers`](HBaseAdmin::decommission_servers) for an example.
    ///
    /// # Errors
    /// The errors of [`decommission_servers`](HBaseAdmin::decommission_servers).
    pub async fn recommission_server(&self, server: &str, regions: &[Region]) -> Result<()> {
        const NAME: &str = "recommission server";
        let request = proto::RecommissionRegionServerRequest {
            server_name: parse_server_name_for(NAME, server)?,
            region: regions.iter().map(Region::encoded_specifier).collect(),
        };
        self.call::<RecommissionRegionServer>(NAME, None, request).await.map(drop)
    }

    /// Returns the server names of the decommissioned region servers, as `host,port,start code`,
    /// sorted.
    ///
    /// # Errors
    /// Fails if no master answers by the deadline.
    pub async fn list_decommissioned_servers(&self) -> Result<Vec<String>> {
        let answer = self
            .call::<ListDecommissionedRegionServers>(
                "list decommissioned servers",
                None,
                proto::Empty {},
            )
            .await?;
        let mut names: Vec<_> = answer.server_name.iter().map(server_name).collect();
        names.sort();
        Ok(names)
    }

    /// Calls a method of the region server with this name (`host,port,start code`).
    pub(super) async fn ask_server<M: Method>(
        &self,
        operation_name: &'static str,
        server: &str,
        request: M::Request,
    ) -> Result<M::Response> {
        let server = address(&parse_server_name_for(operation_name, server)?);
        self.operation(operation_name, None).call_on::<M>(&server, request).await
    }
}
