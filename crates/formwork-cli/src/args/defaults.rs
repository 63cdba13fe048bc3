//! Default values of options: added to the words of a command line, where it does not set the option itself.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command};
use formwork::Format;

use formwork_project::file::{FILE_NAME, MOST_ERRORS, below};
use formwork_project::{Effect, FileFailure, ProjectFile, Setting, SettingValue, effect_of, notes};

use formwork_run::excluded;

use super::{format_of_file, takes_path};

/// Words for an error in the words of a command line, and what to type instead.
type Explain = fn(&clap::Error, &[OsString]) -> (String, String);

/// The words of a command line with the defaults of the file, which are noted where they change a result. Defaults that
/// the command line sets, or that conflict with it, are left out.
///
/// # Errors
/// When a setting is for no command or no option, or its value is not one of the option's.
pub(crate) fn with_defaults(
    file: &ProjectFile,
    program: &Command,
    words: &[OsString],
    explain: Explain,
) -> Result<Vec<OsString>, Vec<FileFailure>> {
    check(file, program)?;
    let mut all = words.to_vec();
    let Ok(matches) = program.clone().try_get_matches_from(words) else { return Ok(all) };
    let (names, command, matches) = leaf(program, &matches);
    let Some(place) = place(words, &names) else { return Ok(all) };
    for argument in command.get_arguments() {
        let Some(setting) = setting(file, &names, argument) else { continue };
        let Some(effect) = effect_of(canonical(argument)) else { continue };
        if matches.value_source(argument.get_id().as_str()) == Some(ValueSource::CommandLine) {
            continue;
        }
        if canonical(argument) == "format" && format_by_name(matches).is_some() {
            continue;
        }
        let mut more = words.to_vec();
        let own = words_of(file, setting, argument).map_err(|failure| vec![failure])?;
        more.splice(place..place, own.iter().map(OsString::from));
        match program.clone().try_get_matches_from(&more) {
            Ok(_) => {
                if !own.is_empty() && effect == Effect::Result {
                    notes::note(&file.path, &setting.option);
                }
                all.splice(place..place, own.into_iter().map(OsString::from));
            }
            // It conflicts with the command line.
            Err(error) if error.kind() == ErrorKind::ArgumentConflict => {}
            Err(error) => {
                let (why, help) = explain(&error, &more);
                return Err(vec![file.unfit_setting(setting.line, &why).help(help)]);
            }
        }
    }
    Ok(all)
}

/// The format that the name of a file for output means.
fn format_by_name(matches: &ArgMatches) -> Option<Format> {
    let output = matches.try_get_one::<PathBuf>("output").ok()??;
    format_of_file(output)
}

/// The setting of an option of a command: that of the command before that of all commands.
pub(crate) fn setting<'f>(file: &'f ProjectFile, command: &[&str], option: &Arg) -> Option<&'f Setting> {
    let of_option = file.settings().iter().filter(|setting| is_named(option, &setting.option));
    // `exclude` of all commands is about files, and that of `build` about resources.
    let is_other =
        |setting: &&Setting| setting.command.is_empty() && option.get_id() == "exclude" && command == ["build"];
    let of_command = of_option.filter(|setting| setting.is_for(command) && !is_other(setting));
    of_command.min_by_key(|setting| setting.command.is_empty())
}

/// Looks at every setting: one of an option that the file must not set is an error, one of a command or an option that does
/// not exist a warning.
///
/// # Errors
/// All settings of the file that must not be there, in its order.
pub(crate) fn check(file: &ProjectFile, program: &Command) -> Result<(), Vec<FileFailure>> {
    let mut settings: Vec<&Setting> = file.settings().iter().collect();
    settings.sort_by_key(|setting| setting.line);
    let failures: Vec<FileFailure> =
        settings.into_iter().filter_map(|setting| check_one(file, program, setting).err()).take(MOST_ERRORS).collect();
    if failures.is_empty() { Ok(()) } else { Err(failures) }
}

fn check_one(file: &ProjectFile, program: &Command, setting: &Setting) -> Result<(), FileFailure> {
    let unknown = |why: &str, known: Vec<&str>, name: &str| {
        let help = match formwork::suggest::nearest(name, known) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "`formwork config show COMMAND` lists the options".to_owned(),
        };
        notes::warn(format!("{}:{}: {why}, and has no effect; {help}", file.path.display(), setting.line));
    };
    let mut command = program;
    for name in &setting.command {
        let Some(below) = command.find_subcommand(name) else {
            let own = (command.get_name() == program.get_name()).then_some("parameters");
            let known = command.get_subcommands().map(Command::get_name).chain(own).collect();
            unknown(&format!("`{name}` is not a command"), known, name);
            return Ok(());
        };
        command = below;
    }
    let commands = if setting.command.is_empty() { all(program) } else { vec![command] };
    let name = setting.name();
    let refused = || {
        Err(file
            .unfit_setting(setting.line, &format!("{name} must not be set in {FILE_NAME}"))
            .help(format!("remove it, and pass `--{}` on the command line", setting.option)))
    };
    let Some(found) = commands.iter().find_map(|command| option(command, &setting.option)) else {
        // What another command must not get from the file is refused, wherever it is.
        let is_refused = |command: &&Command| {
            option(command, &setting.option).is_some_and(|found| effect_of(canonical(found)).is_none())
        };
        if all(program).iter().any(is_refused) {
            return refused();
        }
        let settable = |name: &&str| effect_of(name).is_some();
        let options = all(command).into_iter().flat_map(Command::get_arguments).filter_map(Arg::get_long);
        let of = if setting.command.is_empty() { "any command" } else { command.get_name() };
        let own = setting.command.is_empty().then_some("template-root");
        let options: Vec<&str> = options.filter(settable).chain(own).collect();
        match owner(program, &setting.option) {
            Some(owner) => notes::warn(format!(
                "{}:{}: {name} is not an option of {of}, and has no effect; it is one of {owner}: write it below `[{owner}]`",
                file.path.display(),
                setting.line
            )),
            None => unknown(&format!("{name} is not an option of {of}"), options, &setting.option),
        }
        return Ok(());
    };
    if effect_of(canonical(found)).is_none() { refused() } else { Ok(()) }
}

/// The first command that has an option, by its name.
fn owner<'c>(program: &'c Command, name: &str) -> Option<&'c str> {
    program.get_subcommands().find(|command| option(command, name).is_some()).map(Command::get_name)
}

/// A command and all below it.
fn all(command: &Command) -> Vec<&Command> {
    std::iter::once(command).chain(command.get_subcommands().flat_map(all)).collect()
}

/// An option by its long name, or an alias that its help names.
fn option<'c>(command: &'c Command, name: &str) -> Option<&'c Arg> {
    command.get_arguments().find(|argument| is_named(argument, name))
}

/// The long name of an option.
fn canonical(argument: &Arg) -> &str {
    argument.get_long().unwrap_or_default()
}

fn is_named(argument: &Arg, name: &str) -> bool {
    argument.get_long() == Some(name) || argument.get_visible_aliases().is_some_and(|aliases| aliases.contains(&name))
}

/// The command that the matches are of: its names, its description, its own matches.
fn leaf<'c, 'm>(program: &'c Command, matches: &'m ArgMatches) -> (Vec<&'m str>, &'c Command, &'m ArgMatches) {
    let (mut names, mut command, mut matches) = (Vec::new(), program, matches);
    while let Some((name, below)) = matches.subcommand() {
        let Some(found) = command.find_subcommand(name) else { break };
        names.push(name);
        (command, matches) = (found, below);
    }
    (names, command, matches)
}

/// The place behind the name of the command in the words.
fn place(words: &[OsString], names: &[&str]) -> Option<usize> {
    let mut place = 1;
    for name in names {
        place += words.get(place..)?.iter().position(|word| word == name)? + 1;
    }
    Some(place).filter(|_| !names.is_empty())
}

/// A setting as words of a command line. A relative path starts from the directory of the file.
fn words_of(file: &ProjectFile, setting: &Setting, argument: &Arg) -> Result<Vec<String>, FileFailure> {
    let name = &setting.option;
    let is_flag = !argument.get_action().takes_values();
    match &setting.value {
        SettingValue::Flag(true) if is_flag => Ok(vec![format!("--{name}")]),
        SettingValue::Flag(false) if is_flag => Ok(Vec::new()),
        // `true` and `false` beside other words, such as `auto`.
        SettingValue::Flag(value) if argument.get_possible_values().iter().any(|known| known.get_name() == "true") => {
            Ok(vec![format!("--{name}={value}")])
        }
        SettingValue::Words(words) if !is_flag => {
            let is_path = takes_path(argument);
            let is_pattern = name == "exclude" && argument.get_value_names().is_some_and(|names| names == ["GLOB"]);
            let value = |word: &String| -> Result<String, FileFailure> {
                if is_pattern {
                    return Ok(excluded::of_file_in(file.path.parent().unwrap_or(Path::new("")), word));
                }
                if !is_path {
                    return Ok(word.clone());
                }
                let path =
                    below(&file.path, word).map_err(|leaves| file.unfit_setting(setting.line, &leaves.to_string()))?;
                Ok(path.to_string_lossy().into_owned())
            };
            words.iter().map(|word| Ok(format!("--{name}={}", value(word)?))).collect()
        }
        _ => {
            let wanted = if is_flag { "true or false" } else { "a value" };
            let failure = file.unfit_setting(setting.line, &format!("{} takes {wanted}", setting.name()));
            let meant = setting.words().first().map(|word| word.to_ascii_lowercase()).filter(|_| is_flag);
            Err(match meant.as_deref() {
                Some("yes" | "true" | "on" | "1") => failure.help(format!("write `{name} = true`")),
                Some("no" | "false" | "off" | "0") => failure.help(format!("write `{name} = false`")),
                _ => failure,
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use formwork_project::file::ALLOWED;

    use super::*;
    use crate::args::program;

    fn options(command: &Command) -> Vec<String> {
        let own = command.get_arguments().filter_map(|argument| argument.get_long().map(str::to_owned));
        own.chain(command.get_subcommands().flat_map(options)).collect()
    }

    #[test]
    fn every_name_is_that_of_an_option() {
        let options = options(&program());
        for (name, _) in ALLOWED {
            assert!(options.iter().any(|option| option == name), "{name}");
        }
    }
}
