//! The answers, computed from the file.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use tallrow::Counter;

use crate::answers::{Answer, NEWEST, Question};
use crate::day::Day;
use crate::tables::{Airport, AirportKey, Flight, Leg};

/// The number of questions of each kind.
const SAMPLE: usize = 300;

/// The expected rows of the tables, in order.
pub(crate) struct Expected {
    pub(crate) flights: Vec<Flight>,
    pub(crate) legs: Vec<Leg>,
    airports: BTreeMap<String, Airport>,
}

/// The sort order of flights in their table, computed without the row key.
pub(crate) fn flight_order(flight: &Flight) -> (String, u16, Reverse<i64>) {
    (flight.key.carrier.clone(), flight.key.number, Reverse(flight.key.departure))
}

/// The sort order of legs in their table.
pub(crate) fn leg_order(leg: &Leg) -> (String, Day, i64, String, u16) {
    let key = leg.key.clone();
    (key.tail, key.day, key.departure, key.carrier, key.number)
}

impl Expected {
    pub(crate) fn of(flights: &[Flight]) -> Self {
        let mut legs: Vec<_> = flights.iter().filter_map(Leg::of).collect();
        legs.sort_by_cached_key(leg_order);
        let mut airports = BTreeMap::new();
        for flight in flights {
            let airport = airports.entry(flight.origin.clone()).or_insert_with(|| Airport {
                key: AirportKey { code: flight.origin.clone() },
                departed: Counter(0),
                cancelled: Counter(0),
            });
            match flight.left_late {
                Some(_) => airport.departed.0 += 1,
                None => airport.cancelled.0 += 1,
            }
        }
        let mut flights = flights.to_vec();
        flights.sort_by_cached_key(flight_order);
        Self { flights, legs, airports }
    }

    /// Returns questions of every kind with the right answers; they are the same in every run on a
    /// file.
    pub(crate) fn questions(&self) -> Vec<(Question, Answer)> {
        let newest = sample(self.flights.chunk_by(|a, b| number(a) == number(b))).map(|flights| {
            let (carrier, number) = number(&flights[0]);
            let newest = flights.iter().take(NEWEST).cloned().collect();
            (Question::Newest { carrier: carrier.into(), number }, Answer::Newest(newest))
        });
        let legs = sample(self.legs.chunk_by(|a, b| tail_day(a) == tail_day(b))).map(|legs| {
            let (tail, day) = tail_day(&legs[0]);
            (Question::Legs { tail: tail.into(), day }, Answer::Legs(legs.to_vec()))
        });
        let departures = self.airports.iter().map(|(code, airport)| {
            let question = Question::Departures { airport: code.clone() };
            (question, Answer::Departures(Some(airport.clone())))
        });
        newest.chain(legs).chain(departures).collect()
    }
}

fn number(flight: &Flight) -> (&str, u16) {
    (&flight.key.carrier, flight.key.number)
}

fn tail_day(leg: &Leg) -> (&str, Day) {
    (&leg.key.tail, leg.key.day)
}

/// Returns about [`SAMPLE`] of the groups, at even distances.
fn sample<'a, T: 'a>(groups: impl Iterator<Item = &'a [T]>) -> impl Iterator<Item = &'a [T]> {
    let groups: Vec<_> = groups.collect();
    let step = groups.len().div_ceil(SAMPLE).max(1);
    groups.into_iter().step_by(step)
}
