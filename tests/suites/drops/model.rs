//! What a row may contain: the last acknowledged write, or any unanswered write since then. On
//! HBase, whose handlers work side by side, an unanswered write may also be made after those that
//! follow it.

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
    /// Unanswered texts and increments that may be made at any time, if the server works on several
    /// calls at a time.
    late: Option<(Vec<Text>, i64)>,
}

/// A text that is written only once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Text {
    number: u64,
    padding: usize,
}

impl RowModel {
    pub(crate) fn new(key: String, side_by_side: bool) -> Self {
        let late = side_by_side.then(Default::default);
        Self { key, texts: Vec::new(), counter: (0, 0), written: 0, late }
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
        self.texts.extend(self.late.iter().flat_map(|(texts, _)| texts));
    }

    /// A write of a text was not answered.
    pub(crate) fn may_have_written(&mut self, text: Text) {
        self.texts.push(text);
        self.late.iter_mut().for_each(|(texts, _)| texts.push(text));
    }

    /// The result of a write that was conditional on a text.
    pub(crate) fn wrote_if(&mut self, expected: Text, text: Text, held: bool) {
        let could = self.texts.iter().any(|t| (*t == expected) == held);
        assert!(could, "if {expected:?}: answered {held}, may hold {self:?}");
        match held {
            true => self.wrote(text),
            false => {
                let late = self.late.as_ref();
                let may_come = |t: &Text| late.is_some_and(|(texts, _)| texts.contains(t));
                self.texts.retain(|t| *t != expected || may_come(t));
            }
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
        let late = self.late.as_ref().map_or(0, |(_, increments)| *increments);
        self.counter = (answer, answer + late);
    }

    /// An increment by 1 was not answered.
    pub(crate) fn may_have_counted(&mut self) {
        self.counter.1 += 1;
        self.late.iter_mut().for_each(|(_, increments)| *increments += 1);
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
