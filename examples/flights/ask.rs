//! Answers from the tables.

use tallrow::Result;

use crate::answers::{Answer, NEWEST, Question};
use crate::tables::{AirportKey, FlightKey, LegKey, Tables};

/// Answers one question.
pub(crate) async fn one(tables: &Tables, question: &Question) -> Result<Answer> {
    Ok(match question {
        Question::Newest { carrier, number } => {
            // The key sorts by descending time, so the newest flights are the first.
            let flights = FlightKey::scan().carrier(carrier.as_str()).number(*number);
            let newest = tables.flights.scan(flights).limit(NEWEST as u64).rows();
            Answer::Newest(newest.try_collect().await?)
        }
        Question::Legs { tail, day } => {
            let legs = LegKey::scan().tail(tail.as_str()).day(*day);
            Answer::Legs(tables.legs.scan(legs).rows().try_collect().await?)
        }
        Question::Departures { airport } => {
            let key = AirportKey { code: airport.clone() };
            Answer::Departures(tables.airports.get(&key).await?)
        }
    })
}
