//! Runs a reader with inputs that were changed, and checks what it takes.

use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use stats_alloc::Region;
use tallrow_tests::thorough;

use crate::ALLOCATED;
use crate::mutator::Mutator;

/// How many changed inputs a reader gets, and with `TALLROW_THOROUGH`.
const CASES: [usize; 2] = [2_000, 85_000];
/// After this time without an end of a case, it never ends.
const HANGS: Duration = Duration::from_secs(120);
/// The longest time of the processor for one input.
const SLOWEST: Duration = Duration::from_secs(2);
/// How many changed inputs are changed further.
const KEPT: usize = 500;

/// One test at a time, from its first input on: what others allocate would be counted.
static TURN: Mutex<()> = Mutex::new(());

/// A test of a reader of bytes.
pub(crate) struct Target {
    reader: Reader,
    _turn: MutexGuard<'static, ()>,
}

/// A reader of bytes, with what it accepts and refuses.
struct Reader {
    name: &'static str,
    read: fn(&[u8]) -> bool,
    accepted: Vec<Vec<u8>>,
    refused: Vec<Vec<u8>>,
    words: &'static [&'static str],
    /// How many bytes of memory it may take besides those in proportion to the input.
    base: usize,
}

/// What the reader has taken for all inputs.
#[derive(Default)]
struct Taken {
    cases: usize,
    accepted: usize,
    slowest: Duration,
    /// The most memory, in bytes.
    most: usize,
}

impl Target {
    pub(crate) fn new(name: &'static str, read: fn(&[u8]) -> bool) -> Self {
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let (accepted, refused, words) = (Vec::new(), Vec::new(), &[][..]);
        let reader = Reader { name, read, accepted, refused, words, base: 64 << 10 };
        Self { reader, _turn: turn }
    }

    /// Adds inputs that are valid.
    pub(crate) fn accepts(mut self, inputs: impl IntoIterator<Item = Vec<u8>>) -> Self {
        self.reader.accepted = inputs.into_iter().collect();
        self
    }

    /// Adds inputs that are understood, and then refused.
    pub(crate) fn refuses(mut self, inputs: impl IntoIterator<Item = Vec<u8>>) -> Self {
        self.reader.refused = inputs.into_iter().collect();
        self
    }

    /// Sets the words that are inserted into texts.
    pub(crate) fn words(mut self, words: &'static [&'static str]) -> Self {
        self.reader.words = words;
        self
    }

    /// Sets how many bytes of memory the reader may take for the shortest input.
    pub(crate) fn takes(mut self, base: usize) -> Self {
        self.reader.base = base;
        self
    }

    /// Reads all inputs, and many that were changed. With `TALLROW_FUZZ_SEEDS` in the environment,
    /// writes the inputs below that folder instead, for a fuzzer to start from.
    ///
    /// # Panics
    /// If the reader panics, or takes too long or too much memory; the input is shown.
    pub(crate) fn run(self) {
        let reader = self.reader;
        if let Some(folder) = std::env::var_os("TALLROW_FUZZ_SEEDS") {
            let folder = Path::new(&folder).join(reader.name);
            std::fs::create_dir_all(&folder).unwrap();
            for (at, input) in reader.accepted.iter().chain(&reader.refused).enumerate() {
                std::fs::write(folder.join(format!("seed{at}")), input).unwrap();
            }
            return;
        }
        let name = reader.name;
        let current: Arc<Mutex<Vec<u8>>> = Arc::default();
        let (tell, told) = channel();
        let reading = thread::spawn({
            let current = current.clone();
            move || reader.read_all(&current, &tell)
        });
        let hangs = hangs(&told);
        let shown = || {
            let input = current.lock().unwrap_or_else(PoisonError::into_inner);
            format!("{name}, for the input \"{}\"", input.escape_ascii())
        };
        assert!(!hangs, "{}: no end within {HANGS:?}", shown());
        let taken = reading.join().unwrap_or_else(|_| panic!("{}: see above", shown()));
        println!(
            "{name}: {} inputs, of which {} were accepted; at most {:?} and {} bytes of memory",
            taken.cases, taken.accepted, taken.slowest, taken.most
        );
    }
}

impl Reader {
    fn read_all(self, current: &Mutex<Vec<u8>>, tell: &Sender<()>) -> Taken {
        let mut taken = Taken::default();
        // What is made ready once, for all inputs.
        for input in &self.accepted {
            (self.read)(input);
        }
        let mut one = |input: &[u8]| {
            input.clone_into(&mut current.lock().unwrap());
            let (began, counted) = (processor_time(), Region::new(ALLOCATED));
            let is_accepted = (self.read)(input);
            let (change, time) = (counted.change(), processor_time().saturating_sub(began));
            let grown = usize::try_from(change.bytes_reallocated).unwrap_or_default();
            let bytes = change.bytes_allocated + grown;
            let most = self.base + 100 * input.len();
            assert!(bytes <= most, "it takes {bytes} bytes of memory for {}", input.len());
            assert!(time <= SLOWEST, "it takes {time:?}");
            taken.cases += 1;
            taken.accepted += usize::from(is_accepted);
            taken.slowest = taken.slowest.max(time);
            taken.most = taken.most.max(bytes);
            is_accepted
        };
        self.accepted.iter().for_each(|input| assert!(one(input), "a valid input is refused"));
        self.refused.iter().for_each(|input| assert!(!one(input), "it is accepted"));
        let mut inputs = [self.accepted.clone(), self.refused.clone()].concat();
        let mut mutator = Mutator::new(self.words);
        for case in 0..CASES[usize::from(thorough())] {
            let input = mutator.changed(&inputs);
            // An accepted input leads deeper.
            if one(&input) && inputs.len() < KEPT || case % 64 == 0 && inputs.len() < KEPT / 2 {
                inputs.push(input);
            }
            tell.send(()).unwrap();
        }
        assert!(taken.accepted < taken.cases, "changes are accepted: {}", taken.accepted);
        taken
    }
}

/// Waits until the thread that sends has ended. Returns true if it sends nothing for too long.
fn hangs(told: &Receiver<()>) -> bool {
    loop {
        match told.recv_timeout(HANGS) {
            Ok(()) => {}
            Err(RecvTimeoutError::Disconnected) => return false,
            Err(RecvTimeoutError::Timeout) => return true,
        }
    }
}

/// The time for which this thread has had a processor.
fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.try_into().unwrap(), time.tv_nsec.try_into().unwrap())
}
