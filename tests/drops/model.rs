//! What a row may contain: the last acknowledged write, or any unanswered write since then.

use tallrow::Row;

/// One row with a text and a counter, written by a single task.
#[derive(Debug)]
pub(crate) struct RowModel {
    pub(crate) key: String,
    /// The possible texts; the first is the last acknowledged one.
    texts: Vec<Text>,
    /// The minimum and maximum of the counter.
    counter: (i64, i64),
    written: u64,
}

/// A text that is written only once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Text {
    number: u64,
    padding: usize,
}

impl RowModel {
    pub(crate) fn new(key: String) -> Self {
        Self { key, texts: Vec::new(), counter: (0, 0), written: 0 }
    }

    pub(crate) fn next_text(&mut self, padding: usize) -> Text {
        self.written += 1;
        Text { number: self.written, padding }
    }

    /// The bytes of a text.
    pub(crate) fn value(&self, text: Text) -> String {
        format!("{}#{}{}", self.key, text.number, ".".repeat(text.padding))
    }

    /// The last acknowledged text.
    pub(crate) fn known_text(&self) -> Text {
        *self.texts.first().unwrap()
    }

    /// A write of a text was acknowledged.
    pub(crate) fn wrote(&mut self, text: Text) {
        self.texts = vec![text];
    }

    /// A write of a text was not answered.
    pub(crate) fn may_have_written(&mut self, text: Text) {
        self.texts.push(text);
    }

    /// The result of a write that was conditional on a text.
    pub(crate) fn wrote_if(&mut self, expected: Text, text: Text, held: bool) {
        let could = self.texts.iter().any(|t| (*t == expected) == held);
        assert!(could, "if {expected:?}: answered {held}, may hold {self:?}");
        match held {
            true => self.wrote(text),
            false => self.texts.retain(|t| *t != expected),
        }
    }

    /// An increment by 1 was answered, with its value or, after a lost reply, without.
    pub(crate) fn counted(&mut self, answer: Option<Row>) {
        let (min, max) = self.counter;
        let Some(answer) = answer.and_then(|row| row.counter("f", "n").unwrap()) else {
            self.counter = (min + 1, max + 1);
            return;
        };
        assert!((min + 1..=max + 1).contains(&answer), "counted {answer}: {self:?}");
        self.counter = (answer, answer);
    }

    /// An increment by 1 was not answered.
    pub(crate) fn may_have_counted(&mut self) {
        self.counter.1 += 1;
    }

    /// Checks the row against the model.
    pub(crate) fn read(&self, row: &Row) {
        assert_eq!(row.key(), self.key.as_bytes());
        let text = row.value("f", "q").map(String::from_utf8_lossy).unwrap_or_default();
        let short = text.trim_end_matches('.');
        assert!(self.texts.iter().any(|t| self.value(*t) == text), "read {short}: {self:?}");
        let counter = row.counter("f", "n").unwrap().unwrap_or(0);
        assert!((self.counter.0..=self.counter.1).contains(&counter), "read {counter}: {self:?}");
    }
}
