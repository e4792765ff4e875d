//! Tickets, and the clock with which their times are compared.

use std::fmt;
use std::time::{Duration, SystemTime};

use crate::{Key, Principal};

/// Seconds since 1970, as messages and files count time.
pub(crate) type Seconds = i64;

/// A ticket, which a client sends to a service, with the key that only these two share.
///
/// ```no_run
/// # async fn run(login: tallrow_kerberos::Login) -> tallrow_kerberos::Result<()> {
/// let ticket = login.ticket_granting_ticket().await?;
/// println!("{} may ask {} until {:?}", ticket.client(), ticket.server(), ticket.end_time());
/// println!("it is valid since {:?}", ticket.start_time());
/// println!("it is renewable until {:?}", ticket.renewable_until());
/// println!("the clocks are at most {:?} apart", ticket.observed_clock_difference());
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Ticket {
    pub(crate) client: Principal,
    pub(crate) server: Principal,
    pub(crate) key: Key,
    /// The ticket in the form in which the service gets it, in DER.
    pub(crate) bytes: Vec<u8>,
    pub(crate) starts: Seconds,
    pub(crate) ends: Seconds,
    pub(crate) renewable_until: Option<Seconds>,
    pub(crate) observed_clock_difference: Option<Duration>,
}

impl Ticket {
    /// The client of the ticket. See [`Ticket`] for an example of this and the other functions.
    pub fn client(&self) -> &Principal {
        &self.client
    }

    /// The service of the ticket.
    pub fn server(&self) -> &Principal {
        &self.server
    }

    /// The time from which the ticket is valid. If the ticket was requested without another time,
    /// this is the time of the KDC's clock when the KDC made the ticket.
    pub fn start_time(&self) -> SystemTime {
        let after = Duration::from_secs(u64::try_from(self.starts).unwrap_or_default());
        SystemTime::UNIX_EPOCH + after
    }

    /// The time at which the ticket expires.
    pub fn end_time(&self) -> SystemTime {
        let after = Duration::from_secs(u64::try_from(self.ends).unwrap_or_default());
        SystemTime::UNIX_EPOCH + after
    }

    /// The time until which the KDC renews the ticket; `None` if the ticket is not renewable.
    pub fn renewable_until(&self) -> Option<SystemTime> {
        let until = u64::try_from(self.renewable_until?).unwrap_or_default();
        Some(SystemTime::UNIX_EPOCH + Duration::from_secs(until))
    }

    /// The largest possible difference between the clocks of this machine and of the KDC when the
    /// KDC answered with this ticket, in whole seconds. `None` if the answer does not show the
    /// difference, and for a ticket from a ticket cache, of which only the age is known.
    pub fn observed_clock_difference(&self) -> Option<Duration> {
        self.observed_clock_difference
    }

    /// Returns whether the ticket has not expired at this time.
    pub(crate) fn is_unexpired_at(&self, now: Seconds) -> bool {
        now < self.ends
    }
}

/// Shows neither the bytes of the ticket nor those of its key.
impl fmt::Debug for Ticket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ticket")
            .field("client", &format_args!("{}", self.client))
            .field("server", &format_args!("{}", self.server))
            .field("key", &self.key)
            .field("ends", &self.ends)
            .finish_non_exhaustive()
    }
}

/// The time of this machine since 1970, with which the times of tickets are compared.
pub(crate) fn now() -> Duration {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default()
}

/// The time of this machine in seconds since 1970.
pub(crate) fn now_in_seconds() -> Seconds {
    i64::try_from(now().as_secs()).unwrap_or(i64::MAX)
}

/// Returns a number of seconds as a text for people.
pub(crate) fn format_duration(seconds: u64) -> String {
    match seconds {
        0..120 => format!("{seconds} s"),
        120..7_200 => format!("{} min", seconds / 60),
        7_200..172_800 => format!("{} h", seconds / 3_600),
        _ => format!("{} days", seconds / 86_400),
    }
}
