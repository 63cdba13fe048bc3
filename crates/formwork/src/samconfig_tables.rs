//! Tables of samconfig.toml that nothing reads, since a part of their name is misspelt or missing.

use formwork_base::suggest::slip;
use toml::{Table, Value};

/// Names of commands that have tables, of SAM CLI and of this program.
const COMMANDS: [&str; 27] = [
    "global",
    "build",
    "check",
    "delete",
    "deploy",
    "diagnose",
    "events",
    "expand",
    "init",
    "list",
    "list_endpoints",
    "list_resources",
    "list_stack_outputs",
    "local_generate_event",
    "local_invoke",
    "local_start_api",
    "local_start_lambda",
    "logs",
    "outputs",
    "package",
    "plan",
    "publish",
    "refactor",
    "remote_invoke",
    "sync",
    "traces",
    "validate",
];

const PARAMETERS: &str = "parameters";
const DEFAULT: &str = "default";

/// A table that is not read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MisspeltTable {
    /// The name as it is written.
    pub name: String,
    /// The name that is meant.
    pub meant: String,
    /// The line of its head, from 1.
    pub line: usize,
}

/// The most tables that are reported.
const MOST: usize = 10;

/// Returns the tables of a file that are not read and are near to one that is.
pub(crate) fn misspelt(table: &Table, text: &str) -> Vec<MisspeltTable> {
    let mut names: Vec<(Vec<&str>, Vec<&str>)> = Vec::new();
    for (environment, value) in table {
        let Some(own) = value.as_table() else { continue };
        if COMMANDS.contains(&environment.as_str()) && own.get(PARAMETERS).is_some_and(Value::is_table) {
            names.push((vec![environment, PARAMETERS], vec![DEFAULT, environment, PARAMETERS]));
            continue;
        }
        let meant_environment = slip(environment, [DEFAULT]).filter(|near| !table.contains_key(*near));
        for (command, value) in own {
            let Some(settings) = value.as_table() else { continue };
            let head = meant_environment.unwrap_or(environment);
            if command == PARAMETERS {
                names.push((vec![environment, PARAMETERS], vec![head, "global", PARAMETERS]));
                continue;
            }
            let near = if COMMANDS.contains(&command.as_str()) { None } else { slip(command, COMMANDS) };
            let is_whole = settings.get(PARAMETERS).is_some_and(Value::is_table);
            let part = settings.keys().find(|key| slip(key, [PARAMETERS]).is_some() && !is_whole);
            if meant_environment.is_some() || near.is_some() || part.is_some() {
                let last = part.map_or(PARAMETERS, String::as_str);
                names.push((vec![environment, command, last], vec![head, near.unwrap_or(command), PARAMETERS]));
            }
        }
    }
    names.truncate(MOST);
    let of = |(written, meant): (Vec<&str>, Vec<&str>)| {
        let name = written.join(".");
        let is_head = |line: &str| line.trim_start().trim_start_matches('[').starts_with(&name);
        let line = text.lines().position(is_head).unwrap_or_default() + 1;
        MisspeltTable { name, meant: meant.join("."), line }
    };
    names.into_iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_near_to_one_that_is_read_are_found() {
        for (head, meant) in [
            ("default.depoly.parameters", Some("default.deploy.parameters")),
            ("default.deploy.paramaters", Some("default.deploy.parameters")),
            ("defualt.deploy.parameters", Some("default.deploy.parameters")),
            ("deploy.parameters", Some("default.deploy.parameters")),
            ("default.parameters", Some("default.global.parameters")),
            ("default.deploy.parameters", None),
            ("default.validate.parameters", None),
            ("prod.deploy.parameters", None),
            ("default.local_invoke.parameters", None),
        ] {
            let text = format!("version = 0.1\n[{head}]\nregion = \"eu-west-1\"\n");
            let table: Table = text.parse().expect("a table");
            let found = misspelt(&table, &text);
            assert_eq!(found.first().map(|one| one.meant.as_str()), meant, "{head}");
            assert!(found.iter().all(|one| one.line == 2 && one.name == head), "{found:?}");
        }
    }
}
