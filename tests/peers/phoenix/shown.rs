//! Values as text that both programs print.

use tallrow::key::compat::Decimal;
use tallrow::key::compat::phoenix::Timestamp;

/// A value as text.
pub(crate) trait Shown {
    fn shown(&self) -> String;
}

macro_rules! numbers {
    ($($number:ty)*) => {
        $(impl Shown for $number {
            fn shown(&self) -> String {
                self.to_string()
            }
        })*
    };
}
numbers!(i8 i16 i32 i64 u8 u16 u32 u64 bool);

impl Shown for f32 {
    fn shown(&self) -> String {
        format!("{:08x}", self.to_bits())
    }
}

impl Shown for f64 {
    fn shown(&self) -> String {
        format!("{:016x}", self.to_bits())
    }
}

impl Shown for String {
    fn shown(&self) -> String {
        hex(self.as_bytes())
    }
}

impl Shown for Vec<u8> {
    fn shown(&self) -> String {
        hex(self)
    }
}

impl<const N: usize> Shown for [u8; N] {
    fn shown(&self) -> String {
        hex(self)
    }
}

impl Shown for Decimal {
    fn shown(&self) -> String {
        let value = self.normalized();
        if value.digits().is_empty() {
            return "0e0".into();
        }
        let digits: String = value.digits().iter().map(|d| char::from(b'0' + d)).collect();
        let sign = if value.is_negative() { "-" } else { "" };
        format!("{sign}{digits}e{}", value.exponent())
    }
}

impl Shown for Timestamp {
    fn shown(&self) -> String {
        format!("{}+{}", self.millis(), self.nanos_after_millis())
    }
}

impl<T: Shown> Shown for Option<T> {
    fn shown(&self) -> String {
        self.as_ref().map_or_else(|| "null".into(), Shown::shown)
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
