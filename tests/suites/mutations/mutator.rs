//! Changes of bytes at random.

use tallrow_tests::Random;

/// The bytes that lengths, tags and signs begin or end with.
const EDGES: [u8; 12] = [0, 1, 2, 4, 0x1F, 0x30, 0x7F, 0x80, 0x84, 0xA0, 0xFE, 0xFF];
/// Numbers at which lengths and times overflow.
const NUMBERS: [u64; 10] = [
    0,
    1,
    0x7F,
    0xFFFF,
    0x10_0000,
    0x3FFF_FFFF,
    0x7FFF_FFFF,
    0xFFFF_FFFF,
    0x7FFF_FFFF_FFFF_FFFF,
    u64::MAX,
];
/// An input grows no further than this.
const LONGEST: usize = 1 << 14;

/// Changes inputs at random, from a seed.
pub(crate) struct Mutator {
    random: Random,
    /// What may be inserted into a text.
    words: &'static [&'static str],
}

impl Mutator {
    pub(crate) fn new(words: &'static [&'static str]) -> Self {
        Self { random: Random::new(0x7a11, 0), words }
    }

    /// Returns one of the inputs with up to four changes.
    pub(crate) fn changed(&mut self, inputs: &[Vec<u8>]) -> Vec<u8> {
        let mut input = self.random.pick(inputs).clone();
        for _ in 0..=self.random.below(4) {
            self.change(&mut input, inputs);
        }
        input.truncate(LONGEST);
        input
    }

    fn change(&mut self, input: &mut Vec<u8>, inputs: &[Vec<u8>]) {
        let random = &mut self.random;
        let at = random.index(input.len() + 1);
        match random.below(9) {
            0 => set(input, at, &[*random.pick(&EDGES)]),
            1 => {
                if let Some(byte) = input.get_mut(at) {
                    *byte ^= 1 << random.below(8);
                }
            }
            2 => {
                let number = random.pick(&NUMBERS).to_be_bytes();
                let len = *random.pick(&[2, 4, 8]);
                set(input, at, &number[8 - len..]);
            }
            // The lengths around a place are often wrong by one.
            3 => {
                if let Some(byte) = input.get_mut(at) {
                    *byte = byte.wrapping_add(*random.pick(&[1, 0xFF]));
                }
            }
            4 => input.truncate(at),
            5 => {
                let end = at + random.index(input.len() - at + 1).min(64);
                input.drain(at..end);
            }
            6 => {
                let end = at + random.index(input.len() - at + 1).min(64);
                let part = input[at..end].repeat(1 + random.index(8));
                input.splice(at..at, part);
            }
            7 => {
                let other = random.pick(inputs);
                let from = random.index(other.len() + 1);
                input.truncate(at);
                input.extend_from_slice(&other[from..]);
            }
            _ => {
                let word = match self.words {
                    [] => vec![*random.pick(&EDGES); 1 + random.index(4)],
                    words => random.pick(words).as_bytes().to_vec(),
                };
                input.splice(at..at, word);
            }
        }
    }
}

/// Writes bytes over those at a place, as many as there are.
fn set(input: &mut [u8], at: usize, bytes: &[u8]) {
    input.iter_mut().skip(at).zip(bytes).for_each(|(to, byte)| *to = *byte);
}
