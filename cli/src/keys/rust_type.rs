//! The Rust type whose row keys have a layout, for layouts that a row key schema of Bigtable has.

use std::fmt::Write as _;

use tallrow::key::schema::{Attributes, CompatTarget, End, Field, Int, Limit, Schema, Type};

/// The words that are no names of fields, even with `r#`.
const NO_NAMES: [&str; 5] = ["crate", "self", "super", "Self", "_"];

/// The words that are names of fields with `r#`.
const WORDS: [&str; 47] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn",
    "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let",
    "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return",
    "static", "struct", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use",
    "virtual", "where", "while",
];

/// Returns the definition of the type, as text; fails with the reason if there is none.
pub(crate) fn rust_type(schema: &Schema) -> Result<String, String> {
    let fields = schema.fields();
    if fields.is_empty() || !schema.records().is_empty() {
        return Err("only a row key without record types is written as a struct".into());
    }
    let separators: Vec<Option<u8>> = fields.iter().map(|field| field.attributes().sep).collect();
    let separator = separators.iter().flatten().next();
    let is_compat = |field: &Field| field.attributes().compat == Some(CompatTarget::Bigtable);
    let compat = fields.iter().any(is_compat);
    let mut text = String::from("#[derive(RowKey, Clone, Debug, PartialEq)]\n");
    if compat {
        text.push_str("#[row_key(compat = \"bigtable\")]\n");
    }
    if let Some(separator) = separator {
        let shown = char::from(*separator).escape_default();
        let _ = writeln!(text, "#[row_key(text_sep = '{shown}', allow(unsorted_text))]");
    }
    let _ = writeln!(text, "struct {} {{", schema.name());
    for (at, field) in fields.iter().enumerate() {
        let is_last = at + 1 == fields.len();
        let end = separator.filter(|_| !is_last).map_or(End::Native, |byte| End::Byte(*byte));
        let kept = Attributes {
            compat: field.attributes().compat,
            sep: field.attributes().sep,
            ..Attributes::default()
        };
        let same = *field.attributes() == kept && field.attributes().end() == end;
        let ty = type_of(field).filter(|_| same && is_compat(field) == compat);
        let Some(ty) = ty else {
            return Err(format!(
                "field {field} is none that a row key schema of Bigtable can have; the derive's \
                 documentation has its attribute"
            ));
        };
        let name = name_of(field.name()).ok_or_else(|| {
            format!("{:?} is no name of a field in Rust; write the type by hand", field.name())
        })?;
        let _ = writeln!(text, "    {name}: {ty},");
    }
    text.push_str("}\n");
    Ok(text)
}

fn type_of(field: &Field) -> Option<&'static str> {
    Some(match field.ty() {
        Type::Text => "String",
        Type::Bytes => "Vec<u8>",
        Type::Int(Int { bytes: 8, signed: true, limit: Limit::NonNeg }) => "NonNeg<i64>",
        // Without `compat`, its bytes are others.
        Type::Int(Int { bytes: 8, signed: true, limit: Limit::Any })
            if field.attributes().compat.is_some() =>
        {
            "i64"
        }
        _ => return None,
    })
}

fn name_of(name: &str) -> Option<String> {
    let starts = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    match () {
        () if !starts || NO_NAMES.contains(&name) => None,
        () if WORDS.contains(&name) => Some(format!("r#{name}")),
        () => Some(name.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(fields: &str) -> Result<String, String> {
        rust_type(&Schema::parse(&format!("row key VisitsKey\n{fields}")).unwrap())
    }

    #[test]
    fn a_layout_of_a_row_key_schema_is_a_struct() {
        let head = "#[derive(RowKey, Clone, Debug, PartialEq)]\n";
        let ordered = "user: text, compat = bigtable\ntype: nonneg i64, compat = bigtable\n\
                       at: i64, compat = bigtable\n";
        assert_eq!(
            of(ordered).unwrap(),
            format!(
                "{head}#[row_key(compat = \"bigtable\")]\nstruct VisitsKey {{\n    user: String,\n    \
                 r#type: NonNeg<i64>,\n    at: i64,\n}}\n"
            )
        );
        assert_eq!(
            of("user: text, sep = 0x23\npage: text\n").unwrap(),
            format!(
                "{head}#[row_key(text_sep = '#', allow(unsorted_text))]\nstruct VisitsKey {{\n    user: \
                 String,\n    page: String,\n}}\n"
            )
        );
        let one = "struct VisitsKey {\n    id: Vec<u8>,\n}\n";
        assert_eq!(of("id: bytes\n").unwrap(), format!("{head}{one}"));
    }

    #[test]
    fn another_layout_has_a_reason() {
        for (fields, why) in [
            ("user: u32\n", "field user: u32 is none"),
            ("at: i64\n", "field at: i64 is none"),
            ("a: text, nul_terminated\nb: text\n", "field a: text, nul_terminated is none"),
            ("self: text\n", "\"self\" is no name of a field"),
            ("2: text\n", "\"2\" is no name of a field"),
        ] {
            let error = of(fields).unwrap_err();
            assert!(error.contains(why), "{error}");
        }
    }
}
