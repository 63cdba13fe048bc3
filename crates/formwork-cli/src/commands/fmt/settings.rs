//! The settings of formatting in formwork.toml: the table `[fmt]`, whose keys are the options of the command.

use std::ffi::OsString;
use std::path::Path;

use clap::FromArgMatches as _;
use formwork_format::Options;

use crate::args::{Cli, Command, program, with_defaults};
use crate::failure::Failure;
use formwork_project::ProjectFile;

/// The options for a file by the command line and the formwork.toml in its directory or the nearest one above. `None`
/// without such a file.
///
/// # Errors
/// When the file cannot be used.
pub(super) fn of_file(path: &Path) -> Result<Option<Options>, Failure> {
    let directory = path.parent().filter(|directory| !directory.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Some(file) = ProjectFile::find_from(directory).map_err(Failure::of_first)? else { return Ok(None) };
    let words: Vec<OsString> = std::env::args_os().collect();
    let words = with_defaults(&file, &program(), &words, crate::usage::explain).map_err(Failure::of_first)?;
    let matches = program().try_get_matches_from(words);
    let cli = matches.and_then(|matches| Cli::from_arg_matches(&matches));
    Ok(match cli.map(|cli| cli.command) {
        Ok(Command::Fmt(args)) => Some(args.style.options()),
        _ => None,
    })
}
