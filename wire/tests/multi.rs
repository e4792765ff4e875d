//! The requests and results of `multi` against prost's encoding of the same messages, and against
//! any bytes.

use bytes::{Bytes, BytesMut};
use proptest::prelude::*;
use prost::Message;
use tallrow_wire::cell::{Cell, CellType, LATEST_TIMESTAMP};
use tallrow_wire::cell_block::{self, CellBlock};
use tallrow_wire::exception::RemoteException;
use tallrow_wire::multi::{self, Action, ActionOutcome, RegionResults};
use tallrow_wire::proto::{
    self, Condition, Get, GetRequest, MultiRegionLoadStats, MultiRequest, MultiResponse,
    MutateRequest, MutationProto, NameBytesPair, RegionAction, RegionActionResult, RegionLoadStats,
    RegionSpecifier, ResultOrException,
};

fn bytes(max: usize) -> impl Strategy<Value = Bytes> {
    prop::collection::vec(any::<u8>(), 0..max).prop_map(Bytes::from)
}

fn region() -> impl Strategy<Value = RegionSpecifier> {
    bytes(200).prop_map(|value| RegionSpecifier { r#type: 1, value })
}

prop_compose! {
    fn get()(row in bytes(200), versions in any::<Option<u32>>()) -> Get {
        Get { row, max_versions: versions, ..Default::default() }
    }
}

prop_compose! {
    fn mutation()(
        row in bytes(200), nonce in any::<Option<u64>>(), count in any::<Option<i32>>()
    ) -> MutationProto {
        MutationProto { row: Some(row), nonce, associated_cell_count: count, ..Default::default() }
    }
}

fn condition() -> impl Strategy<Value = Condition> {
    bytes(200).prop_map(|row| Condition { row, ..Default::default() })
}

fn action() -> impl Strategy<Value = proto::Action> {
    let get = |get| proto::Action { get: Some(Box::new(get)), ..Default::default() };
    let mutation = |mutation| proto::Action { mutation: Some(mutation), ..Default::default() };
    prop_oneof![self::get().prop_map(get), self::mutation().prop_map(mutation)]
}

prop_compose! {
    fn region_action()(
        region in region(),
        atomic in any::<bool>(),
        mut action in prop::collection::vec(action(), 0..150),
        condition in prop::option::of(condition()),
    ) -> RegionAction {
        for (index, action) in (0..).zip(&mut action) {
            action.index = Some(index);
        }
        RegionAction { region, atomic: atomic.then_some(true), action, condition }
    }
}

prop_compose! {
    fn cell()(row in bytes(20), family in bytes(5), qualifier in bytes(5), value in bytes(20)) -> Cell {
        Cell::new(&row, &family, &qualifier, LATEST_TIMESTAMP, CellType::Put, &value).unwrap()
    }
}

/// A result, and its cells: some in the message, some in the block.
fn result() -> impl Strategy<Value = (proto::Result, Vec<Cell>)> {
    let cells = || prop::collection::vec(cell(), 0..3);
    (cells(), cells(), any::<(Option<bool>, Option<bool>, Option<bool>)>()).prop_map(
        |(inside, block, (exists, stale, partial))| {
            let count = (!block.is_empty()).then_some(block.len() as i32);
            let cell = inside.iter().map(Cell::to_proto).collect();
            (proto::Result { cell, associated_cell_count: count, exists, stale, partial }, block)
        },
    )
}

fn pair() -> impl Strategy<Value = NameBytesPair> {
    ("[a-z.]{0,20}", prop::option::of("[ -~]{0,40}"))
        .prop_map(|(name, value)| NameBytesPair { name, value: value.map(Bytes::from) })
}

fn result_or_exception() -> impl Strategy<Value = (ResultOrException, Vec<Cell>)> {
    let result = prop::option::of(result());
    (any::<Option<u32>>(), result, prop::option::of(pair())).prop_map(
        |(index, result, exception)| {
            // A server sends no result of an action that failed.
            let (result, cells) = result.filter(|_| exception.is_none()).unzip();
            let result = ResultOrException { index, result, exception, service_result: None };
            (result, cells.unwrap_or_default())
        },
    )
}

prop_compose! {
    fn region_result()(
        results in prop::collection::vec(result_or_exception(), 0..5),
        exception in prop::option::of(pair()),
        processed in any::<Option<bool>>(),
    ) -> (RegionActionResult, Vec<Cell>) {
        let (result_or_exception, cells): (_, Vec<Vec<Cell>>) = results.into_iter().unzip();
        (RegionActionResult { result_or_exception, exception, processed }, cells.concat())
    }
}

prop_compose! {
    fn response()(
        results in prop::collection::vec(region_result(), 0..5),
        processed in any::<Option<bool>>(),
        statistics in any::<bool>(),
    ) -> (MultiResponse, Vec<Cell>) {
        let (region_action_result, cells): (_, Vec<Vec<Cell>>) = results.into_iter().unzip();
        let region_statistics = statistics.then(|| MultiRegionLoadStats {
            region: Vec::new(),
            stat: vec![RegionLoadStats::default()],
        });
        (MultiResponse { region_action_result, processed, region_statistics }, cells.concat())
    }
}

/// Reads all of a message and its block; the results of each region.
type Read = Vec<(Option<RemoteException>, Option<bool>, Vec<(u32, Result<Done, RemoteException>)>)>;
type Done = (Vec<Cell>, bool, bool);

fn read(message: &[u8], block: &mut CellBlock) -> Result<Read, tallrow_wire::WireError> {
    let mut regions = Vec::new();
    for region in RegionResults::new(message) {
        let region = region?;
        let mut actions = Vec::new();
        for action in region.actions {
            let action = action?;
            let outcome = match action.outcome {
                ActionOutcome::Done(done) => Ok((done.cells(block)?, done.exists, done.stale)),
                ActionOutcome::Failed(exception) => Err(exception),
            };
            actions.push((action.index, outcome));
        }
        regions.push((region.exception, region.processed, actions));
    }
    Ok(regions)
}

fn read_by_prost(message: MultiResponse, block: &mut CellBlock) -> Read {
    let of_region = |region: RegionActionResult| {
        let exception = region.exception.as_ref().map(RemoteException::from_pair);
        let actions = region.result_or_exception.into_iter().map(|action| {
            let outcome = match action.exception {
                Some(pair) => Err(RemoteException::from_pair(&pair)),
                None => {
                    let result = action.result.unwrap_or_default();
                    let count = result.associated_cell_count.unwrap_or(0).max(0);
                    let mut cells = block.cells(count as usize).unwrap();
                    cells.extend(result.cell.iter().map(|cell| Cell::from_proto(cell).unwrap()));
                    let (exists, stale) = (result.exists, result.stale);
                    Ok((cells, exists.unwrap_or(false), stale.unwrap_or(false)))
                }
            };
            (action.index.unwrap_or(0), outcome)
        });
        (exception, region.processed, actions.collect())
    };
    message.region_action_result.into_iter().map(of_region).collect()
}

#[test]
fn an_action_takes_hardly_more_than_its_mutation() {
    assert!(size_of::<proto::Action>() <= size_of::<proto::MutationProto>() + 32);
}

proptest! {
    #[test]
    fn a_multi_request_has_the_bytes_that_prost_gives_it(
        region_action in prop::collection::vec(region_action(), 0..5), nonce_group in any::<u64>()
    ) {
        let mut out = BytesMut::new();
        for region in &region_action {
            let encoded = region.action.iter().map(|action| match (&action.get, &action.mutation) {
                (Some(get), _) => (true, get.encode_to_vec()),
                (_, mutation) => (false, mutation.as_ref().unwrap().encode_to_vec()),
            });
            let encoded: Vec<_> = encoded.collect();
            let actions = encoded.iter().map(|(is_get, message)| match is_get {
                true => Action::Get(message),
                false => Action::Mutation(message),
            });
            let condition = region.condition.as_ref().map(Message::encode_to_vec);
            let condition = condition.as_deref();
            let (atomic, region) = (region.atomic.unwrap_or(false), &region.region.value);
            multi::RegionAction { region, atomic, condition, actions }.encode(&mut out);
        }
        multi::put_nonce_group(nonce_group, &mut out);
        let expected = MultiRequest { region_action, nonce_group: Some(nonce_group), condition: None };
        prop_assert_eq!(&out[..], &expected.encode_to_vec()[..]);
    }

    #[test]
    fn a_request_of_one_operation_has_the_bytes_that_prost_gives_it(
        region in region(), get in get(), mutation in mutation(),
        condition in prop::option::of(condition()), nonce_group in any::<u64>(),
    ) {
        let mut out = BytesMut::new();
        multi::put_get_request(&region.value, &get.encode_to_vec(), &mut out);
        let expected = GetRequest { region: region.clone(), get }.encode_to_vec();
        prop_assert_eq!(&out[..], &expected[..]);

        let mut out = BytesMut::new();
        let encoded = condition.as_ref().map(Message::encode_to_vec);
        let bytes = mutation.encode_to_vec();
        multi::put_mutate_request(&region.value, &bytes, encoded.as_deref(), nonce_group, &mut out);
        let expected = MutateRequest { region, mutation, condition, nonce_group: Some(nonce_group) };
        prop_assert_eq!(&out[..], &expected.encode_to_vec()[..]);
    }

    #[test]
    fn a_multi_response_is_read_as_prost_reads_it((message, cells) in response()) {
        let mut block = BytesMut::new();
        cells.iter().for_each(|cell| cell_block::put_cell(cell.bytes(), &mut block));
        let block = CellBlock::new(block.freeze());
        let (mut ours, mut theirs) = (block.clone(), block);
        let found = read(&message.encode_to_vec(), &mut ours).unwrap();
        prop_assert_eq!(found, read_by_prost(message, &mut theirs));
        prop_assert!(ours.is_empty() && theirs.is_empty());
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in bytes(300), block in bytes(100)) {
        let _ = read(&bytes, &mut CellBlock::new(block));
    }

    #[test]
    fn a_response_with_some_bytes_changed_is_read_or_refused(
        (message, cells) in response(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
        cut in any::<prop::sample::Index>(),
    ) {
        let mut message = message.encode_to_vec();
        for (at, byte) in changes.iter().filter(|_| !message.is_empty()).collect::<Vec<_>>() {
            let at = at.index(message.len());
            message[at] = *byte;
        }
        message.truncate(cut.index(message.len() + 1));
        let mut block = BytesMut::new();
        cells.iter().for_each(|cell| cell_block::put_cell(cell.bytes(), &mut block));
        let _ = read(&message, &mut CellBlock::new(block.freeze()));
    }
}

#[test]
fn what_is_no_message_is_refused_as_what_it_is() {
    let refused = |bytes: &'static [u8]| {
        read(bytes, &mut CellBlock::new(Bytes::new())).unwrap_err().to_string()
    };
    let cut = "read Multi response: field 1 of 5 bytes, but only 1 are left";
    assert_eq!(refused(b"\x0a\x05x"), cut);
    assert_eq!(refused(b"\x08\x05"), "read Multi response: a field with a wrong wire type");
    assert_eq!(refused(b"\x0b"), "read Multi response: a group");
    assert_eq!(refused(b"\x0a\x02\x10\x01"), "read Multi response: a field with a wrong wire type");
}
