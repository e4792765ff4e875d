//! The progress of each range of the old table, which is kept in the state as text.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;

/// A range of the old table: a region when the first run began, even if the region has been split
/// since.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Range {
    pub(super) start: Bytes,
    /// Empty for the end of the table.
    pub(super) stop: Bytes,
    /// The last row that was copied.
    pub(super) last: Option<Bytes>,
    pub(super) rows: u64,
    pub(super) done: bool,
}

impl Range {
    pub(super) fn new(start: &[u8], stop: &[u8]) -> Self {
        let (start, stop) = (Bytes::copy_from_slice(start), Bytes::copy_from_slice(stop));
        Self { start, stop, last: None, rows: 0, done: false }
    }

    fn parse(line: &str) -> Option<Self> {
        let [start, stop, last, rows, done] = line.split(' ').collect::<Vec<_>>()[..] else {
            return None;
        };
        let key = |text: &str| STANDARD.decode(text.strip_prefix("key:")?).ok().map(Bytes::from);
        let last = if last == "-" { None } else { Some(key(last)?) };
        let done = match done {
            "done" => true,
            "open" => false,
            _ => return None,
        };
        Some(Self { start: key(start)?, stop: key(stop)?, last, rows: rows.parse().ok()?, done })
    }

    fn print(&self) -> String {
        let key = |key: &Bytes| format!("key:{}", STANDARD.encode(key));
        let last = self.last.as_ref().map_or("-".to_owned(), key);
        let done = if self.done { "done" } else { "open" };
        format!("{} {} {last} {} {done}\n", key(&self.start), key(&self.stop), self.rows)
    }
}

pub(super) fn parse(text: &str) -> Option<Vec<Range>> {
    text.lines().map(Range::parse).collect()
}

pub(super) fn to_text(ranges: &[Range]) -> String {
    ranges.iter().map(Range::print).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read_as_they_were_written() {
        let mut ranges = vec![Range::new(b"", b"m\xff"), Range::new(b"m\xff", b"")];
        ranges[0] = Range { last: Some("b\0 ".into()), rows: 7, ..ranges[0].clone() };
        ranges[1].done = true;
        let text = to_text(&ranges);
        assert_eq!(text, "key: key:bf8= key:YgAg 7 open\nkey:bf8= key: - 0 done\n");
        assert_eq!(parse(&text), Some(ranges));
        for wrong in ["x", "key: key: - 0 gone", "key: key: key:! 0 open", "a b - 0 open"] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }
}
