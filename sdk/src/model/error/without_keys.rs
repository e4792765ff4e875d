//! Removes row keys from texts of servers and of this crate, for errors that must not show row
//! keys.
//!
//! # Invariants
//!
//! - No text about a client has a row key that its configuration hides. Tests:
//!   `the_keys_in_what_hbase_throws_are_replaced`,
//!   `tests/suites/observe/errors.rs::row_keys_are_in_errors_as_configured_and_in_no_other_way`,
//!   `tests/suites/observe/state.rs::row_keys_are_shown_as_configured`.

use crate::RowKeyDisplay;
use crate::key::show::shell;

/// The marks that HBase and this crate write before a row key in quotes, with the opening quote.
const MARKS: [&str; 9] =
    ["row='", "Key='", "Key()='", "KEY => '", "row '", "row \"", "row, \"", "key \"", "after \""];
/// The text that replaces a row key that is not the row key of the operation.
const HIDDEN: &str = "<row key>";

/// Returns `text` with all row keys replaced: `row`, the start keys of regions, and everything that
/// follows one of the `MARKS`. If row keys are shown, returns `text` unchanged.
pub(super) fn without_keys(text: &str, row: &[u8], display: RowKeyDisplay) -> String {
    if display == RowKeyDisplay::Shown {
        return text.to_owned();
    }
    let forms = [shell(row).to_string(), String::from_utf8_lossy(row).into_owned()];
    let others = |text: String, mark: &&str| without_marked(&text, mark, &forms);
    let text = MARKS.iter().fold(without_region_starts(text), others);
    let shown = display.display(row).to_string();
    forms.iter().fold(text, |text, form| replace_words(&text, form, &shown))
}

/// Replaces `word` by `by` where it is not part of a longer word.
fn replace_words(text: &str, word: &str, by: &str) -> String {
    let inside = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(word).filter(|_| !word.is_empty()) {
        out.push_str(before);
        let is_part = inside(out.chars().next_back()) || inside(after.chars().next());
        out.push_str(if is_part { word } else { by });
        rest = after;
    }
    out + rest
}

/// Replaces the text between `mark` and the next quote of the same kind, unless this text is empty
/// or is one of `but`.
fn without_marked(text: &str, mark: &str, but: &[String]) -> String {
    let quote = mark.chars().next_back().unwrap_or('\'');
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(mark) {
        let Some((key, end)) = after.split_once(quote) else { break };
        let stays = key.is_empty() || but.iter().any(|form| form == key);
        out.extend([before, mark, if stays { key } else { HIDDEN }]);
        out.push(quote);
        rest = end;
    }
    out + rest
}

/// Replaces the start key in names of regions,
/// `table,start,1732222222222.0123456789abcdef0123456789abcdef.`
fn without_region_starts(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = end_of_start_key(rest) {
        let (before, after) = rest.split_at_checked(at).unwrap_or((rest, ""));
        // A start key may have any character, so all text from the first comma after the last line
        // break, tab, `[` or `(` is taken as the start key.
        let words = before.rfind(['\n', '\t', '[', '(']).map_or(0, |at| at + 1);
        match before.get(words..).and_then(|name| name.find(',')) {
            Some(comma) => {
                out.push_str(before.get(..words + comma + 1).unwrap_or_default());
                if words + comma + 1 < before.len() {
                    out.push_str(HIDDEN);
                }
            }
            None => out.push_str(before),
        }
        // The rest of this name: the comma, the time and the hash.
        let end = after.find('.').map_or(after.len(), |dot| (dot + 33).min(after.len()));
        let (name, next) = after.split_at_checked(end).unwrap_or((after, ""));
        out.push_str(name);
        rest = next;
    }
    out + rest
}

/// Returns the byte position at which the start key of the first region name ends; `None` if the
/// text has no region name.
fn end_of_start_key(text: &str) -> Option<usize> {
    let is_hash =
        |hash: &str| hash.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
    text.match_indices('.').find_map(|(dot, _)| {
        text.get(dot + 1..dot + 33).filter(|hash| is_hash(hash))?;
        text.get(dot + 33..)?.starts_with('.').then_some(())?;
        let before = text.get(..dot)?;
        let comma = before.rfind(',')?;
        let time = before.get(comma + 1..)?;
        let is_time = |c: char| c.is_ascii_digit() || c == '_';
        (!time.is_empty() && time.chars().all(is_time)).then_some(comma)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const HASH: &str = "0123456789abcdef0123456789abcdef";

    fn hashed(text: &str, row: &[u8]) -> String {
        without_keys(text, row, RowKeyDisplay::Hashed)
    }

    #[test]
    fn the_keys_in_what_hbase_throws_are_replaced() {
        let text = format!(
            "Requested row out of range for Get on HRegion t,ab,1732222222222.{HASH}., startKey='ab', getEndKey()='cd', \
             row='ada'"
        );
        assert_eq!(
            hashed(&text, b"ada"),
            format!(
                "Requested row out of range for Get on HRegion t,<row key>,1732222222222.{HASH}., startKey='<row key>', \
                 getEndKey()='<row key>', row='#8c8d357b5e87'"
            )
        );
        let text = format!("t,,1732222222222.{HASH}. is not online on rs1,16020,1");
        assert_eq!(hashed(&text, b"ada"), text, "the first region has no start key");
    }

    #[test]
    fn a_row_is_replaced_where_it_is_a_word() {
        let text = "a row a, in the table \"a\\x00\" of Ada";
        assert_eq!(
            hashed(text, b"a"),
            "#0cc175b9c0f1 row #0cc175b9c0f1, in the table \"#0cc175b9c0f1\\x00\" of Ada"
        );
        let hidden = without_keys("no 17\\x00 here", b"17\x00", RowKeyDisplay::Hidden);
        assert_eq!(hidden, "no <3 bytes> here");
        assert_eq!(without_keys("row='ada'", b"ada", RowKeyDisplay::Shown), "row='ada'");
    }

    #[test]
    fn any_text_is_taken() {
        for text in
            ["", ".", ",.", "row='", "ü row='ü", &format!(",1.{HASH}"), &format!("ü,ü,1.{HASH}.")]
        {
            hashed(text, "ü".as_bytes());
        }
        assert_eq!(hashed(&format!("t,ü,1.{HASH}."), b"x"), format!("t,<row key>,1.{HASH}."));
    }
}
