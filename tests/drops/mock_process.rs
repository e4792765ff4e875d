//! The mock in a separate process, so that the memory of this one is the client's.

use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use tallrow_mock::{Fault, MockCluster};

/// If this variable is set, the test below is the process of the mock.
const ROLE: &str = "TALLROW_DROPS_MOCK";
/// The probability that a reply is lost, by method. Most operations are sent in a `Multi`.
const LOST: [(&str, f64); 4] = [("Get", 0.05), ("Mutate", 0.05), ("Multi", 0.002), ("Scan", 0.002)];
/// The prefix of a reply of the process, which distinguishes it from the output of the test harness.
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
            .args(["--exact", "mock_process::serve_as_mock_process", "--nocapture"])
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

    /// From now on, some replies are lost, but their connections stay open.
    pub(crate) fn lose_replies(&mut self) {
        self.send("lose");
    }

    /// From now on, some connections close instead of replying.
    pub(crate) fn close_connections(&mut self) {
        self.send("close");
    }

    /// From now on, no reply is lost. Returns the number of faults that have never fired.
    pub(crate) fn lose_no_more(&mut self) -> usize {
        self.send("clear").parse().unwrap()
    }

    /// The number of calls of a method.
    pub(crate) fn call_count(&mut self, method: &str) -> u64 {
        self.send(method).parse().unwrap()
    }

    fn send(&mut self, command: &str) -> String {
        writeln!(self.commands, "{command}").unwrap();
        self.answer()
    }

    fn answer(&mut self) -> String {
        let answer = |line: String| line.split_once(ANSWER).map(|(_, answer)| answer.to_owned());
        self.answers.by_ref().map_while(Result::ok).find_map(answer).expect("the mock is running")
    }
}

impl Drop for MockProcess {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The process of the mock: handles commands until its input ends.
#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn serve_as_mock_process() {
    if std::env::var_os(ROLE).is_none() {
        return;
    }
    let mock = MockCluster::builder().seed(crate::SEED).start().await.unwrap();
    println!("{ANSWER}{}", mock.url());
    for command in std::io::stdin().lines().map_while(Result::ok) {
        let answer = match command.as_str() {
            "lose" => {
                for (method, chance) in LOST {
                    // The client waits for such a reply until its timeout, so there are few.
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
