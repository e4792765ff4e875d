//! Values as text, before their types are known.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use tallrow_layout::{MAX_NESTING, is_field_name};

use super::error::TextError;

/// A value before its type is known.
pub(super) enum RawValue {
    Bare(String),
    Quoted(String),
    Braces(Vec<(String, RawValue)>),
    /// Items, each with the value after its `=`, if it has one.
    Brackets(Vec<(RawValue, Option<RawValue>)>),
}

impl RawValue {
    pub(super) fn bare(&self) -> Option<&str> {
        match self {
            Self::Bare(word) => Some(word),
            _ => None,
        }
    }

    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Self::Bare(text) | Self::Quoted(text) => Some(text),
            Self::Braces(_) | Self::Brackets(_) => None,
        }
    }

    pub(super) fn value_error(&self, field: &str, expected: &'static str) -> TextError {
        let found = match self {
            Self::Bare(text) | Self::Quoted(text) => text,
            Self::Braces(_) => "{..}",
            Self::Brackets(_) => "[..]",
        };
        let found = found.to_string();
        TextError::Value { field: field.to_string(), found, expected }
    }
}

/// A reader of a text, with the rest that is not yet read.
pub(super) struct ValueParser<'t> {
    text: &'t str,
    rest: &'t str,
}

impl ValueParser<'_> {
    /// Returns all values in a text, with their names.
    pub(super) fn parse(text: &str) -> Result<Vec<(String, RawValue)>, TextError> {
        let mut scan = ValueParser { text, rest: text };
        let given = scan.pairs(0)?;
        scan.space();
        if scan.rest.is_empty() {
            Ok(given)
        } else {
            Err(scan.expected("a comma between two values"))
        }
    }

    fn expected(&self, expected: &'static str) -> TextError {
        let read = self.text.len() - self.rest.len();
        let at = self.text.get(..read).map_or(0, |read| read.chars().count());
        TextError::Syntax { at, expected }
    }

    fn space(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn skip(&mut self, c: char) -> bool {
        let rest = self.rest.strip_prefix(c);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// Takes the text before the first of the characters `ends`.
    fn until(&mut self, ends: &[char]) -> &str {
        let at = self.rest.find(ends).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at_checked(at).unwrap_or((self.rest, ""));
        self.rest = rest;
        word.trim_end()
    }

    fn pairs(&mut self, depth: usize) -> Result<Vec<(String, RawValue)>, TextError> {
        let mut pairs = Vec::new();
        loop {
            self.space();
            let start = self.rest;
            let name = self.until(&['=', ':', ',', '{', '}', '"']).to_string();
            if !is_field_name(&name) {
                self.rest = start;
                return Err(self.expected("the name of a field"));
            }
            if !self.skip('=') && !self.skip(':') {
                return Err(self.expected("= or : after the name of a field"));
            }
            self.space();
            let raw = self.raw(depth)?;
            pairs.push((name, raw));
            self.space();
            if !self.skip(',') {
                return Ok(pairs);
            }
        }
    }

    fn raw(&mut self, depth: usize) -> Result<RawValue, TextError> {
        if self.skip('"') {
            return self.quoted().map(RawValue::Quoted);
        }
        if depth == MAX_NESTING && self.rest.starts_with(['{', '[']) {
            return Err(self.expected("values that nest less deep"));
        }
        if self.skip('{') {
            let pairs = self.pairs(depth + 1)?;
            self.space();
            if !self.skip('}') {
                return Err(self.expected("a comma or a closing brace"));
            }
            return Ok(RawValue::Braces(pairs));
        }
        if self.skip('[') {
            return self.items(depth).map(RawValue::Brackets);
        }
        Ok(RawValue::Bare(self.until(&[',', '=', '{', '}', '[', ']', '"']).to_string()))
    }

    /// Reads the items of a list or tags, after the opening bracket.
    fn items(&mut self, depth: usize) -> Result<Vec<(RawValue, Option<RawValue>)>, TextError> {
        let mut items = Vec::new();
        self.space();
        if self.skip(']') {
            return Ok(items);
        }
        loop {
            self.space();
            let item = self.raw(depth + 1)?;
            self.space();
            let value = if self.skip('=') {
                self.space();
                Some(self.raw(depth + 1)?)
            } else {
                None
            };
            items.push((item, value));
            self.space();
            if self.skip(']') {
                return Ok(items);
            }
            if !self.skip(',') {
                return Err(self.expected("a comma or a closing bracket"));
            }
        }
    }

    fn quoted(&mut self) -> Result<String, TextError> {
        let mut text = String::new();
        loop {
            let mut chars = self.rest.chars();
            let found = chars.next();
            let start = core::mem::replace(&mut self.rest, chars.as_str());
            match found {
                Some('"') => return Ok(text),
                Some('\\') => {
                    let escape = self.rest.chars().next();
                    let c = match escape {
                        Some(c @ ('"' | '\\')) => {
                            self.skip(c);
                            Some(c)
                        }
                        Some('u') => {
                            self.skip('u');
                            let opened = self.skip('{');
                            let digits = self.until(&['}', '"']).to_string();
                            let closed = self.skip('}');
                            let number = u32::from_str_radix(&digits, 16).ok();
                            let number = number.filter(|_| opened && closed);
                            number.and_then(char::from_u32)
                        }
                        _ => None,
                    };
                    match c {
                        Some(c) => text.push(c),
                        None => {
                            self.rest = start;
                            return Err(self.expected("an escape: \\\", \\\\ or \\u{e9}"));
                        }
                    }
                }
                Some(c) => text.push(c),
                None => return Err(self.expected("a closing quote")),
            }
        }
    }
}
