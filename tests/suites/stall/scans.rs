//! Scans that stall after their first rows.

use std::time::Duration;

use tallrow::{Error, Scan};

use crate::stall::calls::Errors;
use crate::stall::place::{Place, Timeouts};
use crate::stall::report::Outcome;
use crate::stall::stalls::Stall;
use crate::stall::timed;
use crate::stall::typed::Id;

/// Reads the first row of each scan, then stalls the servers, then reads on until the scans fail.
pub(crate) async fn pages(stall: Stall, timeouts: Timeouts) -> Vec<Outcome> {
    let place = Place::new().await;
    let (raw, typed) = (place.site(timeouts).await, place.site(timeouts).await);
    let mut rows = raw.raw.scan(Scan::all()).unwrap();
    let mut items = typed.items.scan(Id::scan()).rows();
    rows.next_row().await.unwrap();
    items.next_row().await.unwrap();
    stall.inject(&place);
    let (raw, typed) = tokio::join!(
        last(async || rows.next_row().await.map(|row| row.is_some())),
        last(async || items.next_row().await.map(|row| row.is_some())),
    );
    let outcome = |call, (errors, took)| Outcome { call, stall, timeouts, errors, took };
    vec![outcome("RawTable::scan, next page", raw), outcome("TypedTable::scan, next page", typed)]
}

/// The result of the last call of a scan, and how long it took.
async fn last(mut next: impl AsyncFnMut() -> Result<bool, Error>) -> (Option<Errors>, Duration) {
    loop {
        let (given, took) = timed(next()).await;
        match given {
            Some(Ok(true)) => {}
            Some(Ok(false)) => return (Some(vec![None]), took),
            Some(Err(error)) => return (Some(vec![Some(error)]), took),
            None => return (None, took),
        }
    }
}
