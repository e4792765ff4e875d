//! A walk over all flags: what each does, and what is said about a bad value. It runs on the
//! program `tallrow-mock` here, and on `tallrow mock` in the tests of the command line.

use std::ffi::OsStr;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Stdio};

use tallrow_mock::program::{EXAMPLES, FLAGS, Flag, Program, READY};

use super::running::Running;

const TABLES: &str =
    "tallrow-mock tables 1\n\ntable \"t\"\nfamily \"f\"\nput \"r\" \"f:q\" 7 \"v\"\n";

/// The exit code and the errors of a program that does not start.
fn refused(mut command: Command, arguments: &[&str]) -> (Option<i32>, String) {
    let output = command.args(arguments).stdin(Stdio::null()).output().unwrap();
    assert_eq!(output.stdout, b"", "{arguments:?}");
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

/// Which of some connections to the master are answered.
fn answered(running: &Running) -> Vec<bool> {
    let dial = |_| {
        let mut stream = TcpStream::connect(running.field("hbase_rpc").unwrap()).unwrap();
        let mut answer = Vec::new();
        // A connection that a fault closes may be closed before this is written.
        let sent = stream.write_all(b"Regist").and_then(|()| stream.read_to_end(&mut answer));
        sent.is_ok() && !answer.is_empty()
    };
    (0..16).map(dial).collect()
}

/// What the master answers to a user who switches the balancer on, which an administrator may.
fn answer_to_a_change_of_the_balancer(running: &Running) -> String {
    let of_length = |bytes: &[u8]| [&[bytes.len() as u8], bytes].concat();
    let user = [b"\x0a".as_slice(), &of_length(b"eve")].concat();
    let connection = [b"\x0a".as_slice(), &of_length(&user), b"\x12", &of_length(b"MasterService")];
    let connection = connection.concat();
    let head =
        [b"\x08\x01\x1a".as_slice(), &of_length(b"SetBalancerRunning"), b"\x20\x01"].concat();
    let call = [of_length(&head), of_length(b"\x08\x01")].concat();
    let frame = |bytes: &[u8]| [&(bytes.len() as u32).to_be_bytes(), bytes].concat();
    let mut stream = TcpStream::connect(running.field("hbase_rpc").unwrap()).unwrap();
    let sent = [b"HBas\x00\x50".to_vec(), frame(&connection), frame(&call)].concat();
    stream.write_all(&sent).unwrap();
    let mut length = [0; 4];
    stream.read_exact(&mut length).unwrap();
    let mut answer = vec![0; u32::from_be_bytes(length) as usize];
    stream.read_exact(&mut answer).unwrap();
    String::from_utf8_lossy(&answer).into_owned()
}

/// Starts the program with each flag, and looks at what it does.
pub(crate) fn each_flag_does_what_it_says(program: &dyn Fn() -> Command, folder: &Path) {
    let file = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let start = |arguments: &[&str]| Running::start(program(), arguments);
    let usual = start(&["--control-port", "0"]);
    let ready = format!(
        "{{\"ready\":true,\"hbase_rpc\":\"{rpc}\",\"control\":\"{control}\",\
         \"url\":\"hbase+rpc://{rpc}\",\"control_url\":\"http://{control}\"}}\n",
        rpc = usual.field("hbase_rpc").unwrap(),
        control = usual.field("control").unwrap(),
    );
    assert_eq!(usual.ready, ready);
    let servers =
        |running: &Running| running.get("/status").matches("\n      \"server\": ").count();
    assert_eq!(servers(&usual), 2, "{}", usual.get("/status"));
    assert_eq!(answered(&usual), [true; 16]);
    assert!(!answer_to_a_change_of_the_balancer(&usual).contains("Exception"));

    for flag in &FLAGS {
        match flag.name {
            "listen" => {
                let mut running = start(&["--listen", "127.0.0.2", "--zk-port", "0"]);
                for name in ["hbase_rpc", "hbase_zk"] {
                    assert!(running.field(name).unwrap().starts_with("127.0.0.2:"), "{name}");
                }
                assert_eq!(running.signal("INT"), Some(0));
            }
            "rpc-port" | "zk-port" | "bigtable-port" | "control-port" => {
                let name = format!("--{}", flag.name);
                let taken = TcpListener::bind("127.0.0.1:0").unwrap();
                let port = taken.local_addr().unwrap().port().to_string();
                let (code, error) = refused(program(), &[&name, &port]);
                assert_eq!(code, Some(1), "{error}");
                for part in [" on 127.0.0.1:", "0 takes any free port: --rpc-port, --zk-port, "] {
                    assert!(error.contains(part), "{part} is not in:\n{error}");
                }
                let running = start(&[&format!("{name}=0")]);
                let fields = match flag.name {
                    "rpc-port" => ["hbase_rpc", "url"],
                    "zk-port" => ["hbase_zk", "zookeeper_url"],
                    "bigtable-port" => ["bigtable", "bigtable_url"],
                    _ => ["control", "control_url"],
                };
                let address = running.field(fields[0]).unwrap();
                assert!(TcpStream::connect(address).is_ok(), "{address}");
                assert!(running.field(fields[1]).unwrap().ends_with(address), "{}", running.ready);
                running.end();
            }
            "data" => {
                let folder = folder.join("data");
                let data = folder.to_str().unwrap();
                start(&["--data", data, "--load", &file("kept.txt", TABLES)]).end();
                let again = start(&["--data", data, "--control-port", "0"]);
                assert_eq!(again.get("/tables"), TABLES);
                again.end();
            }
            "load" => {
                let more = TABLES.replace("\"t\"", "\"u\"");
                let files = [file("load.txt", TABLES), file("more.txt", &more)];
                let both = ["--load", &files[0], "--load", &files[1], "--control-port=0"];
                let running = start(&both);
                assert_eq!(running.get("/tables/t"), TABLES);
                assert_eq!(running.get("/tables/u"), more);
                running.end();
                let bad = file("bad.txt", "tallrow-mock tables 2");
                let (code, error) = refused(program(), &["--load", &bad]);
                assert_eq!(code, Some(1), "{error}");
                for part in [&*format!("read the tables {bad}"), "load tables: line 1, column 21: "]
                {
                    assert!(error.contains(part), "{part} is not in:\n{error}");
                }
            }
            "dump" => {
                let (load, dump) = (file("load.txt", TABLES), file("dump.txt", ""));
                start(&["--load", &load, "--dump", &dump]).end();
                assert_eq!(std::fs::read_to_string(&dump).unwrap(), TABLES);
                let mut running = start(&["--dump", "/nowhere/dump.txt"]);
                assert_eq!(running.signal("TERM"), Some(1));
            }
            "scenario" | "transcript" => {
                let changes = "{\"changes\": [{\"change\": \"start_server\"}]}";
                let scenario = file("scenario.json", changes);
                let transcript = file("transcript.txt", "");
                start(&["--scenario", &scenario, "--transcript", &transcript]).end();
                let written = std::fs::read_to_string(&transcript).unwrap();
                assert_eq!(written, "1 change: start a region server\n");
            }
            // The tests of the flags show that it is set, and those of Bigtable what it does.
            "torn-rows" => start(&["--torn-rows", "--bigtable-port", "0"]).end(),
            "servers" => {
                let running = start(&["--servers", "5", "--control-port", "0"]);
                assert_eq!(servers(&running), 5);
                running.end();
            }
            "seed" => {
                let fault = "{\"faults\": {\"on\": \"connect\", \"chance\": 0.5, \"effect\": \
                             \"close\"}}";
                let scenario = file("chance.json", fault);
                let by = |seed: &str| {
                    let running = start(&["--seed", seed, "--scenario", &scenario]);
                    let answered = answered(&running);
                    running.end();
                    answered
                };
                let seven = by("7");
                assert!(seven.contains(&true) && seven.contains(&false), "{seven:?}");
                assert_eq!(by("7"), seven);
                assert_ne!(by("8"), seven);
            }
            "authorization" => {
                let running = start(&["--authorization", "admin"]);
                let answer = answer_to_a_change_of_the_balancer(&running);
                assert!(answer.contains("AccessDeniedException"), "{answer}");
                running.end();
                let running = start(&["--authorization", "admin,eve"]);
                let answer = answer_to_a_change_of_the_balancer(&running);
                assert!(!answer.contains("Exception"), "{answer}");
                running.end();
            }
            "setting" => {
                let known = ["hbase.quota.enabled=true", "hbase.table.sanity.checks=false"];
                start(&["--setting", known[0], "--setting", known[1]]).end();
                let (code, error) = refused(program(), &["--setting", "hbase.rootdir=/"]);
                assert_eq!(code, Some(1), "{error}");
                assert!(error.contains("the setting hbase.rootdir is not one of those"), "{error}");
            }
            other => panic!("--{other} has no case"),
        }
    }
    usual.end();
}

/// Gives each flag no value, a bad one, and one too many.
pub(crate) fn bad_flags_are_refused(program: &dyn Fn() -> Command) {
    for flag in &FLAGS {
        let name = format!("--{}", flag.name);
        let refused = |arguments: &[&str]| {
            let (code, error) = refused(program(), arguments);
            assert_eq!(code, Some(2), "{arguments:?}: {error}");
            assert!(error.contains(&name), "{arguments:?}: {error}");
            error
        };
        if flag.value.is_none() {
            refused(&[&name, &name]);
            refused(&[&format!("{name}=yes")]);
            continue;
        }
        refused(&[&name]);
        refused(&[&name, "--torn-rows"]);
        let reason = flag.set(&mut Program::default(), OsStr::new("")).unwrap_err();
        let error = refused(&[&format!("{name}=")]);
        assert!(error.contains(&reason), "{reason:?} is not in:\n{error}");
        if !flag.is_repeatable {
            let good = if flag.value == Some("IP") { "127.0.0.1" } else { "1" };
            refused(&[&name, good, &name, good]);
        }
    }
}

/// Looks for each flag, with its value, help and default, and for the examples, in the help.
pub(crate) fn the_help_has_all(help: &str, command: &str) {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    for Flag { name, value, help: text, default, .. } in &FLAGS {
        let start = |line: &str| {
            let flag = line.trim_start().strip_prefix("--")?.strip_prefix(name)?.trim_start();
            let value = value.unwrap_or_default();
            let bare = flag.strip_prefix('<').unwrap_or(flag);
            Some(words(bare.strip_prefix(value)?.trim_start_matches('>')))
        };
        let of_flag = help.lines().find_map(start);
        let of_flag = of_flag.unwrap_or_else(|| panic!("--{name} is not in:\n{help}"));
        let of_flag = of_flag.replace("[default: ", "(default ").replace(']', ")");
        assert_eq!(of_flag, format!("{text} (default {default})"), "--{name}");
    }
    assert!(help.contains(READY), "{help}");
    let lines: Vec<String> =
        EXAMPLES.iter().map(|example| words(&format!("{command} {example}"))).collect();
    let lines: String = lines.iter().map(|line| format!("  {line}\n")).collect();
    assert!(help.ends_with(&format!("\nExamples:\n{lines}")), "{help}");
}
