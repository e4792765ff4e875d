//! Writes the flights: many concurrent batches, each row acknowledged, each flight counted once.

use std::sync::Arc;

use futures_util::future::join_all;
use tallrow::Result;
use tokio::task::JoinSet;

use crate::progress::Progress;
use crate::tables::{Airport, AirportKey, Flight, Leg, Tables};

/// The number of rows in a batch.
const BATCH: usize = 100;

/// Writes all flights, `concurrency` batches concurrently; stops at the first failure.
pub(crate) async fn all(tables: &Tables, flights: Arc<[Flight]>, concurrency: usize) -> Result<()> {
    let mut progress = Progress::new(flights.len());
    let mut under_way = JoinSet::new();
    let mut starts = (0..flights.len()).step_by(BATCH);
    loop {
        while under_way.len() < concurrency
            && let Some(start) = starts.next()
        {
            let (tables, flights) = (tables.clone(), flights.clone());
            under_way.spawn(async move {
                let end = flights.len().min(start + BATCH);
                let batch = flights.get(start..end).unwrap_or_default();
                write(&tables, batch).await.map(|()| batch.len())
            });
        }
        match under_way.join_next().await {
            // A batch that panicked has no other result.
            Some(written) => {
                progress.add(written.unwrap_or_else(|e| std::panic::resume_unwind(e.into_panic()))?)
            }
            None => return Ok(()),
        }
    }
}

/// Writes a batch; returns when a server has acknowledged all of it.
async fn write(tables: &Tables, batch: &[Flight]) -> Result<()> {
    let legs: Vec<_> = batch.iter().filter_map(Leg::of).collect();
    let (flights, legs, counted) = tokio::join!(
        tables.flights.put_all(batch),
        tables.legs.put_all(&legs),
        join_all(batch.iter().map(|flight| count(tables, flight))),
    );
    flights.into_iter().chain(legs).chain(counted).collect()
}

/// Counts a flight at its scheduled airport of departure.
async fn count(tables: &Tables, flight: &Flight) -> Result<()> {
    let airport = AirportKey { code: flight.origin.clone() };
    let counter = match flight.left_late {
        Some(_) => Airport::DEPARTED,
        None => Airport::CANCELLED,
    };
    tables.airports.increment(&airport, counter, 1).await.map(drop)
}
