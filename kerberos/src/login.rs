//! A login: the principal that requests tickets, and the tickets that it has received.
//!
//! # Invariants
//!
//! - However many callers ask for a ticket concurrently, a KDC gets one request for it, and after a
//!   failure it gets no request until a pause is over. Tests:
//!   `kerberos/src/tests/login.rs::one_request_is_for_all_who_wait`,
//!   `kerberos/src/tests/login.rs::after_a_failure_there_is_a_pause`.
//! - No caller waits for the ticket of another service, and none waits for a new ticket while the
//!   old one is valid, whatever the KDC does. Tests:
//!   `kerberos/src/tests/login.rs::nobody_waits_for_the_ticket_of_another_service`,
//!   `kerberos/src/tests/login.rs::nobody_waits_for_a_silent_kdc_while_the_ticket_is_valid`,
//!   `kerberos/src/tests/login.rs::a_failing_kdc_is_not_asked_by_each_caller`.

use std::collections::HashMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use tokio::sync::{Mutex as Turn, OwnedMutexGuard};
use tokio::time::Instant;
use zeroize::Zeroizing;

use crate::cache::TicketCache;
use crate::config::Config;
use crate::exchange::{self, Secret, blocking};
use crate::keytab::Keytab;
use crate::ticket::{Seconds, Ticket, format_duration, now_in_seconds};
use crate::{Error, ErrorKind, Principal, Result};

/// A principal, its credentials (a keytab, a password or a ticket cache), and the tickets that it
/// has received.
///
/// Tickets are requested when they are needed, and kept. In the last fifth of its lifetime a ticket
/// is requested again, by a task of its own, while callers use the old ticket. Whenever a new first
/// ticket is needed, the keytab or the ticket cache is read again, so that the login finds what
/// `kinit` or an administrator has renewed. Clones share one login.
///
/// ```no_run
/// # async fn run() -> tallrow_kerberos::Result<()> {
/// use tallrow_kerberos::{Config, Login};
///
/// let principal = "app/web1.example.org@EXAMPLE.ORG".parse()?;
/// let login = Login::with_keytab(Config::load()?, principal, "/etc/security/app.keytab")?;
/// let ticket = login.ticket(&"hbase/rs1.example.org@EXAMPLE.ORG".parse()?).await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Login(Arc<Inner>);

struct Inner {
    config: Config,
    proof: Proof,
    /// The pause without requests after a failure; it doubles with each further failure.
    first_pause: Duration,
    /// Never held while a KDC or a file is waited for.
    state: Mutex<State>,
}

enum Proof {
    Keytab { principal: Principal, path: PathBuf },
    Password { principal: Principal, password: Zeroizing<String> },
    Cache { principal: Option<Principal>, path: PathBuf },
}

#[derive(Default)]
struct State {
    /// What is known of each ticket; the key `None` is the first ticket.
    tickets: HashMap<Option<Principal>, Kept>,
    /// The time at which the ticket cache had been written when it was last read.
    written: Option<SystemTime>,
    /// How often everything was forgotten because the ticket cache was written again.
    generation: u64,
}

#[derive(Default)]
struct Kept {
    ticket: Option<Ticket>,
    /// The failure of the last request, if it failed.
    failure: Option<Failure>,
    /// The start time of the newest ticket that the service has refused.
    refused: Option<Seconds>,
    /// When a task last began to renew the ticket while it was valid.
    renewed: Option<Instant>,
    /// Held by the caller or the task that requests the ticket.
    requesting: Arc<Turn<()>>,
}

struct Failure {
    error: Error,
    ended: Instant,
    pause: Duration,
}

/// What a caller does if its ticket is valid, but is to be renewed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Renewal {
    /// It uses the ticket, and a task renews the ticket meanwhile.
    InBackground,
    /// It renews the ticket first: it is going to ask a KDC anyway.
    Awaited,
}

/// A ticket is new for this many seconds.
const NEW: Seconds = 10;

const FIRST_PAUSE: Duration = Duration::from_millis(250);
const LONGEST_PAUSE: Duration = Duration::from_secs(10);
/// The pause between two renewals of a valid ticket, for renewals that only find the old ticket
/// again, as in a ticket cache that nobody has written since. After a failure, the pause of the
/// failure applies too.
const RENEWAL_PAUSE: Duration = Duration::from_secs(1);

impl Login {
    /// Returns a login with the keys of a keytab. A principal without a realm is in the default
    /// realm.
    ///
    /// # Errors
    /// If the keytab cannot be read or has no key of the principal.
    ///
    /// ```
    /// use tallrow_kerberos::{Config, ErrorKind, Login};
    ///
    /// let error = Login::with_keytab(Config::parse("")?, "a@R".parse()?, "/nowhere").unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::NoCredentials);
    /// # Ok::<(), tallrow_kerberos::Error>(())
    /// ```
    pub fn with_keytab(
        config: Config,
        principal: Principal,
        path: impl Into<PathBuf>,
    ) -> Result<Self> {
        let (principal, path) = (config.with_default_realm(principal)?, path.into());
        Keytab::read(&path)?.keys(&principal)?;
        Ok(Self::new(config, Proof::Keytab { principal, path }))
    }

    /// Returns a login with a password, which is kept in memory to request new tickets.
    ///
    /// # Errors
    /// If the principal has no realm and there is no default realm.
    ///
    /// ```
    /// use tallrow_kerberos::{Config, Login};
    ///
    /// let config = Config::parse("[libdefaults]\n default_realm = R")?;
    /// let login = Login::with_password(config, "alice".parse()?, "secret")?;
    /// assert_eq!(format!("{login:?}"), "Login(alice@R by a password)");
    /// # Ok::<(), tallrow_kerberos::Error>(())
    /// ```
    pub fn with_password(
        config: Config,
        principal: Principal,
        password: impl Into<String>,
    ) -> Result<Self> {
        let principal = config.with_default_realm(principal)?;
        let password = Zeroizing::new(password.into());
        Ok(Self::new(config, Proof::Password { principal, password }))
    }

    /// Returns a login with the tickets in a ticket cache. If `path` is `None`, this is the user's
    /// own cache ([`Config::default_cache`]). The cache is read when a ticket is needed.
    ///
    /// # Errors
    /// If the cache is of a type other than `FILE`.
    ///
    /// ```
    /// use tallrow_kerberos::{Config, Login};
    ///
    /// let login = Login::with_cache(Config::parse("")?, Some("/tmp/krb5cc_0".into()))?;
    /// assert_eq!(format!("{login:?}"), "Login(by the ticket cache /tmp/krb5cc_0)");
    /// # Ok::<(), tallrow_kerberos::Error>(())
    /// ```
    pub fn with_cache(config: Config, path: Option<PathBuf>) -> Result<Self> {
        let path = path.unwrap_or_else(|| config.default_cache().into());
        let path = crate::keytab::strip_file_prefix(&path).to_owned();
        match TicketCache::read(&path) {
            Err(error) if error.kind() == ErrorKind::Unsupported => return Err(error),
            _ => {}
        }
        Ok(Self::new(config, Proof::Cache { principal: None, path }))
    }

    /// Returns the login for this principal only: a ticket cache of another principal is refused.
    ///
    /// # Errors
    /// If the login uses the keytab or the password of another principal, or if this principal has
    /// no realm and there is no default realm.
    #[must_use = "the login that is returned refuses others"]
    pub fn require_principal(self, principal: Principal) -> Result<Self> {
        let principal = self.0.config.with_default_realm(principal)?;
        match &self.0.proof {
            Proof::Cache { path, .. } => {
                let (path, principal) = (path.clone(), Some(principal));
                Ok(Self::new(self.0.config.clone(), Proof::Cache { principal, path }))
            }
            Proof::Keytab { principal: own, .. } | Proof::Password { principal: own, .. } => {
                match *own == principal {
                    true => Ok(self),
                    false => Err(Error::new(
                        ErrorKind::NoCredentials,
                        format!("the login is {own}'s, not {principal}'s"),
                    )),
                }
            }
        }
    }

    fn new(config: Config, proof: Proof) -> Self {
        Self::with_pause(config, proof, FIRST_PAUSE)
    }

    fn with_pause(config: Config, proof: Proof, first_pause: Duration) -> Self {
        Self(Arc::new(Inner { config, proof, first_pause, state: Mutex::default() }))
    }

    /// The configuration of the login.
    pub fn config(&self) -> &Config {
        &self.0.config
    }

    /// Returns the ticket for a service: a kept ticket, or a new one. See [`Login`] for an example.
    ///
    /// As long as the kept ticket is valid, this returns at once, even if no KDC answers.
    ///
    /// # Errors
    /// If there is no first ticket, or the KDC gives no ticket for this service. During a pause
    /// after a failure, which is 250 ms at first and at most 10 s, the same error is returned
    /// without a request.
    pub async fn ticket(&self, server: &Principal) -> Result<Ticket> {
        let began = Instant::now();
        let server = self.0.config.with_default_realm(server.clone())?;
        let key = Some(server.clone());
        self.forget_an_old_cache();
        self.obtain(&key, began, Renewal::InBackground, move |login: Self, generation| async move {
            let first = login.first(began, Renewal::Awaited).await?;
            let key = Some(server.clone());
            // The ticket cache, which may have been read for the first ticket, may contain this
            // ticket.
            if let Some(ticket) = login.fresh(&key) {
                return Ok(ticket);
            }
            let answer = exchange::request_service_ticket(&login.0.config, &first, &server).await;
            login.keep(&key, answer, generation)
        })
        .await
    }

    /// Drops the kept ticket for a service. Call this after the service has refused the ticket: a
    /// service whose key was changed accepts no tickets from before the change. A ticket that is at
    /// most 10 s old is kept, so that a service that refuses every ticket does not cause a request
    /// with each attempt.
    ///
    /// ```
    /// # fn run(login: tallrow_kerberos::Login) -> tallrow_kerberos::Result<()> {
    /// login.forget(&"hbase/rs1.example.org@EXAMPLE.ORG".parse()?);
    /// # Ok(())
    /// # }
    /// ```
    pub fn forget(&self, server: &Principal) {
        // Tickets are kept by the whole name of the service.
        let Ok(server) = self.0.config.with_default_realm(server.clone()) else { return };
        let now = now_in_seconds();
        let is_old = |ticket: &Ticket| now.saturating_sub(ticket.starts) > NEW;
        if let Some(kept) = self.state().tickets.get_mut(&Some(server))
            && let Some(ticket) = kept.ticket.take_if(|ticket| is_old(ticket))
        {
            kept.refused = Some(ticket.starts);
        }
    }

    /// Returns the first ticket (ticket-granting ticket), with which further tickets are requested.
    /// See [`Ticket`] for an example.
    ///
    /// # Errors
    /// If there is no first ticket, or it has expired.
    pub async fn ticket_granting_ticket(&self) -> Result<Ticket> {
        self.forget_an_old_cache();
        self.first(Instant::now(), Renewal::InBackground).await
    }

    async fn first(&self, began: Instant, renewal: Renewal) -> Result<Ticket> {
        self.obtain(&None, began, renewal, |login: Self, generation| async move {
            let answer = login.prove().await;
            login.keep(&None, answer, generation)
        })
        .await
    }

    /// Returns the kept ticket for `server`, or the ticket that `request` gets. One caller or task
    /// at a time requests a ticket; the others wait for it, or use the kept ticket as long as it is
    /// valid.
    async fn obtain<F>(
        &self,
        server: &Option<Principal>,
        began: Instant,
        renewal: Renewal,
        request: impl FnOnce(Self, u64) -> F,
    ) -> Result<Ticket>
    where
        F: Future<Output = Result<Ticket>> + Send + 'static,
    {
        if let Some(ticket) = self.fresh(server) {
            return Ok(ticket);
        }
        let requesting = self.state().tickets.entry(server.clone()).or_default().requesting.clone();
        let guard = match (requesting.clone().try_lock_owned(), self.valid(server)) {
            (Ok(guard), _) => guard,
            // Another caller or a task is requesting the next ticket.
            (Err(_), Some(ticket)) => return Ok(ticket),
            (Err(_), None) => requesting.lock_owned().await,
        };
        if let Some(ticket) = self.fresh(server) {
            return Ok(ticket);
        }
        let (failure, generation) = self.last_failure(server, began);
        if let Some(error) = failure {
            return self.valid(server).ok_or(error);
        }
        match self.valid(server) {
            Some(ticket) if renewal == Renewal::InBackground => {
                if self.begin_renewal(server) {
                    renew(guard, request(self.clone(), generation));
                }
                Ok(ticket)
            }
            _ => {
                let answer = request(self.clone(), generation).await;
                answer.or_else(|error| self.valid(server).ok_or(error))
            }
        }
    }

    /// Notes that a task begins to renew the ticket for `server` now. Returns false if the last
    /// such task began less than a pause ago.
    fn begin_renewal(&self, server: &Option<Principal>) -> bool {
        let mut state = self.state();
        let kept = state.tickets.entry(server.clone()).or_default();
        let may_begin = kept.renewed.is_none_or(|began| began.elapsed() >= RENEWAL_PAUSE);
        if may_begin {
            kept.renewed = Some(Instant::now());
        }
        may_begin
    }

    /// Returns the kept ticket for `server`, if it is valid.
    fn valid(&self, server: &Option<Principal>) -> Option<Ticket> {
        let state = self.state();
        let ticket = state.tickets.get(server)?.ticket.as_ref();
        ticket.filter(|ticket| ticket.is_unexpired_at(now_in_seconds())).cloned()
    }

    /// Returns the kept ticket for `server`, if it is valid and not yet to be renewed.
    fn fresh(&self, server: &Option<Principal>) -> Option<Ticket> {
        self.valid(server).filter(|ticket| is_fresh(ticket, now_in_seconds()))
    }

    /// Returns two values. The first is the error of the last request, if that request ended after
    /// the caller began, or if the pause after the failure is not over. The second is the
    /// generation of the state.
    fn last_failure(&self, server: &Option<Principal>, began: Instant) -> (Option<Error>, u64) {
        let state = self.state();
        let failure = state.tickets.get(server).and_then(|kept| kept.failure.as_ref());
        let counts =
            |failure: &&Failure| failure.ended >= began || failure.ended.elapsed() < failure.pause;
        (failure.filter(counts).map(|failure| failure.error.clone()), state.generation)
    }

    /// Keeps the answer to a request that began in this generation, and returns it.
    fn keep(
        &self,
        server: &Option<Principal>,
        answer: Result<Ticket>,
        generation: u64,
    ) -> Result<Ticket> {
        let mut state = self.state();
        // The cache may be another user's now.
        if state.generation != generation {
            return answer;
        }
        let kept = state.tickets.entry(server.clone()).or_default();
        match &answer {
            Ok(ticket) => {
                kept.ticket = Some(ticket.clone());
                kept.failure = None;
            }
            Err(error) => {
                let first_pause = self.0.first_pause;
                let longer = |failure: &Failure| (failure.pause * 2).min(LONGEST_PAUSE);
                let pause = kept.failure.as_ref().map_or(first_pause, longer).max(first_pause);
                kept.failure = Some(Failure { error: error.clone(), ended: Instant::now(), pause });
            }
        }
        answer
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Requests a first ticket, or reads it from the ticket cache.
    async fn prove(&self) -> Result<Ticket> {
        let config = &self.0.config;
        match &self.0.proof {
            Proof::Keytab { principal, path } => {
                let (of, path) = (principal.clone(), path.clone());
                let keys = blocking(move || Keytab::read(&path)?.keys(&of)).await?;
                exchange::request_tgt(config, principal, &Secret::Keys(keys)).await
            }
            Proof::Password { principal, password } => {
                exchange::request_tgt(config, principal, &Secret::Password(password.clone())).await
            }
            Proof::Cache { principal, path } => {
                // The time is taken before the cache is read, so that a cache that is written
                // meanwhile is read again.
                let from = path.clone();
                let (written, cache) =
                    blocking(move || Ok((written(&from), TicketCache::read(&from)))).await?;
                self.state().written = written;
                let cache = cache?;
                if let Some(wanted) = principal
                    && cache.principal() != wanted
                {
                    let text = format!(
                        "the ticket cache {} has tickets of {}, not of {wanted}; kinit {wanted} makes one",
                        path.display(),
                        cache.principal()
                    );
                    return Err(Error::new(ErrorKind::NoCredentials, text));
                }
                let (first, others) = tickets_of(&cache)?;
                let mut state = self.state();
                for ticket in others {
                    let kept = state.tickets.entry(Some(ticket.server.clone())).or_default();
                    // The cache may still contain a ticket that its service has refused, or for
                    // which the KDC has given a newer one since.
                    let known = kept.ticket.as_ref().map(|ticket| ticket.starts).max(kept.refused);
                    if known.is_none_or(|starts| starts < ticket.starts) {
                        kept.ticket = Some(ticket);
                    }
                }
                Ok(first)
            }
        }
    }

    /// Ages the tickets by this many seconds.
    #[cfg(test)]
    pub(crate) fn age(&self, seconds: Seconds) {
        for kept in self.state().tickets.values_mut() {
            (kept.failure, kept.renewed) = (None, None);
            if let Some(ticket) = &mut kept.ticket {
                ticket.starts -= seconds;
                ticket.ends -= seconds;
            }
        }
    }

    /// Returns the login with this pause after a first failure.
    #[cfg(test)]
    pub(crate) fn pausing(self, pause: Duration) -> Self {
        let Some(Inner { config, proof, .. }) = Arc::into_inner(self.0) else { unreachable!() };
        Self::with_pause(config, proof, pause)
    }

    /// Ages the failures by this time.
    #[cfg(test)]
    pub(crate) fn age_failures(&self, by: Duration) {
        for kept in self.state().tickets.values_mut() {
            if let Some(failure) = &mut kept.failure {
                failure.ended -= by;
            }
        }
    }

    /// Forgets everything if the ticket cache has been written since it was read.
    fn forget_an_old_cache(&self) {
        let Proof::Cache { path, .. } = &self.0.proof else { return };
        let written = written(path);
        let mut state = self.state();
        if state.written.is_some() && state.written != written {
            *state = State { generation: state.generation + 1, ..State::default() };
        }
    }
}

impl fmt::Debug for Login {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0.proof {
            Proof::Keytab { principal, path } => {
                write!(f, "Login({principal} by the keytab {})", path.display())
            }
            Proof::Password { principal, .. } => write!(f, "Login({principal} by a password)"),
            Proof::Cache { principal: None, path } => {
                write!(f, "Login(by the ticket cache {})", path.display())
            }
            Proof::Cache { principal: Some(principal), path } => {
                write!(f, "Login({principal} by the ticket cache {})", path.display())
            }
        }
    }
}

/// Renews a ticket in a task. The task holds the lock until it has an answer: a silent KDC gets no
/// second request for the ticket.
fn renew(
    guard: OwnedMutexGuard<()>,
    request: impl Future<Output = Result<Ticket>> + Send + 'static,
) {
    tokio::spawn(async move {
        // The request keeps the ticket, or its error, from which the pause follows.
        let _ = request.await;
        drop(guard);
    });
}

/// Returns the time at which a file was last written.
fn written(path: &std::path::Path) -> Option<SystemTime> {
    std::fs::metadata(path).and_then(|found| found.modified()).ok()
}

/// Returns whether a ticket has more than a fifth of its lifetime left.
fn is_fresh(ticket: &Ticket, now: Seconds) -> bool {
    let whole = ticket.ends.saturating_sub(ticket.starts).max(0);
    ticket.ends.saturating_sub(now) > whole / 5
}

/// Returns the first ticket of a cache, and its valid tickets for services.
pub(crate) fn tickets_of(cache: &TicketCache) -> Result<(Ticket, Vec<Ticket>)> {
    let now = now_in_seconds();
    let realm = cache.principal().realm().unwrap_or_default();
    let granting = Principal::ticket_granting(realm, realm);
    let of_user = cache.tickets().iter().filter(|ticket| ticket.client == *cache.principal());
    let mut first: Option<&Ticket> = None;
    let mut others = Vec::new();
    for ticket in of_user {
        if ticket.server == granting {
            // The newest first ticket is the last one.
            first = Some(ticket);
        } else if ticket.is_unexpired_at(now) && ticket.server.granted_realm().is_none() {
            others.push(ticket.clone());
        }
    }
    let path = cache.path().display();
    let principal = cache.principal();
    let Some(first) = first else {
        let text = format!(
            "the ticket cache {path} of {principal} has no first ticket ({granting}) with a key of a supported kind; kinit makes one"
        );
        return Err(Error::new(ErrorKind::NoCredentials, text));
    };
    if !first.is_unexpired_at(now) {
        let text = format!(
            "the ticket of {principal} in the cache {path} ended {} ago; kinit makes a new one",
            format_duration(now.abs_diff(first.ends))
        );
        return Err(Error::new(ErrorKind::Expired, text));
    }
    Ok((first.clone(), others))
}
