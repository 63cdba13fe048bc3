//! Parses the command line.
//!
//! Describing every command with all its options takes longer than expanding a small template. So the arguments of a
//! process are parsed with the description of its command only, and with all of them only if that fails, so that help
//! and errors are those of the whole program.

use std::ffi::{OsStr, OsString};

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, Command, FromArgMatches, Subcommand};

use formwork_run::check::CheckArgs;
#[cfg(feature = "aws")]
use formwork_stacks::deploy::DeployCommandArgs;

use crate::args::{
    Cli, ExpandArgs, ExplainArgs, PackageArgs, ResolveArgs, RulesCommand, ValidateArgs, accepting, as_own, program,
    with_defaults, with_template_first, without_dash,
};
use crate::failure::FileFailure;
use crate::usage::{explain, long_word_with_one_dash};
use formwork_project::ProjectFile;

/// The reason why the command line cannot be used.
#[derive(Debug)]
pub(crate) enum Unfit {
    /// The error in the arguments, or the requested help, and the arguments.
    Usage(clap::Error, Vec<OsString>),
    /// The file with the defaults of options cannot be used. The command is the meaning of the line without them.
    Defaults(Vec<FileFailure>, Option<Box<Cli>>),
}

/// Parses the arguments of the process, with the defaults of options in `formwork.toml`.
///
/// # Errors
/// When the arguments are wrong, or ask for help.
pub(crate) fn parse() -> Result<Cli, Unfit> {
    let (mut words, notes) = as_own(std::env::args_os().collect());
    notes.into_iter().for_each(formwork_project::notes::note_word);
    // `help check --help` asks for the same thing again.
    if words.get(1).is_some_and(|word| word == "help") {
        words.retain(|word| word != "-h" && word != "--help");
    }
    if let Some(word) = long_word_with_one_dash(&words) {
        let mut error = clap::Error::new(ErrorKind::UnknownArgument);
        error.insert(ContextKind::InvalidArg, ContextValue::String(word));
        return Err(Unfit::Usage(error, words));
    }
    if words
        .iter()
        .any(|word| word.as_encoded_bytes().starts_with(b"-t") || word.as_encoded_bytes().starts_with(b"--template"))
    {
        words = with_template_first(&program(), words);
    }
    // A language server reads the file of each directory itself, and does not end because of an invalid one.
    let is_server = words.get(1).is_some_and(|word| word == "lsp");
    let with_defaults = || match if is_server { None } else { ProjectFile::find()? } {
        Some(file) => with_defaults(&file, &program(), &words, explain).map(Some),
        None => Ok(None),
    };
    match with_defaults() {
        Ok(more) => words = more.unwrap_or(words),
        Err(failures) => return without_defaults(words, failures),
    }
    // Not before: formwork.toml may set a file.
    words = without_dash(words);
    match with_named_command(&words) {
        Some(cli) => Ok(cli),
        None => with_all_commands(&words).map_err(|error| Unfit::Usage(error, words)),
    }
}

fn with_all_commands(words: &[OsString]) -> Result<Cli, clap::Error> {
    Cli::from_arg_matches_mut(&mut program().try_get_matches_from(words)?)
}

/// The result if the defaults cannot be used: a request for help or the version is still answered.
fn without_defaults(words: Vec<OsString>, failures: Vec<FileFailure>) -> Result<Cli, Unfit> {
    use crate::args::Command;
    match with_all_commands(&words) {
        Err(error) if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) => {
            Err(Unfit::Usage(error, words))
        }
        Ok(cli) if matches!(cli.command, Command::Version | Command::Completions(_) | Command::Man(_)) => Ok(cli),
        Ok(cli) => Err(Unfit::Defaults(failures, Some(Box::new(cli)))),
        Err(_) => Err(Unfit::Defaults(failures, None)),
    }
}

/// Parses them if they begin with the name of a command in [`COMMANDS`], and are valid.
fn with_named_command(words: &[OsString]) -> Option<Cli> {
    if let [_, word] = words
        && (word == "--version" || word == "-V")
    {
        // Printed as the command does.
        return Some(Cli { command: crate::args::Command::Version });
    }
    let command = named_command(words.get(1)?)?;
    let matches = Command::new("formwork").subcommand(command).try_get_matches_from(words);
    Cli::from_arg_matches_mut(&mut matches.ok()?).ok()
}

type Describe = fn(Command) -> Command;

/// The commands that read templates, and the smallest one.
const COMMANDS: &[(&str, Describe)] = &[
    ("expand", ExpandArgs::augment_args),
    ("resolve", ResolveArgs::augment_args),
    ("check", CheckArgs::augment_args),
    ("rules", RulesCommand::augment_subcommands),
    ("explain", ExplainArgs::augment_args),
    ("package", PackageArgs::augment_args),
    #[cfg(feature = "aws")]
    ("deploy", DeployCommandArgs::augment_args),
    ("validate", ValidateArgs::augment_args),
    ("version", |command| command),
];

/// The description of a command, without its help text.
fn named_command(name: &OsStr) -> Option<Command> {
    let &(name, describe) = COMMANDS.iter().find(|(known, _)| *known == name)?;
    Some(accepting(describe(Command::new(name))))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    fn shape(command: &Command) -> Vec<String> {
        let arguments = command.get_arguments().map(|argument| format!("{argument:?}"));
        let below = command.get_subcommands().flat_map(|below| {
            let name = below.get_name().to_owned();
            shape(below).into_iter().map(move |line| format!("{name} {line}"))
        });
        arguments.chain(below).collect()
    }

    #[test]
    fn a_command_is_described_alike_with_and_without_the_others() {
        let program = accepting(Cli::command());
        for &(name, _) in COMMANDS {
            let alone = named_command(OsStr::new(name)).expect("known");
            let whole = program.get_subcommands().find(|whole| whole.get_name() == name).expect("a command");
            assert_eq!(shape(&alone), shape(whole), "{name}");
            assert!(!shape(whole).is_empty() || name == "version");
        }
    }

    #[test]
    fn the_version_is_printed_alike_by_an_option_and_by_the_command() {
        for option in ["--version", "-V"] {
            let words = ["formwork", option].map(OsString::from);
            let alone = with_named_command(&words).expect("an option of its own");
            assert!(matches!(alone.command, crate::args::Command::Version));
            let printed = with_all_commands(&words).expect_err("a version is to be printed");
            assert_eq!(printed.to_string(), concat!("formwork ", env!("CARGO_PKG_VERSION"), "\n"));
        }
    }

    #[test]
    fn arguments_are_read_alike_with_and_without_the_others() {
        for line in [
            "expand t.yaml --format json --parameter-overrides A=1 B=2",
            "resolve t.yaml --region eu-west-1 --strict",
            "check a.yaml b.yaml --message-format json",
            "check --explain FW0101",
            "rules check t.yaml --format json --account s.json",
            "rules solve t.yaml Rule",
            "explain t.yaml Resources.A",
            "package t.yaml --s3-bucket b",
            "deploy t.yaml --stack-name s",
            "validate t.yaml",
            "version",
        ] {
            let words: Vec<OsString> = ["formwork"].into_iter().chain(line.split(' ')).map(OsString::from).collect();
            let alone = with_named_command(&words).map(|cli| format!("{cli:?}"));
            let whole = with_all_commands(&words).map(|cli| format!("{cli:?}"));
            assert_eq!(alone, whole.ok(), "{line}");
            assert!(alone.is_some(), "{line}");
        }
        for line in
            ["", "--version x", "--help", "expand --help", "expand t.yaml --frmat json", "rules", "rules help", "help"]
        {
            let words: Vec<OsString> = ["formwork"].into_iter().chain(line.split(' ')).map(OsString::from).collect();
            assert!(with_named_command(&words).is_none(), "{line}");
        }
    }
}
