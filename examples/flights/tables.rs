//! The three tables: their row keys, rows, and creation.

use std::collections::BTreeSet;
use std::fmt;

use tallrow::{Client, Counter, Result, RowKey, Table, TableDescriptor, TypedTable};

use crate::day::Day;

/// The flights of a flight number, newest first.
///
/// They are sorted by scheduled departure, because cancelled flights have no other departure. Two
/// flights of a number never have the same scheduled departure.
#[derive(RowKey, Clone, Debug, PartialEq)]
pub(crate) struct FlightKey {
    #[key(width = 2)]
    pub(crate) carrier: String,
    pub(crate) number: u16,
    /// Milliseconds since 1970.
    #[key(rev_ts)]
    pub(crate) departure: i64,
}

/// A flight; delays are in minutes, negative if early. A cancelled flight has no delays.
#[derive(Table, Clone, Debug, PartialEq)]
#[table(name = "tallrow_flights")]
#[family("f")]
pub(crate) struct Flight {
    #[key]
    pub(crate) key: FlightKey,
    #[cell("f:t")]
    pub(crate) tail: Option<String>,
    #[cell("f:y")]
    pub(crate) day: Day,
    #[cell("f:o")]
    pub(crate) origin: String,
    #[cell("f:d")]
    pub(crate) destination: String,
    #[cell("f:l")]
    pub(crate) left_late: Option<i16>,
    #[cell("f:a")]
    pub(crate) arrived_late: Option<i16>,
    #[cell("f:m")]
    pub(crate) miles: u16,
}

impl fmt::Display for Flight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { key, tail, day, origin, destination, miles, .. } = self;
        let tail = tail.as_deref().unwrap_or("unknown aircraft");
        write!(f, "{} {} of {day}, {} ms, ", key.carrier, key.number, key.departure)?;
        write!(f, "{origin}-{destination}, {miles} miles, {tail}, ")?;
        match (self.left_late, self.arrived_late) {
            (None, _) => f.write_str("cancelled"),
            (Some(left), None) => write!(f, "left {left} min late"),
            (Some(left), Some(late)) => write!(f, "left {left} min late, arrived {late} min late"),
        }
    }
}

/// The legs of an aircraft, sorted by day, then by time.
#[derive(RowKey, Clone, Debug, PartialEq)]
pub(crate) struct LegKey {
    #[key(width = 6)]
    pub(crate) tail: String,
    pub(crate) day: Day,
    pub(crate) departure: i64,
    /// Some aircraft are scheduled for two flights at the same time.
    #[key(width = 2)]
    pub(crate) carrier: String,
    pub(crate) number: u16,
}

/// A leg of an aircraft.
#[derive(Table, Clone, Debug, PartialEq)]
#[table(name = "tallrow_flights_by_tail")]
#[family("l")]
pub(crate) struct Leg {
    #[key]
    pub(crate) key: LegKey,
    #[cell("l:o")]
    pub(crate) origin: String,
    #[cell("l:d")]
    pub(crate) destination: String,
}

impl Leg {
    /// Returns the leg of a flight; `None` if the aircraft of the flight is not known.
    pub(crate) fn of(flight: &Flight) -> Option<Self> {
        let FlightKey { carrier, number, departure } = flight.key.clone();
        let key =
            LegKey { tail: flight.tail.clone()?, day: flight.day, departure, carrier, number };
        let (origin, destination) = (flight.origin.clone(), flight.destination.clone());
        Some(Self { key, origin, destination })
    }
}

impl fmt::Display for Leg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { key, origin, destination } = self;
        let LegKey { tail, day, departure, carrier, number } = key;
        write!(f, "{tail} on {day}, {departure} ms, {carrier} {number}, {origin}-{destination}")
    }
}

/// An airport by its code.
#[derive(RowKey, Clone, Debug, PartialEq)]
pub(crate) struct AirportKey {
    #[key(width = 3)]
    pub(crate) code: String,
}

/// The numbers of departed and of cancelled flights of an airport.
#[derive(Table, Clone, Debug, PartialEq)]
#[table(name = "tallrow_flights_by_airport")]
#[family("c")]
pub(crate) struct Airport {
    #[key]
    pub(crate) key: AirportKey,
    #[cell("c:d")]
    pub(crate) departed: Counter,
    #[cell("c:c")]
    pub(crate) cancelled: Counter,
}

/// All three tables.
#[derive(Clone)]
pub(crate) struct Tables {
    pub(crate) flights: TypedTable<Flight>,
    pub(crate) legs: TypedTable<Leg>,
    pub(crate) airports: TypedTable<Airport>,
}

impl Tables {
    pub(crate) fn of(client: &Client) -> Self {
        Self { flights: client.table(), legs: client.table(), airports: client.table() }
    }
}

/// The number of regions that a table starts with.
const REGIONS: usize = 4;

/// Creates the tables, which are split so that each region gets the same number of rows.
pub(crate) async fn create(client: &Client, flights: &[Flight]) -> Result<()> {
    drop_all(client).await?;
    let legs: Vec<_> = flights.iter().filter_map(Leg::of).collect();
    let airports: BTreeSet<_> = flights.iter().map(|flight| flight.origin.as_str()).collect();
    create_cut::<Flight>(client, cuts(flights.iter().map(|flight| &flight.key))?).await?;
    create_cut::<Leg>(client, cuts(legs.iter().map(|leg| &leg.key))?).await?;
    create_cut::<Airport>(client, airports.into_iter().skip(1)).await
}

pub(crate) async fn drop_all(client: &Client) -> Result<()> {
    let admin = client.admin();
    for table in [Flight::TABLE, Leg::TABLE, Airport::TABLE] {
        if admin.table_exists(table).await? {
            // Bigtable's tables are always enabled.
            if let Ok(hbase) = admin.hbase()
                && hbase.is_table_enabled(table).await?
            {
                hbase.disable_table(table).await?;
            }
            admin.delete_table(table).await?;
        }
    }
    Ok(())
}

async fn create_cut<T: Table>(
    client: &Client,
    splits: impl IntoIterator<Item: AsRef<[u8]>>,
) -> Result<()> {
    client.admin().create_table_with_splits(&TableDescriptor::of::<T>()?, splits).await
}

/// Returns the row keys that divide the sorted keys into equal parts.
fn cuts<'a, K: RowKey + 'a>(keys: impl Iterator<Item = &'a K>) -> Result<BTreeSet<Vec<u8>>> {
    let mut keys =
        keys.map(|key| Ok(key.encode_key()?.as_ref().to_vec())).collect::<Result<Vec<_>>>()?;
    keys.sort();
    Ok((1..REGIONS).filter_map(|part| keys.get(part * keys.len() / REGIONS).cloned()).collect())
}
