//! Converts timestamps between the milliseconds of this crate and of HBase and the microseconds of
//! Bigtable.

use crate::model::columns::TimeRange;
use crate::wire::bigtable::TimestampRange;
use crate::{Error, ErrorKind, Result, Timestamp};

const MICROS_PER_MILLI: i64 = 1_000;

/// The latest timestamp in milliseconds that Bigtable can store: in the year 294,247.
pub(crate) const LATEST: Timestamp = Timestamp::from_millis((i64::MAX / MICROS_PER_MILLI) as u64);

/// Converts a time to microseconds.
///
/// # Errors
/// Fails for a time after [`LATEST`].
pub(crate) fn micros(time: Timestamp) -> Result<i64> {
    checked(time).ok_or_else(|| {
        Error::invalid(format!(
            "the time {} ms is too late for Bigtable, whose times end at {} ms",
            time.as_millis(),
            LATEST.as_millis()
        ))
    })
}

/// Converts the timestamp of a cell to milliseconds.
///
/// # Errors
/// Fails for a time before 1970, or a time that is not a whole number of milliseconds: such a cell
/// could not be found by its rounded time.
pub(crate) fn timestamp(micros: i64) -> Result<Timestamp> {
    match u64::try_from(micros) {
        Ok(micros) if micros.is_multiple_of(MICROS_PER_MILLI as u64) => {
            Ok(Timestamp::from_millis(micros / MICROS_PER_MILLI as u64))
        }
        Ok(_) => Err(Error::new(
            ErrorKind::Decode,
            format!(
                "the time of a cell is {micros} µs, which is no whole number of milliseconds; cells of this table are \
                 not written with the granularity MILLIS"
            ),
        )),
        Err(_) => {
            let text = format!("the time of a cell is {micros} µs, before 1970");
            Err(Error::new(ErrorKind::Decode, text))
        }
    }
}

/// Converts a range of times to microseconds; `None` if no cell can be in the range.
pub(crate) fn time_range(range: TimeRange) -> Option<TimestampRange> {
    let start_timestamp_micros = checked(range.from.unwrap_or_default())?;
    // In Bigtable, an end of 0 means that there is no end.
    let end_timestamp_micros = match range.to.map(|to| (to, checked(to))) {
        Some((to, _)) if to <= range.from.unwrap_or_default() => return None,
        Some((_, Some(end))) => end,
        Some((_, None)) | None => 0,
    };
    Some(TimestampRange { start_timestamp_micros, end_timestamp_micros })
}

fn checked(time: Timestamp) -> Option<i64> {
    i64::try_from(time.as_millis()).ok()?.checked_mul(MICROS_PER_MILLI)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(millis: u64) -> Timestamp {
        Timestamp::from_millis(millis)
    }

    #[test]
    fn a_time_is_the_same_after_both_ways() {
        for time in [at(0), at(1), at(1_700_000_000_123), LATEST] {
            assert_eq!(timestamp(micros(time).unwrap()).unwrap(), time);
        }
        assert_eq!(micros(at(1_700_000_000_123)).unwrap(), 1_700_000_000_123_000);
    }

    #[test]
    fn a_time_that_would_change_is_an_error() {
        let late = micros(at(LATEST.as_millis() + 1)).unwrap_err();
        assert_eq!(late.kind(), ErrorKind::InvalidArgument);
        assert!(late.to_string().contains("the time 9223372036854776 ms is too late"), "{late}");
        for wrong in [1, 999, 1_001, i64::MAX, -1, -1_000, i64::MIN] {
            let error = timestamp(wrong).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Decode, "{error}");
            assert!(error.to_string().contains(&format!("{wrong} µs")), "{error}");
        }
    }

    #[test]
    fn a_range_without_times_is_none() {
        let range = |from: Option<u64>, to: Option<u64>| {
            let range = TimeRange { from: from.map(at), to: to.map(at) };
            time_range(range).map(|r| (r.start_timestamp_micros, r.end_timestamp_micros))
        };
        assert_eq!(range(None, None), Some((0, 0)));
        assert_eq!(range(Some(5), None), Some((5_000, 0)));
        assert_eq!(range(Some(5), Some(6)), Some((5_000, 6_000)));
        assert_eq!(range(None, Some(u64::MAX)), Some((0, 0)));
        for (from, to) in [(None, Some(0)), (Some(5), Some(5)), (Some(u64::MAX), None)] {
            assert_eq!(range(from, to), None);
        }
    }
}
