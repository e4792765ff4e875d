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
    /// How the client reads cell blocks, if it does.
    pub(crate) cell_codec: Option<CellCodec>,
    /// The codec that compresses cell blocks, in both directions.
    pub(crate) compression: Option<Codec>,
    /// The version that the client claims to have, major and minor.
    version: (u32, u32),
}

/// The forms of the cells of a cell block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CellCodec {
    /// `KeyValueCodec`, whose cells have no tags.
    KeyValue,
    /// `KeyValueCodecWithTags`, by which a client sees the TTL of a cell.
    KeyValueWithTags,
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
    /// Reads a connection header; `None` if the header makes a server close the connection.
    pub(crate) fn from_header(header: &ConnectionHeader, address: String) -> Option<Self> {
        if header.user_info.as_ref().is_some_and(|u| u.effective_user.is_empty()) {
            return None;
        }
        let codec = header.cell_block_codec_class.as_deref().unwrap_or_default();
        let cell_codec = match codec {
            "" => None,
            preamble::KEY_VALUE_CODEC => Some(CellCodec::KeyValue),
            "org.apache.hadoop.hbase.codec.KeyValueCodecWithTags" => {
                Some(CellCodec::KeyValueWithTags)
            }
            _ => return None,
        };
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
            cell_codec,
            compression,
            version,
        })
    }

    /// The form of the cells of the response to a Get; `None` if the cells are not in a cell block.
    pub(crate) fn codec_of_get_response(&self) -> Option<CellCodec> {
        self.cell_codec.filter(|_| self.version >= (1, 3))
    }
}
