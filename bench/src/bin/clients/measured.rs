//! Reads the lines that load programs print, and computes the medians over several runs.

use std::time::Duration;

/// The measured values of one stage in one run.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    /// The stage; `rss` for the line at the end.
    pub(crate) stage: String,
    fields: Vec<(String, f64)>,
}

impl Line {
    /// Reads a line of the form `client=.. op=.. n=.. ops_s=..`; returns none for any other line.
    pub(crate) fn parse(text: &str, server: Duration) -> Option<Self> {
        let words = || text.split_whitespace().filter_map(|word| word.split_once('='));
        let (_, stage) = words().find(|(name, _)| *name == "op")?;
        let number = |(name, value): (&str, &str)| Some((name.to_owned(), value.parse().ok()?));
        let mut fields: Vec<(String, f64)> = words().filter_map(number).collect();
        let count = fields.iter().find(|(name, _)| name == "n").map(|(_, count)| *count);
        if let Some(count) = count.filter(|count| *count > 0.0) {
            fields.push(("server_us_op".into(), server.as_secs_f64() * 1e6 / count));
        }
        Some(Self { stage: stage.to_owned(), fields })
    }

    fn field(&self, name: &str) -> Option<f64> {
        self.fields.iter().find(|(known, _)| known == name).map(|(_, value)| *value)
    }
}

/// All lines of one client.
#[derive(Debug, Default)]
pub(crate) struct Measured {
    lines: Vec<Line>,
}

impl Measured {
    pub(crate) fn add(&mut self, lines: Vec<Line>) {
        self.lines.extend(lines);
    }

    /// Returns the median of one field of a stage over the runs.
    pub(crate) fn median(&self, stage: &str, field: &str) -> Option<f64> {
        let of_stage = self.lines.iter().filter(|line| line.stage == stage);
        let mut values: Vec<f64> = of_stage.filter_map(|line| line.field(field)).collect();
        values.sort_by(f64::total_cmp);
        let upper = values.get(values.len() / 2)?;
        let lower = values.get(values.len().checked_sub(1)? / 2)?;
        Some((lower + upper) / 2.0)
    }

    /// Returns the largest value of one field of a stage over the runs.
    pub(crate) fn largest(&self, stage: &str, field: &str) -> Option<f64> {
        let of_stage = self.lines.iter().filter(|line| line.stage == stage);
        of_stage.filter_map(|line| line.field(field)).max_by(f64::total_cmp)
    }

    /// Returns the number of failed operations, over all runs and stages.
    pub(crate) fn failed(&self) -> f64 {
        self.lines.iter().filter_map(|line| line.field("err")).sum()
    }
}
