//! The list of commands in the help of the program, in groups (reference/command-line.md#help).

use std::fmt::Write as _;

use clap::Command;
use formwork_report::lines_of_words;

/// The groups and their commands. Those that no group has are in the last one.
const GROUPS: [(&str, &[&str]); 8] = [
    ("Make a project", &["init", "config", "migrate"]),
    ("Write", &["expand", "resolve", "merge", "explain", "graph", "fmt", "lsp", "schemas", "modules"]),
    ("Check", &["check", "validate", "rules", "map-back"]),
    ("Review", &["plan", "diff"]),
    ("Build and run", &["build", "local", "package"]),
    ("Deploy", &["deploy", "sync", "refactor", "delete"]),
    ("Look at a stack", &["list", "outputs", "events", "logs", "diagnose", "stack", "account"]),
    (MORE, &["completions", "man", "version", "help"]),
];

const MORE: &str = "More";

/// The widest help.
const WIDEST: usize = 100;

/// Adds the list of commands in groups to the program.
pub(super) fn grouped(program: Command, width: Option<usize>) -> Command {
    let list = list(&program, width.map_or(WIDEST, |width| width.min(WIDEST)));
    program.help_template(format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{list}Options:\n{{options}}{{after-help}}"
    ))
}

fn list(program: &Command, width: usize) -> String {
    let about = |command: &Command| command.get_about().map(ToString::to_string).unwrap_or_default();
    let mut commands: Vec<(String, String)> = program
        .get_subcommands()
        .filter(|command| !command.is_hide_set())
        .map(|command| (command.get_name().to_owned(), about(command)))
        .collect();
    if !commands.iter().any(|(name, _)| name == "help") {
        commands.push(("help".to_owned(), "Print the help of the program or of a command".to_owned()));
    }
    let column = commands.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
    let mut text = String::new();
    for (title, names) in GROUPS {
        let is_of_none = |name: &str| title == MORE && !GROUPS.iter().any(|(_, names)| names.contains(&name));
        let listed = names.iter().filter_map(|name| commands.iter().find(|(known, _)| known == name));
        let others = commands.iter().filter(|(name, _)| is_of_none(name));
        let lines: Vec<&(String, String)> = listed.chain(others).collect();
        if lines.is_empty() {
            continue;
        }
        let _ = writeln!(text, "{title}:");
        for (name, about) in lines {
            let line = format!("  {name:column$}  {about}\n");
            text += &indented(&line, column + 4, width);
        }
        text.push('\n');
    }
    text
}

/// Breaks a line at spaces; what follows is below the description.
fn indented(line: &str, column: usize, width: usize) -> String {
    let (start, about) = line.split_at(column);
    let room = width.saturating_sub(column).max(20);
    let below = format!("\n{:column$}", "");
    format!("{start}{}\n", lines_of_words(about.trim_end(), room).replace('\n', &below))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::program;

    #[test]
    fn every_command_is_in_one_group() {
        let mut names: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        names.sort_unstable();
        let mut known: Vec<String> = program().get_subcommands().map(|one| one.get_name().to_owned()).collect();
        known.push("help".to_owned());
        known.sort();
        known.dedup();
        if cfg!(all(feature = "aws", feature = "local")) {
            assert_eq!(names, known);
        }
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
    }

    #[test]
    fn lines_fit_the_width() {
        for width in [40, 80, 100] {
            let text = list(&program(), width);
            assert!(text.lines().all(|line| line.chars().count() <= width), "{width}: {text}");
        }
    }
}
