//! A point of a time series: its time and its value.

use std::fmt;

use crate::Timestamp;

/// A value at a time, which is in seconds or in milliseconds since 1970.
///
/// ```
/// use tallrow::{Timestamp, series::{Point, PointValue}};
///
/// let point = Point::at_secs(1_700_000_000, 42);
/// assert_eq!(point.time(), Timestamp::from_millis(1_700_000_000_000));
/// assert_eq!(point.value(), PointValue::Int(42));
///
/// let exact = Point::at_millis(1_700_000_000_250, 4.5);
/// assert_eq!(exact.time().as_millis() - point.time().as_millis(), 250);
/// assert_eq!(exact.value().as_f64(), 4.5);
/// ```
#[derive(Clone, Copy, PartialEq)]
pub struct Point {
    time: Timestamp,
    /// Whether the time is stored as milliseconds.
    is_millis: bool,
    value: PointValue,
}

impl Point {
    /// Creates a point at this second since 1970; the time is stored in a qualifier of 2 bytes.
    ///
    /// See [`Point`] for an example of this and the other functions.
    pub fn at_secs(seconds: u32, value: impl Into<PointValue>) -> Self {
        let time = Timestamp::from_millis(u64::from(seconds) * 1_000);
        Self { time, is_millis: false, value: value.into() }
    }

    /// Creates a point at this millisecond since 1970; the time is stored in a qualifier of 4
    /// bytes.
    pub fn at_millis(millis: u64, value: impl Into<PointValue>) -> Self {
        Self { time: Timestamp::from_millis(millis), is_millis: true, value: value.into() }
    }

    /// The time of the point.
    pub fn time(&self) -> Timestamp {
        self.time
    }

    /// Whether the time is stored as milliseconds.
    ///
    /// ```
    /// # use tallrow::series::Point;
    /// assert!(Point::at_millis(5_000, 1).is_millis());
    /// assert_ne!(Point::at_millis(5_000, 1), Point::at_secs(5, 1));
    /// ```
    pub fn is_millis(&self) -> bool {
        self.is_millis
    }

    /// The value of the point.
    pub fn value(&self) -> PointValue {
        self.value
    }
}

impl fmt::Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.is_millis {
            true => write!(f, "{} ms: {:?}", self.time.as_millis(), self.value),
            false => write!(f, "{} s: {:?}", self.time.as_millis() / 1_000, self.value),
        }
    }
}

/// The value of a [`Point`]. A whole number takes 1, 2, 4 or 8 bytes, as few as possible; other
/// numbers take 4 or 8 bytes.
///
/// ```
/// use tallrow::series::PointValue;
///
/// assert_eq!(PointValue::from(7), PointValue::Int(7));
/// assert_eq!(PointValue::from(0.5_f32).as_f64(), 0.5);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(clippy::exhaustive_enums, reason = "the values of OpenTSDB, complete")]
pub enum PointValue {
    /// A whole number.
    Int(i64),
    /// A finite number of single precision.
    Float(f32),
    /// A finite number of double precision.
    Double(f64),
}

impl PointValue {
    /// Returns the value as the nearest number of double precision.
    ///
    /// See [`PointValue`] for an example.
    #[allow(clippy::cast_precision_loss, reason = "it is the nearest one")]
    pub fn as_f64(self) -> f64 {
        match self {
            Self::Int(value) => value as f64,
            Self::Float(value) => value.into(),
            Self::Double(value) => value,
        }
    }
}

impl From<i32> for PointValue {
    fn from(value: i32) -> Self {
        Self::Int(value.into())
    }
}

impl From<i64> for PointValue {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

impl From<f32> for PointValue {
    fn from(value: f32) -> Self {
        Self::Float(value)
    }
}

impl From<f64> for PointValue {
    fn from(value: f64) -> Self {
        Self::Double(value)
    }
}
