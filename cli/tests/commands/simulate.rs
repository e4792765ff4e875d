//! `tallrow simulate`: the regions that a row key design would have, compared between designs and
//! with a table that has the same rows.

use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::Stdio;

use serde_json::{Value, json};
use tallrow::key::schema::Schema;
use tallrow::{Client, Put};

use crate::cluster::Cluster;
use crate::program::{
    EVENT, begins, command, ends, fed, file, folder, has, interrupt, tallrow, words,
};

const BY_TIME: &str = "row key ByTime\nat: i64, raw_be, display_time = ms\nuser: u32\n";

const DAY: &str = "at=clock:2023-11-14,2023-11-15";

/// Runs `tallrow simulate` with 20,000 keys of a day.
fn simulate(schemas: &[&str], more: &[&str]) -> crate::program::Run {
    let mut all = vec!["simulate", "--rows", "20000", "--field", "user=zipf:10000", "--field", DAY];
    schemas.iter().for_each(|schema| all.extend(["--schema", schema]));
    all.extend(more);
    tallrow(&all)
}

#[test]
fn designs_are_compared_with_the_same_events() {
    let (event, by_time) = (file("sim_event.key", EVENT), file("sim_by_time.key", BY_TIME));
    let more = ["--regions", "8", "--split-by", "sample", "--json"];
    let found = simulate(&[&event, &by_time], &more).json();
    assert_eq!(found["keys"], 20_000);
    let [salted, by_time] = &found["designs"].as_array().unwrap()[..] else { panic!("{found}") };
    assert_eq!((&salted["name"], &by_time["name"]), (&json!("Event"), &json!("ByTime")));
    for design in [salted, by_time] {
        assert!(design["largest_to_smallest"].as_f64().unwrap() < 1.2, "{design}");
        assert_eq!(design["regions"].as_array().unwrap().len(), 8);
        let rows = |region: &Value| region["rows"].as_u64().unwrap();
        assert_eq!(design["regions"].as_array().unwrap().iter().map(rows).sum::<u64>(), 20_000);
    }
    assert!(salted["hot_share"].as_f64().unwrap() < 0.25, "{salted}");
    assert!(by_time["hot_share"].as_f64().unwrap() > 0.9, "{by_time}");
    // The first event is the same in both, so the time and the user are.
    let decoded = |schema: &str, key: &Value| {
        let schema = Schema::parse(schema).unwrap();
        let notation = tallrow::key::show::Notation::Shell;
        let fields = schema.decode_text(key.as_str().unwrap(), notation).unwrap();
        (fields.get("user").cloned(), fields.get("at").cloned())
    };
    let first = |design: &Value| design["examples"][0].clone();
    assert_eq!(decoded(EVENT, &first(salted)), decoded(BY_TIME, &first(by_time)));
}

#[test]
fn split_keys_of_standard_input_are_those_of_every_design() {
    let (event, by_time) = (file("sim_piped.key", EVENT), file("sim_piped_time.key", BY_TIME));
    let keys = ["--field", "user=zipf:100", "--field", DAY, "--rows", "1000"];
    let designs = ["simulate", "--schema", &event, "--schema", &by_time, "--splits", "-", "--json"];
    let found = fed(&[&designs[..], &keys].concat(), "\\x04\n\\x08\n").json();
    for design in found["designs"].as_array().unwrap() {
        assert_eq!(design["regions"].as_array().unwrap().len(), 3, "{design}");
    }
}

#[test]
fn storage_and_scans_are_of_the_table_that_will_be() {
    let event = file("sim_storage.key", EVENT);
    let more = ["--regions", "4", "--column", "d:what=100", "--expected-rows", "1000000000"];
    let more =
        [&more[..], &["--scan", "user=0", "--scan", "at=2023-11-14T00:00:00Z", "--json"]].concat();
    let design = simulate(&[&event], &more).json()["designs"][0].clone();
    assert_eq!(design["storage"]["row_bytes"], 138);
    assert_eq!(design["storage"]["rows"], 1_000_000_000);
    assert!(design["storage"]["first_split"].as_u64().unwrap() > 100_000_000, "{design}");
    assert!(design["regions"][0]["flushes"].as_u64().unwrap() > 100, "{design}");
    let [user, at] = &design["scans"].as_array().unwrap()[..] else { panic!("{design}") };
    assert_eq!((&user["ranges"], &user["regions"]), (&json!(1), &json!(1)));
    // 1 / (1 + 1/2 + .. + 1/10,000) of all rows are the first user's.
    let share = user["rows_read"].as_f64().unwrap() / 1e9;
    assert!((share - 1.0 / 9.79).abs() < 0.01, "{user}");
    assert!(user["calls"].as_u64().unwrap() > 5_000, "{user}");
    assert_eq!((&at["ranges"], &at["rows_read"]), (&json!(16), &json!(1_000_000_000)), "{at}");
}

#[test]
fn the_check_fails_for_uneven_designs_only() {
    let by_time = file("sim_check.key", BY_TIME);
    let even = ["--regions", "4", "--split-by", "sample", "--fail-above", "1.2"];
    simulate(&[&by_time], &even).done();
    let dead =
        simulate(&[&by_time], &["--regions", "4", "--split-by", "uniform", "--fail-above", "1.2"]);
    has(&dead.output, "4 regions, 20000 rows, 3 regions without one");
    let dead = dead.failed(3);
    has(&dead, "ByTime: 3 regions have no row; --fail-above is 1.2\n  next: ");
    let uneven =
        simulate(&[&file("sim_salt.key", EVENT)], &["--regions", "4", "--fail-above", "1.001"]);
    let uneven = uneven.failed(3);
    has(&uneven, "times the rows of the smallest; --fail-above is 1.001");
}

#[test]
fn records_of_a_file_are_used_in_their_order() {
    let schema = file("sim_csv.key", "row key Trip\ncity: text, escaped\nat: u32\n");
    let csv = file("sim.csv", "city,departs\nBern,10\n\"Oslo, city\",20\nRome,30\nRome,40\n");
    let run = format!("simulate --schema {schema} --csv {csv} --field at=column:departs --json");
    let run = tallrow(&words(&run));
    let found = run.json();
    assert_eq!(found["keys"], 4);
    let first = found["designs"][0]["examples"].as_array().unwrap();
    assert_eq!(first[1], "Oslo, city\\x00\\x01\\x00\\x00\\x00\\x14", "{first:?}");
}

#[test]
fn record_variants_and_random_salts_are_drawn() {
    let schema = file(
        "sim_variants.key",
        "row key Shop\nsalt random: buckets = 4, width = 1\ncustomer: u32\nOrder: tag = \
         1\n  number: u32\nProfile: tag = 2\n",
    );
    let run = |tag: &str| {
        let fields = ["--field", "customer=zipf:100", "--field", "number=sequence", "--field", tag];
        let more = ["--schema", &schema, "--regions", "4", "--rows", "10000", "--json"];
        tallrow(&[&["simulate"], &fields[..], &more].concat())
    };
    let design = run("tag=values:Order,Order,Profile").json()["designs"][0].clone();
    // 1 byte of salt, 4 of the customer, 1 of the tag; in two of three rows 4 of the number.
    assert!((design["key_bytes"].as_f64().unwrap() - 8.67).abs() < 0.1, "{design}");
    assert!(design["largest_to_smallest"].as_f64().unwrap() < 1.1, "{design}");
    let unknown = run("tag=values:Order,Cart").failed(2);
    has(&unknown, "Cart is none of them\n  next: give --field tag=values:Order,Profile");
}

#[test]
fn each_mistake_names_its_place_and_what_to_do() {
    let event = file("sim_wrong.key", EVENT);
    let csv = |name: &str, text: &str| file(name, text);
    let of = |more: &[&str]| tallrow(&[&["simulate", "--schema", &event], more].concat());
    let short = csv("sim_short.csv", "user,at\n7,1\n8\n");
    let value = csv("sim_value.csv", "user,at\n7,1\n8,2\nNA,3\n");
    let large = csv("sim_large.csv", "user,at\n7,1\n5000000000,2\n");
    let empty = csv("sim_empty.csv", "user,at\n");
    let unsorted = csv("sim_unsorted.txt", "b\na\n");
    let no_schema = csv("sim_bad.key", "row key Event\nuser: u33\n");
    let both = ["--field", "user=random", "--field", DAY];
    let cases: &[(&[&str], i32, &str)] = &[
        (&["--csv", &short], 1, "sim_short.csv, line 3: 1 fields, where the first line has 2"),
        (
            &["--csv", &value],
            1,
            "sim_value.csv, line 4: read the values of a row key: field user: found \"NA\"",
        ),
        (&["--csv", &large], 1, "sim_large.csv, line 3: encode Event: field user: "),
        (&["--csv", &empty], 1, "sim_empty.csv has no records"),
        (&[&both[..], &["--csv", &value]].concat(), 2, "no field takes a column of "),
        (&["--csv", "missing.csv"], 1, "open missing.csv\n  caused by: No such file"),
        (
            &["--csv", &value, "--field", "at=column:when"],
            2,
            "has no column \"when\"\n  next: its columns are user, at",
        ),
        (
            &["--field", "user=zipf:10"],
            2,
            "field at (i64) of Event has no generator\n  next: give --field at=GENERATOR",
        ),
        (
            &["--field", "user=uuid", "--field", DAY],
            2,
            "a field of type u32 of Event does not take it",
        ),
        (
            &[&both[..], &["--field", "shop=random"]].concat(),
            2,
            "--field shop: no design has such a field\n  next: the fields are user, at",
        ),
        (
            &[&both[..], &["--field", "user=random"]].concat(),
            2,
            "field user has a generator already",
        ),
        (
            &[&both[..], &["--table", "t", "--regions", "4"]].concat(),
            2,
            "nothing is taken from table t: every field has a generator\n  next: leave out \
             --table; or",
        ),
        (
            &["--csv", &value, "--table", "t", "--splits", &unsorted],
            2,
            "nothing is taken from table t: --csv gives the values of the fields\n  next: ",
        ),
        (
            &[&both[..], &["--splits", &unsorted]].concat(),
            1,
            "sim_unsorted.txt, line 2: split key a does not sort after",
        ),
        (&[&both[..], &["--regions", "5"]].concat(), 2, "5 regions do not share 16 buckets evenly"),
        (
            &[&both[..], &["--column", "what=9"]].concat(),
            2,
            "--column what=9: it is not FAMILY:QUALIFIER=BYTES",
        ),
        (&[&both[..], &["--scan", "shop=1"]].concat(), 2, "--scan \"shop=1\" of Event: "),
        (
            &[&both[..], &["--schema", &no_schema]].concat(),
            1,
            "sim_bad.key is not a schema\n  caused by: ",
        ),
        (
            &[&both[..], &["--rows", "100", "--html", "no/such/folder.html"]].concat(),
            1,
            "write the report no/such/folder.html\n  caused by: No such file",
        ),
        (
            &[&both[..], &["--rows", "100", "--html", "/dev/full"]].concat(),
            1,
            "write the report /dev/full\n  caused by: No space left",
        ),
    ];
    for (arguments, code, expected) in cases {
        let errors = of(arguments).failed(*code);
        assert!(errors.contains(expected), "{arguments:?}: {errors}");
        assert!(
            errors.contains("next: ") || errors.contains("No such file"),
            "{arguments:?}: {errors}"
        );
    }
}

#[test]
fn a_report_needs_no_other_file_and_no_script() {
    let (event, by_time) = (file("sim_html.key", EVENT), file("sim_html_time.key", BY_TIME));
    let report = folder().join("report.html");
    fs::write(&report, "an older one").unwrap();
    let html = ["--html", report.to_str().unwrap(), "--regions", "16", "--split-by", "sample"];
    let scan = ["--scan", "user=7", "--column", "d:<what>=9"];
    let run = simulate(&[&event, &by_time], &[&html[..], &scan].concat());
    ends(&run.errors, &format!("wrote {}\n", report.display()));
    run.done();
    let html = fs::read_to_string(&report).unwrap();
    assert!(html.starts_with("<!DOCTYPE html>") && html.ends_with("</html>\n"));
    for never in ["<script", "http://", "https://", "url(", "@import", "<img", "<link"] {
        assert!(!html.contains(never), "{never}");
    }
    for (text, count) in
        [("<section>", 2), ("role=\"img\"", 5), ("<desc>", 5), ("Even: ", 1), ("A hot spot: ", 1)]
    {
        assert_eq!(html.matches(text).count(), count, "{text}");
    }
    assert!(!report.with_extension("html.part").exists());
}

#[test]
fn ctrl_c_says_how_many_keys_were_made() {
    let event = file("sim_interrupt.key", EVENT);
    let report = folder().join("interrupted.html");
    let report = report.to_str().unwrap();
    let mut run = command();
    run.args(["simulate", "--schema", &event, "--field", "user=random", "--field", DAY]);
    run.args(["--rows", "1000000000000", "--html", report]).stderr(Stdio::piped());
    let mut run = run.stdout(Stdio::null()).spawn().unwrap();
    let mut errors = BufReader::new(run.stderr.take().unwrap());
    let mut line = String::new();
    errors.read_line(&mut line).unwrap();
    assert_eq!(line, "making 1000000000000 keys of Event\n");
    interrupt(&run);
    assert_eq!(run.wait().unwrap().code(), Some(130));
    let mut rest = String::new();
    errors.read_to_string(&mut rest).unwrap();
    begins(&rest, "tallrow: stopped by Ctrl-C after ");
    has(&rest, " of 1000000000000 keys\n  next: ");
    assert!(!Path::new(report).exists());
}

/// Simulates records and puts the same records into a table that is split alike: they must spread
/// in the same way. Then takes the keys of the table as records of a simulation.
fn a_table_has_the_simulated_spread(cluster: &Cluster, table: &str) {
    const ROWS: u32 = 20_000;
    let schema = file(&format!("{table}.key"), EVENT);
    let mut csv = String::from("at,user\n");
    for at in 0..ROWS {
        // Some users have many rows.
        let _ = writeln!(csv, "{at},{}", at % 7 * (at % 1_000));
    }
    let csv = file(&format!("{table}.csv"), &csv);
    let run =
        tallrow(&["simulate", "--schema", &schema, "--csv", &csv, "--regions", "8", "--json"]);
    let simulated = run.json()["designs"][0]["regions"].clone();

    cluster
        .run(&["table", "create", table, "--family", "d", "--schema", &schema, "-n", "8"])
        .done();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let found = runtime.block_on(async {
        let client = Client::connect(&cluster.url).await.unwrap();
        let schema = Schema::parse(EVENT).unwrap();
        let puts = fs::read_to_string(&csv).unwrap();
        let puts = puts.lines().skip(1).map(|line| {
            let (at, user) = line.split_once(',').unwrap();
            let row = schema.encode_text(&format!("user={user}, at={at}")).unwrap();
            Put::new(row).cell("d", "q", "v")
        });
        client.raw_table(table).unwrap().put_all(puts).await.into_result().unwrap();
        let mut found = Vec::new();
        for region in client.admin().hbase().unwrap().regions(table).await.unwrap() {
            let scan = match region.end_key() {
                [] => tallrow::Scan::range(region.start_key()..),
                end => tallrow::Scan::range(region.start_key()..end),
            };
            found.push(client.raw_table(table).unwrap().count(scan).await.unwrap());
        }
        found
    });
    let simulated: Vec<_> = simulated
        .as_array()
        .unwrap()
        .iter()
        .map(|region| region["rows"].as_u64().unwrap())
        .collect();
    assert_eq!(found, simulated);
    assert_eq!(found.iter().sum::<u64>(), u64::from(ROWS));

    let by_time = file(&format!("{table}_by_time.key"), BY_TIME);
    let sample = ["simulate", "--schema", &by_time, "--table", table, "--json"];
    let design =
        cluster.run(&[&sample[..], &["--rows", "1000"]].concat()).json()["designs"][0].clone();
    assert_eq!((&design["name"], &design["dead"]), (&json!("ByTime"), &json!(7)), "{design}");
    cluster.run(&["table", "drop", table, "--yes"]).done();
}

#[test]
fn a_mock_table_has_the_simulated_spread() {
    a_table_has_the_simulated_spread(&Cluster::mock(), "sim_mock");
}

#[test]
fn on_real() {
    if let Some(cluster) = Cluster::real() {
        a_table_has_the_simulated_spread(&cluster, "sim_real");
    }
}
