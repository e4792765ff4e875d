//! The operations that a client sent to a mock of HBase, each with what its options became.

use bytes::Bytes;
use prost::Message;
use tallrow_tests::{Header, Recorded};
use tallrow_wire::cell::LATEST_TIMESTAMP;
use tallrow_wire::cell_block::CellBlock;
use tallrow_wire::proto::{
    CoprocessorServiceRequest, Get, GetRequest, MultiRequest, MutateRequest, MutateRowsRequest,
    MutationProto, MutationType, NameBytesPair, RegionSpecifier, ScanRequest, TimeRange,
};

/// What an operation does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Does {
    Read,
    Put,
    Delete,
    /// An increment or an append.
    Add,
}

/// An operation as a server got it.
#[derive(Debug)]
pub(crate) struct Seen {
    pub(crate) does: Does,
    /// Of the header of its call.
    pub(crate) priority: u64,
    /// Of the header of its call, in ms.
    pub(crate) timeout: u64,
    pub(crate) attributes: Vec<(String, Bytes)>,
    pub(crate) durability: Option<i32>,
    pub(crate) consistency: Option<i32>,
    /// The end of the range of times that it reads.
    pub(crate) until: Option<u64>,
    /// The times of what it writes; `None` for the server's.
    pub(crate) times: Vec<Option<u64>>,
}

impl Seen {
    pub(crate) fn has(&self, name: &str, value: &[u8]) -> bool {
        self.attributes.iter().any(|(n, v)| n == name && v == value)
    }

    pub(crate) fn writes(&self) -> bool {
        self.does != Does::Read
    }

    fn of(header: &Header, does: Does, attributes: Vec<NameBytesPair>) -> Self {
        let attributes = attributes.into_iter();
        Self {
            does,
            priority: header.priority,
            timeout: header.timeout,
            attributes: attributes.map(|a| (a.name, a.value.unwrap_or_default())).collect(),
            durability: None,
            consistency: None,
            until: None,
            times: Vec::new(),
        }
    }
}

/// All operations on rows of tables other than `hbase:meta`.
pub(crate) fn operations(recorded: &Recorded) -> Vec<Seen> {
    let mut seen = Vec::new();
    for header in recorded.calls("Get") {
        let GetRequest { region, get } = decode(&mut Bytes::from(header.body.clone()));
        if !is_meta(&region) {
            seen.push(get_of(&header, get));
        }
    }
    for header in recorded.calls("Scan") {
        let request: ScanRequest = decode(&mut Bytes::from(header.body.clone()));
        // Further pages have no scan.
        let Some(scan) = request.scan.filter(|_| !request.region.iter().any(is_meta)) else {
            continue;
        };
        seen.push(Seen {
            consistency: scan.consistency,
            until: scan.time_range.and_then(end),
            ..Seen::of(&header, Does::Read, scan.attribute)
        });
    }
    for header in recorded.calls("Mutate") {
        let mut body = Bytes::from(header.body.clone());
        let request: MutateRequest = decode(&mut body);
        seen.push(mutation_of(&header, request.mutation, &mut CellBlock::new(body)));
    }
    for header in recorded.calls("Multi") {
        let mut body = Bytes::from(header.body.clone());
        let request: MultiRequest = decode(&mut body);
        let mut cells = CellBlock::new(body);
        for action in request.region_action.into_iter().flat_map(|region| region.action) {
            seen.extend(action.get.map(|get| get_of(&header, *get)));
            seen.extend(action.mutation.map(|one| mutation_of(&header, one, &mut cells)));
        }
    }
    for header in recorded.calls("ExecService") {
        let request: CoprocessorServiceRequest = decode(&mut Bytes::from(header.body.clone()));
        let rows = MutateRowsRequest::decode(request.call.request).unwrap();
        let none = || CellBlock::new(Bytes::new());
        seen.extend(
            rows.mutation_request.into_iter().map(|one| mutation_of(&header, one, &mut none())),
        );
    }
    seen
}

fn decode<M: Message + Default>(body: &mut Bytes) -> M {
    M::decode_length_delimited(body).unwrap()
}

pub(super) fn is_meta(region: &RegionSpecifier) -> bool {
    region.value.starts_with(b"hbase:meta") || region.value.starts_with(b"1588230740")
}

fn end(range: TimeRange) -> Option<u64> {
    range.to
}

fn get_of(header: &Header, get: Get) -> Seen {
    Seen {
        consistency: get.consistency,
        until: get.time_range.and_then(end),
        ..Seen::of(header, Does::Read, get.attribute)
    }
}

fn mutation_of(header: &Header, mutation: MutationProto, cells: &mut CellBlock) -> Seen {
    let does = match mutation.mutate_type() {
        MutationType::Put => Does::Put,
        MutationType::Delete => Does::Delete,
        MutationType::Increment | MutationType::Append => Does::Add,
    };
    let count = usize::try_from(mutation.associated_cell_count.unwrap_or(0)).unwrap();
    let in_block = cells.cells(count).unwrap().into_iter().map(|cell| Some(cell.timestamp()));
    let values = mutation.column_value.iter().flat_map(|column| &column.qualifier_value);
    let mut times: Vec<_> = in_block.chain(values.map(|value| value.timestamp)).collect();
    if times.is_empty() {
        times.push(mutation.timestamp);
    }
    let given = |time: Option<u64>| time.filter(|time| *time != LATEST_TIMESTAMP);
    Seen {
        durability: mutation.durability,
        times: times.into_iter().map(given).collect(),
        ..Seen::of(header, does, mutation.attribute)
    }
}
