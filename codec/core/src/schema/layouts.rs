//! The schemas of a key that has several layouts.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::error::{SchemaError, SchemaPlace};
use super::model::Schema;
use tallrow_layout::Position;
use tallrow_layout::fingerprint::{fingerprint, hex};

impl Schema {
    /// Returns the schemas of all layouts of a key, from the text of an enum with
    /// `#[row_key(layouts)]`; from the text of any other key, its only schema.
    ///
    /// At most one of the layouts decodes a row.
    ///
    /// # Errors
    /// The errors of [`parse`](Schema::parse) for each layout; also when the last line is not the
    /// fingerprint of all layouts together.
    ///
    /// ```
    /// use tallrow_codec::RowKey;
    /// use tallrow_codec::schema::Schema;
    ///
    /// #[derive(RowKey)]
    /// struct Old {
    ///     user: u16,
    /// }
    ///
    /// #[derive(RowKey)]
    /// struct New {
    ///     user: u32,
    /// }
    ///
    /// #[derive(RowKey)]
    /// #[row_key(layouts)]
    /// enum User {
    ///     Old(Old),
    ///     New(New),
    /// }
    ///
    /// let layouts = Schema::parse_layouts(User::SCHEMA)?;
    /// let rows = [Old { user: 7 }.encode().to_vec(), New { user: 7 }.encode().to_vec()];
    /// for (row, name) in rows.iter().zip(["Old", "New"]) {
    ///     let of: Vec<&str> =
    ///         layouts.iter().filter(|l| l.decode(row).is_ok()).map(Schema::name).collect();
    ///     assert_eq!(of, [name]);
    /// }
    /// # Ok::<(), tallrow_codec::schema::SchemaError>(())
    /// ```
    pub fn parse_layouts(text: &str) -> Result<Vec<Self>, SchemaError> {
        let (body, given) = match last_line(text) {
            (body, Some(line)) if ends_in_fingerprint(body) => (body, Some(line)),
            _ => (text, None),
        };
        let mut layouts = Vec::new();
        let mut above = 0;
        for part in parts(body) {
            layouts.push(Self::parse(part).map_err(|error| error.shifted_down(above))?);
            above += part.lines().count();
        }
        let own: String = hex(fingerprint(body.as_bytes())).map(char::from).iter().collect();
        match given {
            Some(given) if given != own => {
                let message = alloc::format!(
                    "the fingerprint of all layouts is {own}, found {given}; the text or one of \
                     its layouts was changed by hand"
                );
                let column = "fingerprint ".len() + 1;
                Err(SchemaError {
                    place: SchemaPlace::Text(Position { line: above + 1, column }),
                    message,
                })
            }
            _ => Ok(layouts),
        }
    }

    /// Returns the text of several layouts of one key, which [`parse_layouts`](Self::parse_layouts)
    /// reads: the text of each layout, in this order, and the fingerprint of all layouts together.
    ///
    /// ```
    /// use tallrow_codec::schema::Schema;
    ///
    /// let all = [
    ///     Schema::parse("row key Old\nuser: u16\n")?,
    ///     Schema::parse("row key New\nuser: u32\n")?,
    /// ];
    /// let text = Schema::layouts_text(&all);
    /// assert_eq!(Schema::parse_layouts(&text)?.len(), 2);
    /// # Ok::<(), tallrow_codec::schema::SchemaError>(())
    /// ```
    pub fn layouts_text(layouts: &[Self]) -> String {
        let body: String = layouts.iter().map(ToString::to_string).collect();
        let own: String = hex(fingerprint(body.as_bytes())).map(char::from).iter().collect();
        alloc::format!("{body}fingerprint {own}\n")
    }
}

/// Returns the text before the last line, and the fingerprint in that line if there is one.
fn last_line(text: &str) -> (&str, Option<&str>) {
    let whole = text.trim_end_matches(['\n', '\r']);
    let at = whole.rfind('\n').map_or(0, |end| end + 1);
    let (body, line) = whole.split_at(at);
    (body, line.strip_prefix("fingerprint "))
}

/// Returns whether the text of a layout ends with its own fingerprint.
fn ends_in_fingerprint(body: &str) -> bool {
    last_line(body).1.is_some()
}

/// Returns the text of each layout: from one line that names a key to the next.
fn parts(body: &str) -> Vec<&str> {
    let mut starts: Vec<usize> = body.match_indices("\nrow key ").map(|(at, _)| at + 1).collect();
    starts.insert(0, 0);
    let ends = starts.iter().skip(1).copied().chain([body.len()]);
    starts.iter().zip(ends).filter_map(|(start, end)| body.get(*start..end)).collect()
}
