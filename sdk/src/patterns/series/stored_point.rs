//! The bytes of one point: a qualifier with its time in the hour and the type of its value, and the
//! value.

use super::point::{Point, PointValue};

/// The span of time that a row holds, in seconds.
pub(super) const HOUR: u32 = 3_600;
/// The first four bits of a qualifier whose time is in milliseconds. An offset in seconds is below
/// 3,600, so the first four bits of a qualifier in seconds are always less.
const MILLIS: u8 = 0xf0;
/// The bit that is set in the flags of a floating-point number.
const FLOAT: u8 = 8;
/// The bits of the flags that hold the length of the value less one.
const LENGTH: u8 = 7;

/// A point as it is stored: its time relative to the start of the hour, and its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct StoredPoint {
    /// The time since the start of the hour, in seconds or in milliseconds.
    offset: u32,
    is_millis: bool,
    flags: u8,
    /// The value, in the first of these bytes; the flags contain its length.
    value: [u8; 8],
}

impl StoredPoint {
    /// Returns the start of the hour of a point, in seconds, and the stored form of the point; or
    /// the text of an error if the point cannot be stored.
    pub(super) fn of(point: &Point) -> Result<(u32, Self), String> {
        let millis = point.time().as_millis();
        let Ok(seconds) = u32::try_from(millis / 1_000) else {
            return Err(format!("{point:?}: the seconds of a time have at most 32 bits"));
        };
        let start = seconds - seconds % HOUR;
        let offset = match point.is_millis() {
            true => u32::try_from(millis - u64::from(start) * 1_000).unwrap_or_default(),
            false => seconds - start,
        };
        let (flags, value) = flags_and_bytes(point.value())
            .ok_or_else(|| format!("{point:?}: a value is a finite number"))?;
        Ok((start, Self { offset, is_millis: point.is_millis(), flags, value }))
    }

    /// Returns the point in the hour that starts at this second.
    pub(super) fn point(&self, start: u32) -> Option<Point> {
        let value = value_of(self.flags & FLOAT != 0, self.value())?;
        let start = u64::from(start);
        Some(match self.is_millis {
            true => Point::at_millis(start * 1_000 + u64::from(self.offset), value),
            false => Point::at_secs(u32::try_from(start + u64::from(self.offset)).ok()?, value),
        })
    }

    /// Returns how many milliseconds after the start of the hour the point is.
    pub(super) fn offset_millis(&self) -> u32 {
        if self.is_millis { self.offset } else { self.offset * 1_000 }
    }

    pub(super) fn is_millis(&self) -> bool {
        self.is_millis
    }

    pub(super) fn value(&self) -> &[u8] {
        let length = usize::from(self.flags & LENGTH) + 1;
        self.value.get(..length).unwrap_or(&self.value)
    }

    pub(super) fn put_qualifier(&self, out: &mut Vec<u8>) {
        let flags = u32::from(self.flags);
        if self.is_millis {
            let qualifier = u32::from(MILLIS) << 24 | self.offset << 6 | flags;
            out.extend_from_slice(&qualifier.to_be_bytes());
        } else {
            let [_, _, qualifier @ ..] = (self.offset << 4 | flags).to_be_bytes();
            out.extend_from_slice(&qualifier);
        }
    }

    pub(super) fn qualifier(&self) -> Vec<u8> {
        let mut qualifier = Vec::with_capacity(4);
        self.put_qualifier(&mut qualifier);
        qualifier
    }

    /// Takes a qualifier from the front of `qualifiers`, and its value from the front of `values`.
    pub(super) fn take(qualifiers: &mut &[u8], values: &mut &[u8]) -> Option<Self> {
        let point = Self::take_qualifier(qualifiers)?;
        point.with_value(split_off(values, usize::from(point.flags & LENGTH) + 1)?)
    }

    /// Takes a qualifier, and the value that follows it, from the front of these bytes.
    pub(super) fn take_pair(bytes: &mut &[u8]) -> Option<Self> {
        let point = Self::take_qualifier(bytes)?;
        point.with_value(split_off(bytes, usize::from(point.flags & LENGTH) + 1)?)
    }

    /// Decodes a cell with a single point. Old versions of OpenTSDB wrote values whose length
    /// differs from the length in the qualifier, and numbers of single precision preceded by four
    /// zero bytes.
    pub(super) fn of_cell(mut qualifier: &[u8], value: &[u8]) -> Option<Self> {
        let mut point = Self::take_qualifier(&mut qualifier)?;
        if point.is_millis {
            return point.with_value(value);
        }
        let single = point.flags & FLOAT != 0 && point.flags & LENGTH == 3;
        let value = match value {
            [0, 0, 0, 0, value @ ..] if single && value.len() == 4 => value,
            [_, _, _, _, _, _, _, _] if single => return None,
            value => value,
        };
        let length = u8::try_from(value.len()).ok()?.checked_sub(1).filter(|n| *n <= LENGTH)?;
        point.flags = point.flags & FLOAT | length;
        point.with_value(value)
    }

    fn take_qualifier(bytes: &mut &[u8]) -> Option<Self> {
        let is_millis = first_is_millis(bytes);
        let (offset, flags) = if is_millis {
            let qualifier = u32::from_be_bytes(split_off(bytes, 4)?.try_into().ok()?);
            (qualifier << 4 >> 10, qualifier & 15)
        } else {
            let qualifier = u16::from_be_bytes(split_off(bytes, 2)?.try_into().ok()?);
            (u32::from(qualifier >> 4), u32::from(qualifier & 15))
        };
        let flags = u8::try_from(flags).ok()?;
        Some(Self { offset, is_millis, flags, value: [0; 8] })
    }

    /// Returns this point with a value, if the value has the length that the flags say.
    fn with_value(mut self, value: &[u8]) -> Option<Self> {
        self.value.get_mut(..value.len())?.copy_from_slice(value);
        value_of(self.flags & FLOAT != 0, value)?;
        (self.value() == value).then_some(self)
    }
}

/// Returns whether the first of these qualifiers has a time in milliseconds.
pub(super) fn first_is_millis(qualifiers: &[u8]) -> bool {
    qualifiers.first().is_some_and(|first| first & MILLIS == MILLIS)
}

/// Returns the flags of a value, and its bytes followed by zeros; `None` if it is not finite.
fn flags_and_bytes(value: PointValue) -> Option<(u8, [u8; 8])> {
    let (float, length, bytes) = match value {
        PointValue::Int(value) => {
            let length = match value {
                _ if i8::try_from(value).is_ok() => 1,
                _ if i16::try_from(value).is_ok() => 2,
                _ if i32::try_from(value).is_ok() => 4,
                _ => 8,
            };
            (0, length, (value << (64 - 8 * length)).to_be_bytes())
        }
        PointValue::Float(value) if value.is_finite() => {
            (FLOAT, 4, (u64::from(value.to_bits()) << 32).to_be_bytes())
        }
        PointValue::Double(value) if value.is_finite() => (FLOAT, 8, value.to_be_bytes()),
        PointValue::Float(_) | PointValue::Double(_) => return None,
    };
    Some((float | (length - 1), bytes))
}

fn value_of(float: bool, bytes: &[u8]) -> Option<PointValue> {
    Some(match (float, bytes.len()) {
        (false, 1) => PointValue::Int(i8::from_be_bytes(bytes.try_into().ok()?).into()),
        (false, 2) => PointValue::Int(i16::from_be_bytes(bytes.try_into().ok()?).into()),
        (false, 4) => PointValue::Int(i32::from_be_bytes(bytes.try_into().ok()?).into()),
        (false, 8) => PointValue::Int(i64::from_be_bytes(bytes.try_into().ok()?)),
        (true, 4) => PointValue::Float(f32::from_be_bytes(bytes.try_into().ok()?)),
        (true, 8) => PointValue::Double(f64::from_be_bytes(bytes.try_into().ok()?)),
        _ => return None,
    })
}

/// Takes `len` bytes from the front; `None` if there are fewer.
fn split_off<'a>(bytes: &mut &'a [u8], len: usize) -> Option<&'a [u8]> {
    let (front, rest) = bytes.split_at_checked(len)?;
    *bytes = rest;
    Some(front)
}
