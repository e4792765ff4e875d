//! A key design: a schema, and the sources of the values of its fields.

use tallrow::key::schema::{Field, SaltOrHash, Schema, Value};
use tallrow::simulate::ValueGenerator;

use super::field_value::{drawn_value, text_value};
use super::generator::{Drawn, Generator, GeneratorKind};
use super::records::{RecordContent, Records};
use crate::failure::{Failure, Result};

/// A key design: a schema with a source of values for each field.
#[derive(Debug)]
pub(super) struct Design<'g> {
    pub(super) name: String,
    pub(super) schema: Schema,
    generators: &'g [Generator],
    sources: Vec<FieldSource>,
    /// The index of the generator that chooses the record variant, and the numbers of the variants
    /// from which it chooses.
    variants: Option<(usize, Vec<usize>)>,
    records: Option<DesignRecords>,
}

/// A field, and the source of its values.
#[derive(Debug)]
struct FieldSource {
    field: Field,
    /// The number of the record variant that has the field; none if all keys have it.
    variant: Option<usize>,
    source: ValueSource,
}

/// The source of the values of a field.
#[derive(Debug)]
enum ValueSource {
    /// The generator with this index.
    Generator(usize),
    /// One of these values, chosen by the generator with this index.
    Values(usize, Vec<Value>),
    /// The value with this index in a record.
    Record(usize),
}

/// The name of the generator that chooses the record variant.
const VARIANT_COLUMN: &str = "tag";

impl ValueSource {
    /// Returns the value of a field, from the values that the generators drew or from the record.
    fn value(&self, field: &Field, drawn: &[Drawn], record: Option<&[Value]>) -> Option<Value> {
        match self {
            Self::Generator(at) => drawn_value(field, *drawn.get(*at)?),
            Self::Values(at, values) => match drawn.get(*at)? {
                Drawn::Item(item) => values.get(*item).cloned(),
                _ => None,
            },
            Self::Record(at) => record?.get(*at).cloned(),
        }
    }
}

/// The values that a design takes from each record.
#[derive(Debug)]
struct DesignRecords {
    values: Vec<Vec<Value>>,
    /// The line number of each record; empty for records of a table.
    lines: Vec<u64>,
    name: String,
}

impl<'g> Design<'g> {
    /// Makes a design, and finds the source of each field's values: a generator or a column of the
    /// records.
    pub(super) fn new(
        schema: Schema,
        generators: &'g [Generator],
        records: Option<&Records>,
    ) -> Result<Self> {
        let variants = variants(&schema, generators)?;
        let (mut sources, mut columns) = (Vec::new(), Vec::new());
        for (variant, field) in fields(&schema) {
            let mut column = |number: usize| {
                columns.push((field.clone(), number));
                ValueSource::Record(columns.len() - 1)
            };
            let given = generators.iter().position(|generator| generator.field == field.name());
            let source = match given.and_then(|at| Some((at, generators.get(at)?))) {
                Some((at, generator)) => source(&schema, field, at, generator, records, column)?,
                None => match records.and_then(|records| records.column(field.name())) {
                    Some(number) => column(number),
                    None => return Err(no_generator(&schema, field, records)),
                },
            };
            sources.push(FieldSource { field: field.clone(), variant, source });
        }
        let records = match (records, columns.is_empty()) {
            (Some(records), false) => Some(DesignRecords::new(&schema, &columns, records)?),
            _ => None,
        };
        Ok(Self { name: schema.name().into(), schema, generators, sources, variants, records })
    }

    /// Returns whether the key has a field with this name.
    pub(super) fn has(&self, field: &str) -> bool {
        let is_variant = field == VARIANT_COLUMN && self.variants.is_some();
        is_variant || self.sources.iter().any(|source| source.field.name() == field)
    }

    /// Returns whether any value is taken from a record.
    pub(super) fn uses_records(&self) -> bool {
        self.records.is_some()
    }

    /// Returns the values of the next key.
    ///
    /// All generators draw a value, even generators for fields that only other designs have, so
    /// that all designs are simulated with the same events.
    pub(super) fn values(&self, draw: &mut ValueGenerator) -> Vec<(&str, Value)> {
        let record = self.records.as_ref().and_then(|records| records.draw(draw));
        let drawn: Vec<Drawn> =
            self.generators.iter().map(|generator| generator.kind.draw(draw)).collect();
        let random = draw.random_u64();

        let mut values = Vec::with_capacity(self.sources.len() + 1);
        if let SaltOrHash::RandomSalt { buckets, .. } = self.schema.salt_or_hash() {
            values.push(("salt", Value::from(random % u64::from(*buckets))));
        }
        let variant = self.variants.as_ref().and_then(|(at, all)| match drawn.get(*at) {
            Some(Drawn::Item(item)) => all.get(*item).copied(),
            _ => None,
        });
        if let Some(record) = variant.and_then(|at| self.schema.records().get(at)) {
            values.push((VARIANT_COLUMN, Value::Variant(record.name().into())));
        }
        for FieldSource { field, variant: own, source } in &self.sources {
            if own.is_none() || *own == variant {
                let value = source.value(field, &drawn, record).unwrap_or(Value::None);
                values.push((field.name(), value));
            }
        }
        values
    }

    /// Returns the file and the line number of the record from which the key is made; none if the
    /// record is not a line of a file.
    pub(super) fn record_place(&self, draw: &ValueGenerator) -> Option<String> {
        let records = self.records.as_ref()?;
        let line = draw.pick_by_progress(&records.lines)?;
        Some(format!("{}, line {line}", records.name))
    }
}

impl DesignRecords {
    fn new(schema: &Schema, columns: &[(Field, usize)], records: &Records) -> Result<Self> {
        let (mut all, mut numbers) = (Vec::with_capacity(records.len()), Vec::new());
        match &records.content {
            RecordContent::Lines(lines) => {
                for (line, record) in lines {
                    let values = columns.iter().map(|(field, column)| {
                        let text = record.get(*column).unwrap_or_default();
                        text_value(schema, field, text).map_err(|error| {
                            Failure::new(format!("{}, line {line}: {error}", records.name)).advise(
                                "correct the line, or give the field a generator or another \
                                 column with --field",
                            )
                        })
                    });
                    all.push(values.collect::<Result<Vec<_>>>()?);
                    numbers.push(*line);
                }
            }
            RecordContent::Keys(keys) => {
                for key in keys {
                    let value = |(_, column): &(Field, usize)| key.get(*column).cloned();
                    all.push(
                        columns.iter().map(|c| value(c).unwrap_or(Value::None)).collect::<Vec<_>>(),
                    );
                }
            }
        }
        Ok(Self { values: all, lines: numbers, name: records.name.clone() })
    }

    /// Returns the next record: the next line of a file, because lines are in the order of time, or
    /// a random key of a table, because these keys are sorted.
    fn draw(&self, draw: &mut ValueGenerator) -> Option<&[Value]> {
        let record = match self.lines.is_empty() {
            false => draw.pick_by_progress(&self.values),
            true => draw.pick(&self.values),
        };
        record.map(Vec::as_slice)
    }
}

/// Returns the fields of a schema, each with the number of the record variant that has it; none if
/// all keys have the field.
pub(super) fn fields(schema: &Schema) -> impl Iterator<Item = (Option<usize>, &Field)> {
    let of_all = schema.fields().iter().map(|field| (None, field));
    let variants = schema.records().iter().enumerate();
    of_all.chain(
        variants
            .flat_map(|(at, record)| record.fields().iter().map(move |field| (Some(at), field))),
    )
}

/// Finds the generator that chooses the record variant, if the key has record variants.
fn variants(schema: &Schema, generators: &[Generator]) -> Result<Option<(usize, Vec<usize>)>> {
    if schema.records().is_empty() {
        return Ok(None);
    }
    let names: Vec<&str> = schema.records().iter().map(|record| record.name()).collect();
    let wrong = |why: &str| {
        Failure::usage(format!("{} has record variants, and {why}", schema.name()))
            .advise(format!("give --field {VARIANT_COLUMN}=values:{}", names.join(",")))
    };
    let given =
        generators.iter().enumerate().find(|(_, generator)| generator.field == VARIANT_COLUMN);
    let (at, generator) = given.ok_or_else(|| wrong("no generator chooses one"))?;
    let GeneratorKind::Values(texts) = &generator.kind else {
        return Err(wrong(&format!("{VARIANT_COLUMN}={} does not list some", generator.text)));
    };
    let number = |text: &String| {
        let found = names.iter().position(|name| name == text);
        found.ok_or_else(|| wrong(&format!("{text} is none of them")))
    };
    Ok(Some((at, texts.iter().map(number).collect::<Result<_>>()?)))
}

fn source(
    schema: &Schema,
    field: &Field,
    at: usize,
    generator: &Generator,
    records: Option<&Records>,
    column: impl FnOnce(usize) -> ValueSource,
) -> Result<ValueSource> {
    let wrong = |why: String| {
        Failure::usage(format!("--field {}={}: {why}", generator.field, generator.text))
    };
    match &generator.kind {
        GeneratorKind::Column(name) => {
            let Some(records) = records else {
                return Err(wrong("there are no records".into())
                    .advise("give --csv FILE, or --table TABLE for the keys of a live table"));
            };
            let number = records.column(name).ok_or_else(|| {
                wrong(format!("{} has no column {name:?}", records.name))
                    .advise(format!("its columns are {}", records.columns.join(", ")))
            })?;
            Ok(column(number))
        }
        GeneratorKind::Values(texts) => {
            let values = texts.iter().map(|text| text_value(schema, field, text));
            let values = values.collect::<Result<Vec<_>, _>>().map_err(wrong)?;
            Ok(ValueSource::Values(at, values))
        }
        kind => {
            let drawn = match kind {
                GeneratorKind::Random => Drawn::Random([0; 32]),
                GeneratorKind::Uuid => Drawn::Uuid([0; 16]),
                GeneratorKind::Clock { is_millis: true, .. } => Drawn::Millis(0),
                _ => Drawn::Number(0),
            };
            match drawn_value(field, drawn) {
                Some(_) => Ok(ValueSource::Generator(at)),
                None => Err(wrong(format!(
                    "a field of type {} of {} does not take it",
                    field.ty(),
                    schema.name()
                ))
                .advise("values: and column: fit a field of any type")),
            }
        }
    }
}

fn no_generator(schema: &Schema, field: &Field, records: Option<&Records>) -> Failure {
    let (name, field_type) = (field.name(), field.ty());
    let text = format!("field {name} ({field_type}) of {} has no generator", schema.name());
    Failure::usage(text).advise(match records {
        Some(records) => format!(
            "give --field {name}=GENERATOR, or --field {name}=column:NAME with a column of {}: {}",
            records.name,
            records.columns.join(", ")
        ),
        None => format!(
            "give --field {name}=GENERATOR, for example {name}=zipf:100000; --help lists the \
             generators"
        ),
    })
}
