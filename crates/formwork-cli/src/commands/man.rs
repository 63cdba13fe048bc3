//! `formwork man`.

use std::io;
use std::path::Path;

use clap::Command;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, italic, roman};

use crate::args::{ManArgs, Manual, program};
use crate::failure::Failure;
use crate::{Status, output, terminal};

/// Prints one manual page about all commands, or writes a page for each command into a directory.
pub(crate) fn run(args: &ManArgs) -> Result<Status, Failure> {
    let program = described();
    if let Some(directory) = &args.output {
        let count = pages(&program, directory)?;
        terminal::say_done(&format!("Wrote {count} pages below {}", directory.display()));
    } else {
        let page = page(&program).map_err(|error| format!("the manual page cannot be made: {error}"))?;
        output::write(None, |out| out.write_all(&page))?;
    }
    Ok(Status::Done)
}

/// The program without the command `help`, which has no page.
fn described() -> Command {
    let mut program = program().disable_help_subcommand(true);
    program.build();
    program
}

/// A single page: the program, and a section for each command.
fn page(program: &Command) -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    let man = Man::new(program.clone());
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    for command in commands(program).iter().filter(|command| !command.has_subcommands()) {
        describe(command, &mut page)?;
    }
    sections(Manual::of(REPRESENTATIVE), &mut page)?;
    let mut more = Roff::new();
    more.control("SH", ["SEE ALSO"]);
    more.text([roman(
        "`formwork man -o DIR` writes a page for each command, with its exit statuses, variables and files.",
    )]);
    more.to_writer(&mut page)?;
    man.render_version_section(&mut page)?;
    Ok(page)
}

/// The command whose exit statuses, variables and files are those of most commands.
const REPRESENTATIVE: &str = "check";

/// The section of a command: its full name, description and options.
fn describe(command: &Command, page: &mut Vec<u8>) -> io::Result<()> {
    let mut section = Roff::new();
    section.control("SH", [name(command).to_uppercase().as_str()]);
    let synopsis = command.clone().render_usage().to_string();
    section.text([bold(synopsis.trim_start_matches("Usage:").trim())]);
    let about = command.get_long_about().or_else(|| command.get_about());
    for paragraph in about.map(ToString::to_string).unwrap_or_default().split("\n\n") {
        section.control("PP", []);
        section.text([roman(paragraph)]);
    }
    section.to_writer(page)?;
    let mut options = Vec::new();
    Man::new(command.clone()).render_options_section(&mut options)?;
    // The heading is for a whole page.
    let options = String::from_utf8_lossy(&options).replace(".SH OPTIONS\n", "");
    page.extend(options.into_bytes());
    Ok(())
}

/// The page of a command: the output of `clap_mangen`, and the sections of the long help.
fn page_of(command: &Command, page: &mut Vec<u8>) -> io::Result<()> {
    let name = name(command);
    let is_program = !name.contains(' ');
    let man = Man::new(command.clone());
    man.render_title(page)?;
    man.render_name_section(page)?;
    man.render_synopsis_section(page)?;
    man.render_description_section(page)?;
    if command.get_arguments().any(|argument| !argument.is_hide_set()) {
        man.render_options_section(page)?;
    }
    if command.has_subcommands() {
        man.render_subcommands_section(page)?;
    }
    let own = name.split_once(' ').and_then(|(_, words)| Manual::of(words));
    // A command with subcommands has the sections that most of them share.
    let has_own = own.is_some_and(|manual| !manual.sections().is_empty());
    sections(if has_own { own } else { Manual::of(REPRESENTATIVE) }, page)?;
    let mut more = Roff::new();
    if let Some(manual) = own {
        more.control("SH", ["EXAMPLES"]);
        for example in manual.examples() {
            more.control("TP", []);
            more.text([bold(*example)]);
            more.text([]);
        }
    }
    if !is_program {
        more.control("SH", ["SEE ALSO"]);
        let parent = name.rsplit_once(' ').map_or("formwork", |(parent, _)| parent).replace(' ', "-");
        more.text([bold(format!("{parent}(1)"))]);
        if let Some(manual) = own {
            more.control("PP", []);
            more.text([roman(manual.link())]);
        }
    }
    more.to_writer(page)?;
    if is_program {
        man.render_version_section(page)?;
    }
    Ok(())
}

fn sections(manual: Option<&Manual>, page: &mut Vec<u8>) -> io::Result<()> {
    let Some(manual) = manual else { return Ok(()) };
    let mut found = manual.sections();
    if !found.iter().any(|(name, _)| *name == "Files") {
        found.push(("Files", vec![("none".to_owned(), "but those on the command line".to_owned())]));
    }
    let mut roff = Roff::new();
    for (name, rows) in found {
        roff.control("SH", [name.to_uppercase().as_str()]);
        for (name, what) in rows {
            roff.control("TP", []);
            roff.text([italic(name)]);
            roff.text([roman(what)]);
        }
    }
    roff.to_writer(page)
}

/// Writes a page for each command: `formwork.1`, `formwork-expand.1`, `formwork-rules.1`, `formwork-rules-check.1`.
fn pages(program: &Command, directory: &Path) -> Result<usize, String> {
    let failed = |error: io::Error| format!("{} cannot be created: {error}", directory.display());
    std::fs::create_dir_all(directory).map_err(failed)?;
    let mut count = 0;
    for command in [program.clone()].into_iter().chain(commands(program)) {
        let path = directory.join(format!("{}.1", name(&command).replace(' ', "-")));
        formwork::disk::refuse_links(directory, &path).map_err(failed)?;
        output::write(Some(&path), |out| {
            let mut page = Vec::new();
            page_of(&command, &mut page)?;
            out.write_all(&page)
        })?;
        count += 1;
    }
    Ok(count)
}

/// All commands, each before its subcommands, in the order of the help.
fn commands(program: &Command) -> Vec<Command> {
    let below = program.get_subcommands().filter(|command| !command.is_hide_set());
    below.flat_map(|command| [vec![command.clone()], commands(command)].concat()).collect()
}

/// The full name of a command: `formwork rules check`.
fn name(command: &Command) -> String {
    command.get_bin_name().unwrap_or_else(|| command.get_name()).to_owned()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_page_describes_every_command() {
        let page = String::from_utf8(page(&described()).expect("a page")).expect("UTF-8");
        for name in ["FORMWORK EXPAND", "FORMWORK RULES CHECK", "FORMWORK PACKAGE", "FORMWORK MODULES DOC"] {
            assert!(page.contains(&format!(".SH \"{name}\"")), "{name}");
        }
        assert!(page.contains("\\-\\-parameter\\-overrides"), "options");
        assert!(page.contains(".SH \"EXIT STATUS\"") && page.contains(".SH FILES"));
        assert!(!page.contains("FORMWORK HELP"));
    }

    fn referred(page: &str) -> BTreeSet<String> {
        let plain = page.replace("\\-", "-").replace("\\fR", "").replace("\\fB", "");
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '-';
        let ends = plain.match_indices("(1)").map(|(at, _)| &plain[..at]);
        ends.map(|before| before[before.rfind(|c| !is_name(c)).map_or(0, |at| at + 1)..].to_owned()).collect()
    }

    #[test]
    fn a_page_that_is_referred_to_exists() {
        let program = described();
        let all: Vec<Command> = [program.clone()].into_iter().chain(commands(&program)).collect();
        let names: BTreeSet<String> = all.iter().map(|command| name(command).replace(' ', "-")).collect();
        let mut found = BTreeSet::new();
        for command in &all {
            let mut page = Vec::new();
            page_of(command, &mut page).expect("a page");
            let page = String::from_utf8(page).expect("UTF-8");
            for section in ["EXIT STATUS", "ENVIRONMENT", "FILES"] {
                assert!(
                    page.contains(&format!(".SH \"{section}\"")) || page.contains(&format!(".SH {section}")),
                    "{section} of {}",
                    name(command)
                );
            }
            found.extend(referred(&page));
        }
        assert!(found.is_subset(&names), "{:?}", found.difference(&names).collect::<Vec<_>>());
        assert!(found.contains("formwork-rules-check") && found.contains("formwork-rules"));
    }
}
