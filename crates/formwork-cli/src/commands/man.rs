//! `formwork man`.

use std::io;
use std::path::Path;

use clap::{Command, CommandFactory};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use crate::args::{Cli, ManArgs};
use crate::failure::Failure;
use crate::{Status, output, terminal};

/// Prints one manual page that describes every command, or writes a page for each command into a directory.
pub(crate) fn run(args: &ManArgs) -> Result<Status, Failure> {
    let mut program = Cli::command();
    program.build();
    if let Some(directory) = &args.output {
        let count = pages(&program, directory)?;
        terminal::say_done(&format!("Wrote {count} pages below {}", directory.display()));
    } else {
        let page = page(&program).map_err(|error| format!("the manual page cannot be made: {error}"))?;
        output::write(None, |out| out.write_all(&page))?;
    }
    Ok(Status::Done)
}

/// One page: the program, and a section for each command.
fn page(program: &Command) -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    let man = Man::new(program.clone());
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    for command in commands(program) {
        describe(&command, &mut page)?;
    }
    man.render_version_section(&mut page)?;
    Ok(page)
}

/// A command: its name as it is typed, what it does, and its options.
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
    // Its heading is that of a whole page.
    let options = String::from_utf8_lossy(&options).replace(".SH OPTIONS\n", "");
    page.extend(options.into_bytes());
    Ok(())
}

/// A page for each command: `formwork.1`, `formwork-expand.1`.
fn pages(program: &Command, directory: &Path) -> Result<usize, String> {
    let failed = |error: io::Error| format!("{} cannot be created: {error}", directory.display());
    std::fs::create_dir_all(directory).map_err(failed)?;
    let mut count = 0;
    for command in [program.clone()].into_iter().chain(commands(program)) {
        let path = directory.join(format!("{}.1", name(&command).replace(' ', "-")));
        formwork::disk::refuse_links(directory, &path).map_err(failed)?;
        output::write(Some(&path), |out| Man::new(command).render(out))?;
        count += 1;
    }
    Ok(count)
}

/// The commands that can be run, those below other commands included, in the order of the help.
fn commands(program: &Command) -> Vec<Command> {
    let below = program.get_subcommands().filter(|command| command.get_name() != "help" && !command.is_hide_set());
    below
        .flat_map(|command| {
            let further = commands(command);
            if further.is_empty() { vec![command.clone()] } else { further }
        })
        .collect()
}

/// The name of a command as it is typed: `formwork rules check`.
fn name(command: &Command) -> String {
    command.get_bin_name().unwrap_or_else(|| command.get_name()).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_describes_every_command() {
        let mut program = Cli::command();
        program.build();
        let page = String::from_utf8(page(&program).expect("a page")).expect("UTF-8");
        for name in ["FORMWORK EXPAND", "FORMWORK RULES CHECK", "FORMWORK PACKAGE", "FORMWORK MODULES DOC"] {
            assert!(page.contains(&format!(".SH \"{name}\"")), "{name}");
        }
        assert!(page.contains("\\-\\-parameter\\-overrides"), "options");
        assert!(!page.contains("FORMWORK HELP"));
    }
}
