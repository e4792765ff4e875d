//! One attempt of an operation, as an entry in the history of an error or of a slow operation.

use std::fmt;
use std::time::Duration;

/// One attempt of a failed or slow operation: an entry of
/// [`Error::history`](crate::Error::history).
///
/// ```
/// use std::time::Duration;
/// use tallrow::{Client, FamilyDescriptor, TableDescriptor};
/// use tallrow_mock::{Fault, MockCluster};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mock = MockCluster::start().await?;
/// let client = Client::connect(&mock.url()).await?;
/// client
///     .admin()
///     .create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d")))
///     .await?;
/// let class = "org.apache.hadoop.hbase.RegionTooBusyException";
/// mock.inject(Fault::on("Get").times(1_000).throw(class, "Over memstore limit"));
///
/// let table = client.raw_table("t")?.with_timeout(Duration::from_millis(200));
/// let error = table.get("r").await.unwrap_err();
/// let first = &error.history()[0];
/// assert_eq!((first.number, first.error_type.as_str()), (1, "RegionTooBusyException"));
/// assert!(first.wait.is_some() && error.history().last().unwrap().wait.is_none());
/// assert!(format!("{error:#}").contains("\n  attempt 1 after "), "{error:#}");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Attempt {
    /// The number of the attempt, from 1.
    pub number: u32,
    /// The server to which the attempt was sent, or which was asked for the location of the region,
    /// as `host:port`; `None` if there was no such server.
    pub server: Option<String>,
    /// The encoded name of the region, which HBase's logs and file names contain: 32 hexadecimal
    /// digits.
    pub region: Option<String>,
    /// Why the attempt failed: the class of the exception without its package, or the kind of the
    /// error; empty if the attempt was answered.
    pub error_type: String,
    /// The time from the start of the operation to the start of the attempt.
    pub began: Duration,
    /// How long the attempt took.
    pub elapsed: Duration,
    /// The pause before the next attempt; `None` for the last one.
    pub wait: Option<Duration>,
}

impl Attempt {
    /// How many attempts a list contains at most, and how many of these are the first attempts.
    const KEPT: (usize, usize) = (16, 4);

    /// Adds this attempt to a list, which keeps the first 4 and the last 12 attempts.
    pub(crate) fn add_to(self, history: &mut Vec<Self>) {
        let (max, first) = Self::KEPT;
        if history.len() >= max {
            history.remove(first);
        }
        history.push(self);
    }

    /// Returns the encoded name from the full name of a region.
    pub(crate) fn encoded_region_name(name: &[u8]) -> Option<String> {
        let encoded = name.strip_suffix(b".")?.rsplit(|byte| *byte == b'.').next()?;
        Some(String::from_utf8_lossy(encoded).into_owned())
    }
}

/// Writes one line, such as `attempt 2 after 1.2 ms on host:port, region 0123..:
/// NotServingRegionException, took 0.8 ms, waited 43.0 ms`.
impl fmt::Display for Attempt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "attempt {} after {:.1} ms", self.number, ms(self.began))?;
        if let Some(server) = &self.server {
            write!(f, " on {server}")?;
        }
        if let Some(region) = &self.region {
            write!(f, ", region {region}")?;
        }
        let cause = if self.error_type.is_empty() { "answered" } else { &self.error_type };
        write!(f, ": {cause}, took {:.1} ms", ms(self.elapsed))?;
        match self.wait {
            Some(wait) => write!(f, ", waited {:.1} ms", ms(wait)),
            None => Ok(()),
        }
    }
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attempt(number: u32) -> Attempt {
        Attempt {
            number,
            server: Some("rs1:16020".into()),
            region: None,
            error_type: "Timeout".into(),
            began: Duration::from_micros(1_250),
            elapsed: Duration::from_millis(300),
            wait: Some(Duration::from_millis(40)),
        }
    }

    #[test]
    fn a_long_history_keeps_its_beginning_and_its_end() {
        let mut history = Vec::new();
        (1..=100).for_each(|number| attempt(number).add_to(&mut history));
        let numbers: Vec<_> = history.iter().map(|attempt| attempt.number).collect();
        assert_eq!(numbers, [1, 2, 3, 4].into_iter().chain(89..=100).collect::<Vec<_>>());
    }

    #[test]
    fn an_attempt_is_a_line() {
        let text = "attempt 2 after 1.2 ms on rs1:16020: Timeout, took 300.0 ms, waited 40.0 ms";
        assert_eq!(attempt(2).to_string(), text);
        let name = b"t,a.b,1732222222222.0123456789abcdef0123456789abcdef.";
        let region = Attempt::encoded_region_name(name);
        assert_eq!(region.as_deref(), Some("0123456789abcdef0123456789abcdef"));
        assert_eq!(Attempt::encoded_region_name(b"hbase:meta,,1"), None);
    }
}
