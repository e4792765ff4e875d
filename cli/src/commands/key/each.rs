//! Does the same work for each of several items, even if the work fails for some of them.

use serde_json::{Value, json};

use crate::failure::{Failure, Result};
use crate::files::lines::InputItem;
use crate::terminal::output::{Output, say};

/// The result for an item: as text, and as a JSON object.
pub(super) struct ItemResult {
    pub(super) text: String,
    pub(super) json: Value,
}

/// Calls `work` for each item, and writes the result. If the work fails for an item, the error is
/// written to standard error, and with `--json` also to standard output; the other items are still
/// processed.
pub(super) fn run_for_each(
    items: impl Iterator<Item = Result<InputItem>>,
    what: &str,
    output: &mut Output,
    work: impl Fn(&str) -> Result<ItemResult, String>,
) -> Result<()> {
    let (mut done, mut failed) = (0_usize, 0_usize);
    for item in items {
        let InputItem { text, place } = item?;
        match work(&text) {
            Ok(answer) => {
                done += 1;
                output.write_result(&answer.text, || answer.json)?;
            }
            Err(error) => {
                failed += 1;
                if output.is_json() {
                    output.write_result("", || json!({ "input": text, "error": error }))?;
                }
                say(format!("tallrow: {place}, {text}: {error}"));
            }
        }
    }
    match failed {
        0 => Ok(()),
        failed => Err(Failure::new(format!("{failed} of {} {what} failed", failed + done))),
    }
}
