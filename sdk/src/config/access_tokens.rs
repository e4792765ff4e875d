//! Access tokens, by which a service of Google identifies the client. They are fetched, and kept as
//! long as they are valid.

use std::error::Error as StdError;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use http::HeaderValue;
use tokio::time::{Instant, timeout};

use crate::runtime::tasks::SharedTask;
use crate::{Error, ErrorKind, Result};

/// The time that one fetch of a token may take.
const FETCH: Duration = Duration::from_secs(30);
/// The time before the end of a token at which the next token is fetched, while the old one is
/// still used.
const EARLY: Duration = Duration::from_secs(240);
/// The time before the end of a token at which it is no longer used, because a call takes a while.
const LATE: Duration = Duration::from_secs(10);
/// The time for which a token is used if its end is not known.
const UNKNOWN: Duration = Duration::from_secs(300);
/// The longest time for which a token is used.
const LONGEST: Duration = Duration::from_secs(24 * 3_600);
/// The pause after a failed fetch if there is a usable token, and the pause if there is none.
const PAUSES: (Duration, Duration) = (Duration::from_secs(5), Duration::from_millis(500));

/// An access token, `ya29...`, and how long it is valid.
///
/// See [`AccessTokens`] for an example.
#[derive(Clone, PartialEq, Eq)]
pub struct AccessToken {
    text: String,
    valid_for: Duration,
}

impl AccessToken {
    /// Creates a token from its text, which must not begin with `Bearer`. The token is used for at
    /// most five minutes, unless [`valid_for`](Self::valid_for) sets another time.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), valid_for: UNKNOWN }
    }

    /// Sets how long the token is valid, from the start of its fetch. After a day, a new token is
    /// fetched in any case.
    pub fn valid_for(self, valid_for: Duration) -> Self {
        Self { valid_for, ..self }
    }
}

impl fmt::Debug for AccessToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AccessToken(.., valid for {} s)", self.valid_for.as_secs())
    }
}

type Cause = Box<dyn StdError + Send + Sync>;
type Fetch = dyn Fn() -> BoxFuture<'static, Result<AccessToken, Cause>> + Send + Sync;

/// A source of access tokens for Bigtable, for
/// [`Config::access_tokens`](crate::Config::access_tokens).
///
/// A token is kept while it is valid. Four minutes before its end the next token is fetched, while
/// calls still use the old one. Calls wait only if there is no valid token, and only until their
/// deadlines. At most one fetch runs at any time. Clones share their tokens.
///
/// ```
/// use std::time::Duration;
/// use tallrow::{AccessToken, AccessTokens, Config};
///
/// let tokens = AccessTokens::new(|| async {
///     // Such as from a vault, or a process next to this one.
///     let text = std::fs::read_to_string("/run/secrets/bigtable-token")?;
///     Ok(AccessToken::new(text.trim()).valid_for(Duration::from_secs(600)))
/// });
/// let config = Config::new().access_tokens(tokens);
/// # let _ = config;
/// ```
#[derive(Clone)]
pub struct AccessTokens(Arc<Shared>);

struct Shared {
    fetch: Box<Fetch>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    token: Option<Kept>,
    fetching: Option<SharedTask<HeaderValue>>,
    /// When and why the last fetch failed, if it failed.
    failed: Option<(Instant, Arc<Error>)>,
}

struct Kept {
    header: HeaderValue,
    end: Instant,
}

impl AccessTokens {
    /// Creates a source that fetches tokens with this function.
    ///
    /// If the function fails, the waiting calls fail with
    /// [`PermissionDenied`](ErrorKind::PermissionDenied). If it fails with an [`Error`] of this
    /// crate, they instead fail with that error, and are retried if its kind is temporary.
    pub fn new<F>(fetch: impl Fn() -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Result<AccessToken, Box<dyn StdError + Send + Sync>>> + Send + 'static,
    {
        let fetch = Box::new(move || fetch().boxed());
        Self(Arc::new(Shared { fetch, state: Mutex::default() }))
    }

    /// Returns the header value `Bearer ..` with a valid token, which is fetched if there is none.
    ///
    /// # Errors
    /// The error of the fetch; [`Timeout`](ErrorKind::Timeout) if there is no token by the
    /// deadline.
    pub(crate) async fn authorization_header(&self, deadline: Instant) -> Result<HeaderValue> {
        let fetching = {
            let mut state = self.0.lock();
            let now = Instant::now();
            let left = state.token.as_ref().map(|kept| kept.end.saturating_duration_since(now));
            let usable = left.is_some_and(|left| left > LATE);
            let pause = if usable { PAUSES.0 } else { PAUSES.1 };
            let failed = state.failed.as_ref().filter(|(at, _)| now < *at + pause);
            match (&state.token, usable, failed) {
                (Some(kept), true, failed) => {
                    let header = kept.header.clone();
                    if left.is_some_and(|left| left <= EARLY) && failed.is_none() {
                        self.start(&mut state);
                    }
                    return Ok(header);
                }
                (_, _, Some((_, error))) => return Err(Error::from_shared(error.clone())),
                _ => self.start(&mut state),
            }
        };
        fetching.wait_until(deadline).await
    }

    /// Forgets a token that the service did not accept.
    pub(crate) fn forget(&self, header: &HeaderValue) {
        let mut state = self.0.lock();
        if state.token.as_ref().is_some_and(|kept| kept.header == header) {
            state.token = None;
        }
    }

    /// Starts a fetch, unless one is running, and returns the running fetch.
    fn start(&self, state: &mut State) -> SharedTask<HeaderValue> {
        // A fetch that panicked, or whose runtime has ended, is done and is still here.
        if let Some(fetching) = state.fetching.as_ref().filter(|fetching| !fetching.was_received())
        {
            return fetching.clone();
        }
        let shared = self.0.clone();
        let deadline = Instant::now() + FETCH;
        let fetching = SharedTask::spawn(deadline, async move {
            let fetched = shared.fetch_once().await.map_err(Arc::new);
            let mut state = shared.lock();
            state.fetching = None;
            match fetched {
                Ok(kept) => {
                    let header = kept.header.clone();
                    (state.token, state.failed) = (Some(kept), None);
                    Ok(header)
                }
                Err(error) => {
                    state.failed = Some((Instant::now(), error.clone()));
                    Err(Error::from_shared(error))
                }
            }
        });
        state.fetching = Some(fetching.clone());
        fetching
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn fetch_once(&self) -> Result<Kept> {
        let late = |_| {
            let text = format!("no access token came within {} s", FETCH.as_secs());
            Error::new(ErrorKind::Timeout, text)
        };
        let begun = Instant::now();
        let token = timeout(FETCH, (self.fetch)()).await.map_err(late)?.map_err(of_source)?;
        let mut header = HeaderValue::try_from(format!("Bearer {}", token.text)).map_err(|_| {
            let text = "the source of access tokens gave one with characters that none has";
            Error::new(ErrorKind::PermissionDenied, text)
        })?;
        header.set_sensitive(true);
        Ok(Kept { header, end: begun + token.valid_for.min(LONGEST) })
    }
}

fn of_source(cause: Cause) -> Error {
    match cause.downcast::<Error>() {
        Ok(error) => *error,
        Err(cause) => {
            let text = format!("the source of access tokens failed: {cause}");
            Error::new(ErrorKind::PermissionDenied, text).caused_by(cause)
        }
    }
}

/// A source is equal to its clones.
impl PartialEq for AccessTokens {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl fmt::Debug for AccessTokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AccessTokens")
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use futures_util::future::join_all;
    use tokio::time::{advance, sleep};

    use super::*;

    const HOUR: Duration = Duration::from_secs(3_600);

    /// Returns a source of the tokens `1`, `2`, .. that are valid for an hour, and the number of
    /// fetches. Each fetch takes a second, and fails if `fails` is true for its number.
    fn counted(fails: fn(u32) -> bool) -> (AccessTokens, Arc<AtomicU32>) {
        let count = Arc::new(AtomicU32::new(0));
        let counter = count.clone();
        let tokens = AccessTokens::new(move || {
            let number = counter.fetch_add(1, Ordering::Relaxed) + 1;
            async move {
                sleep(Duration::from_secs(1)).await;
                match fails(number) {
                    true => Err(format!("not the fetch {number}").into()),
                    false => Ok(AccessToken::new(number.to_string()).valid_for(HOUR)),
                }
            }
        });
        (tokens, count)
    }

    async fn bearer(tokens: &AccessTokens) -> Result<String> {
        let header = tokens.authorization_header(Instant::now() + Duration::from_secs(10)).await?;
        Ok(header.to_str().unwrap().to_owned())
    }

    #[tokio::test(start_paused = true)]
    async fn many_calls_wait_for_one_fetch_and_share_its_token() {
        let (tokens, count) = counted(|_| false);
        let all = join_all((0..100).map(|_| bearer(&tokens))).await;
        assert!(all.into_iter().all(|header| header.unwrap() == "Bearer 1"));
        assert_eq!(bearer(&tokens.clone()).await.unwrap(), "Bearer 1");
        assert_eq!(count.load(Ordering::Relaxed), 1);
    }

    #[tokio::test(start_paused = true)]
    async fn a_fetch_that_panics_is_made_again() {
        let (tokens, count) = counted(|number| match number {
            1 => panic!("the first fetch"),
            _ => false,
        });
        assert_eq!(bearer(&tokens).await.unwrap_err().kind(), ErrorKind::OutcomeUnknown);
        assert_eq!(bearer(&tokens).await.unwrap(), "Bearer 2");
        assert_eq!(count.load(Ordering::Relaxed), 2);
    }

    #[tokio::test(start_paused = true)]
    async fn a_token_without_an_end_is_valid_for_a_day() {
        let tokens =
            AccessTokens::new(|| async { Ok(AccessToken::new("ya29").valid_for(Duration::MAX)) });
        for _ in 0..2 {
            assert_eq!(bearer(&tokens).await.unwrap(), "Bearer ya29");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_token_is_replaced_before_its_end_and_nobody_waits() {
        let (tokens, count) = counted(|_| false);
        bearer(&tokens).await.unwrap();
        advance(HOUR - EARLY).await;
        for _ in 0..10 {
            let now = Instant::now();
            assert_eq!(bearer(&tokens).await.unwrap(), "Bearer 1");
            assert_eq!(now, Instant::now());
        }
        sleep(Duration::from_secs(2)).await;
        assert_eq!(bearer(&tokens).await.unwrap(), "Bearer 2");
        assert_eq!(count.load(Ordering::Relaxed), 2);
        advance(HOUR).await;
        assert_eq!(bearer(&tokens).await.unwrap(), "Bearer 3", "an old one is not used");
    }

    #[tokio::test(start_paused = true)]
    async fn a_fetch_that_fails_early_is_tried_again_and_fails_no_call() {
        let (tokens, count) = counted(|number| (2..=4).contains(&number));
        bearer(&tokens).await.unwrap();
        advance(HOUR - EARLY).await;
        for _ in 0..60 {
            let header = bearer(&tokens).await.unwrap();
            if header == "Bearer 5" {
                break;
            }
            assert_eq!(header, "Bearer 1");
            sleep(Duration::from_secs(1)).await;
        }
        assert_eq!(bearer(&tokens).await.unwrap(), "Bearer 5");
        assert_eq!(count.load(Ordering::Relaxed), 5);
    }

    #[tokio::test(start_paused = true)]
    async fn a_fetch_that_fails_is_the_error_of_all_who_wait() {
        let (tokens, count) = counted(|number| number == 1);
        for error in join_all((0..10).map(|_| bearer(&tokens))).await {
            let error = error.unwrap_err();
            assert_eq!(error.kind(), ErrorKind::PermissionDenied);
            assert!(error.to_string().contains("not the fetch 1"), "{error}");
        }
        assert!(bearer(&tokens).await.is_err(), "the same error, at once");
        assert_eq!(count.load(Ordering::Relaxed), 1);
        sleep(PAUSES.1).await;
        assert_eq!(bearer(&tokens).await.unwrap(), "Bearer 2");
    }

    #[tokio::test(start_paused = true)]
    async fn nobody_waits_longer_than_the_deadline() {
        let (tokens, _) = counted(|_| false);
        let error = tokens
            .authorization_header(Instant::now() + Duration::from_millis(100))
            .await
            .unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Timeout);
        let never = AccessTokens::new(std::future::pending);
        let begun = Instant::now();
        let error = never.authorization_header(begun + HOUR).await.unwrap_err();
        assert!(error.to_string().contains("no access token came within 30 s"), "{error}");
        assert_eq!(begun.elapsed(), FETCH);
    }

    #[tokio::test(start_paused = true)]
    async fn a_token_that_is_refused_is_replaced() {
        let (tokens, _) = counted(|_| false);
        let first = tokens.authorization_header(Instant::now() + HOUR).await.unwrap();
        assert!(first.is_sensitive());
        tokens.forget(&first);
        assert_eq!(bearer(&tokens).await.unwrap(), "Bearer 2");
        tokens.forget(&first);
        assert_eq!(bearer(&tokens).await.unwrap(), "Bearer 2", "it is another one");
        assert!(!format!("{:?}", AccessToken::new("secret")).contains("secret"));
    }
}
