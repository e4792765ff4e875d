//! The grammar of what stands on a field: `#[key]`, `#[cell("d:q")]`, `#[cells("d:*")]`, `#[flatten]`.

use proc_macro2::{Span, TokenTree};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, ExprLit, Ident, Lit, LitInt, LitStr, Meta, Path, Token};

use super::attr::{Setter, expects, path, text};
use super::message;
use crate::errors::Errors;
use crate::suggest::nearest;

/// What a field is.
pub(super) enum FieldAttr {
    Key,
    Cell(Column, Role),
    Cells(Column, Option<Codec>),
    Flatten {
        family: Option<LitStr>,
        prefix: Option<LitStr>,
    },
    /// Of a projection: the cell of the table's type with the same name, or this one.
    Named(Option<Ident>),
}

/// Family, and qualifier or the beginning of one.
#[derive(Clone)]
pub(super) struct Column {
    pub(super) family: String,
    pub(super) qualifier: String,
    pub(super) span: Span,
}

/// What of a cell a field is.
pub(super) enum Role {
    Value(Box<Value>),
    History { codec: Option<Codec>, most: Option<LitInt> },
    Timestamp,
    Version,
}

/// A cell whose newest value the field is.
pub(super) struct Value {
    pub(super) codec: Option<Codec>,
    /// The value of an absent cell; that of the type without an expression.
    pub(super) default: Option<Option<Expr>>,
    pub(super) rules: Rules,
}

/// What a value is checked with before it is written.
#[derive(Default)]
pub(super) struct Rules {
    pub(super) range: Option<Expr>,
    pub(super) check: Option<Path>,
}

/// A codec: one of ours by its word, or a type.
pub(super) struct Codec(pub(super) Path);

/// `"d:q", option, option = value`, or options alone.
struct Arguments {
    column: Option<LitStr>,
    options: Vec<Setter>,
}

impl Parse for Arguments {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let column = if input.peek(LitStr) { Some(input.parse()?) } else { None };
        if column.is_some() && !input.is_empty() {
            input.parse::<Token![,]>()?;
        }
        let options = Punctuated::<Setter, Token![,]>::parse_terminated(input)?;
        Ok(Self { column, options: options.into_iter().collect() })
    }
}

impl FieldAttr {
    /// The attribute of a field; none if it is missing or wrong, which is then reported.
    pub(super) fn parse(field: &syn::Field, projection: bool, errors: &mut Errors) -> Option<Self> {
        let mut found = Vec::new();
        for attr in &field.attrs {
            let path = attr.path();
            if path.is_ident("key") {
                match attr.meta.require_path_only() {
                    Ok(_) => found.push(Some(Self::Key)),
                    Err(_) => {
                        errors.on(attr, message::KEY_TAKES_NOTHING);
                        found.push(None);
                    }
                }
            } else if path.is_ident("cell") {
                found.push(Self::cell(attr, projection, errors));
            } else if path.is_ident("cells") {
                found.push(Self::cells(attr, errors));
            } else if path.is_ident("flatten") {
                found.push(Self::flatten(attr, errors));
            }
            if found.len() > 1 {
                errors.on(attr, message::ONE_ATTRIBUTE);
                return None;
            }
        }
        match found.pop() {
            Some(found) => found,
            None if projection => Some(Self::Named(None)),
            None => {
                errors.on(field, message::NO_ATTRIBUTE);
                None
            }
        }
    }

    fn cell(attr: &Attribute, projection: bool, errors: &mut Errors) -> Option<Self> {
        let Arguments { column, options } = arguments(attr, message::CELL_TAKES_A_COLUMN, errors)?;
        let Some(column) = column else {
            return match &options[..] {
                [Setter { name, value: Some(Expr::Path(field)) }]
                    if projection && name == "rename" && field.path.get_ident().is_some() =>
                {
                    Some(Self::Named(field.path.get_ident().cloned()))
                }
                _ => {
                    let of_table = message::CELL_TAKES_A_COLUMN;
                    let text = if projection { message::RENAME_TAKES_A_FIELD } else { of_table };
                    errors.on(attr, text);
                    None
                }
            };
        };
        let column = split(&column, message::CELL_TAKES_A_COLUMN, errors);
        let role = role(options, errors);
        Some(Self::Cell(column?, role?))
    }

    fn cells(attr: &Attribute, errors: &mut Errors) -> Option<Self> {
        let Arguments { column, options } = arguments(attr, message::CELLS_TAKE_A_RANGE, errors)?;
        let Some(column) = column else {
            errors.on(attr, message::CELLS_TAKE_A_RANGE);
            return None;
        };
        let mut codec = None;
        let mut good = true;
        for option in options {
            match (option.name.unraw().to_string().as_str(), path(option.value.as_ref())) {
                ("codec", Some(path)) => codec = Some(Codec(path)),
                ("codec", None) => {
                    expects(&option, message::A_CODEC, errors);
                    good = false;
                }
                (other, _) => {
                    let near = nearest(other, &["codec"]);
                    let text = message::unknown(other, "cells", near, &["codec"]);
                    errors.on(&option.name, text);
                    good = false;
                }
            }
        }
        let split = split(&column, message::CELLS_TAKE_A_RANGE, errors)?;
        match split.qualifier.strip_suffix('*') {
            Some(prefix) => {
                let qualifier = prefix.to_owned();
                good.then_some(Self::Cells(Column { qualifier, ..split }, codec))
            }
            None => {
                errors.on(&column, message::CELLS_TAKE_A_RANGE);
                None
            }
        }
    }

    fn flatten(attr: &Attribute, errors: &mut Errors) -> Option<Self> {
        let (mut family, mut prefix) = (None, None);
        let options = match &attr.meta {
            Meta::Path(_) => Vec::new(),
            _ => arguments(attr, message::FLATTEN_TAKES, errors)?.options,
        };
        for option in options {
            let slot = match option.name.unraw().to_string().as_str() {
                "family" => &mut family,
                "prefix" => &mut prefix,
                other => {
                    const KNOWN: [&str; 2] = ["family", "prefix"];
                    let text = message::unknown(other, "flatten", nearest(other, &KNOWN), &KNOWN);
                    errors.on(&option.name, text);
                    return None;
                }
            };
            match text(option.value.as_ref()) {
                Some(text) => *slot = Some(text),
                None => {
                    expects(&option, "a text in quotes", errors);
                    return None;
                }
            }
        }
        Some(Self::Flatten { family, prefix })
    }
}

fn arguments(attr: &Attribute, message: &str, errors: &mut Errors) -> Option<Arguments> {
    match &attr.meta {
        Meta::List(list) if !list.tokens.is_empty() => match attr.parse_args() {
            Ok(arguments) => return Some(arguments),
            // Behind a column the parser knows better what is wrong.
            Err(error) => match list.tokens.clone().into_iter().next() {
                Some(TokenTree::Literal(_)) => errors.add(error),
                _ => errors.on(attr, message),
            },
        },
        _ => errors.on(attr, message),
    }
    None
}

fn split(text: &LitStr, message: &str, errors: &mut Errors) -> Option<Column> {
    match text.value().split_once(':') {
        Some((family, qualifier)) if !family.is_empty() => Some(Column {
            family: family.to_owned(),
            qualifier: qualifier.to_owned(),
            span: text.span(),
        }),
        _ => {
            errors.on(text, message);
            None
        }
    }
}

/// What the options of a cell say.
fn role(options: Vec<Setter>, errors: &mut Errors) -> Option<Role> {
    const KNOWN: [&str; 7] =
        ["codec", "default", "range", "check", "history", "timestamp", "version"];
    let before = errors.len();
    let (mut codec, mut default, mut rules) = (None, None, Rules::default());
    let mut other: Option<(Ident, Role)> = None;
    let mut seen: Vec<Ident> = Vec::new();
    for option in options {
        let word = option.name.unraw().to_string();
        if seen.contains(&option.name) {
            errors.on(&option.name, message::twice(&word));
            continue;
        }
        seen.push(option.name.clone());
        match (word.as_str(), &option.value) {
            ("codec", value) => match path(value.as_ref()) {
                Some(path) => codec = Some(Codec(path)),
                None => expects(&option, message::A_CODEC, errors),
            },
            ("default", value) => default = Some(value.clone()),
            ("range", Some(Expr::Range(range))) => {
                rules.range = Some(Expr::Range(range.clone()));
            }
            ("range", _) => expects(&option, "a range, as in 0.0..=1e6", errors),
            ("check", value) => match path(value.as_ref()) {
                Some(path) => rules.check = Some(path),
                None => expects(&option, "the path of a function, without quotes", errors),
            },
            ("history", None) => other = Some((option.name, history(None))),
            ("history", Some(Expr::Lit(ExprLit { lit: Lit::Int(int), .. })))
                if int.base10_parse::<i32>().is_ok_and(|n| n > 0) =>
            {
                other = Some((option.name, history(Some(int.clone()))));
            }
            ("history", Some(_)) => {
                expects(&option, "nothing, or the most versions to read, from 1", errors);
            }
            ("timestamp", None) => other = Some((option.name, Role::Timestamp)),
            ("version", None) => other = Some((option.name, Role::Version)),
            ("timestamp" | "version", Some(_)) => expects(&option, "nothing", errors),
            _ => {
                let text = message::unknown(&word, "cell", nearest(&word, &KNOWN), &KNOWN);
                errors.on(&option.name, text);
            }
        }
    }
    if let Some((name, _)) = &other {
        let codec_fits = name == "history";
        for foreign in &seen {
            if foreign != name && !(codec_fits && foreign == "codec") {
                errors.on(foreign, message::not_together(&foreign.to_string(), &name.to_string()));
            }
        }
    }
    if errors.len() > before {
        return None;
    }
    Some(match other {
        Some((_, Role::History { most, .. })) => Role::History { codec, most },
        Some((_, role)) => role,
        None => Role::Value(Box::new(Value { codec, default, rules })),
    })
}

fn history(most: Option<LitInt>) -> Role {
    Role::History { codec: None, most }
}

impl Role {
    /// Whether the field is written, so that no other may be kept in its column.
    pub(super) fn is_written(&self) -> bool {
        matches!(self, Self::Value(_) | Self::Version)
    }
}

impl Column {
    /// Where it is, for comparing.
    pub(super) fn name(&self) -> (&str, &str) {
        (&self.family, &self.qualifier)
    }
}
