//! A schema that is not the one of a table would read and write rows at other places.

use std::collections::BTreeSet;
use std::fs;

use crate::cluster::Cluster;
use crate::import::{absent, fresh};
use crate::program::{EVENT, Run, file, has, tallrow};

/// The fields of `EVENT` without the salt.
const OTHER: &str = "row key Event\nuser: u32\nat: i64, rev_ts, display_time = ms\n";
const KEY: &str = "user=7, at=1000";
/// The row of `KEY` as `OTHER` encodes it.
const UNSALTED: &str = r"\x00\x00\x00\x07\x7F\xFF\xFF\xFF\xFF\xFF\xFC\x17";

/// The subcommands of a command, as its help lists them.
fn subcommands(path: &[&str]) -> Vec<String> {
    let help = tallrow(&[path, &["--help"]].concat()).done();
    let Some((_, list)) = help.split_once("\nCommands:\n") else { return Vec::new() };
    let list = list.split("\n\n").next().unwrap();
    let names = list.lines().filter_map(|line| line.strip_prefix("  "));
    let names =
        names.filter(|line| !line.starts_with(' ')).filter_map(|line| line.split(' ').next());
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

/// Every command without subcommands, and its help.
fn commands() -> Vec<(String, String)> {
    let mut found = Vec::new();
    for name in subcommands(&[]) {
        let below = subcommands(&[&name]);
        if below.is_empty() {
            found.push((name.clone(), tallrow(&[&name, "--help"]).done()));
        }
        for sub in below {
            found.push((format!("{name} {sub}"), tallrow(&[&name, &sub, "--help"]).done()));
        }
    }
    found
}

/// A command that is given a schema and a table, and its arguments.
struct Given {
    command: &'static str,
    arguments: Vec<String>,
    /// Whether it fails with another layout even if it is asked for, for other reasons.
    then_fails: bool,
}

fn given(schema: &str, csv: &str, out: &str) -> Vec<Given> {
    let with = |command: &'static str, flag: &str, rest: &[&str], then_fails| {
        let words = command.split(' ').chain(rest.iter().copied()).chain([flag, schema]);
        Given { command, arguments: words.map(str::to_owned).collect(), then_fails }
    };
    let of = |command, rest: &[&str]| with(command, "--schema", rest, false);
    vec![
        of("table scan", &["events"]),
        of("table count", &["events"]),
        // The row of the other layout is not there.
        with("table get", "--schema", &["events", KEY], true),
        of("table put", &["events", KEY, "d:what=buy"]),
        of("table incr", &["events", KEY, "d:hits"]),
        of("table delete", &["events", KEY, "--yes"]),
        of("import", &["events", csv]),
        with("export", "--schema", &["events", out], true),
        of("splits check", &["--table", "events"]),
        with("simulate", "--table-schema", &["--schema", schema, "--table", "events"], true),
    ]
}

/// Commands with a schema and a table that make or compare a table, which is what the schema is
/// for.
const DEFINE: [&str; 2] = ["table create", "table diff"];

#[test]
fn every_command_with_a_schema_and_a_table_refuses_another_layout_than_the_recorded_one() {
    let takes_both = |help: &str| {
        let schema = help.contains("--schema <FILE>") || help.contains("--table-schema <FILE>");
        // These are ways to give a layout, of which only one is taken.
        let one_of = "<--schema <FILE>|--layout <NAME>|--table <TABLE>>";
        let names_it = |line: &str| line.contains("<TABLE>") && !line.trim().starts_with("Usage");
        schema && !help.contains(one_of) && help.lines().any(names_it)
    };
    let all: BTreeSet<String> =
        commands().into_iter().filter(|(_, help)| takes_both(help)).map(|(name, _)| name).collect();
    let (schema, csv, out) = (
        file("layouts_other.key", OTHER),
        fresh("layouts.csv", "events", "user,at,d:what\n7,1000,x\n"),
        absent("layouts.jsonl"),
    );
    let given = given(&schema, &csv, &out);
    let known = given.iter().map(|given| given.command).chain(DEFINE);
    let known: BTreeSet<String> = known.map(str::to_owned).collect();
    assert_eq!(all, known, "each command with a schema and a table is tried below");

    let cluster = Cluster::mock();
    let recorded = file("layouts.key", EVENT);
    cluster.run(&["table", "create", "events", "--family", "d", "--schema", &recorded]).done();
    for Given { command, arguments, then_fails } in given {
        cluster.run(&["table", "put", "events", KEY, "d:what=buy"]).done();
        let rows = cluster.run(&["table", "scan", "events", "--key-format", "hex"]).done();
        assert_eq!(rows.lines().count(), 2, "{rows}");
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let run: Run = cluster.run(&arguments);
        assert_eq!(run.output, "", "{command}");
        let errors = run.failed(2);
        assert!(
            errors.starts_with("tallrow: events records another layout of its row keys than --"),
            "{command}: {errors}"
        );
        assert!(
            errors.contains("Event ") && errors.contains("--other-layout goes on all the same"),
            "{command}: {errors}"
        );
        let now = cluster.run(&["table", "scan", "events", "--key-format", "hex"]).done();
        assert_eq!(now, rows, "{command} changed something");
        assert!(!fs::exists(format!("{csv}.events.import")).unwrap(), "{command}");

        // Asked for by name; and with the recorded layout, nobody has to ask.
        let asked = cluster.run(&[&arguments[..], &["--other-layout"]].concat());
        assert!(!asked.errors.contains("records another layout"), "{command}: {}", asked.errors);
        assert_eq!(asked.code == Some(0), !then_fails, "{command}: {}", asked.errors);
        let same: Vec<&str> =
            arguments.iter().map(|word| if *word == schema { &*recorded } else { *word }).collect();
        let _ = fs::remove_file(format!("{csv}.events.import"));
        let _ = absent("layouts.jsonl");
        let same = cluster.run(&same);
        assert!(!same.errors.contains("another layout"), "{command}: {}", same.errors);
        let _ = fs::remove_file(format!("{csv}.events.import"));
        for (key, flags) in [(KEY, [].as_slice()), (UNSALTED, &["--key-format", "shell"])] {
            cluster.run(&[&["table", "delete", "events", key, "--yes"], flags].concat()).done();
        }
    }
}

#[test]
fn a_copy_into_a_table_of_another_layout_is_refused() {
    let (from, to) = (Cluster::mock(), Cluster::mock());
    let (recorded, other) = (file("copied.key", EVENT), file("copied_other.key", OTHER));
    from.run(&["table", "create", "events", "--family", "d", "--schema", &recorded]).done();
    from.run(&["table", "put", "events", KEY, "d:what=buy"]).done();
    to.run(&["table", "create", "events", "--family", "d", "--schema", &other]).done();
    let state = absent("layouts.copy");
    let copy = ["copy", "events", "--to", &to.url, "--state", &state];
    let refused = from.run(&copy).failed(2);
    has(&refused, "records another layout of its row keys than events: Event");
    has(&refused, "next: copy to a table of the same layout");
    assert_eq!(to.run(&["table", "count", "events"]).done(), "0\n");
    from.run(&[&copy[..], &["--other-layout"]].concat()).done();
    assert_eq!(to.run(&["table", "count", "events"]).done(), "1\n");
}

#[test]
fn a_table_is_created_with_the_regions_of_its_row_type() {
    use tallrow::{Client, RowKey, Table};

    #[derive(RowKey, Clone, Debug)]
    #[row_key(salt(buckets = 8, fields = (customer)))]
    struct Salted {
        customer: u32,
        placed: u64,
    }

    #[derive(RowKey, Clone, Debug)]
    struct Plain {
        customer: u32,
    }

    #[derive(RowKey, Clone, Debug)]
    #[row_key(salt(buckets = 4, bucket_offset = 8, fields = (customer)), layout = 2)]
    struct Newer {
        customer: u32,
        placed: u64,
    }

    #[derive(RowKey, Clone, Debug)]
    #[row_key(layouts)]
    enum Both {
        Old(Salted),
        New(Newer),
    }

    macro_rules! table {
        ($name:ident, $key:ty, $text:literal) => {
            #[derive(Table, Clone, Debug)]
            #[table(name = $text)]
            #[family("d")]
            #[allow(dead_code, reason = "only its definition is used")]
            struct $name {
                #[key]
                key: $key,
                #[cell("d:q")]
                value: String,
            }
        };
    }
    table!(Orders, Salted, "orders");
    table!(Customers, Plain, "customers");
    table!(Histories, Both, "histories");

    let cluster = Cluster::mock();
    let regions = |table: &str| {
        let described = cluster.run(&["table", "describe", table, "--json"]).json();
        let regions = described["regions"].as_array().unwrap().clone();
        (
            regions.iter().map(|region| region["start"].clone()).collect::<Vec<_>>(),
            described["schema"].clone(),
        )
    };
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let client = runtime.block_on(Client::connect(&cluster.url)).unwrap();
    let admin = client.admin();
    runtime.block_on(async {
        admin.create::<Orders>().await.unwrap();
        admin.create::<Customers>().await.unwrap();
        admin.create::<Histories>().await.unwrap();
    });
    for (table, schema, count) in [
        ("orders", Salted::SCHEMA, 8),
        ("customers", Plain::SCHEMA, 1),
        ("histories", Both::SCHEMA, 12),
    ] {
        let schema = file(&format!("{table}_typed.key"), schema);
        let by_command = format!("{table}2");
        cluster.run(&["table", "create", &by_command, "--family", "d", "--schema", &schema]).done();
        let (starts, recorded) = regions(&by_command);
        assert_eq!(starts.len(), count, "{table}");
        assert_eq!((starts, recorded), regions(table), "{table}");
    }
    // Asked for, there are others.
    let schema = file("orders_typed4.key", Salted::SCHEMA);
    for (regions, count) in [("1", 1), ("4", 4)] {
        let table = format!("orders_{regions}");
        let create =
            ["table", "create", &table, "--family", "d", "--schema", &schema, "-n", regions];
        let created = cluster.run(&[&create[..], &["--json"]].concat()).json();
        assert_eq!(created["regions"], count);
    }
}
