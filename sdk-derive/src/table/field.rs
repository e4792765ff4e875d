//! The attributes of a field: `#[key]`, `#[cell("d:q")]`, `#[cells("d:*")]`, `#[flatten]`.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::{Attribute, Expr, Ident, Lit, LitByteStr, LitInt, LitStr, Meta, Path};

use super::message;
use super::phoenix::PhoenixQualifiers;
use crate::kernel::{Bytes, Entries, Entry, Errors, Value as Given, span};

/// The attribute of a field, which determines the kind of the field.
pub(super) enum FieldAttr {
    Key,
    Cell(Column, CellPart),
    Cells(Column, Option<Codec>),
    Flatten {
        family: Option<LitStr>,
        prefix: Option<LitStr>,
    },
    /// In a projection: a cell of the table's type. The field of that cell has this name or, if no
    /// name is given, the name of the field in the projection.
    Named(Option<Ident>),
}

/// The kind of type that contains the field.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum FieldOwner {
    Row,
    Projection,
    Group,
}

/// A family and a qualifier or, for a range of columns, a family and a prefix of qualifiers.
#[derive(Clone)]
pub(super) struct Column {
    pub(super) family: String,
    pub(super) qualifier: Vec<u8>,
    pub(super) span: Span,
}

/// The part of a cell that a field holds.
pub(super) enum CellPart {
    Value(Box<CellOptions>),
    Versions { codec: Option<Codec>, most: Option<LitInt> },
    Timestamp,
    RowVersion,
}

/// The options of a cell for a field that holds the newest value of the cell.
pub(super) struct CellOptions {
    pub(super) codec: Option<Codec>,
    /// The value for an absent cell; without an expression, the default value of the type.
    pub(super) default: Option<Option<Expr>>,
    pub(super) rules: ValueChecks,
}

/// The checks of a value before it is written.
#[derive(Default)]
pub(super) struct ValueChecks {
    pub(super) range: Option<Expr>,
    pub(super) validate: Option<Path>,
}

/// The names of this library's codecs.
const CODECS: [&str; 6] = ["json", "cbor", "ordered", "phoenix", "protobuf", "native"];

/// A codec: the name of one of this library's codecs, or a type.
pub(super) struct Codec(pub(super) Path);

impl FieldAttr {
    /// Returns the attribute of a field. If it is missing or wrong, reports this and returns
    /// `None`.
    pub(super) fn parse(
        field: &syn::Field,
        owner: FieldOwner,
        phoenix: Option<PhoenixQualifiers>,
        errors: &mut Errors,
    ) -> Option<Self> {
        let mut found = Vec::new();
        for attr in &field.attrs {
            let path = attr.path();
            if path.is_ident("key") {
                match attr.meta.require_path_only() {
                    Ok(_) => found.push(Some(Self::Key)),
                    Err(_) => {
                        errors.report_at_tokens(attr, message::KEY_TAKES_NOTHING);
                        found.push(None);
                    }
                }
            } else if path.is_ident("cell") {
                found.push(Self::cell(attr, owner, phoenix, errors));
            } else if path.is_ident("cells") {
                found.push(Self::cells(attr, errors));
            } else if path.is_ident("flatten") {
                found.push(Self::flatten(attr, errors));
            }
            if found.len() > 1 {
                errors.report_at_tokens(attr, message::ONE_ATTRIBUTE_PER_FIELD);
                return None;
            }
        }
        match found.pop() {
            Some(found) => found,
            None if owner == FieldOwner::Projection => Some(Self::Named(None)),
            None => {
                let in_group = owner == FieldOwner::Group;
                let text = if in_group {
                    message::GROUP_FIELD_WITHOUT_ATTRIBUTE
                } else {
                    message::FIELD_WITHOUT_ATTRIBUTE
                };
                errors.report_at_tokens(field, text);
                None
            }
        }
    }

    fn cell(
        attr: &Attribute,
        owner: FieldOwner,
        phoenix: Option<PhoenixQualifiers>,
        errors: &mut Errors,
    ) -> Option<Self> {
        let before = errors.len();
        let projection = owner == FieldOwner::Projection;
        let expected = if projection {
            message::PROJECTED_CELL_TAKES_A_FIELD
        } else {
            message::CELL_TAKES_A_COLUMN
        };
        let (column, mut options) = Entries::after_bytes(attr, expected, errors)?;
        let Some(column) = column else {
            let named = if projection { named(options) } else { None };
            if named.is_none() && errors.len() == before {
                errors.report_at_tokens(attr, expected);
            }
            return named;
        };
        let encoded =
            options.read("encoded", |entry, errors| Some(encoded(entry, phoenix, errors)));
        let role = role(options);
        let column = match encoded {
            Some(qualifier) => encoded_column(&column, qualifier.value?, errors)?,
            None => split(&column, message::CELL_TAKES_A_COLUMN, errors)?,
        };
        (errors.len() == before).then_some(Self::Cell(column, role))
    }

    fn cells(attr: &Attribute, errors: &mut Errors) -> Option<Self> {
        let before = errors.len();
        let (column, mut options) =
            Entries::after_bytes(attr, message::CELLS_TAKE_A_RANGE, errors)?;
        let codec = options.read("codec", codec).map(|codec| codec.value);
        let errors = options.finish();
        let Some(column) = column else {
            errors.report_at_tokens(attr, message::CELLS_TAKE_A_RANGE);
            return None;
        };
        let range = split(&column, message::CELLS_TAKE_A_RANGE, errors)?;
        let Some(prefix) = range.qualifier.strip_suffix(b"*") else {
            errors.report_at_span(range.span, message::CELLS_TAKE_A_RANGE);
            return None;
        };
        let qualifier = prefix.to_vec();
        (errors.len() == before).then_some(Self::Cells(Column { qualifier, ..range }, codec))
    }

    fn flatten(attr: &Attribute, errors: &mut Errors) -> Option<Self> {
        if let Meta::Path(_) = &attr.meta {
            return Some(Self::Flatten { family: None, prefix: None });
        }
        let before = errors.len();
        let (text, mut options) = Entries::after_string(attr, message::FLATTEN_ARGUMENTS, errors)?;
        let family = options.read("family", Entry::string).map(|family| family.value);
        let prefix = options.read("prefix", Entry::string).map(|prefix| prefix.value);
        let errors = options.finish();
        if let Some(text) = text {
            errors.report_at_tokens(&text, message::FLATTEN_ARGUMENTS);
        }
        (errors.len() == before).then_some(Self::Flatten { family, prefix })
    }
}

/// Reads `encoded = 11`, and returns the qualifier of the Phoenix column with this number.
fn encoded(
    entry: &Entry,
    phoenix: Option<PhoenixQualifiers>,
    errors: &mut Errors,
) -> Option<Vec<u8>> {
    let Some(phoenix) = phoenix else {
        errors.report_at_tokens(&entry.name, message::needs_phoenix("encoded"));
        return None;
    };
    let qualifier = phoenix.qualifier(entry.number(errors)?);
    qualifier.map_err(|text| errors.report_at_span(entry.span(), text)).ok()
}

fn encoded_column(family: &Bytes, qualifier: Vec<u8>, errors: &mut Errors) -> Option<Column> {
    match String::from_utf8(family.bytes.clone()) {
        Ok(name) if !name.is_empty() && !name.contains(':') => {
            Some(Column { family: name, qualifier, span: family.span })
        }
        _ => {
            errors.report_at_span(family.span, message::ENCODED_CELL_NAMES_ONLY_FAMILY);
            None
        }
    }
}

fn split(text: &Bytes, message: &str, errors: &mut Errors) -> Option<Column> {
    let (family, qualifier) = match text.bytes.iter().position(|byte| *byte == b':') {
        Some(colon) if colon > 0 => (text.bytes.get(..colon)?, text.bytes.get(colon + 1..)?),
        _ => {
            errors.report_at_span(text.span, message);
            return None;
        }
    };
    let Ok(family) = String::from_utf8(family.to_vec()) else {
        errors.report_at_span(text.span, message::BAD_FAMILY);
        return None;
    };
    Some(Column { family, qualifier: qualifier.to_vec(), span: text.span })
}

/// Reads `source_field = title`.
fn named(mut options: Entries<'_>) -> Option<FieldAttr> {
    let field = options.read("source_field", |entry, errors| {
        entry.path("the name of a field", errors)?.get_ident().cloned()
    });
    options.finish();
    Some(FieldAttr::Named(Some(field?.value)))
}

/// Returns the role of a field, which the options of its cell determine.
fn role(mut options: Entries<'_>) -> CellPart {
    let codec = options.read("codec", codec);
    let default = options.read("default", default);
    let range = options.read("range", range);
    let validate = options.read("validate", |entry, errors| {
        entry.path("the path of a function, without quotes", errors)
    });
    let versions = options.read("versions", versions);
    let timestamp = options.read("read_timestamp", Entry::flag);
    let row_version = options.read("row_version", Entry::flag);
    let errors = options.finish();

    let of_value =
        [("default", span(&default)), ("range", span(&range)), ("validate", span(&validate))];
    let coded = [("codec", span(&codec))];
    let whole = [
        ("versions", span(&versions)),
        ("read_timestamp", span(&timestamp)),
        ("row_version", span(&row_version)),
    ];
    if let Some((at, (name, _))) = whole.iter().enumerate().find(|(_, (_, span))| span.is_some()) {
        let coded = coded.iter().filter(|_| versions.is_none());
        let others = of_value.iter().chain(coded).chain(whole.iter().skip(at + 1));
        for (other, span) in others.filter_map(|(other, span)| Some((other, (*span)?))) {
            errors.report_at_span(span, message::not_together(other, name));
        }
    }

    let codec = codec.map(|codec| codec.value);
    match (versions, timestamp, row_version) {
        (Some(versions), ..) => CellPart::Versions { codec, most: versions.value },
        (None, Some(_), _) => CellPart::Timestamp,
        (None, None, Some(_)) => CellPart::RowVersion,
        (None, None, None) => {
            let rules = ValueChecks {
                range: range.map(|range| range.value),
                validate: validate.map(|c| c.value),
            };
            let default = default.map(|default| default.value);
            CellPart::Value(Box::new(CellOptions { codec, default, rules }))
        }
    }
}

fn codec(entry: &Entry, errors: &mut Errors) -> Option<Codec> {
    let path = entry.path(message::EXPECTED_CODEC, errors)?;
    // The name of a type does not start with a lower-case letter, so this is the name of a codec
    // that does not exist.
    if let Some(word) = path.get_ident().map(ToString::to_string)
        && word.starts_with(|c: char| c.is_ascii_lowercase())
        && !CODECS.contains(&&word[..])
    {
        errors.report_at_tokens(&path, message::unknown_codec(&word, &CODECS));
        return None;
    }
    Some(Codec(path))
}

/// Reads `default` or `default = expression`.
fn default(entry: &Entry, errors: &mut Errors) -> Option<Option<Expr>> {
    match &entry.value {
        Given::None => Some(None),
        Given::Expr(value) => Some(Some(value.clone())),
        Given::List(_) | Given::Type(_) => {
            entry.report_wrong_value("nothing, or `= value`", errors)
        }
    }
}

fn range(entry: &Entry, errors: &mut Errors) -> Option<Expr> {
    match &entry.value {
        Given::Expr(range @ Expr::Range(_)) => Some(range.clone()),
        _ => entry.report_wrong_value("a range, as in `= 0.0..=1e6`", errors),
    }
}

/// Reads `versions` or `versions = 5`.
fn versions(entry: &Entry, errors: &mut Errors) -> Option<Option<LitInt>> {
    match (&entry.value, entry.literal()) {
        (Given::None, _) => Some(None),
        (_, Some(Lit::Int(most))) if most.base10_parse::<i32>().is_ok_and(|n| n > 0) => {
            Some(Some(most.clone()))
        }
        _ => {
            entry.report_wrong_value("no value, or the maximum number of versions to read", errors)
        }
    }
}

impl Codec {
    /// Returns the codec for the cells of Phoenix.
    pub(super) fn phoenix(span: Span) -> Self {
        Self(Ident::new("phoenix", span).into())
    }
}

impl CellPart {
    /// Returns a mutable reference to the codec of the field, which is unset if the attribute names
    /// no codec. Returns `None` if a field with this role cannot have a codec.
    pub(super) fn codec(&mut self) -> Option<&mut Option<Codec>> {
        match self {
            Self::Value(value) => Some(&mut value.codec),
            Self::Versions { codec, .. } => Some(codec),
            Self::Timestamp | Self::RowVersion => None,
        }
    }

    /// Returns whether the field is written, so that no other field may be written to its column.
    pub(super) fn is_written(&self) -> bool {
        matches!(self, Self::Value(_) | Self::RowVersion)
    }
}

impl Column {
    /// Returns the family and the qualifier, for comparisons.
    pub(super) fn family_and_qualifier(&self) -> (&str, &[u8]) {
        (&self.family, &self.qualifier)
    }

    /// Returns the expression for the qualifier.
    pub(super) fn qualifier(&self) -> TokenStream {
        let qualifier = LitByteStr::new(&self.qualifier, Span::call_site());
        quote!(#qualifier)
    }

    /// Returns the expression for the family and the qualifier.
    pub(super) fn tokens(&self) -> TokenStream {
        let (family, qualifier) = (&self.family, self.qualifier());
        quote!((#family, #qualifier))
    }

    /// Returns the column in the form that the generated documentation shows.
    pub(super) fn display_name(&self) -> String {
        format!("{}:{}", self.family, self.qualifier.escape_ascii())
    }
}
