//! Ctrl-C during a scan: the program says what it has done, and how to go on.

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::Stdio;

use tallrow_mock::{Fault, MockCluster};

use crate::program::{command, file, interrupt, tallrow};

#[test]
fn ctrl_c_says_what_was_done_and_how_to_go_on() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let mock = runtime.block_on(MockCluster::start()).unwrap();
    let url = mock.url();
    let splits = file("interrupt.splits", "m\n");
    tallrow(&["table", "create", "t", "--family", "d", "--splits", &splits, "--url", &url]).done();
    for key in ["a", "b", "x"] {
        tallrow(&["table", "put", "t", key, "d:q=1", "--url", &url]).done();
    }
    // The second region never answers.
    mock.inject(Fault::on("Scan").table("t").nth(2).times(u64::MAX).drop_request());
    let mut scan = command();
    scan.args(["table", "scan", "t", "--timeout", "600", "--url", &url]);
    let mut scan = scan.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // Open until the end: a program whose output nobody reads ends.
    let mut rows = BufReader::new(scan.stdout.take().unwrap()).lines();
    let keys: Vec<String> =
        rows.by_ref().map(Result::unwrap).filter(|line| !line.starts_with(' ')).take(2).collect();
    assert_eq!(keys, ["a", "b"]);
    interrupt(&scan);
    assert_eq!(scan.wait().unwrap().code(), Some(130));
    drop(rows);
    let mut errors = String::new();
    scan.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
    assert_eq!(
        errors,
        "tallrow: stopped by Ctrl-C after 2 rows\n  next: --start 'b\\x00' goes on after the last \
         row\n"
    );
}
