//! The command `tallrow mock`: its control port, scenario and transcript.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::program::{command, file, folder, has, tallrow};

#[path = "../../../mock-server/tests/program/flags.rs"]
mod flags;
#[path = "../../../mock-server/tests/program/running.rs"]
mod running;

use running::Running;

#[test]
fn the_control_port_plays_the_scenario_and_the_transcript_is_written_at_the_end() {
    let scenario = file(
        "mock.scenario.json",
        r#"{"changes": [{"change": "start_server"}], "faults": {"on": "Get", "effect": "drop_reply"}}"#,
    );
    let transcript = file("mock.transcript.txt", "");
    let files = ["--scenario", &*scenario, "--transcript", &*transcript];
    let mock = Running::start(program(), &[&["--control-port", "0"], &files[..]].concat());
    let ready: Value = serde_json::from_str(&mock.ready).unwrap();
    let control = ready["control"].as_str().unwrap();
    assert_eq!(ready["control_url"], format!("http://{control}"));

    let mut stream = TcpStream::connect(control).unwrap();
    let request = "GET /status HTTP/1.1\r\nHost: mock\r\nConnection: close\r\n\r\n";
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (_, body) = answer.split_once("\r\n\r\n").unwrap();
    let status: Value = serde_json::from_str(body).unwrap();
    assert_eq!(status["servers"].as_array().unwrap().len(), 3);
    assert_eq!(status["faults"][0]["fault"]["effect"], "drop_reply");

    mock.end();
    let written = std::fs::read_to_string(&transcript).unwrap();
    assert_eq!(written, "1 change: start a region server\n");
}

#[test]
fn tables_are_loaded_at_the_start_and_dumped_at_the_end() {
    let text = "tallrow-mock tables 1\n\ntable \"t\"\nfamily \"f\"\nput \"r\" \"f:q\" 7 \"v\"\n";
    let (load, dump) = (file("mock.load.txt", text), file("mock.dump.txt", ""));
    Running::start(program(), &["--load", &load, "--dump", &dump]).end();
    assert_eq!(std::fs::read_to_string(&dump).unwrap(), text);

    let load = file("mock.bad.txt", "tallrow-mock tables 2");
    let errors = tallrow(&["mock", "--load", &load]).failed(1);
    has(&errors, &format!("read the tables {load}"));
    has(&errors, "line 1, column 21: found 2, expected version 1 of the format");
}

#[test]
fn tables_are_kept_in_a_directory() {
    let folder = std::env::temp_dir().join(format!("tallrow-cli-data-{}", std::process::id()));
    let data = folder.to_str().unwrap();
    let text = "tallrow-mock tables 1\n\ntable \"t\"\nfamily \"f\"\nput \"r\" \"f:q\" 7 \"v\"\n";
    let (load, dump) = (file("mock.data.txt", text), file("mock.kept.txt", ""));
    let mock = Running::start(program(), &["--data", data, "--load", &load]);
    let errors = tallrow(&["mock", "--data", data]).failed(1);
    has(&errors, &format!("lock the data directory {data}: another process"));
    // It is killed.
    drop(mock);
    Running::start(program(), &["--data", data, "--dump", &dump]).end();
    assert_eq!(std::fs::read_to_string(&dump).unwrap(), text);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_scenario_of_a_mock_that_cannot_be_read_is_refused() {
    let scenario = file("mock.bad.json", r#"{"faults": [{"on": "Get", "efect": "drop_reply"}]}"#);
    let errors = tallrow(&["mock", "--scenario", &scenario]).failed(1);
    has(&errors, &format!("read the scenario {scenario}"));
    has(&errors, "faults[0].effect: missing, expected one of throw, not_serving");
    has(&errors, "is it \"efect\"?");
    let errors = tallrow(&["mock", "--scenario", "/nowhere/s.json"]).failed(1);
    has(&errors, "read the scenario /nowhere/s.json");
}

/// The command, as the program that the walk over the flags starts.
fn program() -> Command {
    let mut command = command();
    command.arg("mock").stderr(Stdio::piped());
    command
}

#[test]
fn the_help_of_mock_has_every_flag_of_the_mock() {
    flags::the_help_has_all(&tallrow(&["mock", "--help"]).done(), "tallrow mock");
}

#[test]
fn each_flag_of_the_mock_does_what_it_says() {
    let folder = folder().join("mock.flags");
    std::fs::create_dir_all(&folder).unwrap();
    flags::each_flag_does_what_it_says(&program, &folder);
}

#[test]
fn bad_flags_of_the_mock_are_refused() {
    flags::bad_flags_are_refused(&program);
}
