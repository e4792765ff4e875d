//! The program: its ready line, flags and exit status.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by a panic"
)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};

mod flags;
#[path = "../../../tests/src/own_loopback.rs"]
#[allow(dead_code, unreachable_pub, reason = "the tests of the client use all of it")]
mod own_loopback;
mod page;
mod running;

use own_loopback::own_loopbacks;
use running::Running;

fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tallrow-mock"));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

#[test]
fn it_prints_one_line_when_it_is_ready_and_exits_with_0_on_a_signal() {
    for signal in ["TERM", "INT"] {
        let mut mock = program().args(["--servers", "1"]).spawn().unwrap();
        let mut out = BufReader::new(mock.stdout.take().unwrap());
        let mut line = String::new();
        out.read_line(&mut line).unwrap();
        let (address, url) = line
            .strip_prefix("{\"ready\":true,\"hbase_rpc\":\"")
            .and_then(|rest| rest.strip_suffix("\"}\n")?.split_once("\",\"url\":\""))
            .unwrap_or_else(|| panic!("{line:?}"));
        assert!(address.starts_with("127.0.0.1:"));
        assert_eq!(url, format!("hbase+rpc://{address}"));
        let mut stream = TcpStream::connect(address).unwrap();
        stream.write_all(b"Regist").unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        assert_eq!(answer.len(), 50);
        let id = mock.id().to_string();
        assert!(Command::new("kill").args(["-s", signal, &id]).status().unwrap().success());
        assert_eq!(mock.wait().unwrap().code(), Some(0));
        let mut rest = String::new();
        out.read_to_string(&mut rest).unwrap();
        assert_eq!(rest, "");
    }
}

#[test]
fn it_loads_tables_at_the_start_and_dumps_them_at_the_end() {
    let folder = std::env::temp_dir().join(format!("tallrow-mock-dumps-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (load, dump) = (folder.join("load.txt"), folder.join("dump.txt"));
    let text = "tallrow-mock tables 1\n\ntable \"t\"\nfamily \"f\"\nsplit \"m\"\n\
                put \"r\" \"f:q\" 7 \"v\"\n";
    std::fs::write(&load, text).unwrap();
    let files = [load.to_str().unwrap(), dump.to_str().unwrap()];
    Running::start(program(), &["--load", files[0], "--dump", files[1]]).end();
    assert_eq!(std::fs::read_to_string(&dump).unwrap(), text);

    std::fs::write(&load, "tallrow-mock tables 1\ntable \"t\"\nput \"r\"").unwrap();
    let output = program().arg("--load").arg(&load).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        format!(
            "tallrow-mock: read the tables {}: load tables: line 3, column 8: found the end of the line, expected \
             a column, family:qualifier, in quotes\n",
            load.display()
        )
    );
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn it_keeps_its_tables_when_it_is_killed_and_ends_when_it_cannot() {
    let folder = std::env::temp_dir().join(format!("tallrow-mock-kept-{}", std::process::id()));
    let start = |command| {
        let data = folder.to_str().unwrap();
        Running::start(command, &["--control-port", "0", "--data", data])
    };
    let curl = |mock: &Running, arguments: &[&str]| {
        let url = format!("http://{}/tables", mock.field("control").unwrap());
        let output = Command::new("curl").args(["-s", &url]).args(arguments).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let text = "tallrow-mock tables 1\n\ntable \"t\"\nfamily \"f\"\nput \"r\" \"f:q\" 7 \"v\"\n";
    let mock = start(program());
    assert_eq!(curl(&mock, &["--data-binary", text]), "{\n  \"loaded\": [\n    \"t\"\n  ]\n}\n");
    let second = program().arg("--data").arg(&folder).output().unwrap();
    assert_eq!(second.status.code(), Some(1));
    let error = String::from_utf8(second.stderr).unwrap();
    let expected = format!("lock the data directory {}: another process, ", folder.display());
    assert!(error.contains(&expected), "{error}");
    // It is killed.
    drop(mock);

    // The last record is torn, as if the process had been killed while it was written.
    let file = folder.join("tables.log");
    let mut torn = std::fs::OpenOptions::new().append(true).open(&file).unwrap();
    torn.write_all(&[7; 5]).unwrap();
    // A file may not grow past 64 KiB here, or half of that, by the unit of the shell: as if the
    // disk were full.
    let mut command = Command::new("sh");
    command.stderr(Stdio::piped());
    let script = "trap '' XFSZ; ulimit -f 64; exec \"$0\" \"$@\"";
    command.args(["-c", script, env!("CARGO_BIN_EXE_tallrow-mock")]);
    let mut mock = start(command);
    assert_eq!(curl(&mock, &[]), text);
    let large =
        text.replace("\"t\"", "\"u\"").replace("\"v\"", &format!("\"{}\"", "v".repeat(90_000)));
    let answer = curl(&mock, &["--data-binary", &large]);
    // The program may end before it has answered.
    assert!(answer.is_empty() || answer.contains("the mock cannot keep its data: "), "{answer}");
    assert_eq!(mock.child.wait().unwrap().code(), Some(1));
    let mut errors = String::new();
    mock.child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
    let dropped = format!("tallrow-mock: {}: the last record, at byte ", file.display());
    assert!(errors.starts_with(&dropped), "{errors}");
    let failed = format!("tallrow-mock: keep the data: write to {}: ", file.display());
    assert!(errors.contains(&failed), "{errors}");

    let mock = start(program());
    assert_eq!(curl(&mock, &[]), text);
    mock.end();
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn it_listens_on_the_same_ports_again_and_says_which_has_changed() {
    let folder = std::env::temp_dir().join(format!("tallrow-mock-ports-{}", std::process::id()));
    let ip = own_loopbacks()[0].to_string();
    let start = || {
        let mut command = program();
        command.args(["--listen", &ip, "--zk-port", "0", "--bigtable-port", "0"]);
        let data = folder.to_str().unwrap();
        Running::start(command, &["--control-port", "0", "--data", data])
    };
    let mock = start();
    let before = mock.ready.clone();
    let control = mock.field("control").unwrap().to_owned();
    // It is killed.
    drop(mock);
    let mock = start();
    assert_eq!(mock.ready, before);
    mock.end();

    let taken = std::net::TcpListener::bind(&control).unwrap();
    let mut mock = start();
    let now = mock.field("control").unwrap().to_owned();
    assert_eq!(mock.ready.replace(&now, &control), before);
    assert_eq!(mock.signal("TERM"), Some(0));
    let mut errors = String::new();
    mock.child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
    let port = |address: &str| address.rsplit_once(':').unwrap().1.to_owned();
    let expected = format!(
        "tallrow-mock: control listens on port {}, because another program has port {}, on which \
         it was before; clients and configurations with that port do not find it\n",
        port(&now),
        port(&control)
    );
    assert_eq!(errors, expected);
    drop(taken);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn it_serves_zookeeper_if_it_is_asked_to() {
    let mock = Running::start(program(), &["--zk-port", "0", "--bigtable-port", "0"]);
    let (zookeeper, bigtable) = (mock.field("hbase_zk").unwrap(), mock.field("bigtable").unwrap());
    let fields = format!(",\"hbase_zk\":\"{zookeeper}\",\"bigtable\":\"{bigtable}\",\"url\":");
    assert!(mock.ready.contains(&fields), "{}", mock.ready);
    let mut stream = TcpStream::connect(zookeeper).unwrap();
    stream.write_all(b"ruok").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert_eq!(answer, "imok");
}

#[test]
fn it_serves_bigtable_if_it_is_asked_to() {
    let mock = Running::start(program(), &["--bigtable-port", "0", "--torn-rows"]);
    let mut stream = TcpStream::connect(mock.field("bigtable").unwrap()).unwrap();
    stream.write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0").unwrap();
    // The frame that a server sends first: SETTINGS.
    let mut frame = [0; 9];
    stream.read_exact(&mut frame).unwrap();
    assert_eq!(frame[3], 4);
}

/// The fenced blocks of `docs/mock-program.md` in this language.
fn examples_of(language: &str) -> Vec<String> {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/mock-program.md");
    let page = std::fs::read_to_string(page).unwrap();
    let blocks = page.split("\n```").skip(1).step_by(2);
    let found: Vec<_> = blocks
        .filter_map(|block| block.strip_prefix(language)?.strip_prefix('\n'))
        .map(|block| format!("{block}\n"))
        .collect();
    assert!(!found.is_empty(), "no {language} in docs/mock-program.md");
    found
}

#[test]
fn the_examples_of_the_documentation_with_curl_answer_as_it_says() {
    let mock = Running::start(program(), &["--control-port", "0"]);
    let folder = std::env::temp_dir().join(format!("tallrow-mock-curl-{}", mock.child.id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut commands = 0;
    for block in examples_of("console") {
        for example in block.split("$ curl ").skip(1) {
            let (arguments, expected) = example.split_once('\n').unwrap();
            let mut curl = Command::new("sh");
            curl.args(["-c", &format!("curl {arguments}")]).current_dir(&folder);
            curl.env("MOCK", format!("http://{}", mock.field("control").unwrap()));
            let output = curl.output().unwrap();
            let answer = String::from_utf8(output.stdout).unwrap();
            assert!(output.status.success(), "curl {arguments}: {:?}", output.stderr);
            assert_eq!(answer, expected, "curl {arguments}");
            commands += 1;
        }
    }
    assert!(commands >= 8, "{commands}");
    let clock = std::fs::read_to_string(folder.join("clock.json")).unwrap();
    assert!(clock.starts_with("{\n  \"ms\": "), "{clock}");
    std::fs::remove_dir_all(&folder).unwrap();
    mock.end();
}

#[test]
fn it_plays_a_scenario_and_writes_the_transcript_when_it_ends() {
    let folder = std::env::temp_dir().join(format!("tallrow-mock-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (scenario, transcript) = (folder.join("scenario.json"), folder.join("transcript.txt"));
    let mut example = examples_of("json").remove(0);
    example = example.replace("\"changes\": [", "\"changes\": [{\"change\": \"start_server\"},");
    std::fs::write(&scenario, &example).unwrap();
    let files = [scenario.to_str().unwrap(), transcript.to_str().unwrap()];
    Running::start(program(), &["--scenario", files[0], "--transcript", files[1]]).end();
    let written = std::fs::read_to_string(&transcript).unwrap();
    assert_eq!(written, "1 change: start a region server\n");

    std::fs::write(&scenario, example.replace("\"nth\": 3", "\"nth\": 0")).unwrap();
    let refused = program().arg("--scenario").arg(&scenario).output().unwrap();
    assert_eq!((refused.status.code(), refused.stdout.len()), (Some(1), 0));
    assert_eq!(
        String::from_utf8(refused.stderr).unwrap(),
        format!(
            "tallrow-mock: read the scenario {}: faults[0].nth: found the number 0, expected a \
             whole number, at least 1\n",
            scenario.display()
        )
    );
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn bad_flags_and_taken_ports_are_reported_on_standard_error() {
    let bad = program().args(["--servers", "none"]).output().unwrap();
    assert_eq!(bad.status.code(), Some(2));
    let text = String::from_utf8(bad.stderr).unwrap();
    assert_eq!(text, "tallrow-mock: --servers none: expected a number from 1 to 1000\n");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let refused = program().args(["--rpc-port", &port]).output().unwrap();
    assert_eq!((refused.status.code(), refused.stdout.len()), (Some(1), 0));
    let text = String::from_utf8(refused.stderr).unwrap();
    assert!(
        text.starts_with(&format!("tallrow-mock: start the mock on 127.0.0.1:{port}: ")),
        "{text}"
    );
}

#[test]
fn help_names_every_flag_with_its_default_and_its_invocations() {
    let help = program().arg("--help").output().unwrap();
    assert_eq!(help.status.code(), Some(0));
    flags::the_help_has_all(&String::from_utf8(help.stdout).unwrap(), "tallrow-mock");
}

#[test]
fn each_flag_does_what_it_says() {
    let folder = std::env::temp_dir().join(format!("tallrow-mock-flags-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    flags::each_flag_does_what_it_says(&program, &folder);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn bad_flags_are_refused() {
    flags::bad_flags_are_refused(&program);
}
