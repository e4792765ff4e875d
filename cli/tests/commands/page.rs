//! Runs each command that `docs/command-line.md` shows, and compares the output with the page.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::cluster::Cluster;
use crate::program::folder;

/// Replaces the times of cells.
fn without_times(line: &str) -> String {
    line.split(' ')
        .map(|word| if is_time(word) { "TIME" } else { word })
        .collect::<Vec<_>>()
        .join(" ")
}

fn is_time(word: &str) -> bool {
    word.len() == 13 && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// The commands in the page, each with the lines that it shows.
fn commands(page: &str) -> Vec<(&str, Vec<String>)> {
    let mut commands: Vec<(&str, Vec<String>)> = Vec::new();
    let mut is_console = false;
    for line in page.lines() {
        match (line, line.strip_prefix("$ ")) {
            ("```console", _) => is_console = true,
            ("```", _) => is_console = false,
            (_, Some(command)) if is_console => commands.push((command, Vec::new())),
            _ if is_console => commands.last_mut().unwrap().1.push(without_times(line)),
            _ => {}
        }
    }
    commands
}

/// Writes the files that the page shows.
fn write_files(page: &str, folder: &Path) {
    for part in page.split("<!-- file: ").skip(1) {
        let (name, rest) = part.split_once(" -->\n```text\n").unwrap();
        let (text, _) = rest.split_once("```").unwrap();
        fs::write(folder.join(name), text).unwrap();
    }
}

#[test]
fn each_command_of_the_page_prints_what_the_page_shows() {
    let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/command-line.md"))
        .unwrap();
    let folder = folder().join("page");
    fs::create_dir_all(&folder).unwrap();
    write_files(&page, &folder);
    let (cluster, other) = (Cluster::mock(), Cluster::mock());
    // The page's cluster is this one, and its instance of Bigtable the other one.
    let (_, emulator) = other.bigtable.split_once("endpoint=").unwrap();
    let bin = Path::new(env!("CARGO_BIN_EXE_tallrow")).parent().unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let commands = commands(&page);
    assert!(commands.len() > 20, "the reader of the page is broken");
    for (command, shown) in commands {
        let mut shell = Command::new("sh");
        shell.args(["-c", command]).current_dir(&folder).stdin(Stdio::null());
        shell.env("PATH", &path).env("TALLROW_URL", &cluster.url);
        let out = shell.env("BIGTABLE_EMULATOR_HOST", emulator).output().unwrap();
        let printed = String::from_utf8([out.stdout, out.stderr].concat()).unwrap();
        let printed = printed.replace(&cluster.url, "hbase+rpc://localhost:16000");
        let printed: Vec<String> = printed.lines().map(without_times).collect();
        assert_eq!(printed, shown, "{command}");
    }
}

#[test]
fn the_page_lists_the_exit_codes_that_the_help_lists() {
    let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/command-line.md"))
        .unwrap();
    let help = crate::program::tallrow(&["--help"]).done();
    let codes = help
        .lines()
        .skip_while(|line| *line != "Exit codes:")
        .skip(1)
        .take_while(|line| !line.is_empty());
    let mut count = 0;
    for line in codes {
        let (code, meaning) = line.trim().split_once(' ').unwrap();
        assert!(page.contains(&format!("| {code} | {} |", meaning.trim())), "{line}");
        count += 1;
    }
    assert_eq!(count, 5);
}
