//! The mock in a separate process, so that the memory of this one is the client's.

use tallrow_mock::{Fault, MockCluster};
use tallrow_tests::{Process, task, tell, thorough};

/// The probability that a reply is lost, by method. Most operations are sent in a `Multi`.
const LOST: [(&str, f64); 4] = [("Get", 0.05), ("Mutate", 0.05), ("Multi", 0.006), ("Scan", 0.006)];

pub(crate) struct MockProcess {
    process: Process,
    pub(crate) url: String,
}

impl MockProcess {
    pub(crate) fn start() -> Self {
        let process = Process::start("mock_process::serve_as_mock_process", "");
        let mut mock = Self { process, url: String::new() };
        mock.url = mock.answer();
        mock
    }

    /// From now on, some replies are lost, but their connections stay open.
    pub(crate) fn lose_replies(&mut self) {
        self.send("lose");
    }

    /// From now on, some connections close instead of replying.
    pub(crate) fn close_connections(&mut self) {
        self.send("close");
    }

    /// The number of faults that have never fired.
    pub(crate) fn unfired_faults(&mut self) -> usize {
        self.send("unfired").parse().unwrap()
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
        self.process.send(command);
        self.answer()
    }

    fn answer(&mut self) -> String {
        self.process.told().expect("the mock is running")
    }
}

/// The process of the mock: handles commands until its input ends.
#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn serve_as_mock_process() {
    if task().is_none() {
        return;
    }
    let mock = MockCluster::builder().seed(crate::SEED).start().await.unwrap();
    tell(mock.url());
    for command in std::io::stdin().lines().map_while(Result::ok) {
        let answer = match command.as_str() {
            "lose" => {
                for (method, chance) in LOST {
                    // The client waits for such a reply until its timeout, so there are few.
                    let times = if thorough() { 6 } else { 2 };
                    let fault = Fault::on(method).table("t").chance(chance).times(times);
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
            "unfired" => mock.unfired_faults().len() as u64,
            "clear" => {
                let unfired = mock.unfired_faults().len();
                mock.clear_faults();
                unfired as u64
            }
            method => mock.call_count(method),
        };
        tell(answer);
    }
}
