//! The same by Bigtable's protocol: an option is in the request, or what it asks for is done, or it
//! is refused.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use tallrow::op::CallOptions;
use tallrow::{
    Client, Config, DeliveryGuarantee, ErrorKind, FamilyDescriptor, RawTable, TableDescriptor,
    Timestamp, TypedTable,
};
use tallrow_mock::{Fault, MockCluster};
use tallrow_tests::{Recorded, Sample, in_memory};

use super::choices::{OF_CALLS, TIME, TIMEOUT};
use super::seen::{self, Does};
use super::verbs::{Errors, Item, RAW, TYPED};
use super::{Counting, Hook, NO_ROOM, Of, REFUSED, assert_none, has_options, judge_hooks};

/// The verbs of the two kinds of tables that Bigtable does not have.
const NOT_OF_BIGTABLE: [&str; 3] = ["mutate_rows", "read_back", "update in every way"];
/// A row is moved as it is: without the times of its table.
const MOVES: &str = "move_row";

const METHODS: [&str; 5] =
    ["ReadRows", "MutateRow", "MutateRows", "CheckAndMutateRow", "ReadModifyWriteRow"];

struct Place {
    mock: MockCluster,
    operator: Client,
    tables: AtomicU32,
}

/// A table of each verb, and whose calls it makes.
struct Site {
    typed: TypedTable<Item>,
    raw: RawTable,
    recorded: Recorded,
}

impl Place {
    async fn new() -> Self {
        let builder = MockCluster::builder().in_memory().servers(1).bigtable_port(0);
        let mock = builder.start().await.unwrap();
        let config = Config::new().connector(in_memory(&mock));
        let operator = Client::connect_with(&mock.bigtable_url().unwrap(), config).await.unwrap();
        Self { mock, operator, tables: AtomicU32::new(0) }
    }

    async fn site(&self, of: Of, config: Config) -> Site {
        let name = format!("t{}", self.tables.fetch_add(1, Ordering::Relaxed));
        let table = TableDescriptor::new(&name).unwrap();
        let table = table.family(FamilyDescriptor::new("f").versions(3));
        self.operator.admin().create_table(&table).await.unwrap();
        of.fill(&self.operator.table_named(&name).unwrap()).await;
        let recorded = Recorded::default();
        let config = config.connector(recorded.connector(&self.mock));
        let client =
            Client::connect_with(&self.mock.bigtable_url().unwrap(), config).await.unwrap();
        let (typed, raw) = (client.table_named(&name).unwrap(), client.raw_table(&*name).unwrap());
        Site { typed, raw, recorded }
    }
}

/// What the operations of a verb do, as HBase sees it.
async fn does_typed(hbase: &super::Place, verb: &super::verbs::TypedVerb) -> Vec<Does> {
    let (client, name, recorded) = hbase.table(Of::Typed).await;
    (verb.run)(client.table_named(&name).unwrap()).await;
    seen::operations(&recorded).iter().map(|seen| seen.does).collect()
}

async fn does_raw(hbase: &super::Place, verb: &super::verbs::RawVerb) -> Vec<Does> {
    let (client, name, recorded) = hbase.table(Of::Raw).await;
    (verb.run)(client.raw_table(&*name).unwrap(), CallOptions::new()).await;
    seen::operations(&recorded).iter().map(|seen| seen.does).collect()
}

fn has(errors: &Errors, kind: ErrorKind) -> bool {
    errors.iter().flatten().any(|error| error.kind() == kind)
}

/// Whether an operation with this option of a call is refused.
fn is_refused(option: &str, does: Does) -> bool {
    match option {
        "attribute" => true,
        "visibility" => does != Does::Read,
        "authorizations" | "isolation" | "replica" => does == Does::Read,
        _ => false,
    }
}

#[tokio::test(start_paused = true)]
async fn what_bigtable_does_not_have_is_refused_by_each_verb() {
    let (hbase, place) = (super::Place::new().await, Place::new().await);
    let mut sample = Sample::one_in(8);
    let mut problems = Vec::new();
    let mut judge = |name: &str, option: &str, refused: bool, errors: &Errors| {
        if has(errors, ErrorKind::Unsupported) != refused {
            problems.push(format!("{option} of {name:?}, refused {refused}: {errors:?}"));
        }
    };
    for verb in TYPED {
        let does = does_typed(&hbase, verb).await;
        let plain = (verb.run)(place.site(Of::Typed, Config::new()).await.typed).await;
        let missing = NOT_OF_BIGTABLE.contains(&verb.name);
        judge(verb.name, "nothing", missing, &plain);
        if missing {
            continue;
        }
        for choice in OF_CALLS.iter().filter(|_| sample.takes()) {
            let table = place.site(Of::Typed, Config::new()).await.typed;
            let errors = (verb.run)(table.with_options((choice.set)(CallOptions::new()))).await;
            let refused = does.iter().any(|does| is_refused(choice.name, *does));
            judge(verb.name, choice.name, refused, &errors);
        }
        if verb.name == MOVES {
            continue;
        }
        let table = place.site(Of::Typed, Config::new()).await.typed;
        let errors = (verb.run)(table.with_ttl(TIMEOUT)).await;
        let refused = does.iter().any(|does| matches!(does, Does::Put | Does::Add));
        judge(verb.name, "with_ttl", refused, &errors);
    }
    for verb in RAW {
        let does = does_raw(&hbase, verb).await;
        let raw = place.site(Of::Raw, Config::new()).await.raw;
        let plain = (verb.run)(raw, CallOptions::new()).await;
        let missing = NOT_OF_BIGTABLE.contains(&verb.name);
        judge(verb.name, "nothing", missing, &plain);
        for choice in OF_CALLS.iter().filter(|_| !missing && sample.takes()) {
            let options = (choice.set)(CallOptions::new());
            let refused = does.iter().any(|does| is_refused(choice.name, *does));
            let table = place.site(Of::Raw, Config::new()).await.raw.with_options(options.clone());
            let errors = (verb.run)(table, CallOptions::new()).await;
            judge(verb.name, choice.name, refused, &errors);
            if has_options(verb.name) {
                let raw = place.site(Of::Raw, Config::new()).await.raw;
                let errors = (verb.run)(raw, options).await;
                judge(verb.name, &format!("own {}", choice.name), refused, &errors);
            }
        }
    }
    assert_none(problems);
}

#[tokio::test(start_paused = true)]
async fn each_verb_of_bigtable_ends_by_its_deadline() {
    let (hbase, place) = (super::Place::new().await, Place::new().await);
    let mut problems = Vec::new();
    let mut judge = |name: &str, does: &[Does], errors: &Errors| {
        let late = has(errors, ErrorKind::Timeout) || has(errors, ErrorKind::OutcomeUnknown);
        if late == does.is_empty() {
            problems.push(format!("{name:?}: {errors:?}"));
        }
    };
    let stall = |place: &Place| {
        for method in METHODS {
            place.mock.inject(Fault::on(method).bigtable().times(1_000).drop_request());
        }
    };
    for verb in TYPED.iter().filter(|verb| !NOT_OF_BIGTABLE.contains(&verb.name)) {
        let does = does_typed(&hbase, verb).await;
        for by_options in [true, false] {
            let table = place.site(Of::Typed, Config::new()).await.typed;
            stall(&place);
            let table = match by_options {
                true => table.with_options(CallOptions::new().timeout(TIMEOUT)),
                false => table.with_timeout(TIMEOUT),
            };
            let errors = tokio::time::timeout(TIMEOUT * 2, (verb.run)(table)).await;
            place.mock.clear_faults();
            judge(verb.name, &does, &errors.unwrap_or_default());
        }
    }
    for verb in RAW.iter().filter(|verb| !NOT_OF_BIGTABLE.contains(&verb.name)) {
        let does = does_raw(&hbase, verb).await;
        for own in [true, false].into_iter().filter(|own| !own || has_options(verb.name)) {
            let table = place.site(Of::Raw, Config::new()).await.raw;
            stall(&place);
            let run = match own {
                true => (verb.run)(table, CallOptions::new().timeout(TIMEOUT)),
                false => (verb.run)(table.with_timeout(TIMEOUT), CallOptions::new()),
            };
            let errors = tokio::time::timeout(TIMEOUT * 2, run).await;
            place.mock.clear_faults();
            judge(verb.name, &does, &errors.unwrap_or_default());
        }
    }
    assert_none(problems);
}

/// A number as a message has it.
fn varint(mut number: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number >= 0x80 {
        bytes.push((number & 0x7F) as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}

#[tokio::test(start_paused = true)]
async fn times_of_a_table_are_in_the_requests_of_bigtable() {
    let (hbase, place) = (super::Place::new().await, Place::new().await);
    let mut problems = Vec::new();
    for verb in TYPED.iter().filter(|verb| !NOT_OF_BIGTABLE.contains(&verb.name)) {
        if verb.name == MOVES {
            continue;
        }
        let does = does_typed(&hbase, verb).await;
        let site = place.site(Of::Typed, Config::new()).await;
        let table = site.typed.with_timestamp(Timestamp::from_millis(TIME));
        let errors = (verb.run)(table).await;
        // A row up to a time cannot be deleted in one call.
        let refused = has(&errors, ErrorKind::Unsupported);
        let sent = site.recorded.has_sent(&varint(TIME * 1_000));
        let writes = does.contains(&Does::Put);
        let deletes = does.contains(&Does::Delete);
        if (writes && !sent)
            || (deletes
                && !sent
                && !refused
                && !site.recorded.has_sent(&varint((TIME + 1) * 1_000)))
        {
            problems.push(format!("with_timestamp of {:?}: {errors:?}", verb.name));
        }
        let site = place.site(Of::Typed, Config::new()).await;
        let table = site.typed.as_of(Timestamp::from_millis(TIME));
        let errors = (verb.run)(table).await;
        let reads = does.contains(&Does::Read);
        if site.recorded.has_sent(&varint((TIME + 1) * 1_000)) != reads {
            problems.push(format!("as_of of {:?}, which reads {reads}: {errors:?}", verb.name));
        }
    }
    assert_none(problems);
}

/// Whether the only thing a verb does is to write cells, on no condition.
fn only_writes(name: &str, does: &[Does]) -> bool {
    !name.starts_with("check_")
        && name != "batch of a condition"
        && does.iter().all(|does| *does == Does::Put)
        && !does.is_empty()
}

#[tokio::test(start_paused = true)]
async fn a_write_of_bigtable_is_sent_again_as_its_table_says() {
    let (hbase, place) = (super::Place::new().await, Place::new().await);
    let mut problems = Vec::new();
    for idempotent in [true, false] {
        let lose = || {
            for method in ["MutateRow", "MutateRows"] {
                place.mock.inject(Fault::on(method).bigtable().times(1).close_after());
            }
        };
        let delivery = match idempotent {
            true => DeliveryGuarantee::Idempotent,
            false => DeliveryGuarantee::AtMostOnce,
        };
        let mut judge = |name: &str, errors: &Errors| {
            if has(errors, ErrorKind::OutcomeUnknown) == idempotent {
                problems.push(format!("{delivery:?} {name:?}: {errors:?}"));
            }
        };
        for verb in TYPED.iter().filter(|verb| !NOT_OF_BIGTABLE.contains(&verb.name)) {
            if only_writes(verb.name, &does_typed(&hbase, verb).await) {
                let table = place.site(Of::Typed, Config::new()).await.typed;
                lose();
                judge(verb.name, &(verb.run)(table.with_delivery(delivery)).await);
                place.mock.clear_faults();
            }
        }
        for verb in RAW.iter().filter(|verb| !NOT_OF_BIGTABLE.contains(&verb.name)) {
            if only_writes(verb.name, &does_raw(&hbase, verb).await) {
                let table = place.site(Of::Raw, Config::new()).await.raw.with_delivery(delivery);
                lose();
                judge(verb.name, &(verb.run)(table, CallOptions::new()).await);
                place.mock.clear_faults();
            }
        }
    }
    assert_none(problems);
}

#[tokio::test(start_paused = true)]
async fn no_verb_of_bigtable_that_does_not_wait_for_room_waits() {
    let place = Place::new().await;
    let mut problems = Vec::new();
    for verb in RAW.iter().filter(|verb| !NOT_OF_BIGTABLE.contains(&verb.name)) {
        let raw = place.site(Of::Raw, Config::new().in_flight_bytes(1)).await.raw;
        place.mock.inject(Fault::on("ReadRows").bigtable().drop_reply());
        let (occupant, gone) = (raw.clone(), place.mock.call_count("ReadRows"));
        let occupying = tokio::spawn(async move { occupant.get("occupied").await.map(drop) });
        while place.mock.call_count("ReadRows") == gone {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        let errors = (verb.run)(raw.with_wait_when_full(false), CallOptions::new()).await;
        let except = NO_ROOM.iter().any(|(of, _)| verb.name.starts_with(of));
        if has(&errors, ErrorKind::TooManyInFlight) == except {
            problems.push(format!("{}: {errors:?}", verb.name));
        }
        occupying.abort();
        place.mock.clear_faults();
    }
    assert_none(problems);
}

#[tokio::test(start_paused = true)]
async fn hooks_are_called_by_each_verb_on_bigtable() {
    let (hbase, place) = (super::Place::new().await, Place::new().await);
    let mut problems = Vec::new();
    for verb in TYPED.iter().filter(|verb| !NOT_OF_BIGTABLE.contains(&verb.name)) {
        let does = does_typed(&hbase, verb).await;
        let hook = Arc::new(Counting::default());
        let table = place.site(Of::Typed, Config::new()).await.typed.with_hook(Hook(hook.clone()));
        let errors = (verb.run)(table).await;
        if verb.name.ends_with(REFUSED) {
            assert_eq!(errors[0].as_ref().unwrap().kind(), ErrorKind::InvalidArgument);
            continue;
        }
        problems.extend(errors.iter().flatten().map(|error| format!("{}: {error}", verb.name)));
        let writes = does.iter().any(|does| *does != Does::Read);
        problems.extend(judge_hooks(verb.name, &hook, writes, does.contains(&Does::Read)));
    }
    assert_none(problems);
}
