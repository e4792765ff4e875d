//! Asks several hosts concurrently for an answer that each of them can give.
//!
//! # Invariants
//!
//! - Connecting, and every later lookup of the master and of `hbase:meta`, takes at most one
//!   `connect_timeout`, however many hosts are silent. Tests:
//!   `silent_hosts_take_one_timeout_together_and_are_all_named`,
//!   `tests/suites/faults/addresses.rs::silent_hosts_are_given_up_together_and_all_are_named`.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use tokio::time::{Instant, timeout_at};

use crate::backend::hbase::rpc::CallError;
use crate::wire::WireError;

/// The time within which one of the hosts of a registry must answer, and the host that answered
/// last.
pub(super) struct HostPoller {
    timeout: Duration,
    /// The host that answered last, which is asked first.
    last: Mutex<Option<Arc<str>>>,
}

impl HostPoller {
    pub(super) fn new(timeout: Duration) -> Self {
        Self { timeout, last: Mutex::default() }
    }

    /// Returns the first answer, and the host that gave it. `ask` is called with a host and a
    /// deadline.
    ///
    /// The next host is asked as soon as a host has failed. Otherwise it is asked some time after
    /// the previous host, at most an eighth of the timeout later. So a silent host costs little
    /// time, and hosts that work get few needless calls. If all hosts fail, the error contains the
    /// error of each host.
    pub(super) async fn ask<T, F>(
        &self,
        hosts: impl IntoIterator<Item = Arc<str>>,
        ask: impl Fn(Arc<str>, Instant) -> F,
    ) -> Result<(Arc<str>, T), CallError>
    where
        F: Future<Output = Result<T, CallError>>,
    {
        let mut hosts: Vec<Arc<str>> = hosts.into_iter().collect();
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner).clone();
        // The sort is stable: the other hosts stay in their order.
        hosts.sort_by_key(|host| Some(host) != last.as_ref());
        let parts = u32::try_from(2 * hosts.len()).unwrap_or(u32::MAX).max(8);
        let (deadline, delay) = (Instant::now() + self.timeout, self.timeout / parts);

        let mut answers = FuturesUnordered::new();
        let mut asked: Vec<AskedHost> = Vec::new();
        let mut waiting = hosts.into_iter();
        loop {
            let next = waiting.next();
            let wake = match &next {
                Some(_) if waiting.len() > 0 => (Instant::now() + delay).min(deadline),
                _ => deadline,
            };
            if let Some(host) = next {
                let at = asked.len();
                asked.push(AskedHost { host: host.clone(), since: Instant::now(), error: None });
                let answer = ask(host.clone(), deadline);
                answers.push(async move { (at, host, answer.await) });
            }
            match timeout_at(wake, answers.next()).await {
                Ok(Some((_, host, Ok(answer)))) => {
                    *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some(host.clone());
                    return Ok((host, answer));
                }
                Ok(Some((at, _, Err(error)))) => {
                    if let Some(asked) = asked.get_mut(at) {
                        asked.error = Some(error);
                    }
                }
                Ok(None) => break,
                Err(_) if Instant::now() >= deadline => break,
                Err(_) => {}
            }
        }
        Err(all_failed(asked, deadline))
    }
}

struct AskedHost {
    host: Arc<str>,
    since: Instant,
    /// The error of the host; `None` while the host is silent.
    error: Option<CallError>,
}

/// Combines the errors of all hosts into one error that names each host.
fn all_failed(asked: Vec<AskedHost>, deadline: Instant) -> CallError {
    let failed = asked.into_iter().map(|AskedHost { host, since, error }| {
        let error = error
            .unwrap_or(CallError::TimedOut { after: deadline.duration_since(since), sent: true });
        (error.clone().with_address(&host), host)
    });
    let mut failed: Vec<_> = failed.collect();
    if failed.len() == 1
        && let Some((error, _)) = failed.pop()
    {
        return error;
    }
    if failed.iter().any(|(error, _)| matches!(error, CallError::Closed)) {
        return CallError::Closed;
    }
    let said = failed.iter().map(|(error, host)| match error {
        CallError::Unreachable { why, .. } if why.contains(&**host) => why.clone(),
        error if error.to_string().contains(&**host) => error.to_string(),
        error => format!("{host}: {error}"),
    });
    let why = said.collect::<Vec<_>>().join("; ");
    let is =
        |kind: fn(&CallError) -> bool| !failed.is_empty() && failed.iter().all(|(e, _)| kind(e));
    if failed.iter().any(|(e, _)| e.refuses_client()) {
        return CallError::Unauthenticated { why };
    }
    match is(|e| matches!(e, CallError::Protocol(_))) {
        true => CallError::Protocol(WireError::new("answers of the servers", why)),
        false => CallError::Unreachable {
            why,
            refused: is(|e| matches!(e, CallError::Unreachable { refused: true, .. })),
        },
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::sleep;

    use super::*;

    const TIMEOUT: Duration = Duration::from_secs(8);

    fn hosts(names: &[&str]) -> Vec<Arc<str>> {
        names.iter().map(|name| Arc::from(*name)).collect()
    }

    /// `good` hosts answer with their name after a second, `bad` ones fail at once, and all others
    /// are silent.
    async fn answer(host: Arc<str>, _: Instant) -> Result<Arc<str>, CallError> {
        match &host[..4] {
            "good" => sleep(Duration::from_secs(1)).await,
            "bad:" => {
                return Err(CallError::Unreachable {
                    why: format!("{host}: it is bad"),
                    refused: true,
                });
            }
            _ => std::future::pending().await,
        }
        Ok(host)
    }

    #[tokio::test(start_paused = true)]
    async fn silent_hosts_take_one_timeout_together_and_are_all_named() {
        let started = Instant::now();
        let error =
            HostPoller::new(TIMEOUT).ask(hosts(&["mute:1", "mute:2", "bad:3"]), answer).await;
        assert_eq!(started.elapsed(), TIMEOUT);
        assert_eq!(
            error.unwrap_err().to_string(),
            "no connection: mute:1: no answer within 8.0 s; mute:2: no answer within 7.0 s; bad:3: it is bad"
        );
    }

    #[tokio::test(start_paused = true)]
    async fn a_good_host_answers_soon_after_silent_and_failing_ones() {
        let asked = HostPoller::new(TIMEOUT);
        for (order, seconds) in [
            (&["good:1"][..], 1),
            (&["mute:1", "good:2"], 2),
            (&["bad:1", "bad:2", "good:3"], 1),
            (&["mute:1", "bad:2", "mute:3", "good:4"], 3),
        ] {
            let started = Instant::now();
            let (host, answer) = HostPoller::new(TIMEOUT).ask(hosts(order), answer).await.unwrap();
            assert_eq!((&*host, &*answer), (*order.last().unwrap(), *order.last().unwrap()));
            assert_eq!(started.elapsed(), Duration::from_secs(seconds), "{order:?}");
        }
        asked.ask(hosts(&["mute:1", "good:2"]), answer).await.unwrap();
        let started = Instant::now();
        asked.ask(hosts(&["mute:1", "good:2"]), answer).await.unwrap();
        assert_eq!(
            started.elapsed(),
            Duration::from_secs(1),
            "the host that answered last is asked first"
        );
    }

    #[tokio::test(start_paused = true)]
    async fn the_last_of_many_hosts_has_half_of_the_time() {
        let many: Vec<_> = (0..100).map(|n| Arc::from(format!("mute:{n}"))).collect();
        let good = Arc::from("good:1");
        let started = Instant::now();
        HostPoller::new(TIMEOUT).ask(many.into_iter().chain([good]), answer).await.unwrap();
        assert!(started.elapsed() <= TIMEOUT / 2 + Duration::from_secs(1));
    }

    #[tokio::test(start_paused = true)]
    async fn no_host_is_an_error_at_once() {
        let started = Instant::now();
        HostPoller::new(TIMEOUT).ask(hosts(&[]), answer).await.unwrap_err();
        assert!(started.elapsed().is_zero());
    }
}
