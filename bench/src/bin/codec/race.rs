//! Times the codecs, which run in turns and in several copies of the same loop, so that neither
//! other load nor the alignment of code decides the result. Allocations are counted too.

use std::alloc::System;
use std::hint::black_box;
use std::time::Instant;

use stats_alloc::{Region, StatsAlloc};

/// The number of passes over the keys in one turn, which then takes long compared with the clock's
/// precision, and is short compared with other load.
const PASSES: u32 = 8;

/// The number of copies of the loop of each codec. Two loops of the same instructions can differ by
/// a third because of their alignment to cache lines; the best times of several copies do not.
const COPIES: usize = 8;

/// One codec in one case.
pub(crate) struct Line<'k> {
    codec: &'static str,
    keys: usize,
    /// Passes over the keys once, in the copy of the loop with this number.
    pass: Box<dyn FnMut(usize) + 'k>,
}

impl<'k> Line<'k> {
    /// Makes a line that calls `each` with every key.
    pub(crate) fn new<T: 'k>(
        codec: &'static str,
        keys: impl AsRef<[T]> + 'k,
        mut each: impl FnMut(&T) + 'k,
    ) -> Self {
        let count = keys.as_ref().len();
        let pass = move |copy| {
            let (keys, each) = (keys.as_ref(), &mut each);
            match copy {
                0 => pass::<0, T>(keys, each),
                1 => pass::<1, T>(keys, each),
                2 => pass::<2, T>(keys, each),
                3 => pass::<3, T>(keys, each),
                4 => pass::<4, T>(keys, each),
                5 => pass::<5, T>(keys, each),
                6 => pass::<6, T>(keys, each),
                _ => pass::<7, T>(keys, each),
            }
        };
        Self { codec, keys: count, pass: Box::new(pass) }
    }
}

#[inline(never)]
fn pass<const COPY: usize, T>(keys: &[T], each: &mut impl FnMut(&T)) {
    // Shifts the loop by a number of bytes that differs between the copies.
    for step in 0..COPY {
        black_box(step);
    }
    for key in keys {
        each(black_box(key));
    }
}

/// Runs the codecs of a case in turns, and prints the best time of each. `hand` must be among them.
pub(crate) fn race(
    case: &str,
    mut lines: Vec<Line<'_>>,
    rounds: usize,
    allocator: &'static StatsAlloc<System>,
) {
    let allocs: Vec<_> = lines.iter_mut().map(|line| allocations(line, allocator)).collect();
    let mut best = vec![f64::MAX; lines.len()];
    for round in 0..rounds {
        for (line, best) in lines.iter_mut().zip(&mut best) {
            let start = Instant::now();
            for _ in 0..PASSES {
                (line.pass)(round % COPIES);
            }
            let nanos = start.elapsed().as_nanos() as f64;
            *best = best.min(nanos / f64::from(PASSES) / line.keys as f64);
        }
    }
    let hand = lines.iter().zip(&best).find(|(line, _)| line.codec == "hand");
    let hand = hand.map_or(f64::NAN, |(_, best)| *best);
    for ((line, best), allocs) in lines.iter().zip(best).zip(allocs) {
        let (codec, times) = (line.codec, best / hand);
        println!("codec={codec} case={case} ns={best:.2} x_hand={times:.2} allocs={allocs}");
    }
}

/// Returns the number of allocations per key, after reused buffers have grown.
fn allocations(line: &mut Line<'_>, allocator: &'static StatsAlloc<System>) -> String {
    (line.pass)(0);
    let region = Region::new(allocator);
    (line.pass)(0);
    let change = region.change();
    let count = change.allocations + change.reallocations;
    match count.is_multiple_of(line.keys) {
        true => (count / line.keys).to_string(),
        false => format!("{:.2}", count as f64 / line.keys as f64),
    }
}
