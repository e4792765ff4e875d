//! What was probably meant by arguments that the program does not take.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, CommandFactory};

use crate::arguments::Arguments;

/// Returns what to do about wrong usage, where more is known than what is wrong.
pub(crate) fn tip(error: &clap::Error, given: impl Iterator<Item = String>) -> Option<String> {
    let given: Vec<String> = given.collect();
    if error.kind() == ErrorKind::InvalidSubcommand
        && let Some(ContextValue::String(name)) = error.get(ContextKind::InvalidSubcommand)
    {
        let all = Arguments::command();
        let places: Vec<String> = all
            .get_subcommands()
            .flat_map(|group| group.get_subcommands().map(move |command| (group, command)))
            .filter(|(_, command): &(&Command, &Command)| command.get_name() == name)
            .map(|(group, command)| {
                format!("`tallrow {} {}`", group.get_name(), command.get_name())
            })
            .collect();
        return (!places.is_empty()).then(|| format!("it is {}", places.join(" or ")));
    }
    let is_cut = |pair: &[String]| {
        pair.first().is_some_and(|text| text.ends_with(',') && text.contains('='))
    };
    let of_arguments =
        matches!(error.kind(), ErrorKind::UnknownArgument | ErrorKind::MissingRequiredArgument);
    (of_arguments && given.windows(2).any(is_cut)).then(|| {
        "the values of a row key are one argument: write them in quotes, as 'user=7, at=1000'"
            .into()
    })
}
