//! A line of a CSV or JSON file: its bytes, and its values by name.

use std::collections::HashMap;
use std::sync::Arc;

use bytes::Bytes;
use csv::ByteRecord;
use serde_json::{Map, Value};

/// A line of a file; in CSV, a record, which may extend over several lines.
#[derive(Debug)]
pub(super) struct Record {
    /// The number of the record's first line in the file.
    pub(super) line: u64,
    /// The bytes of the record in the file.
    pub(super) raw: Bytes,
    /// The values of the record, or why there are none.
    pub(super) values: Result<Values, String>,
}

/// The values of a line by their names.
#[derive(Debug)]
pub(super) enum Values {
    Csv { header: Arc<Header>, record: ByteRecord },
    Json(Map<String, Value>),
}

/// The names in the first line of a CSV file.
#[derive(Debug)]
pub(super) struct Header {
    pub(super) names: Vec<String>,
    places: HashMap<String, usize>,
}

impl Header {
    pub(super) fn new(record: &ByteRecord) -> Result<Self, String> {
        let (mut names, mut places) = (Vec::new(), HashMap::new());
        for (place, name) in record.iter().enumerate() {
            let name =
                text(name).map_err(|why| format!("the name of column {}: {why}", place + 1))?;
            // Spreadsheets begin files with a byte order mark, which is not a part of the name.
            let name =
                if place == 0 { name.strip_prefix('\u{feff}').unwrap_or(name) } else { name };
            if places.insert(name.to_owned(), place).is_some() {
                return Err(format!("two columns are named {name:?}"));
            }
            names.push(name.to_owned());
        }
        Ok(Self { names, places })
    }
}

impl Values {
    /// Returns the value with this name; none if it is missing, if it is null in JSON, or if it
    /// equals `null`, the text for no value, in CSV.
    pub(super) fn get(&self, name: &str, null: &str) -> Result<Option<Value>, String> {
        match self {
            Self::Csv { header, record } => {
                let Some(found) = header.places.get(name).and_then(|place| record.get(*place))
                else {
                    return Ok(None);
                };
                let found = text(found).map_err(|why| format!("column {name}: {why}"))?;
                Ok((found != null).then(|| Value::from(found)))
            }
            Self::Json(values) => match values.get(name) {
                None | Some(Value::Null) => Ok(None),
                Some(found) => Ok(Some(found.clone())),
            },
        }
    }
}

fn text(bytes: &[u8]) -> Result<&str, String> {
    std::str::from_utf8(bytes)
        .map_err(|error| format!("byte {} is not UTF-8", error.valid_up_to() + 1))
}
