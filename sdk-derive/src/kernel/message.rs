//! The texts of the errors that can occur in any attribute; each text says what is wrong, then how
//! to fix it.

use syn::Lit;

/// Returns the words in backticks, separated by commas.
pub(crate) fn backticked_list(words: &[&str]) -> String {
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}

/// Returns the word of `known` that was probably meant by `word`: the two words differ in at most
/// two letters, and in at most a third of the letters.
pub(crate) fn nearest<'w>(word: &str, known: &[&'w str]) -> Option<&'w str> {
    known
        .iter()
        .map(|known| (strsim::osa_distance(word, known), *known))
        .filter(|(distance, known)| *distance <= 2 && *distance <= word.len().max(known.len()) / 3)
        .min()
        .map(|(_, known)| known)
}

/// Returns a question that suggests the known word that is most similar to `word`. Returns
/// `otherwise` if no known word is similar.
pub(crate) fn did_you_mean(word: &str, known: &[&str], otherwise: &str) -> String {
    match nearest(word, known) {
        Some(nearest) => format!("; did you mean `{nearest}`?"),
        None => otherwise.to_owned(),
    }
}

/// Words that users often try first, each with the name of the attribute that is meant.
const SYNONYMS: [(&str, &str); 22] = [
    ("buckets", "salt"),
    ("delimiter", "sep"),
    ("delimiter", "text_sep"),
    ("descending", "desc"),
    ("field", "source_field"),
    ("len", "width"),
    ("length", "width"),
    ("name", "schema_table"),
    ("newest_first", "rev_ts"),
    ("padding", "pad"),
    ("reverse_timestamp", "rev_ts"),
    ("reverse_ts", "rev_ts"),
    ("round", "truncate"),
    ("separator", "sep"),
    ("separator", "text_sep"),
    ("size", "width"),
    ("table", "schema_table"),
    ("terminated", "terminated_list"),
    ("timestamp", "display_time"),
    ("timestamp", "read_timestamp"),
    ("validate", "validate_put"),
    ("version", "layout"),
];

/// Returns the word of `known` that means the same as `word`.
fn synonym(word: &str, known: &[&str]) -> Option<&'static str> {
    let mut all = SYNONYMS.into_iter().filter(|(other, _)| *other == word);
    all.find(|(_, own)| known.contains(own)).map(|(_, own)| own)
}

/// Returns the error for an attribute that is empty.
pub(super) fn empty(name: &str) -> String {
    let example = match name {
        "key" => ", as in `#[key(desc)]`: a field without an attribute is part of the key too",
        "row_key" => ", as in `#[row_key(salt(buckets = 16))]`",
        _ => "",
    };
    format!("`#[{name}]` says nothing: remove it, or write what it says in parentheses{example}")
}

pub(super) fn unknown(name: &str, place: &str, known: &[&str]) -> String {
    if let Some(own) = synonym(name, known) {
        return format!("unknown attribute `{name}` in `{place}`; it is called `{own}` here");
    }
    let otherwise = match known {
        [one] => format!("; expected `{one}`"),
        _ => format!("; expected one of {}", backticked_list(known)),
    };
    format!("unknown attribute `{name}` in `{place}`{}", did_you_mean(name, known, &otherwise))
}

/// Returns the error for a literal where the name of an entry is expected.
pub(super) fn not_a_name(literal: &Lit) -> String {
    match literal {
        Lit::Str(text) if is_ident(&text.value()) => format!(
            "expected the name of an attribute, without quotes, found \"{0}\": write `{0}`, or `name = \"{0}\"` if it is \
             the value of one",
            text.value()
        ),
        _ => "expected the name of an attribute before the value, as in `width = 4`".to_owned(),
    }
}

fn is_ident(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

pub(super) fn twice(name: &str) -> String {
    format!("`{name}` is given twice; remove one")
}

pub(super) fn expects(name: &str, expected: &str) -> String {
    format!("`{name}` expects {expected}")
}

pub(super) fn renamed(library: &str, name: &str, attribute: &str) -> String {
    let path = name.replace('-', "_");
    format!(
        "`{library}` is renamed to `{name}` in Cargo.toml; add `#[{attribute}(crate = \"{path}\")]`"
    )
}

/// The text that says what is expected instead of a constant.
pub(super) const EXPECTED_LITERAL: &str = "a number as a literal: a derive sees the name of a constant but not its value, on which the layout depends; \
     to have it in one place, compute the constant from the type, as in `Event::SPLITS.len() + 1` for the buckets";

#[cfg(test)]
mod tests {
    use super::{nearest, renamed};

    #[test]
    fn finds_the_misspelt_word() {
        assert_eq!(nearest("rev_tss", &["reverse", "rev_ts"]), Some("rev_ts"));
        assert_eq!(nearest("wdith", &["width", "desc"]), Some("width"));
        assert_eq!(nearest("colour", &["width", "desc"]), None);
        assert_eq!(nearest("skip", &["sep", "width"]), None);
    }

    #[test]
    fn a_renamed_dependency_is_named_as_a_path() {
        assert_eq!(
            renamed("tallrow", "my-rows", "table"),
            "`tallrow` is renamed to `my-rows` in Cargo.toml; add `#[table(crate = \"my_rows\")]`"
        );
    }
}
