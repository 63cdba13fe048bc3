//! Selects the `samconfig.toml` of the arguments (reference/command-line.md#samconfig).

use std::path::Path;

use clap::Command;
pub(crate) use formwork_project::{Config, ConfigChoice};

use crate::args::program;
use crate::{default_template, foreign};

pub(crate) fn choice<'a>(file: Option<&'a Path>, environment: Option<&'a str>, is_left_out: bool) -> ConfigChoice<'a> {
    ConfigChoice { file, environment, is_left_out, source_folder: default_template::source_folder }
}

/// The options of the program and of SAM CLI, as keys.
pub(crate) fn known_keys() -> Vec<String> {
    let program = program();
    let own = option_names(&program).map(|name| name.replace('-', "_"));
    own.chain(foreign::options_of_sam().map(|name| name.trim_start_matches('-').replace('-', "_"))).collect()
}

/// The long names and aliases of the options of a command and its subcommands.
fn option_names(command: &Command) -> impl Iterator<Item = String> {
    let own = command.get_arguments().flat_map(|argument| {
        let aliases = argument.get_all_aliases().unwrap_or_default();
        argument.get_long().into_iter().chain(aliases).map(str::to_owned).collect::<Vec<_>>()
    });
    let below = command.get_subcommands().flat_map(|below| option_names(below).collect::<Vec<_>>());
    own.chain(below)
}
