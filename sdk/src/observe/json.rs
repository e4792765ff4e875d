//! JSON text, to which members are added one after the other.

use std::fmt::Write;
use std::time::Duration;

/// A JSON text under construction.
pub(crate) struct JsonWriter {
    text: String,
}

impl JsonWriter {
    pub(crate) fn new() -> Self {
        Self { text: String::new() }
    }

    pub(crate) fn into_text(self) -> String {
        self.text
    }

    /// Adds an object; `write` adds its members.
    pub(crate) fn object(&mut self, write: impl FnOnce(&mut Self)) {
        self.text.push('{');
        write(self);
        self.text.push('}');
    }

    /// Adds a member to the current object; `write` adds its value.
    pub(crate) fn member(&mut self, name: &str, write: impl FnOnce(&mut Self)) {
        self.comma();
        self.quoted(name);
        self.text.push(':');
        write(self);
    }

    /// Adds a member that is an array of objects.
    pub(crate) fn array<T>(
        &mut self,
        name: &str,
        items: impl IntoIterator<Item = T>,
        mut write: impl FnMut(&mut Self, T),
    ) {
        self.member(name, |json| {
            json.text.push('[');
            for item in items {
                json.comma();
                json.object(|json| write(json, item));
            }
            json.text.push(']');
        });
    }

    /// Adds a member that is an object.
    pub(crate) fn object_member(&mut self, name: &str, write: impl FnOnce(&mut Self)) {
        self.member(name, |json| json.object(write));
    }

    pub(crate) fn boolean(&mut self, name: &str, value: bool) {
        self.member(name, |json| json.text.push_str(if value { "true" } else { "false" }));
    }

    /// Adds a member that is a time, in ns.
    pub(crate) fn time(&mut self, name: &str, value: Duration) {
        self.number(name, u64::try_from(value.as_nanos()).unwrap_or(u64::MAX));
    }

    pub(crate) fn text(&mut self, name: &str, value: &str) {
        self.member(name, |json| json.quoted(value));
    }

    pub(crate) fn number(&mut self, name: &str, value: u64) {
        self.member(name, |json| json.text.push_str(&value.to_string()));
    }

    fn comma(&mut self) {
        if !self.text.ends_with(['{', '[', ':']) && !self.text.is_empty() {
            self.text.push(',');
        }
    }

    fn quoted(&mut self, value: &str) {
        self.text.push('"');
        for c in value.chars() {
            match c {
                '"' | '\\' => self.text.extend(['\\', c]),
                c if c.is_control() => drop(write!(self.text, "\\u{:04x}", u32::from(c))),
                c => self.text.push(c),
            }
        }
        self.text.push('"');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_json_whatever_the_texts_are() {
        let mut json = JsonWriter::new();
        json.object(|json| {
            json.text("a \"b\"\\", "{\n\u{7f}ü");
            json.array("none", [0; 0], |_, _| {});
            json.array("two", [1, 2], |json, n| json.number("n", n));
            json.member("empty", |json| json.object(|_| {}));
            json.text("", "[:{");
            json.number("last", u64::MAX);
        });
        assert_eq!(
            json.into_text(),
            "{\"a \\\"b\\\"\\\\\":\"{\\u000a\\u007fü\",\"none\":[],\"two\":[{\"n\":1},{\"n\":2}],\"empty\":{},\
             \"\":\"[:{\",\"last\":18446744073709551615}"
        );
    }
}
