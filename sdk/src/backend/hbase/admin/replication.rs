//! Replication peers: other clusters to which the writes of this cluster are copied.

use std::collections::BTreeMap;

use super::handle::HBaseAdmin;
use super::methods::{
    AddReplicationPeer, DisableReplicationPeer, EnableReplicationPeer, ListReplicationPeers,
    Method, RemoveReplicationPeer, UpdateReplicationPeerConfig,
};
use crate::backend::hbase::table_name::{from_message, to_message};
use crate::wire::proto::{self, ReplicationStateKind};
use crate::{Error, Result, TableName};

/// The configuration of a replication peer: the cluster to which writes are copied, and the tables
/// whose writes are copied (`ReplicationPeerConfig`).
///
/// ```
/// use tallrow::admin::ReplicationPeerConfig;
///
/// let peer = ReplicationPeerConfig::new("zk1,zk2,zk3:2181:/hbase")
///     .table("books".parse()?, ["b"])
///     .bandwidth(1 << 20);
/// assert_eq!(peer.cluster_key(), "zk1,zk2,zk3:2181:/hbase");
/// # Ok::<_, tallrow::Error>(())
/// ```
///
/// Only families with [`replicated`](crate::FamilyDescriptor::replicated) set are copied.
#[derive(Clone, Debug, PartialEq)]
pub struct ReplicationPeerConfig {
    cluster_key: String,
    endpoint: Option<String>,
    tables: BTreeMap<TableName, Vec<String>>,
    namespaces: Vec<String>,
    bandwidth: u64,
    configuration: BTreeMap<String, String>,
}

impl ReplicationPeerConfig {
    /// Describes the peer cluster with this key, to which all replicated families of all tables are
    /// copied. The key contains the cluster's ZooKeeper hosts, port and path, as in
    /// `zk1,zk2:2181:/hbase`.
    ///
    /// See [`ReplicationPeerConfig`] for an example.
    pub fn new(cluster_key: impl Into<String>) -> Self {
        Self {
            cluster_key: cluster_key.into(),
            endpoint: None,
            tables: BTreeMap::new(),
            namespaces: Vec::new(),
            bandwidth: 0,
            configuration: BTreeMap::new(),
        }
    }

    /// Sets the Java class that sends the writes to the peer, in place of HBase's own class.
    pub fn endpoint(mut self, class: impl Into<String>) -> Self {
        self.endpoint = Some(class.into());
        self
    }

    /// Adds a table whose families with these names are copied, or all its families if no names are
    /// given. Once tables or namespaces have been added, only those are copied.
    pub fn table<F: Into<String>>(
        mut self,
        table: TableName,
        families: impl IntoIterator<Item = F>,
    ) -> Self {
        self.tables.insert(table, families.into_iter().map(Into::into).collect());
        self
    }

    /// Adds a namespace whose tables are copied. Once tables or namespaces have been added, only
    /// those are copied.
    pub fn namespace(mut self, namespace: impl Into<String>) -> Self {
        self.namespaces.push(namespace.into());
        self.namespaces.sort();
        self.namespaces.dedup();
        self
    }

    /// Sets the maximum number of bytes per second that each server sends to the peer; 0 for no
    /// limit.
    pub fn bandwidth(mut self, bytes_a_second: u64) -> Self {
        self.bandwidth = bytes_a_second;
        self
    }

    /// Sets a property in the configuration of the peer.
    pub fn configuration(mut self, key: impl Into<String>, value: impl ToString) -> Self {
        self.configuration.insert(key.into(), value.to_string());
        self
    }

    /// The key of the cluster to which writes are copied.
    pub fn cluster_key(&self) -> &str {
        &self.cluster_key
    }

    fn to_message(&self) -> proto::ReplicationPeer {
        let table = |(table, families): (&TableName, &Vec<String>)| proto::TableCf {
            table_name: Some(to_message(table)),
            families: families.iter().map(|f| f.clone().into()).collect(),
        };
        let pair = |(name, value): (&String, &String)| proto::NameStringPair {
            name: name.clone(),
            value: value.clone(),
        };
        proto::ReplicationPeer {
            clusterkey: Some(self.cluster_key.clone()),
            replication_endpoint_impl: self.endpoint.clone(),
            configuration: self.configuration.iter().map(pair).collect(),
            table_cfs: self.tables.iter().map(table).collect(),
            namespaces: self.namespaces.iter().map(|n| n.clone().into()).collect(),
            bandwidth: i64::try_from(self.bandwidth).ok(),
            replicate_all: Some(self.tables.is_empty() && self.namespaces.is_empty()),
            ..Default::default()
        }
    }

    fn from_message(message: &proto::ReplicationPeer) -> Result<Self> {
        let text = |bytes: &bytes::Bytes| String::from_utf8_lossy(bytes).into_owned();
        let mut tables = BTreeMap::new();
        for table in &message.table_cfs {
            let name = from_message(&table.table_name.clone().unwrap_or_default())?;
            tables.insert(name, table.families.iter().map(text).collect());
        }
        let pair = |p: &proto::NameStringPair| (p.name.clone(), p.value.clone());
        Ok(Self {
            cluster_key: message.clusterkey().to_owned(),
            endpoint: message.replication_endpoint_impl.clone().filter(|class| !class.is_empty()),
            tables,
            namespaces: message.namespaces.iter().map(text).collect(),
            bandwidth: u64::try_from(message.bandwidth()).unwrap_or(0),
            configuration: message.configuration.iter().map(pair).collect(),
        })
    }
}

/// A replication peer of the cluster, and whether it is enabled.
///
/// See [`HBaseAdmin::add_replication_peer`] for an example.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ReplicationPeerDescription {
    /// The id of the peer.
    pub id: String,
    /// Whether writes are sent to the peer; if not, they are kept until the peer is enabled.
    pub enabled: bool,
    /// The configuration of the peer.
    pub peer: ReplicationPeerConfig,
}

impl HBaseAdmin {
    /// Adds a replication peer. From now on, writes are sent to the peer. If the peer is not
    /// enabled, the writes are kept until it is enabled.
    ///
    /// ```
    /// use tallrow::admin::ReplicationPeerConfig;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = tallrow::Client::connect("mock:").await?;
    /// let hbase = client.admin().hbase()?;
    /// let bonn = ReplicationPeerConfig::new("zk.bonn.example:2181:/hbase").namespace("team7");
    /// hbase.add_replication_peer("bonn", &bonn, false).await?;
    /// hbase.enable_replication_peer("bonn").await?;
    ///
    /// let peers = hbase.list_replication_peers().await?;
    /// assert_eq!((peers[0].id.as_str(), peers[0].enabled, &peers[0].peer), ("bonn", true, &bonn));
    /// hbase.update_replication_peer("bonn", &bonn.bandwidth(1 << 20)).await?;
    /// hbase.disable_replication_peer("bonn").await?;
    /// hbase.remove_replication_peer("bonn").await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for an empty id;
    /// [`DoNotRetry`](crate::ErrorKind::DoNotRetry) if there is a peer with this id already, or if
    /// the cluster key is invalid or is the key of this cluster. Also fails if the change is not
    /// complete by the deadline ([`admin_timeout`](crate::Config::admin_timeout)).
    pub async fn add_replication_peer(
        &self,
        id: &str,
        peer: &ReplicationPeerConfig,
        enabled: bool,
    ) -> Result<()> {
        const NAME: &str = "add replication peer";
        if id.is_empty() {
            return Err(Error::invalid("the id of a replication peer must not be empty")
                .with_operation_if_unset(NAME));
        }
        let state = match enabled {
            true => ReplicationStateKind::Enabled as i32,
            false => ReplicationStateKind::Disabled as i32,
        };
        let request = proto::AddReplicationPeerRequest {
            peer_id: id.to_owned(),
            peer_config: peer.to_message(),
            peer_state: proto::ReplicationState { state },
        };
        self.call::<AddReplicationPeer>(NAME, None, request).await.map(drop)
    }

    /// Replaces the configuration of a peer. HBase keeps the properties
    /// ([`configuration`](ReplicationPeerConfig::configuration)) that `peer` does not set. The
    /// cluster key and the endpoint cannot be changed.
    ///
    /// See [`add_replication_peer`](HBaseAdmin::add_replication_peer) for an example of this and
    /// the other functions.
    ///
    /// # Errors
    /// [`DoNotRetry`](crate::ErrorKind::DoNotRetry) if there is no such peer, or if the cluster key
    /// or the endpoint differs. Also fails if the change is not complete by the deadline.
    pub async fn update_replication_peer(
        &self,
        id: &str,
        peer: &ReplicationPeerConfig,
    ) -> Result<()> {
        let request = proto::UpdateReplicationPeerConfigRequest {
            peer_id: id.to_owned(),
            peer_config: peer.to_message(),
        };
        self.call::<UpdateReplicationPeerConfig>("update replication peer", None, request)
            .await
            .map(drop)
    }

    /// Enables a peer: the writes that were kept for it and all later writes are sent to it.
    ///
    /// # Errors
    /// [`DoNotRetry`](crate::ErrorKind::DoNotRetry) if there is no such peer, or if it is enabled
    /// already. Also fails if the change is not complete by the deadline.
    pub async fn enable_replication_peer(&self, id: &str) -> Result<()> {
        self.change_peer::<EnableReplicationPeer>("enable replication peer", id).await
    }

    /// Disables a peer: writes are kept for it instead of being sent.
    ///
    /// # Errors
    /// [`DoNotRetry`](crate::ErrorKind::DoNotRetry) if there is no such peer, or if it is disabled
    /// already. Also fails if the change is not complete by the deadline.
    pub async fn disable_replication_peer(&self, id: &str) -> Result<()> {
        self.change_peer::<DisableReplicationPeer>("disable replication peer", id).await
    }

    /// Removes a peer, together with the writes that were kept for it.
    ///
    /// # Errors
    /// [`DoNotRetry`](crate::ErrorKind::DoNotRetry) if there is no such peer. Also fails if the
    /// change is not complete by the deadline.
    pub async fn remove_replication_peer(&self, id: &str) -> Result<()> {
        self.change_peer::<RemoveReplicationPeer>("remove replication peer", id).await
    }

    /// Returns all replication peers, sorted by id.
    ///
    /// # Errors
    /// Fails if no master answers by the deadline.
    pub async fn list_replication_peers(&self) -> Result<Vec<ReplicationPeerDescription>> {
        let request = proto::ListReplicationPeersRequest { regex: None };
        let answer =
            self.call::<ListReplicationPeers>("list replication peers", None, request).await?;
        let mut peers = Vec::new();
        for peer in &answer.peer_desc {
            peers.push(ReplicationPeerDescription {
                id: peer.id.clone(),
                enabled: peer.state.state() == ReplicationStateKind::Enabled,
                peer: ReplicationPeerConfig::from_message(&peer.config)?,
            });
        }
        peers.sort_by(|a, b| a.id.cmp(&b.id));
        Ok(peers)
    }

    async fn change_peer<M: Method<Request = proto::PeerIdRequest>>(
        &self,
        operation_name: &'static str,
        id: &str,
    ) -> Result<()> {
        let request = proto::PeerIdRequest { peer_id: id.to_owned() };
        self.call::<M>(operation_name, None, request).await.map(drop)
    }
}
