//! The patterns clients send to list tables: Java regular expressions, of which the plain part is understood.

use tallrow_wire::exception::{self, RemoteException};
use tallrow_wire::proto::TableName;
use tallrow_wire::region;

use crate::thrown::thrown;

/// A pattern that matches whole names: alternatives of literal text, `.`, `*`, `+`, `?`, `\` and `[...]`.
#[derive(Clone, Debug)]
pub(crate) struct Pattern {
    alternatives: Vec<Vec<(Atom, Repeat)>>,
}

#[derive(Clone, Debug)]
enum Atom {
    Any,
    Literal(char),
    Class(Vec<(char, char)>, bool),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Repeat {
    Once,
    Optional,
    Any,
    Some,
}

impl Pattern {
    /// Reads a pattern.
    pub(crate) fn new(text: &str) -> Result<Self, RemoteException> {
        let refuse = |why: &str| {
            let text =
                format!("pattern \"{text}\": {why}; this server knows . * + ? | \\ and [...]");
            thrown(exception::DO_NOT_RETRY, text)
        };
        let mut alternatives = vec![Vec::new()];
        let mut chars = text.chars().peekable();
        while let Some(c) = chars.next() {
            let atom = match c {
                '|' => {
                    alternatives.push(Vec::new());
                    continue;
                }
                '^' | '$' => continue,
                '.' => Atom::Any,
                '\\' => match chars.next() {
                    Some('d') => Atom::Class(vec![('0', '9')], false),
                    Some('w') => {
                        Atom::Class(vec![('0', '9'), ('a', 'z'), ('A', 'Z'), ('_', '_')], false)
                    }
                    Some('Q') => {
                        let mut quoted: Vec<char> = Vec::new();
                        for c in chars.by_ref() {
                            quoted.push(c);
                            if quoted.ends_with(&['\\', 'E']) {
                                quoted.truncate(quoted.len() - 2);
                                break;
                            }
                        }
                        if let Some(last) = alternatives.last_mut() {
                            last.extend(
                                quoted.into_iter().map(|c| (Atom::Literal(c), Repeat::Once)),
                            );
                        }
                        continue;
                    }
                    Some(c) if !c.is_ascii_alphanumeric() => Atom::Literal(c),
                    _ => return Err(refuse("an escape that is not known")),
                },
                '[' => {
                    let negated = chars.next_if_eq(&'^').is_some();
                    let mut ranges = Vec::new();
                    loop {
                        match (chars.next(), chars.peek()) {
                            (None, _) => return Err(refuse("a class without an end")),
                            (Some(']'), _) => break,
                            (Some(from), Some('-')) => {
                                chars.next();
                                match chars.next() {
                                    Some(to) if to != ']' => ranges.push((from, to)),
                                    _ => return Err(refuse("a range without an end")),
                                }
                            }
                            (Some(one), _) => ranges.push((one, one)),
                        }
                    }
                    Atom::Class(ranges, negated)
                }
                '(' | ')' | '{' | '}' | '*' | '+' | '?' => {
                    return Err(refuse("too much for this server"));
                }
                c => Atom::Literal(c),
            };
            let repeat = match chars.peek() {
                Some('*') => Repeat::Any,
                Some('+') => Repeat::Some,
                Some('?') => Repeat::Optional,
                _ => Repeat::Once,
            };
            if repeat != Repeat::Once {
                chars.next();
            }
            if let Some(last) = alternatives.last_mut() {
                last.push((atom, repeat));
            }
        }
        Ok(Self { alternatives })
    }

    /// Whether a table's name matches, with or without its namespace in front.
    pub(crate) fn matches_table(&self, name: &TableName) -> bool {
        let text = region::table_text(name);
        let full = [&name.namespace[..], b":", &name.qualifier].concat();
        self.matches(&String::from_utf8_lossy(&text))
            || self.matches(&String::from_utf8_lossy(&full))
    }

    /// Whether the whole text matches.
    pub(crate) fn matches(&self, text: &str) -> bool {
        let text: Vec<char> = text.chars().collect();
        self.alternatives.iter().any(|a| ends_of(a, &text))
    }
}

/// Runs all ways through the text side by side: `places` are the offsets reached so far.
fn ends_of(atoms: &[(Atom, Repeat)], text: &[char]) -> bool {
    let mut places = vec![0];
    for (atom, repeat) in atoms {
        let mut next: Vec<usize> = Vec::new();
        for at in places {
            if matches!(repeat, Repeat::Optional | Repeat::Any) {
                next.push(at);
            }
            let most = if matches!(repeat, Repeat::Any | Repeat::Some) { usize::MAX } else { 1 };
            let run = text.iter().skip(at).take(most).take_while(|c| atom.fits(**c)).count();
            next.extend((1..=run).map(|n| at + n));
        }
        next.sort_unstable();
        next.dedup();
        places = next;
    }
    places.contains(&text.len())
}

impl Atom {
    fn fits(&self, c: char) -> bool {
        match self {
            Atom::Any => true,
            Atom::Literal(literal) => *literal == c,
            Atom::Class(ranges, negated) => {
                ranges.iter().any(|(from, to)| (*from..=*to).contains(&c)) != *negated
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_name_must_match() {
        for (pattern, name, matches) in [
            (".*", "any", true),
            ("t.*", "t1", true),
            ("t.*", "xt1", false),
            ("a|b", "b", true),
            ("t\\.x", "tax", false),
            ("t[0-9]+", "t42", true),
            ("t[0-9]+", "t", false),
            ("[^t]x?", "a", true),
            ("\\Qa.b\\E", "a.b", true),
        ] {
            assert_eq!(
                Pattern::new(pattern).unwrap().matches(name),
                matches,
                "{pattern} on {name}"
            );
        }
        assert!(Pattern::new("(a").is_err());
    }
}
