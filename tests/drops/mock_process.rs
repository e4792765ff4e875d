//! The mock in a process of its own, so that the memory of this one is the client's.

use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use tallrow_mock::{Fault, MockCluster};

/// Where this is set, the test below is the mock's process.
const ROLE: &str = "TALLROW_DROPS_MOCK";
/// The chance of a reply to be lost, by method. Most operations leave in a `Multi`.
const LOST: [(&str, f64); 4] = [("Get", 0.05), ("Mutate", 0.05), ("Multi", 0.002), ("Scan", 0.002)];
/// What begins an answer in what the process writes, among the words of the test harness.
const ANSWER: char = '@';

pub(crate) struct MockProcess {
    child: Child,
    commands: ChildStdin,
    answers: Lines<BufReader<ChildStdout>>,
    pub(crate) url: String,
}

impl MockProcess {
    pub(crate) fn start() -> Self {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "mock_process::the_process_of_the_mock", "--nocapture"])
            .env(ROLE, "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let commands = child.stdin.take().unwrap();
        let answers = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut process = Self { child, commands, answers, url: String::new() };
        process.url = process.answer();
        process
    }

    /// From now on, some replies are lost, and their connections go on.
    pub(crate) fn lose_replies(&mut self) {
        self.ask("lose");
    }

    /// From now on, some connections close instead of a reply.
    pub(crate) fn close_connections(&mut self) {
        self.ask("close");
    }

    /// No reply is lost any more; how many of the faults so far never struck.
    pub(crate) fn lose_no_more(&mut self) -> usize {
        self.ask("clear").parse().unwrap()
    }

    /// How often a method was called.
    pub(crate) fn call_count(&mut self, method: &str) -> u64 {
        self.ask(method).parse().unwrap()
    }

    fn ask(&mut self, command: &str) -> String {
        writeln!(self.commands, "{command}").unwrap();
        self.answer()
    }

    fn answer(&mut self) -> String {
        let answer = |line: String| line.split_once(ANSWER).map(|(_, answer)| answer.to_owned());
        self.answers.by_ref().map_while(Result::ok).find_map(answer).expect("the mock lives")
    }
}

impl Drop for MockProcess {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What the process does: it obeys until its input ends.
#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn the_process_of_the_mock() {
    if std::env::var_os(ROLE).is_none() {
        return;
    }
    let mock = MockCluster::builder().seed(crate::SEED).start().await.unwrap();
    println!("{ANSWER}{}", mock.url());
    for command in std::io::stdin().lines().map_while(Result::ok) {
        let answer = match command.as_str() {
            "lose" => {
                for (method, chance) in LOST {
                    // Such a reply is waited for, so there are few.
                    let fault = Fault::on(method).table("t").chance(chance).times(6);
                    mock.inject(fault.drop_reply());
                }
                0
            }
            "close" => {
                for (method, chance) in LOST {
                    let fault = Fault::on(method).table("t").chance(chance).times(20);
                    mock.inject(fault.close_after());
                }
                0
            }
            "clear" => {
                let unfired = mock.unfired_faults().len();
                mock.clear_faults();
                unfired as u64
            }
            method => mock.call_count(method),
        };
        println!("{ANSWER}{answer}");
    }
}
