//! The client of a connection, as its connection header describes it.

use tallrow_wire::compression::Codec;
use tallrow_wire::preamble;
use tallrow_wire::proto::ConnectionHeader;

/// The client of a connection, as its connection header describes it.
#[derive(Clone, Debug)]
pub(crate) struct ClientInfo {
    /// The service that the client calls.
    pub(crate) service: Service,
    /// The address of the client.
    pub(crate) address: String,
    /// The name of the client's user.
    pub(crate) user: String,
    /// Whether the client reads cell blocks.
    pub(crate) cell_blocks: bool,
    /// The codec that compresses cell blocks, in both directions.
    pub(crate) compression: Option<Codec>,
    /// The version that the client claims to have, major and minor.
    version: (u32, u32),
}

/// The services of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Service {
    /// `ClientService`: reads and writes.
    Client,
    /// `AdminService`: the administration of one server.
    Admin,
    /// `MasterService`: tables, namespaces, regions.
    Master,
    /// `ClientMetaService`: the locations of the master and `hbase:meta`.
    Registry,
}

impl Service {
    /// Returns the service with this name.
    fn by_name(name: &str) -> Option<Self> {
        match name {
            "ClientService" => Some(Self::Client),
            "AdminService" => Some(Self::Admin),
            "MasterService" => Some(Self::Master),
            "ClientMetaService" => Some(Self::Registry),
            _ => None,
        }
    }
}

impl ClientInfo {
    /// Reads a connection header; none if a server would close the connection because of the
    /// header.
    pub(crate) fn from_header(header: &ConnectionHeader, address: String) -> Option<Self> {
        if header.user_info.as_ref().is_some_and(|u| u.effective_user.is_empty()) {
            return None;
        }
        let codec = header.cell_block_codec_class.as_deref().unwrap_or_default();
        let known = matches!(
            codec,
            "" | preamble::KEY_VALUE_CODEC | "org.apache.hadoop.hbase.codec.KeyValueCodecWithTags"
        );
        if !known {
            return None;
        }
        // Without a codec for cells, the compressor class is ignored. An empty name is not the name
        // of a class.
        let compression = match header.cell_block_compressor_class.as_deref() {
            Some(class) if !codec.is_empty() => Some(Codec::of_class(class).ok()?),
            _ => None,
        };
        let version = header.version_info.as_ref().map_or((0, 0), |v| {
            let mut parts = v.version.split(['.', '-']).map(|p| p.parse().unwrap_or(0));
            let (major, minor) = (parts.next().unwrap_or(0), parts.next().unwrap_or(0));
            (v.version_major.unwrap_or(major), v.version_minor.unwrap_or(minor))
        });
        Some(Self {
            service: Service::by_name(header.service_name.as_deref()?)?,
            address,
            user: header.user_info.as_ref().map(|u| u.effective_user.clone()).unwrap_or_default(),
            cell_blocks: !codec.is_empty(),
            compression,
            version,
        })
    }

    /// Whether the response to a Get has its cells in a cell block.
    pub(crate) fn gets_in_cell_blocks(&self) -> bool {
        self.cell_blocks && self.version >= (1, 3)
    }
}
