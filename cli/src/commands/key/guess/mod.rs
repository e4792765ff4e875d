//! The command `tallrow key guess`.

mod candidate;
mod number;
mod prefix;
mod proposals;
mod search;
mod text;

use clap::Args;
use serde_json::json;
use tallrow::Timestamp;

use self::proposals::{Proposal, proposals};
use crate::failure::{Failure, Result};
use crate::files::lines::arguments_or_stdin_lines;
use crate::keys::key_format::KeyList;
use crate::terminal::output::{Output, say};

const AFTER: &str = "\
A proposed layout decodes every key that was given. A salt or a hash is only proposed if computing
it gives the bytes of every key. The more keys, the better: with fewer than 8, confidence is at
most medium.

Examples:
  tallrow key guess --key-format hex < keys.txt
  tallrow table sample events | tallrow key guess";

/// Propose layouts that row keys may have, with reasons
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct Guess {
    /// Print only the schema of the first proposal, for a file; the reasons go to standard error
    #[arg(long)]
    schema_only: bool,

    #[command(flatten)]
    list: KeyList,
}

/// The maximum number of keys that are read; more keys would add nothing.
const MOST: usize = 10_000;

impl Guess {
    pub(super) fn run(self, output: &mut Output) -> Result<()> {
        let (mut keys, format) = (Vec::new(), self.list.key_format);
        for item in arguments_or_stdin_lines(self.list.keys, "row keys").take(MOST) {
            let item = item?;
            let key = format.read(&item.text).map_err(|error| {
                Failure::new(format!("{}, {}: {error}", item.place, item.text)).advise(
                    "--key-format says how the keys are written: shell, hex, base64 or region",
                )
            })?;
            // An empty key is the start key of the first region.
            if !key.is_empty() {
                keys.push(key);
            }
        }
        keys.sort_unstable();
        keys.dedup();
        if keys.is_empty() {
            return Err(Failure::not_found("there are no row keys to guess from"));
        }
        if keys.len() < 8 {
            say(format!("{} different keys are few; give 8 or more", keys.len()));
        }
        let found = proposals(&keys, Timestamp::now().as_millis().into());
        if found.is_empty() {
            return Err(Failure::not_found(format!("no layout decodes all {} keys", keys.len()))
                .advise("the keys may be of several layouts: give those of one"));
        }
        if let Some(best) = found.first().filter(|_| self.schema_only && !output.is_json()) {
            say(reasons(0, best, keys.len()).trim_end());
            return output.write_text(&best.schema.to_string());
        }
        let shown = if self.schema_only { 1 } else { found.len() };
        for (index, proposal) in found.iter().take(shown).enumerate() {
            let text = format!("{}{}", reasons(index, proposal, keys.len()), indented(proposal));
            output.write_result(text, || {
                let reasons = proposal
                    .reasons
                    .iter()
                    .map(|(part, why)| json!({ "part": part, "reason": why }));
                json!({
                    "confidence": proposal.confidence.word(),
                    "keys": keys.len(),
                    "reasons": reasons.collect::<Vec<_>>(),
                    "schema": proposal.schema.to_string(),
                })
            })?;
        }
        Ok(())
    }
}

/// Returns a text with the reasons why a layout is proposed.
fn reasons(index: usize, proposal: &Proposal, keys: usize) -> String {
    let (number, confidence) = (index + 1, proposal.confidence.word());
    let mut text = format!("{number}. confidence {confidence}: it decodes all {keys} keys\n");
    for (part, reason) in &proposal.reasons {
        text += &format!("   {part}: {reason}\n");
    }
    text
}

/// Returns the text of the proposed schema, indented, for printing after the reasons.
fn indented(proposal: &Proposal) -> String {
    let schema = proposal.schema.to_string();
    let lines: Vec<_> = schema.lines().map(|line| format!("\n      {line}")).collect();
    format!("{}\n", lines.concat())
}
