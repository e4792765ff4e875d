//! Generators of the values of key fields, as they are given with `--field`.

use tallrow::key::schema::{Time, Unit};
use tallrow::simulate::{Clock, ValueGenerator, Zipf};

use crate::failure::{Failure, Result};

/// The part of the help text after the flags.
pub(super) const HELP: &str = "\
A generator is one of:
  sequence[:FIRST]         FIRST (0), FIRST + 1, ..: ids in the order of writing
  zipf:COUNT[,EXPONENT]    numbers below COUNT, of which low ones are frequent (exponent 1)
  random[:COUNT]           numbers below COUNT, or anything that the field can hold
  clock:FROM,TO[,LATE]     the time of writing, up to LATE earlier; dates (LATE in ms) or numbers
  uuid                     random UUIDs
  values:A,B,..            one of these; for the field tag, one of the record variants
  column:NAME              a column of --csv, or a field of the keys of --table
A field without one takes the column of its name.

Examples:
  tallrow simulate --schema event.key --field user=zipf:100000 \\
    --field at=clock:2024-01-01,2024-01-02 --regions 16
  tallrow simulate --schema by_time.key --schema by_user.key --csv events.csv \\
    --regions 16 --split-by sample --html report.html
  tallrow simulate --schema event.key --table events --splits splits.txt --fail-above 1.2 --url \
  hbase+zk://localhost:2181";

/// A generator, and the name of its field.
#[derive(Debug)]
pub(super) struct Generator {
    pub(super) field: String,
    /// The text of the generator as it was given.
    pub(super) text: String,
    pub(super) kind: GeneratorKind,
}

#[derive(Debug)]
pub(super) enum GeneratorKind {
    Sequence {
        first: u64,
    },
    Zipf(Zipf),
    Below(u64),
    Random,
    Clock {
        clock: Clock,
        /// Whether the times of the clock are milliseconds.
        is_millis: bool,
    },
    Uuid,
    Values(Vec<String>),
    Column(String),
}

/// What a generator draws for one key, before the type of the field is considered.
#[derive(Clone, Copy, Debug)]
pub(super) enum Drawn {
    Number(i128),
    /// Milliseconds since 1970.
    Millis(i64),
    Random([u8; 32]),
    Uuid([u8; 16]),
    /// The index of a value in a list.
    Item(usize),
    /// Nothing: the value is in a column of the record.
    Column,
}

impl GeneratorKind {
    pub(super) fn draw(&self, draw: &mut ValueGenerator) -> Drawn {
        match self {
            Self::Sequence { first } => {
                Drawn::Number(i128::from(*first) + i128::from(draw.index()))
            }
            Self::Zipf(zipf) => Drawn::Number(draw.zipf(zipf).into()),
            Self::Below(end) => Drawn::Number(draw.below(*end).into()),
            Self::Random => Drawn::Random(draw.bytes()),
            Self::Clock { clock, is_millis: true } => Drawn::Millis(draw.time(clock)),
            Self::Clock { clock, is_millis: false } => Drawn::Number(draw.time(clock).into()),
            Self::Uuid => Drawn::Uuid(draw.uuid()),
            Self::Values(values) => Drawn::Item(draw.below(values.len() as u64) as usize),
            Self::Column(_) => Drawn::Column,
        }
    }
}

impl Generator {
    /// Parses a field and its generator, such as `user=zipf:100000`.
    pub(super) fn read(text: &str) -> Result<Self> {
        let wrong = |why: String| {
            Failure::usage(format!("--field {text}: {why}"))
                .advise("`tallrow simulate --help` lists the generators; one is user=zipf:100000")
        };
        let (field, generator) =
            text.split_once('=').ok_or_else(|| wrong("it is not FIELD=GENERATOR".into()))?;
        let kind = kind(generator.trim()).map_err(wrong)?;
        Ok(Self { field: field.trim().into(), text: generator.trim().into(), kind })
    }

    /// Whether the generator takes the values of a column of the records.
    pub(super) fn is_column(&self) -> bool {
        matches!(self.kind, GeneratorKind::Column(_))
    }
}

fn kind(text: &str) -> Result<GeneratorKind, String> {
    let (name, arguments) = match text.split_once(':') {
        Some((name, arguments)) => (name, arguments.split(',').map(str::trim).collect()),
        None => (text, Vec::new()),
    };
    match (name, &arguments[..]) {
        ("sequence", []) => Ok(GeneratorKind::Sequence { first: 0 }),
        ("sequence", [first]) => Ok(GeneratorKind::Sequence { first: number(first)? }),
        ("zipf", [count]) => zipf(count, "1"),
        ("zipf", [count, exponent]) => zipf(count, exponent),
        ("random", []) => Ok(GeneratorKind::Random),
        ("random", [count]) => match number(count)? {
            0 => Err("there are no numbers below 0".into()),
            count => Ok(GeneratorKind::Below(count)),
        },
        ("clock", [from, to]) => clock(from, to, "0"),
        ("clock", [from, to, late]) => clock(from, to, late),
        ("uuid", []) => Ok(GeneratorKind::Uuid),
        ("values", [_, ..]) => {
            Ok(GeneratorKind::Values(arguments.iter().map(|value| (*value).into()).collect()))
        }
        ("column", [name]) => Ok(GeneratorKind::Column((*name).into())),
        ("sequence" | "zipf" | "random" | "clock" | "uuid" | "values" | "column", _) => {
            Err(format!("{name} does not take {} arguments", arguments.len()))
        }
        _ => Err(format!(
            "{name:?} is none of sequence, zipf, random, clock, uuid, values and column"
        )),
    }
}

fn number(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("{text:?} is not a whole number"))
}

fn zipf(count: &str, exponent: &str) -> Result<GeneratorKind, String> {
    let exponent = exponent.parse().map_err(|_| format!("{exponent:?} is not a number"))?;
    Zipf::new(number(count)?, exponent).map(GeneratorKind::Zipf).map_err(|error| error.to_string())
}

fn clock(from: &str, to: &str, late: &str) -> Result<GeneratorKind, String> {
    let as_number = |text: &str| text.parse::<i64>().ok();
    let (times, is_millis) = match (as_number(from), as_number(to)) {
        (Some(from), Some(to)) => (from..to, false),
        _ => (date(from)?..date(to)?, true),
    };
    let clock = Clock::new(times).map_err(|error| error.to_string())?;
    Ok(GeneratorKind::Clock { clock: clock.with_max_delay(number(late)?), is_millis })
}

/// Parses a date, or a date with a time, into milliseconds since 1970.
fn date(text: &str) -> Result<i64, String> {
    let midnight = || Time::read(&format!("{text}T00:00:00Z"), Unit::Millis);
    let time = Time::read(text, Unit::Millis).or_else(midnight);
    time.and_then(|time| i64::try_from(time.count).ok()).ok_or_else(|| {
        format!("{text:?} is neither a number nor a date as 2023-11-14 or 2023-11-14T22:13:20Z")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_generator_of_the_help_is_read() {
        for text in [
            "sequence",
            "sequence:7",
            "zipf:10",
            "zipf:10,0.8",
            "random",
            "random:9",
            "clock:2023-11-14,2023-11-15",
            "clock:2023-11-14T22:13:20Z,2023-11-15,500",
            "clock:5,9,1",
            "uuid",
            "values:a,b",
            "column:user id",
        ] {
            let generator = Generator::read(&format!("user = {text}")).unwrap();
            assert_eq!((generator.field.as_str(), generator.text.as_str()), ("user", text));
            let name = text.split(':').next().unwrap();
            assert!(HELP.contains(&format!("\n  {name}")), "{name}");
        }
    }

    #[test]
    fn mistakes_are_named() {
        for (text, why) in [
            ("user", "it is not FIELD=GENERATOR"),
            ("user=zpif:10", "\"zpif\" is none of sequence"),
            ("user=zipf", "zipf does not take 0 arguments"),
            ("user=zipf:many", "\"many\" is not a whole number"),
            ("user=zipf:0", "at least one number"),
            ("user=random:0", "no numbers below 0"),
            ("at=clock:2023-11-15,2023-11-14", "it has to end after it starts"),
            ("at=clock:soon,9", "\"soon\" is neither a number nor a date"),
        ] {
            let error = Generator::read(text).unwrap_err().to_string();
            assert!(error.starts_with(&format!("--field {text}: ")), "{error}");
            assert!(error.contains(why) && error.contains("next: "), "{error}");
        }
    }
}
