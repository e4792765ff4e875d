use std::alloc::System;
use std::hint::black_box;
use std::time::Instant;

use stats_alloc::{Region, StatsAlloc};

/// How often a line goes through its keys in one turn: long beside the clock, short beside what else the machine does.
const PASSES: u32 = 8;

/// How many copies there are of the loop of each line. Two loops of the same instructions differ by a third where they
/// stand differently in the lines of the cache; of several copies, the best does not.
const COPIES: usize = 8;

/// One codec at one case.
pub(crate) struct Line<'k> {
    codec: &'static str,
    keys: usize,
    /// Goes once through the keys, in one of the copies of its loop.
    pass: Box<dyn FnMut(usize) + 'k>,
}

impl<'k> Line<'k> {
    /// Does `each` with every key; what it makes is taken for used.
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
    // Moves the loop on by some bytes, in each copy by others.
    for step in 0..COPY {
        black_box(step);
    }
    for key in keys {
        each(black_box(key));
    }
}

/// Lets the lines of a case take turns, and prints the best of each. `hand` must be among them.
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

/// How often one key takes memory, once what is used again has grown.
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
