//! The questions and their answers.

use std::fmt;

use crate::day::Day;
use crate::tables::{Airport, Flight, Leg};

/// The maximum number of departures in an answer.
pub(crate) const NEWEST: usize = 10;

/// A question to the tables.
#[derive(Clone, Debug)]
pub(crate) enum Question {
    /// The newest departures of a carrier's flight number, including cancelled flights.
    Newest { carrier: String, number: u16 },
    /// The legs of an aircraft on a day.
    Legs { tail: String, day: Day },
    /// The numbers of departed and of cancelled flights of an airport.
    Departures { airport: String },
}

/// The answer to a question.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Answer {
    Newest(Vec<Flight>),
    Legs(Vec<Leg>),
    Departures(Option<Airport>),
}

impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Newest { carrier, number } => {
                write!(f, "newest {NEWEST} departures of {carrier} {number}")
            }
            Self::Legs { tail, day } => write!(f, "legs of {tail} on {day}"),
            Self::Departures { airport } => write!(f, "departures from {airport}"),
        }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Newest(flights) => flights.iter().try_for_each(|flight| write!(f, "{flight}; ")),
            Self::Legs(legs) => legs.iter().try_for_each(|leg| write!(f, "{leg}; ")),
            Self::Departures(None) => f.write_str("none"),
            Self::Departures(Some(airport)) => {
                write!(f, "{} departed, {} cancelled", airport.departed, airport.cancelled)
            }
        }
    }
}
