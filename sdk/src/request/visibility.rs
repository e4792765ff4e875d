//! The syntax check of visibility expressions, by the rules of HBase's `VisibilityController`
//! (`ExpressionParser`).

/// Returns what is wrong with an expression, if anything. A server that cannot parse an expression
/// throws an exception that looks temporary, so the write would be retried until its deadline.
///
/// Labels are joined by `&` and `|`, which are evaluated from left to right. A label, or a group of
/// labels in parentheses, may have `!` before it. Spaces may be around labels, but not after `!`.
pub(crate) fn problem(expression: &str) -> Option<String> {
    check(expression).err().map(|(at, what)| {
        format!(
            "the visibility expression {expression:?} has {what} at byte {at}; it is made of labels (letters, digits and _ - : . /, or any text in double quotes) with & and | between them, ! before one, and parentheses"
        )
    })
}

/// Fails with the index of the byte at which a server stops parsing, and with what is wrong there.
fn check(expression: &str) -> Result<(), (usize, &'static str)> {
    // Trimmed as Java's `String.trim` does.
    let after_start = expression.trim_start_matches(|c| c <= ' ');
    let first = expression.len() - after_start.len();
    let bytes = after_start.trim_end_matches(|c| c <= ' ').as_bytes();
    let (mut at, mut open) = (0, 0_usize);
    // Whether a label must come next, and whether it comes after `!`.
    let (mut wants_label, mut negated) = (true, false);
    while let Some(byte) = bytes.get(at) {
        let wrong = |what| Err((first + at, what));
        match byte {
            b' ' if negated => return wrong("a space behind !"),
            b' ' => {}
            b'(' if wants_label => {
                open += 1;
                negated = false;
            }
            b'!' if wants_label && !negated => negated = true,
            b'!' if wants_label => return wrong("a second !"),
            b'"' if wants_label => {
                at = end_of_quotes(bytes, at).map_err(|(at, what)| (first + at, what))?;
                (wants_label, negated) = (false, false);
            }
            label if wants_label && is_of_label(*label) => {
                while bytes.get(at + 1).is_some_and(|next| is_of_label(*next)) {
                    at += 1;
                }
                (wants_label, negated) = (false, false);
            }
            b'&' | b'|' if !wants_label => wants_label = true,
            b')' if !wants_label && open > 0 => open -= 1,
            b')' if !wants_label => return wrong("a ) without its ("),
            b'&' | b'|' | b')' => return wrong("no label"),
            other if is_of_label(*other) => return wrong("a label behind another"),
            b'(' | b'!' | b'"' => return wrong("no & or |"),
            _ => return wrong("what is not in a label"),
        }
        at += 1;
    }
    match (wants_label, open) {
        (true, _) => Err((first + bytes.len(), "no label")),
        (false, 0) => Ok(()),
        (false, _) => Err((first + bytes.len(), "no ) for its (")),
    }
}

/// Returns the index of the closing quote of a label in quotes; the opening quote is at `at`.
fn end_of_quotes(bytes: &[u8], at: usize) -> Result<usize, (usize, &'static str)> {
    let mut end = at + 1;
    let mut is_empty = true;
    loop {
        match bytes.get(end..) {
            Some([b'"', ..]) if is_empty => return Err((at, "a label of nothing")),
            Some([b'"', ..]) => return Ok(end),
            Some([b'\\', b'\\' | b'"', ..]) => {
                end += 2;
                is_empty = false;
            }
            Some([b'\\', ..]) => return Err((end, "a \\ before neither \\ nor \"")),
            Some([other, ..]) => {
                end += 1;
                // A label is trimmed.
                is_empty &= *other <= b' ';
            }
            Some([]) | None => return Err((at, "no second \" for this one")),
        }
    }
}

/// Returns whether a byte may be in a label without quotes (`VisibilityLabelsValidator`).
fn is_of_label(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_-:./".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `tests/suites/secured` shows the same ones to a server.
    #[test]
    fn expressions_that_a_server_reads_are_right() {
        for right in [
            "a",
            " a ",
            "a&b|c",
            "a & b | !c",
            "(a)",
            "!(a|b)&(c|!d)",
            "((a))",
            "A_z-9:./",
            "\"a b\" | \"\\\"\" & \"\\\\\"",
            "\"ü\"",
        ] {
            assert_eq!(problem(right), None, "{right}");
        }
    }

    #[test]
    fn an_error_says_where_it_is() {
        for (wrong, at, what) in [
            ("", 0, "no label"),
            ("  ", 2, "no label"),
            ("a &", 3, "no label"),
            ("& a", 0, "no label"),
            ("a b", 2, "a label behind another"),
            ("a (b)", 2, "no & or |"),
            ("a!b", 1, "no & or |"),
            ("! a", 1, "a space behind !"),
            ("!!a", 1, "a second !"),
            ("(a", 2, "no ) for its ("),
            (" a)", 2, "a ) without its ("),
            ("()", 1, "no label"),
            ("a\tb", 1, "what is not in a label"),
            ("ü", 0, "what is not in a label"),
            ("\"a", 0, "no second"),
            ("\" \"", 0, "a label of nothing"),
            ("\"a\\n\"", 2, "before neither"),
        ] {
            let text = problem(wrong).unwrap_or_else(|| panic!("{wrong} is taken for right"));
            assert!(text.contains(what) && text.contains(&format!("at byte {at};")), "{text}");
        }
    }
}
