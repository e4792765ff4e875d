//! Converts patterns of `java.util.regex` to patterns that RE2 matches on bytes with the same
//! result.

use crate::request::filter::{LetterCase, RegexPattern};

use super::pattern::{ANY, any_of, byte_class, quote};

/// The patterns of the characters that have several bytes in UTF-8.
const WIDE: [&str; 3] = [
    "[\\xc2-\\xdf][\\x80-\\xbf]",
    "[\\xe0-\\xef][\\x80-\\xbf][\\x80-\\xbf]",
    "[\\xf0-\\xf4][\\x80-\\xbf][\\x80-\\xbf][\\x80-\\xbf]",
];

/// The pattern of an optional line end at the end of a text, because Java's `$` matches before such
/// a line end too.
const LINE_END: &str = "(\\x0d\\x0a|\\x0a|\\x0d|\\xc2\\x85|\\xe2\\x80\\xa8|\\xe2\\x80\\xa9)?";
const LINE_END_LATIN_1: &str = "(\\x0d\\x0a|\\x0a|\\x0d|\\x85)?";

/// Returns the pattern of the texts in which Java finds `regex`; `None` if RE2 cannot express that
/// pattern.
pub(super) fn java_regex_pattern(regex: &RegexPattern) -> Option<String> {
    let mut parser = Parser {
        rest: regex.pattern.chars().collect::<Vec<_>>().into_iter().peekable(),
        case: regex.ignore_case,
        latin_1: regex.latin_1,
        out: String::new(),
        open: 0,
        repeatable: false,
    };
    parser.parse()?;
    Some(format!("{ANY}({}){ANY}", parser.out))
}

/// Returns the pattern of the texts that contain `text` in any letter case, as Java's `toLowerCase`
/// defines it; `None` if RE2 cannot express that pattern.
pub(super) fn substring_pattern(text: &str) -> Option<String> {
    let lower = text.to_lowercase();
    // The lower case of a sigma depends on its position, and the character U+FFFD replaces a
    // malformed byte and is not text.
    if lower.contains(['σ', 'ς', '\u{307}', '\u{fffd}']) {
        return None;
    }
    let mut out = ANY.to_owned();
    for c in lower.chars() {
        let forms = (!c.is_ascii()).then(|| uppers_of(c)).into_iter().flatten();
        let of_ascii = c.is_ascii().then(|| ascii_forms(c)).into_iter().flatten();
        let forms = [c].into_iter().chain(forms).chain(of_ascii);
        out.push_str(&any_of(forms.map(|c| quote(c.to_string().as_bytes()))));
    }
    // The lower case of İ has two characters, of which the first is an i.
    if lower.ends_with('i') {
        let i = any_of(["i", "I"].map(String::from));
        let with_dot = any_of(["i", "I", "\\xc4\\xb0"].map(String::from));
        out.truncate(out.len().saturating_sub(i.len()));
        out.push_str(&with_dot);
    }
    out.push_str(ANY);
    Some(out)
}

/// Returns the other characters whose lower case is the ASCII character `c`.
fn ascii_forms(c: char) -> Vec<char> {
    match c {
        'k' => vec!['K', '\u{212a}'],
        _ if c.is_ascii_lowercase() => vec![c.to_ascii_uppercase()],
        _ => Vec::new(),
    }
}

/// Returns the other characters beyond ASCII whose lower case is `c`.
fn uppers_of(c: char) -> Vec<char> {
    let has = |upper: &char| {
        let mut lower = upper.to_lowercase();
        *upper != c && lower.next() == Some(c) && lower.next().is_none()
    };
    ('\u{80}'..='\u{1ffff}').filter(has).collect()
}

/// A set of characters.
#[derive(Clone, PartialEq)]
struct Set {
    bytes: [bool; 256],
    /// The characters in the set that have several bytes in UTF-8.
    wide: Vec<char>,
    all_wide: bool,
}

struct Parser {
    rest: std::iter::Peekable<std::vec::IntoIter<char>>,
    case: LetterCase,
    latin_1: bool,
    out: String,
    open: usize,
    /// Whether a quantifier may follow.
    repeatable: bool,
}

impl Parser {
    fn parse(&mut self) -> Option<()> {
        while let Some(c) = self.rest.next() {
            match c {
                '(' => self.group()?,
                ')' => {
                    self.open = self.open.checked_sub(1)?;
                    self.out.push(')');
                    self.repeatable = true;
                }
                '|' => self.plain('|'),
                '^' => self.plain('^'),
                '$' => self.end()?,
                '*' | '+' | '?' => self.quantifier(&c.to_string())?,
                '{' => self.counted_repetition()?,
                '[' => {
                    let set = self.class()?;
                    self.atom(&set)?;
                }
                '.' => {
                    // If a quantifier allows any number of characters, bytes are matched instead of
                    // characters.
                    match self.rest.peek() {
                        Some('*' | '+') => self.push_atom("\\C"),
                        _ => self.atom(&Set::all(self.latin_1))?,
                    }
                }
                '\\' => self.escape()?,
                c => self.literal(c)?,
            }
        }
        (self.open == 0).then_some(())
    }

    fn plain(&mut self, c: char) {
        self.out.push(c);
        self.repeatable = false;
    }

    fn group(&mut self) -> Option<()> {
        if self.rest.next_if_eq(&'?').is_some() {
            self.rest.next_if_eq(&':')?;
        }
        self.open += 1;
        self.plain('(');
        (self.open <= 100).then_some(())
    }

    /// Writes Java's `$`, which also matches before a line end at the end of the text. Fails if
    /// anything may follow the `$`.
    fn end(&mut self) -> Option<()> {
        self.out.push_str(if self.latin_1 { LINE_END_LATIN_1 } else { LINE_END });
        self.plain('$');
        matches!(self.rest.peek(), None | Some(')' | '|')).then_some(())?;
        // In a group, the pattern after the group would follow the `$`.
        (self.open == 0).then_some(())
    }

    fn quantifier(&mut self, text: &str) -> Option<()> {
        if !self.repeatable {
            return None;
        }
        self.out.push_str(text);
        self.repeatable = false;
        if self.rest.next_if_eq(&'?').is_some() {
            self.out.push('?');
        }
        // RE2 has no possessive quantifiers, which give nothing back.
        (self.rest.peek() != Some(&'+')).then_some(())
    }

    fn counted_repetition(&mut self) -> Option<()> {
        let mut text = String::from("{");
        loop {
            let c = self.rest.next().filter(|c| c.is_ascii_digit() || ",}".contains(*c))?;
            text.push(c);
            if c == '}' {
                break;
            }
        }
        let inner = text.trim_matches(['{', '}']);
        let (least, most) = inner.split_once(',').unwrap_or((inner, inner));
        let number = |text: &str| text.parse::<u32>().ok().filter(|n| *n <= 1_000);
        let least = number(least)?;
        if !most.is_empty() && number(most)? < least {
            return None;
        }
        self.quantifier(&text)
    }

    fn literal(&mut self, c: char) -> Option<()> {
        let mut set = Set::none();
        set.add(c, self.latin_1)?;
        self.atom(&set)
    }

    fn escape(&mut self) -> Option<()> {
        let c = self.rest.next()?;
        match c {
            'A' => self.plain('^'),
            'z' => self.plain('$'),
            'Z' => self.end()?,
            'Q' => {
                let mut quoted = Vec::new();
                while let Some(c) = self.rest.next() {
                    if c == '\\' && self.rest.next_if_eq(&'E').is_some() {
                        break;
                    }
                    quoted.push(c);
                }
                for c in quoted {
                    self.literal(c)?;
                }
            }
            _ => {
                let mut set = Set::none();
                self.escaped(c, &mut set)?;
                self.atom(&set)?;
            }
        }
        Some(())
    }

    /// Adds the characters that an escape stands for, in a class or outside of classes, to `set`.
    /// Returns `Some(Some(..))` with the character if the escape stands for a single character,
    /// `Some(None)` if it stands for several, and `None` if the escape is not supported.
    fn escaped(&mut self, c: char, set: &mut Set) -> Option<Option<char>> {
        let of = |test: fn(&u8) -> bool| {
            let mut found = Set::none();
            (0..128).filter(test).for_each(|byte| found.put(byte));
            found
        };
        let digits = || of(u8::is_ascii_digit);
        let word = || of(|b| b.is_ascii_alphanumeric() || *b == b'_');
        let space = || of(|b| b" \t\n\x0b\x0c\r".contains(b));
        let named = match c {
            'd' => Some(digits()),
            'D' => Some(digits().complement(self.latin_1)?),
            'w' => Some(word()),
            'W' => Some(word().complement(self.latin_1)?),
            's' => Some(space()),
            'S' => Some(space().complement(self.latin_1)?),
            _ => None,
        };
        if let Some(named) = named {
            set.union(named);
            return Some(None);
        }
        let c = match c {
            't' => '\t',
            'n' => '\n',
            'r' => '\r',
            'f' => '\x0c',
            'a' => '\x07',
            'e' => '\x1b',
            'x' => self.hex(2)?,
            'u' => self.hex(4)?,
            c if c.is_ascii_alphanumeric() => return None,
            c => c,
        };
        set.add(c, self.latin_1)?;
        Some(Some(c))
    }

    fn hex(&mut self, digits: usize) -> Option<char> {
        let text: Option<String> =
            (0..digits).map(|_| self.rest.next().filter(char::is_ascii_hexdigit)).collect();
        char::from_u32(u32::from_str_radix(&text?, 16).ok()?)
    }

    /// Parses a class of characters after its `[`.
    fn class(&mut self) -> Option<Set> {
        let negated = self.rest.next_if_eq(&'^').is_some();
        let mut set = Set::none();
        let mut any = false;
        loop {
            let from = match self.rest.next()? {
                ']' if any => break,
                // Classes within classes, intersections of classes, and a `]` at the beginning are
                // not supported.
                '[' | ']' | '&' => return None,
                '\\' => {
                    let escape = self.rest.next()?;
                    self.escaped(escape, &mut set)?
                }
                c => {
                    set.add(c, self.latin_1)?;
                    Some(c)
                }
            };
            any = true;
            if self.rest.peek() != Some(&'-') {
                continue;
            }
            self.rest.next();
            match (from, self.rest.next()?) {
                // A '-' at the end stands for itself.
                (_, ']') => {
                    set.add('-', self.latin_1)?;
                    break;
                }
                (Some(from), to) if !"[\\&".contains(to) && from <= to => {
                    (to <= '\u{ff}').then_some(())?;
                    for c in from..=to {
                        set.add(c, self.latin_1)?;
                    }
                }
                _ => return None,
            }
        }
        if !negated {
            return Some(set);
        }
        // The other letter cases are added to the class before its complement is taken.
        set.ignore_case(self.case, self.latin_1)?;
        set.complement(self.latin_1)
    }

    fn atom(&mut self, set: &Set) -> Option<()> {
        let mut set = set.clone();
        set.ignore_case(self.case, self.latin_1)?;
        let pattern = set.pattern(self.latin_1);
        self.push_atom(&pattern);
        Some(())
    }

    fn push_atom(&mut self, pattern: &str) {
        self.out.push_str(pattern);
        self.repeatable = true;
    }
}

impl Set {
    fn none() -> Self {
        Self { bytes: [false; 256], wide: Vec::new(), all_wide: false }
    }

    fn all(latin_1: bool) -> Self {
        let mut all = Self::none();
        let last = if latin_1 { 256 } else { 128 };
        all.bytes.iter_mut().take(last).for_each(|byte| *byte = true);
        all.all_wide = !latin_1;
        all
    }

    fn has(&self, byte: u8) -> bool {
        self.bytes.get(usize::from(byte)) == Some(&true)
    }

    fn put(&mut self, byte: u8) {
        if let Some(inside) = self.bytes.get_mut(usize::from(byte)) {
            *inside = true;
        }
    }

    fn add(&mut self, c: char, latin_1: bool) -> Option<()> {
        match u8::try_from(c) {
            Ok(byte) if latin_1 || byte.is_ascii() => self.put(byte),
            _ if latin_1 => return None,
            _ => self.wide.push(c),
        }
        Some(())
    }

    fn union(&mut self, other: Self) {
        self.bytes.iter_mut().zip(other.bytes).for_each(|(byte, more)| *byte |= more);
        self.wide.extend(other.wide);
        self.all_wide |= other.all_wide;
    }

    /// Returns the characters that are not in the set; `None` if the set contains single characters
    /// that have several bytes in UTF-8.
    fn complement(&self, latin_1: bool) -> Option<Self> {
        let mut outside = Self::all(latin_1);
        outside.bytes.iter_mut().zip(self.bytes).for_each(|(byte, inside)| *byte &= !inside);
        outside.all_wide &= !self.all_wide;
        self.wide.is_empty().then_some(outside)
    }

    /// Adds the other letter cases of the letters in the set, if `case` ignores the case; `None` if
    /// the set has letters beyond ASCII that would need other letter cases.
    fn ignore_case(&mut self, case: LetterCase, latin_1: bool) -> Option<()> {
        if case == LetterCase::Exact {
            return Some(());
        }
        for lower in b'a'..=b'z' {
            let both = [lower, lower.to_ascii_uppercase()];
            if both.iter().any(|&letter| self.has(letter)) {
                both.into_iter().for_each(|letter| self.put(letter));
            }
        }
        if case == LetterCase::AnyAscii {
            return Some(());
        }
        if latin_1 {
            // Letters beyond ASCII have other letter cases, too.
            let none = self.bytes.iter().skip(0x80).all(|in_it| !in_it);
            return (none || *self == Self::all(true)).then_some(());
        }
        let caseless = |c: &char| c.to_lowercase().eq([*c]) && c.to_uppercase().eq([*c]);
        self.wide.iter().all(caseless).then_some(())?;
        for (letter, others) in [(b'k', "\u{212a}"), (b's', "\u{17f}"), (b'i', "\u{130}\u{131}")] {
            if self.has(letter) && !self.all_wide {
                self.wide.extend(others.chars());
            }
        }
        Some(())
    }

    fn pattern(&self, latin_1: bool) -> String {
        let mut ranges = Vec::new();
        let mut from = None;
        for byte in 0..=255_u8 {
            match (self.has(byte), from) {
                (true, None) => from = Some(byte),
                (false, Some(start)) => {
                    ranges.push((start, byte - 1));
                    from = None;
                }
                _ => {}
            }
        }
        ranges.extend(from.map(|start| (start, 0xFF)));
        let one_byte = match &ranges[..] {
            [] => None,
            [(from, to)] => Some(byte_class(*from, *to)),
            ranges => {
                let part = |(from, to): &(u8, u8)| match from == to {
                    true => format!("\\x{from:02x}"),
                    false => format!("\\x{from:02x}-\\x{to:02x}"),
                };
                Some(format!("[{}]", ranges.iter().map(part).collect::<String>()))
            }
        };
        let wide = self.wide.iter().map(|c| quote(c.to_string().as_bytes()));
        let wide: Vec<String> = match self.all_wide && !latin_1 {
            true => WIDE.map(String::from).to_vec(),
            false => wide.collect(),
        };
        let parts: Vec<String> = one_byte.into_iter().chain(wide).collect();
        match &parts[..] {
            // A pattern that matches nothing.
            [] => "[^\\x00-\\xff]".into(),
            [only] if self.wide.is_empty() => only.clone(),
            _ => format!("({})", parts.join("|")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(pattern: &str) -> String {
        let found = java_regex_pattern(&RegexPattern::new(pattern));
        found.map_or_else(
            || "none".into(),
            |p| p.trim_start_matches(ANY).trim_end_matches(ANY).into(),
        )
    }

    #[test]
    fn patterns_are_rewritten_for_bytes() {
        assert_eq!(java_regex_pattern(&RegexPattern::new("a")).unwrap(), "\\C*(a)\\C*");
        assert_eq!(shown("^a.*b+?"), "(^a\\C*b+?)");
        assert_eq!(shown("(?:a|b){2,3}"), "((a|b){2,3})");
        assert_eq!(shown("[0-9]"), "([\\x30-\\x39])");
        assert_eq!(shown("\\d\\.[a-]"), "([\\x30-\\x39]\\x2e[\\x2d\\x61])");
        assert_eq!(shown("\\Qa.b\\E"), "(a\\x2eb)");
        assert_eq!(shown("ä+"), "((\\xc3\\xa4)+)");
        assert_eq!(shown("a$"), format!("(a{LINE_END}$)"));
        assert_eq!(shown("."), format!("(([\\x00-\\x7f]|{}))", WIDE.join("|")));
        let bytes = java_regex_pattern(&RegexPattern::new("^.{8}\\xff").latin_1()).unwrap();
        assert_eq!(bytes, "\\C*(^\\C{8}\\xff)\\C*");
        let any_case = java_regex_pattern(&RegexPattern::new("ak").ignore_case()).unwrap();
        assert_eq!(any_case, "\\C*([\\x41\\x61]([\\x4b\\x6b]|\\xe2\\x84\\xaa))\\C*");
        let ascii = java_regex_pattern(&RegexPattern::new("k").ignore_ascii_case()).unwrap();
        assert_eq!(ascii, "\\C*([\\x4b\\x6b])\\C*");
    }

    #[test]
    fn what_re2_does_not_have_is_none() {
        for pattern in [
            "(?=a)", "(?<n>a)", "(a)\\1", "a++", "a*+", "\\bword", "[a&&b]", "[[a]b]", "\\p{L}",
            "a$b", "(a$)b", "*a", "a{2000}", "a{3,2}", "(a", "a)", "[a", "[^ä]", "\\", "(?i)a",
            "a{x}",
        ] {
            assert_eq!(shown(pattern), "none", "{pattern}");
        }
        assert_eq!(java_regex_pattern(&RegexPattern::new("ä").ignore_case()), None);
        assert_eq!(java_regex_pattern(&RegexPattern::new("→").latin_1()), None);
    }

    #[test]
    fn text_is_found_in_any_case() {
        assert_eq!(substring_pattern("1a").unwrap(), "\\C*1(a|A)\\C*");
        assert_eq!(substring_pattern("Ä").unwrap(), "\\C*(\\xc3\\xa4|\\xc3\\x84)\\C*");
        assert_eq!(substring_pattern("k").unwrap(), "\\C*(k|K|\\xe2\\x84\\xaa)\\C*");
        assert_eq!(substring_pattern("hi").unwrap(), "\\C*(h|H)(i|I|\\xc4\\xb0)\\C*");
        assert_eq!(substring_pattern("").unwrap(), "\\C*\\C*");
        assert_eq!(substring_pattern("ΣΑΣ"), None);
    }
}
