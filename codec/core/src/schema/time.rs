//! Times since 1970, displayed and read as dates in RFC 3339.
//!
//! Written by hand, because a row can contain any 64-bit number of milliseconds, up to the year
//! 292,278,994, and each must be displayed and read back; jiff and time end at the years 9999 and
//! 999,999.

use core::fmt;

use tallrow_layout::Unit;

/// A time as it is stored in a row: the number of units since 1970, which is negative before 1970.
///
/// Displays as RFC 3339 in UTC, with the digits of its unit, followed by the number in parentheses;
/// years outside 0 to 9999 have a sign and as many digits as necessary. Days have no time of day.
///
/// ```
/// use tallrow_codec::schema::{Time, Unit};
///
/// let time = Time { count: 1_700_000_000_000, unit: Unit::Millis };
/// assert_eq!(time.to_string(), "2023-11-14T22:13:20.000Z (1700000000000)");
/// assert_eq!(Time { count: -1, unit: Unit::Seconds }.to_string(), "1969-12-31T23:59:59Z (-1)");
/// assert_eq!(Time { count: 19_675, unit: Unit::Days }.to_string(), "2023-11-14 (19675)");
/// assert_eq!(Time::read("2023-11-14T23:13:20+01:00", Unit::Millis), Some(time));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Time {
    /// The number of units.
    pub count: i128,
    /// The unit.
    pub unit: Unit,
}

const DAY: i128 = 86_400;
/// The days from 1 March of year 0 to 1 January 1970.
const EPOCH: i128 = 719_468;
/// The days of 400 years, after which the calendar repeats.
const CYCLE: i128 = 146_097;

/// Returns how many digits of a second a unit has.
fn digits(unit: Unit) -> usize {
    match unit {
        Unit::Days | Unit::Seconds => 0,
        Unit::Millis => 3,
        Unit::Micros => 6,
    }
}

/// Returns the number of units in a second; for days, 1 as for seconds.
fn per_second(unit: Unit) -> i128 {
    10_i128.pow(digits(unit) as u32)
}

impl Time {
    /// Reads a time in RFC 3339; returns `None` if `text` is not one, or not a whole number of
    /// units. The seconds, or the whole time of day, may be omitted.
    ///
    /// ```
    /// use tallrow_codec::schema::{Time, Unit};
    ///
    /// assert_eq!(Time::read("1970-01-02", Unit::Seconds).map(|time| time.count), Some(86_400));
    /// assert_eq!(Time::read("1970-01-01T00:00:00.5Z", Unit::Seconds), None);
    /// assert_eq!(Time::read("2023-02-29", Unit::Seconds), None);
    /// ```
    pub fn read(text: &str, unit: Unit) -> Option<Self> {
        let (date, clock) = match text.split_once(['T', 't', ' ']) {
            Some((date, clock)) => (date, Some(clock)),
            None => (text, None),
        };
        let days = read_date(date)?;
        let (seconds, fraction) = clock.map_or(Some((0, 0)), |clock| read_clock(clock, unit))?;
        let seconds = days.checked_mul(DAY)?.checked_add(seconds)?;
        let count = seconds.checked_mul(per_second(unit))?.checked_add(fraction)?;
        match unit {
            Unit::Days => (count % DAY == 0).then_some(Self { count: count / DAY, unit }),
            _ => Some(Self { count, unit }),
        }
    }
}

/// Returns the day of a date such as `2023-11-14`, counted from 1970.
fn read_date(text: &str) -> Option<i128> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let mut parts = digits.split('-');
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    if parts.next().is_some() || year.len() < 4 {
        return None;
    }
    let year = sign * number(year)?;
    let (month, day) = (two(month)?, two(day)?);
    // Years start in March here, so that the leap day is the last day of a year.
    let from_march = (month + 9) % 12;
    let year = if month < 3 { year.checked_sub(1)? } else { year };
    let in_cycle = year.rem_euclid(400);
    let days =
        in_cycle * 365 + in_cycle / 4 - in_cycle / 100 + (153 * from_march + 2) / 5 + day - 1;
    let days = (year.div_euclid(400)).checked_mul(CYCLE)?.checked_add(days - EPOCH)?;
    // A day that its month does not have converts back to a day of the next month.
    ((1..=12).contains(&month) && civil(days)?.1 == month && day > 0).then_some(days)
}

/// Returns the second of the day, less the offset from UTC, and the number of units after that
/// second.
fn read_clock(text: &str, unit: Unit) -> Option<(i128, i128)> {
    let (clock, offset) = match text.strip_suffix(['Z', 'z']) {
        Some(clock) => (clock, 0),
        None => match text.rfind(['+', '-']) {
            Some(at) => {
                let (clock, offset) = text.split_at_checked(at)?;
                let (hours, minutes) = offset.get(1..)?.split_once(':')?;
                let (hours, minutes) = (two(hours)?, two(minutes)?);
                if hours > 23 || minutes > 59 {
                    return None;
                }
                let offset_seconds = (hours * 60 + minutes) * 60;
                (clock, if offset.starts_with('-') { -offset_seconds } else { offset_seconds })
            }
            None => (text, 0),
        },
    };
    let (clock, fraction) = match clock.split_once('.') {
        Some((clock, fraction)) => (clock, fraction),
        None => (clock, ""),
    };
    let mut parts = clock.split(':');
    let (hours, minutes) = (two(parts.next()?)?, two(parts.next()?)?);
    let seconds = parts.next().map_or(Some(0), two)?;
    if parts.next().is_some() || hours > 23 || minutes > 59 || seconds > 59 {
        return None;
    }
    let kept = fraction.len().min(digits(unit));
    let (kept, lost) = fraction.split_at_checked(kept)?;
    if lost.bytes().any(|digit| digit != b'0') {
        return None;
    }
    let scale = digits(unit).checked_sub(kept.len())?;
    let units = if kept.is_empty() { 0 } else { number(kept)? };
    let units = units * 10_i128.pow(u32::try_from(scale).ok()?);
    Some(((hours * 60 + minutes) * 60 + seconds - offset, units))
}

fn number(digits: &str) -> Option<i128> {
    let plain = digits.bytes().all(|b| b.is_ascii_digit());
    digits.parse().ok().filter(|_| plain)
}

fn two(digits: &str) -> Option<i128> {
    number(digits).filter(|_| digits.len() == 2)
}

/// Returns the year, month and day of the month of a day that is counted from 1970; `None` if the
/// day is too far from 1970.
fn civil(days: i128) -> Option<(i128, i128, i128)> {
    let days = days.checked_add(EPOCH)?;
    let (cycle, day) = (days.div_euclid(CYCLE), days.rem_euclid(CYCLE));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let from_march = (5 * day + 2) / 153;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    let year = cycle * 400 + year + i128::from(month < 3);
    Some((year, month, day - (153 * from_march + 2) / 5 + 1))
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let per_second = per_second(self.unit);
        let (seconds, units) =
            (self.count.div_euclid(per_second), self.count.rem_euclid(per_second));
        let (days, second) = match self.unit {
            Unit::Days => (self.count, 0),
            _ => (seconds.div_euclid(DAY), seconds.rem_euclid(DAY)),
        };
        let Some((year, month, day)) = civil(days) else { return write!(f, "({})", self.count) };
        match year {
            0..=9999 => write!(f, "{year:04}")?,
            _ => write!(f, "{year:+05}")?,
        }
        if self.unit == Unit::Days {
            return write!(f, "-{month:02}-{day:02} ({})", self.count);
        }
        let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
        write!(f, "-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}")?;
        if self.unit != Unit::Seconds {
            write!(f, ".{units:0width$}", width = digits(self.unit))?;
        }
        write!(f, "Z ({})", self.count)
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::ToString;

    use super::{Time, Unit, civil, read_date};

    #[test]
    fn every_day_of_eight_centuries_comes_back() {
        let mut expected = (1600, 1, 1);
        for days in -135_140..160_000 {
            let (year, month, day) = civil(days).unwrap();
            assert_eq!((year, month, day), expected);
            assert_eq!(read_date(&format!("{year:04}-{month:02}-{day:02}")), Some(days));
            let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            let last = match month {
                2 if leap => 29,
                2 => 28,
                4 | 6 | 9 | 11 => 30,
                _ => 31,
            };
            expected = match (month, day == last) {
                (12, true) => (year + 1, 1, 1),
                (_, true) => (year, month + 1, 1),
                _ => (year, month, day + 1),
            };
        }
    }

    #[test]
    fn the_ends_of_what_a_row_can_hold_come_back() {
        for unit in Unit::ALL {
            for count in [i64::MIN.into(), -1, 0, 1, i64::MAX.into(), i128::from(u64::MAX)] {
                let time = Time { count, unit };
                let text = time.to_string();
                let date = text.split_once(" (").unwrap().0;
                assert_eq!(Time::read(date, unit), Some(time), "{text}");
            }
        }
        let last = Time { count: i64::MAX.into(), unit: Unit::Millis };
        assert_eq!(last.to_string(), "+292278994-08-17T07:12:55.807Z (9223372036854775807)");
        let year_zero = Time { count: -62_167_219_200, unit: Unit::Seconds };
        assert_eq!(year_zero.to_string(), "0000-01-01T00:00:00Z (-62167219200)");
        let no_day = Time { count: i128::MAX, unit: Unit::Days };
        assert_eq!(no_day.to_string(), format!("({})", i128::MAX));
        let before = Time { count: -62_167_219_201, unit: Unit::Seconds };
        assert_eq!(before.to_string(), "-0001-12-31T23:59:59Z (-62167219201)");
    }

    #[test]
    fn other_texts_are_not_times() {
        for text in [
            "",
            "2023",
            "2023-1-01",
            "2023-13-01",
            "2023-00-10",
            "2023-02-30",
            "2023-04-31",
            "2023-01-00",
            "2023-01-01T",
            "2023-01-01T24:00:00Z",
            "2023-01-01T00:60:00Z",
            "2023-01-01T00:00:60Z",
            "2023-01-01T00:00:00+24:00",
            "2023-01-01T00:00:00.0001Z",
            "2023-01-01T00:00:00.1x1Z",
            "2023-01-01Z",
            "99999999999999999999999999999999999999-01-01",
            "20é3-01-01",
            // Counted from 1970 its day is a number of 128 bits, counted from the year 0 it is not.
            "465830738373735892541769656367712399-01-01",
        ] {
            assert_eq!(Time::read(text, Unit::Millis), None, "{text}");
        }
        let same = ["2023-11-14T22:13:20Z", "2023-11-14 22:13:20", "2023-11-14T17:43:20.000-04:30"];
        for text in same {
            let count = Time::read(text, Unit::Millis).map(|time| time.count);
            assert_eq!(count, Some(1_700_000_000_000), "{text}");
        }
    }
}
