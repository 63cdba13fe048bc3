//! What all commands accept besides what their help names: habits of other tools
//! (reference/command-line.md#habits).

use std::any::TypeId;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use clap::builder::TypedValueParser;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command};

/// Adds hidden aliases to a command and those below it: `--format` and `--output-format` for the format of a report,
/// `--template-body` for a template, and `file://` before every file.
pub(crate) fn accepting(command: Command) -> Command {
    let has_format = command.get_arguments().any(|argument| argument.get_long() == Some("format"));
    // `-v` of rain only verifies: it is not `--verbose` of a command that rewrites files.
    let has_verify = command.get_name() == "fmt";
    let accept = |argument: Arg| -> Arg {
        let argument = match argument.get_long() {
            Some("message-format") if !has_format => argument.aliases(["format", "output-format"]),
            Some("format") => argument.alias("output-format"),
            Some("verbose") if has_verify => argument.short(None),
            Some("template-file") => argument.alias("template-body"),
            Some("parameter-overrides") => argument.alias("parameters"),
            _ => argument,
        };
        if takes_path(&argument) { argument.value_parser(FileWord) } else { argument }
    };
    command.mut_args(accept).mut_subcommands(accepting)
}

/// Whether the value of an argument is a path.
pub(crate) fn takes_path(argument: &Arg) -> bool {
    argument.get_action().takes_values() && argument.get_value_parser().type_id() == TypeId::of::<PathBuf>()
}

/// The path of a file, with or without `file://`. A file for output is not called like a format.
#[derive(Clone)]
struct FileWord;

impl TypedValueParser for FileWord {
    type Value = PathBuf;

    fn parse_ref(&self, command: &Command, argument: Option<&Arg>, value: &OsStr) -> Result<PathBuf, clap::Error> {
        let path = without_scheme(value);
        if path.is_empty() {
            let mut error = clap::Error::new(ErrorKind::InvalidValue).with_cmd(command);
            let name = argument.map(ToString::to_string).unwrap_or_default();
            error.insert(ContextKind::InvalidArg, ContextValue::String(name));
            error.insert(ContextKind::InvalidValue, ContextValue::String(value.to_string_lossy().into_owned()));
            return Err(error);
        }
        if let Some(why) = format_as_file(command, argument, &path) {
            let mut error = clap::Error::new(ErrorKind::ValueValidation).with_cmd(command);
            error.insert(ContextKind::Custom, ContextValue::String(why));
            return Err(error);
        }
        Ok(PathBuf::from(path))
    }
}

/// A path without `file://`, as the AWS CLI reads it: `file://a/b` is relative.
fn without_scheme(word: &OsStr) -> OsString {
    let text = word.to_str();
    let rest = text.and_then(|text| text.strip_prefix("file://").or_else(|| text.strip_prefix("fileb://")));
    rest.map_or_else(|| word.to_owned(), OsString::from)
}

/// Values of `--output` in other tools.
const FORMATS: [&str; 11] =
    ["json", "yaml", "yml", "text", "table", "yaml-stream", "sarif", "junit", "github", "human", "off"];

/// The error, a line and a help, of a file for output whose name is that of a format.
fn format_as_file(command: &Command, argument: Option<&Arg>, path: &OsStr) -> Option<String> {
    argument.filter(|argument| argument.get_long() == Some("output"))?;
    let name = FORMATS.into_iter().find(|name| *name == path)?;
    let format = command.get_arguments().find(|argument| argument.get_long() == Some("format"));
    let has_format = |name: &str| {
        let values = format.map(Arg::get_possible_values).unwrap_or_default();
        values.iter().any(|value| value.matches(name, false))
    };
    let wanted = if name == "yml" { "yaml" } else { name };
    let help = if has_format(wanted) {
        format!("write `--format {wanted}`, or `-o NAME.{wanted}` for a file; `-o ./{name}` for a file of this name")
    } else {
        format!("write `-o ./{name}` if the file is to have this name")
    };
    Some(format!("`-o {name}` names a file, not a format\n{help}"))
}

/// The words with the template, which an option names that the command does not have, in the place of TEMPLATE: `check
/// -t t.yaml` becomes `check t.yaml`.
pub(crate) fn with_template_first(program: &Command, words: Vec<OsString>) -> Vec<OsString> {
    let Some(first) = words.iter().position(|word| is_template_option(word)) else { return words };
    let (mut command, mut at) = (program, 1);
    while let Some(below) = words.get(at).and_then(|word| command.find_subcommand(word)) {
        (command, at) = (below, at + 1);
    }
    let has_option = |argument: &Arg| argument.get_short() == Some('t') || argument.get_long() == Some("template-file");
    let takes_template =
        command.get_positionals().any(|argument| ["template", "file"].contains(&argument.get_id().as_str()));
    if at == 1 || first < at || !takes_template || command.get_arguments().any(has_option) {
        return words;
    }
    let (mut templates, mut rest) = (Vec::new(), Vec::new());
    let (mut words, mut is_over) = (words.into_iter().enumerate().peekable(), false);
    while let Some((number, word)) = words.next() {
        is_over |= word == "--";
        if number < at || is_over || !is_template_option(&word) {
            rest.push(word);
        } else if let Some(value) = attached_value(&word) {
            templates.push(value);
        } else {
            match words.next_if(|(_, next)| next == "-" || !next.as_encoded_bytes().starts_with(b"-")) {
                Some((_, value)) => templates.push(value),
                None => rest.push(word),
            }
        }
    }
    rest.splice(at..at, templates);
    rest
}

const TEMPLATE_OPTIONS: [&str; 3] = ["--template-file", "--template", "--template-body"];

fn is_template_option(word: &OsStr) -> bool {
    let Some(text) = word.to_str() else { return false };
    let name = text.split_once('=').map_or(text, |(name, _)| name);
    text == "-t" || text.starts_with("-t") && !text.starts_with("--") || TEMPLATE_OPTIONS.contains(&name)
}

/// The value in the same word: `-tFILE`, `-t=FILE`, `--template=FILE`.
fn attached_value(word: &OsStr) -> Option<OsString> {
    let text = word.to_str()?;
    if text.starts_with("--") {
        return text.split_once('=').map(|(_, value)| value.into());
    }
    let value = text.strip_prefix("-t")?;
    let value = value.strip_prefix('=').unwrap_or(value);
    (!value.is_empty()).then(|| value.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::program;

    fn first(line: &str) -> String {
        let words = line.split(' ').map(OsString::from).collect();
        let words = with_template_first(&program(), words);
        words.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_template_is_moved_to_its_place() {
        for (line, want) in [
            ("formwork check -t a.yaml", "formwork check a.yaml"),
            (
                "formwork check --strict -ta.yaml b.yaml --template=c.yaml",
                "formwork check a.yaml c.yaml --strict b.yaml",
            ),
            (
                "formwork explain Resources.A --template-body file://a.yaml",
                "formwork explain file://a.yaml Resources.A",
            ),
            ("formwork rules solve Rule -t -", "formwork rules solve - Rule"),
            ("formwork expand --parameter-overrides A=1 -t a.yaml", "formwork expand a.yaml --parameter-overrides A=1"),
            // The command has the option, or has another one of this name.
            ("formwork deploy -t a.yaml", "formwork deploy -t a.yaml"),
            ("formwork init -t functions", "formwork init -t functions"),
            ("formwork local invoke -t a.yaml F", "formwork local invoke -t a.yaml F"),
            // The value is missing, or the option.
            ("formwork check -t", "formwork check -t"),
            ("formwork check -t --strict", "formwork check -t --strict"),
            ("formwork check -- -t a", "formwork check -- -t a"),
            ("formwork man -t a", "formwork man -t a"),
            ("formwork -t a", "formwork -t a"),
        ] {
            assert_eq!(first(line), want);
        }
    }

    #[test]
    fn paths_have_a_scheme_or_none() {
        let path = |word: &str| without_scheme(OsStr::new(word)).to_string_lossy().into_owned();
        assert_eq!(path("file://a/b.yaml"), "a/b.yaml");
        assert_eq!(path("file:///a"), "/a");
        assert_eq!(path("file:a"), "file:a");
        assert_eq!(path("a"), "a");
    }
}
