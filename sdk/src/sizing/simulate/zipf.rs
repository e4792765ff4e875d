//! Random numbers by Zipf's law, of which few are frequent and most are rare.

use crate::{Error, Result};

/// A distribution of numbers of which few are frequent and most are rare, as is usual for users,
/// hosts or pages. The number `n` (from 0) is drawn with a probability proportional to `1 / (n +
/// 1)^exponent`.
///
/// Numbers are drawn by rejection from the integral of that function (W. Hörmann and G. Derflinger,
/// "Rejection-inversion to generate variates from monotone discrete distributions", 1996), in
/// constant time and memory.
///
/// ```
/// use tallrow::simulate::{Simulation, Zipf};
///
/// let users = Zipf::new(1_000_000, 1.0)?;
/// let first = Simulation::new([[1_u8]])?
///     .keys(10_000)
///     .run_rows(|draw| Ok([u8::from(draw.zipf(&users) > 0)]))?;
/// // 1 / (1 + 1/2 + .. + 1/1,000,000) of all are the first user.
/// assert!((first.rows()[0] as f64 / 10_000.0 - 1.0 / 14.39).abs() < 0.02);
/// assert!(Zipf::new(0, 1.0).is_err() && Zipf::new(10, -1.0).is_err());
/// # Ok::<(), tallrow::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Zipf {
    numbers: f64,
    exponent: f64,
    /// The integral from which numbers are drawn, at both ends.
    first: f64,
    last: f64,
    /// A number that is this close to the drawn point needs no check.
    near: f64,
}

impl Zipf {
    /// Creates a distribution over `numbers` numbers. An `exponent` of 0 makes all numbers equally
    /// frequent; for users it is often between 0.8 and 1.2.
    ///
    /// # Errors
    /// If there are no numbers, or the exponent is negative or not finite.
    pub fn new(numbers: u64, exponent: f64) -> Result<Self> {
        if numbers == 0 || !exponent.is_finite() || exponent < 0.0 {
            return Err(Error::invalid_argument(format!(
                "a Zipf distribution over {numbers} numbers with the exponent {exponent}: at least one number and an exponent \
                 of at least 0 are needed"
            )));
        }
        let mut zipf = Self { numbers: numbers as f64, exponent, first: 0.0, last: 0.0, near: 0.0 };
        zipf.first = zipf.integral(1.5) - 1.0;
        zipf.last = zipf.integral(zipf.numbers + 0.5);
        zipf.near = 2.0 - zipf.inverse(zipf.integral(2.5) - zipf.weight(2.0));
        Ok(zipf)
    }

    /// Returns the number for a random place in 0..1; `None` if the number is rejected.
    pub(super) fn try_draw(&self, place: f64) -> Option<u64> {
        let drawn = self.last + place * (self.first - self.last);
        let point = self.inverse(drawn);
        let number = point.round().clamp(1.0, self.numbers);
        let takes = number - point <= self.near
            || drawn >= self.integral(number + 0.5) - self.weight(number);
        takes.then_some(number as u64 - 1)
    }

    fn weight(&self, x: f64) -> f64 {
        (-self.exponent * x.ln()).exp()
    }

    /// Returns the integral of the weights up to `x`, computed so that it is exact near an exponent
    /// of 1.
    fn integral(&self, x: f64) -> f64 {
        let log = x.ln();
        let power = (1.0 - self.exponent) * log;
        if power.abs() > 1e-8 { power.exp_m1() / power * log } else { log * (1.0 + power / 2.0) }
    }

    fn inverse(&self, y: f64) -> f64 {
        let scaled = (y * (1.0 - self.exponent)).max(-1.0);
        let log = if scaled.abs() > 1e-8 {
            scaled.ln_1p() / scaled * y
        } else {
            y * (1.0 - scaled / 2.0)
        };
        log.exp()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_as_frequent_as_their_weights() {
        for exponent in [0.0, 0.5, 0.99, 1.0, 1.01, 2.0, 5.0] {
            let zipf = Zipf::new(20, exponent).unwrap();
            let mut random = fastrand::Rng::with_seed(1);
            let mut counts = [0_u32; 20];
            let mut drawn = 0;
            while drawn < 200_000 {
                if let Some(number) = zipf.try_draw(random.f64()) {
                    counts[usize::try_from(number).unwrap()] += 1;
                    drawn += 1;
                }
            }
            let all: f64 = (1..=20).map(|n| f64::from(n).powf(-exponent)).sum();
            for (n, count) in (1..).zip(counts) {
                let expected = f64::from(n).powf(-exponent) / all;
                let found = f64::from(count) / 200_000.0;
                assert!((found - expected).abs() < 0.005, "{exponent}: {n}: {found} {expected}");
            }
        }
    }

    #[test]
    fn both_ends_are_reached_and_none_is_beyond() {
        for (numbers, exponent) in [(1, 1.0), (2, 3.0), (u64::MAX, 1.0), (1 << 40, 0.0)] {
            let zipf = Zipf::new(numbers, exponent).unwrap();
            for place in [0.0, 1e-12, 0.5, 1.0 - 1e-12] {
                assert!(zipf.try_draw(place).is_none_or(|number| number < numbers));
            }
        }
    }
}
