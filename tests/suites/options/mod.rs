//! Every option of a table's handle and of a call with every verb: what a server gets has it, on
//! HBase's mock and on that of Bigtable. A new option needs a line in `choices.rs`, one of scans a
//! line in `scans.rs`, a new verb one in `verbs.rs`.

mod choices;
mod complete;
mod of_bigtable;
mod scans;
mod seen;
mod verbs;

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use tallrow::op::CallOptions;
use tallrow::table::{ExtraMutations, RowChange, RowHook};
use tallrow::{
    Client, Config, ErrorKind, FamilyDescriptor, Put, Result, TableDescriptor, TypedTable,
};
use tallrow_mock::{Fault, MockCluster};
use tallrow_tests::{Recorded, Sample, in_memory};

use choices::{Choice, OF_CALLS, OF_RAW, OF_TYPED};
use seen::Seen;
use verbs::{Errors, HERE, Item, RAW, TYPED, item};

const ENDPOINT: &str = "|org.apache.hadoop.hbase.coprocessor.MultiRowMutationEndpoint|536870911|";

/// The kind of a table's verbs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Of {
    Typed,
    Raw,
}

impl Of {
    /// Writes the row that its verbs expect.
    async fn fill(self, table: &TypedTable<Item>) {
        let row = Put::new("r1").cell("f", "q", "v").cell("f", "o", "v");
        let filled = match self {
            Self::Typed => table.put(&item(HERE, "here")).await,
            Self::Raw => table.raw().unwrap().put(row).await,
        };
        filled.unwrap();
    }
}

/// A cluster of HBase, and how many tables it has.
struct Place {
    mock: MockCluster,
    operator: Client,
    tables: AtomicU32,
}

impl Place {
    async fn new() -> Self {
        let mock = MockCluster::builder().servers(2).in_memory().start().await.unwrap();
        let config = Config::new().connector(in_memory(&mock));
        let operator = Client::connect_with(&mock.url(), config).await.unwrap();
        Self { mock, operator, tables: AtomicU32::new(0) }
    }

    /// A new table with a row, of a client whose calls are recorded: a delete would hide what is
    /// written again within its millisecond.
    async fn table(&self, of: Of) -> (Client, String, Recorded) {
        let recorded = Recorded::default();
        let config = Config::new().connector(recorded.connector(&self.mock));
        let (client, name) = self.table_of(of, config).await;
        (client, name, recorded)
    }

    async fn table_of(&self, of: Of, config: Config) -> (Client, String) {
        let name = format!("t{}", self.tables.fetch_add(1, Ordering::Relaxed));
        let table = TableDescriptor::new(&name).unwrap().region_replication(2);
        let table = table.attribute("coprocessor$1", ENDPOINT);
        let table = table.family(FamilyDescriptor::new("f").versions(3));
        self.operator.admin().create_table(&table).await.unwrap();
        of.fill(&self.operator.table_named(&name).unwrap()).await;
        let client = Client::connect_with(&self.mock.url(), config).await.unwrap();
        client.prefetch_regions(&name).await.unwrap();
        (client, name)
    }
}

/// The verbs that only ask for regions.
const NO_OPERATION: [&str; 3] = ["explain", "locate", "locate_range"];

/// The verbs whose operations have no options of their own.
const NO_OPTIONS: [(&str, &str); 2] = [
    ("move_row", "it is of row keys"),
    ("read_back", "they are those of the write that is looked for"),
];

/// Whether the operations of a verb have options.
fn has_options(verb: &str) -> bool {
    NO_OPTIONS.iter().all(|(of, _)| !verb.starts_with(of))
}

/// What is wrong with an option of a verb, if anything.
fn judge<T>(choice: &Choice<T>, verb: &str, errors: &Errors, seen: &[Seen]) -> Option<String> {
    let name = format!("{} of {verb:?}", choice.name);
    let first = verb.split(' ').next().unwrap();
    let silent = NO_OPERATION.contains(&first);
    let except = choice.except.iter().find(|(of, _)| *of == first || *of == verb);
    let missed = seen.iter().find(|seen| !(choice.arrived)(seen));
    if let Some(error) = errors.iter().flatten().next() {
        return Some(format!("{name}: {error}"));
    }
    if seen.is_empty() != silent {
        return Some(format!("{name}: {} operations", seen.len()));
    }
    match (missed, except) {
        (Some(seen), None) => Some(format!("{name}: not with {seen:?}")),
        (None, Some((_, why))) if !silent => Some(format!("{name} has it although {why}")),
        _ => None,
    }
}

fn assert_none(problems: Vec<String>) {
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
}

#[tokio::test(start_paused = true)]
async fn each_option_of_a_typed_table_arrives_with_each_verb() {
    let (mut problems, mut sample) = (Vec::new(), Sample::new());
    let place = Place::new().await;
    for verb in TYPED {
        for choice in OF_TYPED.iter().filter(|_| sample.takes()) {
            let (client, name, recorded) = place.table(Of::Typed).await;
            let table = client.table_named::<Item>(&name).unwrap();
            let errors = (verb.run)((choice.set)(table)).await;
            problems.extend(judge(choice, verb.name, &errors, &seen::operations(&recorded)));
        }
        for choice in OF_CALLS.iter().filter(|_| sample.takes()) {
            let (client, name, recorded) = place.table(Of::Typed).await;
            let options = (choice.set)(CallOptions::new());
            let table = client.table_named::<Item>(&name).unwrap().with_options(options);
            let errors = (verb.run)(table).await;
            problems.extend(judge(choice, verb.name, &errors, &seen::operations(&recorded)));
        }
    }
    assert_none(problems);
}

#[tokio::test(start_paused = true)]
async fn each_option_of_a_raw_table_and_of_an_operation_arrives_with_each_verb() {
    let (mut problems, mut sample) = (Vec::new(), Sample::new());
    let place = Place::new().await;
    for verb in RAW {
        for choice in OF_RAW.iter().filter(|_| sample.takes()) {
            let (client, name, recorded) = place.table(Of::Raw).await;
            let table = (choice.set)(client.raw_table(&*name).unwrap());
            let errors = (verb.run)(table, CallOptions::new()).await;
            problems.extend(judge(choice, verb.name, &errors, &seen::operations(&recorded)));
        }
        for choice in OF_CALLS.iter().filter(|_| sample.takes()) {
            let options = (choice.set)(CallOptions::new());
            let own = has_options(verb.name);
            for of_handle in [true, false].into_iter().filter(|of_handle| *of_handle || own) {
                let (client, name, recorded) = place.table(Of::Raw).await;
                let table = client.raw_table(&*name).unwrap();
                let errors = match of_handle {
                    true => {
                        (verb.run)(table.with_options(options.clone()), CallOptions::new()).await
                    }
                    false => (verb.run)(table, options.clone()).await,
                };
                let problem = judge(choice, verb.name, &errors, &seen::operations(&recorded));
                problems.extend(problem.map(|p| format!("of_handle {of_handle}: {p}")));
            }
        }
    }
    assert_none(problems);
}

/// The verbs that need no room of `in_flight_bytes`.
const NO_ROOM: &[(&str, &str)] = &[
    ("explain", "it only asks for regions"),
    ("scan", PAGES),
    ("next_step", PAGES),
    ("next_row", PAGES),
    ("count", PAGES),
    ("read_back", PAGES),
];
const PAGES: &str = "what a scan fetches is limited by `prefetch_bytes`";

#[tokio::test(start_paused = true)]
async fn no_verb_of_a_table_that_does_not_wait_for_room_waits() {
    let mut problems = Vec::new();
    let place = Place::new().await;
    for verb in RAW {
        let config = Config::new().connector(in_memory(&place.mock)).in_flight_bytes(1);
        let (client, name) = place.table_of(Of::Raw, config).await;
        let raw = client.raw_table(&*name).unwrap();
        place.mock.inject(Fault::on("Get").table(&name).drop_reply());
        let (occupant, gone) = (raw.clone(), place.mock.call_count("Get"));
        let occupying = tokio::spawn(async move { occupant.get("occupied").await.map(drop) });
        while place.mock.call_count("Get") == gone {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        let errors = (verb.run)(raw.with_wait_when_full(false), CallOptions::new()).await;
        let busy = errors.iter().flatten().any(|error| error.kind() == ErrorKind::TooManyInFlight);
        let except = NO_ROOM.iter().any(|(of, _)| verb.name.starts_with(of));
        if busy == except {
            problems.push(format!("{}: {errors:?}", verb.name));
        }
        occupying.abort();
        place.mock.clear_faults();
    }
    assert_none(problems);
}

/// Counts what it is called for.
#[derive(Default)]
struct Counting {
    written: AtomicU32,
    read: AtomicU32,
}

struct Hook(Arc<Counting>);

impl RowHook<Item> for Hook {
    async fn before_write(&self, _: &RowChange<'_, Item>) -> Result<ExtraMutations> {
        self.0.written.fetch_add(1, Ordering::Relaxed);
        Ok(ExtraMutations::new())
    }

    fn after_read(&self, _: &mut Item) -> Result<()> {
        self.0.read.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }
}

/// The verbs that return no rows of the type.
const NO_ROWS: [&str; 6] = [
    "exists",
    "next_key of a scan",
    "try_collect of the keys of a scan",
    "count of a scan",
    "page of a scan of cells",
    "move_row",
];

/// A writer does not ask hooks, so a table with hooks has none.
const REFUSED: &str = "of a writer";

/// What is wrong with the hooks of a verb, by what it sent.
fn judge_hooks(verb: &str, hook: &Counting, writes: bool, reads: bool) -> Option<String> {
    let called = [&hook.written, &hook.read].map(|count| count.load(Ordering::Relaxed) > 0);
    let expected = [writes && verb != "move_row", reads && !NO_ROWS.contains(&verb)];
    (called != expected).then(|| format!("{verb}: called {called:?}, expected {expected:?}"))
}

#[tokio::test(start_paused = true)]
async fn hooks_are_called_by_each_verb() {
    let mut problems = Vec::new();
    let place = Place::new().await;
    for verb in TYPED {
        let (client, name, recorded) = place.table(Of::Typed).await;
        let hook = Arc::new(Counting::default());
        let table: TypedTable<Item> = client.table_named(&name).unwrap();
        let errors = (verb.run)(table.with_hook(Hook(hook.clone()))).await;
        if verb.name.ends_with(REFUSED) {
            assert_eq!(errors[0].as_ref().unwrap().kind(), ErrorKind::InvalidArgument);
            continue;
        }
        problems.extend(errors.iter().flatten().map(|error| format!("{}: {error}", verb.name)));
        let seen = seen::operations(&recorded);
        let writes = seen.iter().any(Seen::writes);
        problems.extend(judge_hooks(verb.name, &hook, writes, seen.iter().any(|s| !s.writes())));
    }
    assert_none(problems);
}
