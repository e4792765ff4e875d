//! Formats text in columns.

use std::fmt;

/// A table of text in which each column is as wide as its widest cell.
#[derive(Debug)]
pub(crate) struct TextTable<const N: usize> {
    rows: Vec<[String; N]>,
}

impl<const N: usize> TextTable<N> {
    /// Makes a table with a row of titles.
    pub(crate) fn new(titles: [&str; N]) -> Self {
        Self { rows: vec![titles.map(String::from)] }
    }

    pub(crate) fn push_row(&mut self, cells: [String; N]) {
        self.rows.push(cells);
    }
}

impl<const N: usize> fmt::Display for TextTable<N> {
    /// Writes a line for each row, without spaces at the end of a line and without a line feed
    /// after the last line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut widths = [0; N];
        for row in &self.rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = cell.chars().count().max(*width);
            }
        }
        for (index, row) in self.rows.iter().enumerate() {
            let cells = row.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}"));
            let line = cells.collect::<Vec<_>>().join("  ");
            write!(f, "{}{}", if index == 0 { "" } else { "\n" }, line.trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_needed_and_lines_end_without_spaces() {
        let mut columns = TextTable::new(["a", "b"]);
        columns.push_row(["long".into(), "x".into()]);
        columns.push_row(["y".into(), String::new()]);
        assert_eq!(columns.to_string(), "a     b\nlong  x\ny");
    }
}
