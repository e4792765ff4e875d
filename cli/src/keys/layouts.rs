//! Layouts of row keys: from a file, built in, or recorded with a live table.

use std::fs;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use serde_json::{Map, Value};
use tallrow::admin::KeyLayout;
use tallrow::key::schema::{FieldValues, RowSelection, SaltOrHash, Schema};
use tallrow::{Client, TableDescriptor};

use crate::cluster::connection::{ConnectionArguments, block_on};
use crate::cluster::tables;
use crate::failure::similar::suggestion_text;
use crate::failure::{Failure, Result};
use crate::keys::json::fields_text;

/// The flags that give a layout without a table.
#[derive(Args, Clone, Debug)]
#[group(multiple = false)]
pub(crate) struct GivenLayout {
    /// A file with the schema of the keys: a lock file, or any text or JSON of a schema
    #[arg(long, value_name = "FILE")]
    schema: Option<PathBuf>,

    /// A built-in layout
    #[arg(long, value_name = "NAME")]
    layout: Option<BuiltInLayout>,
}

impl GivenLayout {
    /// Reads the layout, if one is given, and returns it with the flag that gives it.
    pub(crate) fn read(&self) -> Result<Option<(&'static str, Layouts)>> {
        Ok(match (&self.schema, self.layout) {
            (Some(file), _) => Some(("--schema", of_file(file)?)),
            (None, Some(built_in)) => {
                Some(("--layout", parse(built_in.schema(), "the built-in layout".into())?))
            }
            (None, None) => None,
        })
    }
}

/// The flags that name a layout: one of them is needed.
#[derive(Args, Clone, Debug)]
pub(crate) struct LayoutArguments {
    #[command(flatten)]
    source: LayoutSource,

    #[command(flatten)]
    connection: ConnectionArguments,
}

#[derive(Args, Clone, Debug)]
#[group(required = true, multiple = false, args = ["schema", "layout", "table"])]
struct LayoutSource {
    #[command(flatten)]
    given: GivenLayout,

    /// A live table that records its layout: one that was created with a schema (needs --url)
    #[arg(long, value_name = "TABLE")]
    table: Option<String>,
}

/// One layout of row keys, or several layouts if not all keys of a table have the same layout.
#[derive(Debug)]
pub(crate) struct Layouts {
    all: Vec<Schema>,
    /// The name of the source, for errors.
    name: String,
}

impl LayoutArguments {
    /// Returns the flags with another cluster.
    pub(crate) fn at_url(self, url: &str) -> Self {
        Self { connection: self.connection.for_url(url), ..self }
    }

    /// Reads the layout that the flags name.
    pub(crate) fn read(&self) -> Result<Layouts> {
        match (self.source.given.read()?, &self.source.table) {
            (Some((_, given)), _) => Ok(given),
            (None, Some(table)) => {
                block_on(async { of_table(&self.connection.connect().await?, table).await })
            }
            (None, None) => Err(no_layout()),
        }
    }
}

/// Makes the failure that says which flags give a layout.
pub(crate) fn no_layout() -> Failure {
    Failure::usage("no layout of row keys is given")
        .advise("give --schema FILE, --layout NAME or --table TABLE")
}

/// Reads the layout in a file.
pub(crate) fn of_file(file: &Path) -> Result<Layouts> {
    let name = file.display().to_string();
    let text = fs::read_to_string(file).map_err(|error| {
        let advice = match name.contains(['.', '/']) {
            true => "the text of a schema is MyKey::SCHEMA, or what `tallrow key guess` proposes",
            false => {
                "--schema names a file; the layout of a table is used without it, and `tallrow \
                 key schema --table TABLE` shows it"
            }
        };
        Failure::new(format!("read the schema {name}")).caused_by(error).advise(advice)
    })?;
    parse(&text, name)
}

/// Returns the layout that a live table records.
pub(crate) async fn of_table(client: &Client, table: &str) -> Result<Layouts> {
    let descriptor = tables::describe(client, table).await?;
    if let Some(recorded) = recorded_layouts(&descriptor)? {
        return Ok(recorded);
    }
    // A row key schema of Bigtable that is there all the same is one without a layout.
    if let Ok(bigtable) = client.admin().bigtable()
        && let Some(key) = bigtable.row_key_schema(table).await?
        && let Err(error) = Schema::from_bigtable_key("Key", &key)
    {
        return Err(Failure::new(error.to_string())
            .advise(format!("the row key schema of table {table} is: {key}")));
    }
    Err(Failure::not_found(format!("table {table} records no layout of its row keys")).advise(
        "give --schema FILE; `tallrow table sample` and `tallrow key guess` help to find the \
         layout",
    ))
}

/// The flag that allows a schema other than the schema that the table records.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct OtherLayoutFlag {
    /// Go on although the table records another layout of its keys
    #[arg(long)]
    other_layout: bool,
}

impl OtherLayoutFlag {
    /// Fails, like [`check`](Self::check), if a live table records a layout other than the given
    /// one. Does not fail if the user is not allowed to describe the table.
    pub(crate) async fn check_live(
        self,
        given: (&str, &Layouts),
        client: &Client,
        table: &str,
    ) -> Result<()> {
        let descriptor = tables::describe_if_allowed(client, table).await?;
        let live = descriptor.as_ref().map(recorded_layouts).transpose()?.flatten();
        self.check(given, table, live.as_ref())
    }

    /// Fails if a table records a layout other than the given one, unless `--other-layout` allows
    /// it.
    pub(crate) fn check(
        self,
        (given_by, given): (&str, &Layouts),
        table: &str,
        live: Option<&Layouts>,
    ) -> Result<()> {
        let Some(live) = live.filter(|live| !self.other_layout && !given.is_subset_of(live)) else {
            return Ok(());
        };
        let names = |layouts: &Layouts| {
            let each = |schema: &Schema| format!("{} {:016x}", schema.name(), schema.fingerprint());
            layouts.all.iter().map(each).collect::<Vec<_>>().join(" and ")
        };
        let text = format!(
            "{table} records another layout of its row keys than {given_by}: {}, and not {}",
            names(live),
            names(given)
        );
        let instead = match given_by.starts_with("--") {
            true => format!(
                "leave out {given_by} to use the recorded layout, which `tallrow key schema \
                 --table {table}` shows"
            ),
            false => "copy to a table of the same layout, or to one that is not there yet".into(),
        };
        Err(Failure::usage(text).advise(format!(
            "{instead}; --other-layout goes on all the same, with rows that the recorded layout \
             does not find"
        )))
    }
}

/// Returns the layout that a table records, if any.
pub(crate) fn recorded_layouts(table: &TableDescriptor) -> Result<Option<Layouts>> {
    let recorded = KeyLayout::of_table(table).filter(|layout| !layout.schema().is_empty());
    let name = || format!("the schema that table {} records", table.name());
    recorded.map(|layout| parse(layout.schema(), name())).transpose()
}

fn parse(text: &str, name: String) -> Result<Layouts> {
    let all = if text.trim_start().starts_with('{') {
        Schema::from_json(text).map(|schema| vec![schema])
    } else {
        Schema::parse_layouts(text)
    };
    match all {
        Ok(all) => Ok(Layouts { all, name }),
        Err(error) => Err(Failure::new(format!("{name} is not a schema"))
            .caused_by(error)
            .advise("docs/schema.md has the grammar")),
    }
}

impl Layouts {
    /// Returns the layouts.
    pub(crate) fn all(&self) -> &[Schema] {
        &self.all
    }

    /// Whether each of these layouts is one of `others`, whatever the names of the layouts are.
    pub(crate) fn is_subset_of(&self, others: &Self) -> bool {
        // A live table of Bigtable records as much of a layout as a row key schema can hold.
        let is_of = |schema: &Schema| {
            let own = [schema.fingerprint(), schema.round_trip_through_bigtable().fingerprint()];
            others.all.iter().any(|other| own.contains(&other.fingerprint()))
        };
        self.all.iter().all(is_of)
    }

    /// Returns the only layout; fails if there are several.
    pub(crate) fn only(&self) -> Result<&Schema> {
        match &self.all[..] {
            [only] => Ok(only),
            all => {
                let names: Vec<_> = all.iter().map(Schema::name).collect();
                let text = format!("{} has {} layouts: {}", self.name, all.len(), names.join(", "));
                Err(Failure::usage(text).advise("give the schema of one of them"))
            }
        }
    }

    /// Returns the selection of the rows in which fields have these values. Fails if there are
    /// several layouts; the inner error says why the values select no rows.
    pub(crate) fn select(&self, values: &str) -> Result<Result<RowSelection, String>> {
        let schema = self.only()?;
        let selected = schema.parse_values(values).map_err(|error| error.to_string());
        let selected = selected
            .and_then(|fields| schema.select_rows(&fields).map_err(|error| error.to_string()));
        Ok(selected.map_err(|why| unknown_field_error(&self.all, values).unwrap_or(why)))
    }

    /// Returns the names under which the values of a key are given, such as the names of its
    /// fields.
    pub(crate) fn field_names(&self) -> Vec<&str> {
        names(&self.all)
    }

    /// Returns a template for writing values, for advice: `customer=.., placed=..`.
    pub(crate) fn values_template(&self) -> String {
        self.field_names().iter().map(|name| format!("{name}=..")).collect::<Vec<_>>().join(", ")
    }

    /// Decodes a row by the first layout that fits.
    ///
    /// # Errors
    /// The errors of all layouts, as one text.
    pub(crate) fn decode(&self, row: &[u8]) -> Result<(&Schema, FieldValues), String> {
        let mut errors = Vec::new();
        for schema in &self.all {
            match schema.decode(row) {
                Ok(fields) => return Ok((schema, fields)),
                Err(error) => errors.push(error.to_string()),
            }
        }
        Err(errors.join("; "))
    }

    /// Encodes values by the layout that has these fields.
    ///
    /// # Errors
    /// The error of each layout, or that several layouts have these fields.
    pub(crate) fn encode(&self, values: &str) -> Result<Vec<u8>, String> {
        self.encode_as(None, values)
    }

    /// Encodes an object in the form that `key decode --json` writes, or an object with only the
    /// fields.
    ///
    /// # Errors
    /// The errors of [`encode`](Self::encode), or what is wrong with the JSON.
    pub(crate) fn encode_json(&self, json: &str) -> Result<Vec<u8>, String> {
        let object: Map<String, Value> =
            serde_json::from_str(json).map_err(|error| format!("read JSON: {error}"))?;
        let (layout, fields) = match object.get("fields") {
            Some(Value::Object(fields)) => (object.get("layout").and_then(Value::as_str), fields),
            _ => (None, &object),
        };
        self.encode_as(layout, &fields_text(fields.iter().map(|(name, value)| (&**name, value))))
    }

    /// Encodes values by the layout with this name; without a name, by the layout that has these
    /// fields.
    fn encode_as(&self, layout: Option<&str>, values: &str) -> Result<Vec<u8>, String> {
        let (mut rows, mut errors) = (Vec::new(), Vec::new());
        let named = |schema: &&Schema| layout.is_none_or(|layout| layout == schema.name());
        for schema in self.all.iter().filter(named) {
            match schema.encode_text(values) {
                Ok(row) => rows.push((schema.name(), row)),
                Err(error) => errors.push(error.to_string()),
            }
        }
        match &mut rows[..] {
            [(_, row)] => Ok(std::mem::take(row)),
            [] if errors.is_empty() => {
                Err(format!("{} has no layout {}", self.name, layout.unwrap_or_default()))
            }
            [] => Err(unknown_field_error(&self.all, values).unwrap_or_else(|| errors.join("; "))),
            several => {
                let names: Vec<_> = several.iter().map(|(name, _)| *name).collect();
                Err(format!("the layouts {} all have these fields", names.join(", ")))
            }
        }
    }
}

/// Returns an error text if one of the values is for a field that none of these layouts has.
pub(crate) fn unknown_field_error(layouts: &[Schema], values: &str) -> Option<String> {
    let names = names(layouts);
    let fields = layouts.iter().find_map(|schema| schema.parse_values(values).ok())?;
    let (name, _) = fields.iter().find(|(name, _)| !names.contains(&name.as_str()))?;
    let like = suggestion_text(name, names.iter().copied());
    let all = names.join(", ");
    Some(match like.is_empty() {
        true => format!("the key has no field {name}; its fields are {all}"),
        false => format!("the key has no field {name}{like} Its fields are {all}"),
    })
}

/// Returns the names of the values that rows of these layouts have, each name once.
fn names(layouts: &[Schema]) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    let mut add = |name| {
        if !names.contains(&name) {
            names.push(name);
        }
    };
    for schema in layouts {
        if matches!(schema.salt_or_hash(), SaltOrHash::RandomSalt { .. }) {
            add("salt");
        }
        schema.fields().iter().for_each(|field| add(field.name()));
        if !schema.records().is_empty() {
            add("tag");
        }
        let records = schema.records().iter().flat_map(|record| record.fields());
        records.for_each(|field| add(field.name()));
    }
    names
}

/// A layout with a name.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum BuiltInLayout {
    /// OpenTSDB's data table with ids of 3 bytes, without a salt
    Opentsdb,
}

impl BuiltInLayout {
    /// Returns the text of the layout's schema.
    pub(crate) fn schema(self) -> &'static str {
        match self {
            Self::Opentsdb => {
                "row key OpenTsdb\nmetric: uid 3\nbase: u32, floor = 3600, display_time = s\n\
                 tags: 8 tag pairs of uid 3 and uid 3\n"
            }
        }
    }

    /// Returns the rule that keys of this layout follow, and that other keys are unlikely to
    /// follow.
    pub(crate) fn key_rule(self) -> &'static str {
        match self {
            Self::Opentsdb => {
                "an id of 3 bytes, a full hour in seconds, and pairs of ids sorted by the first"
            }
        }
    }
}
