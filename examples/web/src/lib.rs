//! A web service on an HBase table.
//!
//! | request | answer |
//! |---|---|
//! | `POST /devices/{device}/readings` `{"at": 5, "celsius": 20.5}` | 201 |
//! | `GET /devices/{device}/readings?since=0&size=10` | the newest readings: `{"readings": [..], "next": "token"}` |
//! | the same with `&page=token` | the next page |
//! | `GET /devices/{device}/readings/{at}` | a reading, and counts that it was read |
//! | `GET /devices/{device}/readings/{at}/seen` | how often it was read |
//! | `GET /health` | 200 if the table can be read |
//!
//! A client is cheap to clone and shares its connections, so the state of the service is a clone of
//! the table's handle.

mod error;
mod reading;

use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::routing::get;
use axum::{Json, Router};
use serde::{Deserialize, Serialize};
use tallrow::{Client, PageToken, TypedTable};

pub use error::Failure;
pub use reading::{Reading, ReadingBody, ReadingKey};

type Readings = State<TypedTable<Reading>>;

/// Returns the service, after making sure that the table exists and matches its definition.
///
/// # Errors
/// When the table cannot be created, or differs from its definition.
pub async fn service(client: &Client) -> tallrow::Result<Router> {
    client.admin().create_if_missing::<Reading>().await?;
    Ok(Router::new()
        .route("/health", get(health))
        .route("/devices/{device}/readings", get(list).post(add))
        .route("/devices/{device}/readings/{at}", get(one))
        .route("/devices/{device}/readings/{at}/seen", get(seen))
        .with_state(client.table::<Reading>()))
}

async fn health(State(readings): Readings) -> Result<(), Failure> {
    readings.get(&ReadingKey { device: 0, at: 0 }).await?;
    Ok(())
}

async fn add(
    State(readings): Readings,
    Path(device): Path<u32>,
    Json(body): Json<ReadingBody>,
) -> Result<StatusCode, Failure> {
    let key = ReadingKey { device, at: body.at };
    readings.put(&Reading { key, celsius: body.celsius, seen: Default::default() }).await?;
    Ok(StatusCode::CREATED)
}

/// The query parameters that select a list and a page of it.
#[derive(Deserialize)]
struct Wanted {
    #[serde(default)]
    since: i64,
    #[serde(default = "ten")]
    size: usize,
    /// The `next` of the previous page.
    page: Option<String>,
}

fn ten() -> usize {
    10
}

#[derive(Serialize)]
struct Listed {
    readings: Vec<ReadingBody>,
    /// The token of the next page, if there are more readings.
    next: Option<String>,
}

async fn list(
    State(readings): Readings,
    Path(device): Path<u32>,
    Query(Wanted { since, size, page }): Query<Wanted>,
) -> Result<Json<Listed>, Failure> {
    let token = page.map(|page| page.parse::<PageToken>()).transpose()?;
    let scan = ReadingKey::scan().device(device).at(since..);
    let page = readings.scan(scan).resume(token.as_ref()).page(size.clamp(1, 1_000)).await?;
    let body = |reading: Reading| ReadingBody { at: reading.key.at, celsius: reading.celsius };
    Ok(Json(Listed {
        readings: page.rows.into_iter().map(body).collect(),
        next: page.next.map(|next| next.to_string()),
    }))
}

async fn one(
    State(readings): Readings,
    Path((device, at)): Path<(u32, i64)>,
) -> Result<Json<ReadingBody>, Failure> {
    let key = ReadingKey { device, at };
    let reading = readings.get(&key).await?.ok_or(Failure::NotFound)?;
    readings.increment(&key, Reading::SEEN, 1).await?;
    Ok(Json(ReadingBody { at, celsius: reading.celsius }))
}

async fn seen(
    State(readings): Readings,
    Path((device, at)): Path<(u32, i64)>,
) -> Result<Json<i64>, Failure> {
    let reading = readings.get(&ReadingKey { device, at }).await?.ok_or(Failure::NotFound)?;
    Ok(Json(reading.seen.0))
}
