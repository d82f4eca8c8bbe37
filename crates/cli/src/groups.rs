//! `morpion --help`: the commands in groups.

use std::fmt::Write;

use clap::{Command, CommandFactory};

/// The groups, each with its commands and what they do in a few words.
const GROUPS: [(&str, &[(&str, &str)]); 6] = [
    (
        "Play and check",
        &[
            ("serve", "Play in the browser"),
            ("verify", "Check games and proofs"),
            ("order", "Order the lines of a drawing"),
            ("convert", "Convert files, draw pictures"),
            ("show", "Draw a game in the terminal"),
            ("compare", "Compare two games"),
        ],
    ),
    (
        "Search",
        &[
            ("search", "Search for a long game"),
            ("methods", "List the search methods"),
            ("endgame", "Prove or improve an ending"),
            ("records", "Show records and bounds"),
        ],
    ),
    (
        "Prove",
        &[
            ("bound", "Bound the length of games"),
            ("prove", "Find proofs of bounds"),
            ("count", "Count positions"),
            ("reduce", "Turn 3-SAT into dots"),
        ],
    ),
    (
        "Research",
        &[
            ("experiment", "Reproduce published tables"),
            ("learn", "Train networks by self-play"),
            ("env", "Play by lines of JSON"),
        ],
    ),
    (
        "Run at scale",
        &[
            ("run", "Run a plan of many tasks"),
            ("worker", "Join a run"),
            ("status", "Show the state of runs"),
            ("stop", "Stop the run in progress"),
            ("store", "Archive verified games and proofs"),
        ],
    ),
    (
        "Other",
        &[
            ("bench", "Measure speeds"),
            ("completions", "Print shell completions"),
            ("man", "Print manual pages"),
            ("help", "Print the help of a command"),
        ],
    ),
];

/// The program, with its commands in groups.
pub(crate) fn command<T: CommandFactory>() -> Command {
    let mut list = String::new();
    for (title, commands) in GROUPS {
        let _ = writeln!(list, "{title}:");
        for (name, what) in commands {
            let _ = writeln!(list, "  {name:<13}{what}");
        }
        list.push('\n');
    }
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{list}Options:\n{{options}}\
         {{after-help}}"
    );
    taking_negative_numbers(T::command()).help_template(template)
}

/// So that a negative number is refused as a value, with the range, and not as an unknown flag.
fn taking_negative_numbers(command: Command) -> Command {
    command
        .mut_args(|arg| match arg.get_action().takes_values() {
            true => arg.allow_negative_numbers(true),
            false => arg,
        })
        .mut_subcommands(taking_negative_numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_visible_command_is_in_one_group() {
        let command = command::<crate::Morpion>();
        let visible = command.get_subcommands().filter(|command| !command.is_hide_set());
        let mut visible: Vec<&str> = visible.map(Command::get_name).collect();
        visible.push("help");
        let mut listed: Vec<&str> = GROUPS
            .iter()
            .flat_map(|(_, commands)| commands.iter().map(|(name, _)| *name))
            .collect();
        visible.sort_unstable();
        listed.sort_unstable();
        assert_eq!(visible, listed);
    }
}
