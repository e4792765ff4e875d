//! The file: one flight per line, with the names of the columns in the first line.

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};

use crate::day::{Day, millis};
use crate::tables::{Flight, FlightKey};

/// The columns that are read; the others repeat the same data in local time.
const COLUMNS: [&str; 13] = [
    "carrier",
    "flight",
    "time_hour",
    "minute",
    "tailnum",
    "year",
    "month",
    "day",
    "origin",
    "dest",
    "dep_delay",
    "arr_delay",
    "distance",
];

/// The text for an unknown value.
const UNKNOWN: &str = "NA";

/// Reads all flights of a file.
pub(crate) fn read(path: &Path) -> Result<Vec<Flight>, CsvError> {
    let wrong = |line, why| CsvError { file: path.to_owned(), line, why };
    let text = std::fs::read(path).map_err(|e| wrong(0, e.to_string()))?;
    let mut lines = text.split(|byte| *byte == b'\n').zip(1..);
    let (head, _) = lines.next().unwrap_or_default();
    let head = Head::read(head).map_err(|why| wrong(1, why))?;
    let mut flights = Vec::new();
    let mut seen = HashMap::new();
    for (line, number) in lines {
        // The last line ends with a line feed too.
        if line.is_empty() && flights.len() + 2 == number {
            break;
        }
        let flight = head.flight(line).map_err(|why| wrong(number, why))?;
        let FlightKey { carrier, number: of_carrier, departure } = flight.key.clone();
        if let Some(before) = seen.insert((carrier, of_carrier, departure), number) {
            return Err(wrong(number, format!("the same flight as in line {before}")));
        }
        flights.push(flight);
    }
    if flights.is_empty() {
        return Err(wrong(2, "expected a flight, found the end of the file".into()));
    }
    Ok(flights)
}

/// The position of each of [`COLUMNS`], and the number of all columns.
struct Head {
    positions: [usize; COLUMNS.len()],
    width: usize,
}

impl Head {
    fn read(line: &[u8]) -> Result<Self, String> {
        let names: Vec<_> = text(line)?.split(',').collect();
        let mut positions = [0; COLUMNS.len()];
        for (position, column) in positions.iter_mut().zip(COLUMNS) {
            let at = names.iter().position(|name| *name == column);
            *position = at.ok_or_else(|| format!("expected a column {column}, found none"))?;
        }
        Ok(Self { positions, width: names.len() })
    }

    fn flight(&self, line: &[u8]) -> Result<Flight, String> {
        let texts: Vec<_> = text(line)?.split(',').collect();
        if texts.len() != self.width {
            return Err(format!("expected {} columns, found {}", self.width, texts.len()));
        }
        let values = std::array::from_fn(|at| Value {
            column: COLUMNS[at],
            text: texts[self.positions[at]],
        });
        let [carrier, number, hour, minute, tail, year, month, day, from, to, left, arrived, miles] =
            values;
        let start = millis(hour.text);
        let start = start.ok_or_else(|| hour.expected("a time like 2013-01-01T10:00:00Z"))?;
        let departure = start + i64::from(minute.number::<u8>()?) * 60_000;
        let date = Day::new(year.number()?, month.number()?, day.number()?);
        Ok(Flight {
            key: FlightKey { carrier: carrier.code(2)?, number: number.number()?, departure },
            tail: tail.known(|tail| tail.code(6))?,
            day: date.ok_or_else(|| day.expected("a day of the month"))?,
            origin: from.code(3)?,
            destination: to.code(3)?,
            left_late: left.known(Value::number)?,
            arrived_late: arrived.known(Value::number)?,
            miles: miles.number()?,
        })
    }
}

fn text(line: &[u8]) -> Result<&str, String> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    std::str::from_utf8(line).map_err(|e| format!("byte {} is not UTF-8", e.valid_up_to() + 1))
}

/// A value of a line, with the name of its column.
#[derive(Clone, Copy)]
struct Value<'a> {
    column: &'static str,
    text: &'a str,
}

impl Value<'_> {
    fn number<N: std::str::FromStr + Bounded>(self) -> Result<N, String> {
        self.text.parse().map_err(|_| self.expected(N::EXPECTED))
    }

    /// Reads a code of 1 to `longest` letters and digits.
    fn code(self, longest: usize) -> Result<String, String> {
        let fits = (1..=longest).contains(&self.text.len());
        match fits && self.text.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            true => Ok(self.text.to_owned()),
            false => Err(self.expected(&format!("1 to {longest} letters and digits"))),
        }
    }

    fn known<T>(self, read: impl Fn(Self) -> Result<T, String>) -> Result<Option<T>, String> {
        if self.text == UNKNOWN { Ok(None) } else { read(self).map(Some) }
    }

    fn expected(self, what: &str) -> String {
        format!("column {}: expected {what}, found {:?}", self.column, self.text)
    }
}

/// The name of a number type in errors.
trait Bounded {
    const EXPECTED: &'static str;
}

impl Bounded for u8 {
    const EXPECTED: &'static str = "a number from 0 to 255";
}

impl Bounded for u16 {
    const EXPECTED: &'static str = "a number from 0 to 65535";
}

impl Bounded for i16 {
    const EXPECTED: &'static str = "a number from -32768 to 32767";
}

/// A file that could not be read: the place, and what was found.
#[derive(Debug)]
pub(crate) struct CsvError {
    file: PathBuf,
    line: usize,
    why: String,
}

impl fmt::Display for CsvError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "read {}: {}", self.file.display(), self.why),
            line => write!(f, "{}:{line}: {}", self.file.display(), self.why),
        }
    }
}

impl std::error::Error for CsvError {}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "year,month,day,dep_delay,arr_delay,carrier,flight,tailnum,origin,dest,distance,minute,time_hour";
    const LINE: &str = "2013,1,1,2,11,UA,1545,N14228,EWR,IAH,1400,15,2013-01-01T10:00:00Z";

    fn flight(line: &str) -> Result<Flight, String> {
        Head::read(HEAD.as_bytes()).unwrap().flight(line.as_bytes())
    }

    #[test]
    fn a_line_becomes_a_flight() {
        let flight = flight(LINE).unwrap();
        let key = FlightKey { carrier: "UA".into(), number: 1545, departure: 1_357_035_300_000 };
        assert_eq!((flight.key, flight.left_late, flight.miles), (key, Some(2), 1400));
        assert_eq!(flight.day.to_string(), "2013-01-01");
    }

    #[test]
    fn unknown_values_are_none() {
        let flight = flight(&LINE.replace(",2,11,", ",NA,NA,").replace("N14228", "NA")).unwrap();
        assert_eq!((flight.tail, flight.left_late, flight.arrived_late), (None, None, None));
    }

    #[test]
    fn an_invalid_value_is_reported_with_its_column() {
        for (good, bad, error) in [
            (
                ",1545,",
                ",15x5,",
                r#"column flight: expected a number from 0 to 65535, found "15x5""#,
            ),
            (
                ",2,11,",
                ",,11,",
                r#"column dep_delay: expected a number from -32768 to 32767, found """#,
            ),
            ("UA", "UAL", r#"column carrier: expected 1 to 2 letters and digits, found "UAL""#),
            (
                "T10",
                " 10",
                r#"column time_hour: expected a time like 2013-01-01T10:00:00Z, found "2013-01-01 10:00:00Z""#,
            ),
            ("2013,1,1", "2013,2,29", r#"column day: expected a day of the month, found "29""#),
            (",15,", ",", "expected 13 columns, found 12"),
        ] {
            assert_eq!(flight(&LINE.replacen(good, bad, 1)).unwrap_err(), error);
        }
        let error = Head::read(b"year,month").err();
        assert_eq!(error.as_deref(), Some("expected a column carrier, found none"));
    }
}
