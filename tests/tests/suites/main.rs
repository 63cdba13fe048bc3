//! Cases that are files, a test for each: own ones, the shared suites and real templates.
//!
//! With `FORMWORK_UPDATE=1` nothing is tested: the files of own cases and the list of reviewed findings are updated with
//! what the program does.
#![allow(clippy::disallowed_methods, reason = "cases are files")]
#![allow(clippy::print_stderr, reason = "a test program speaks to its user")]

mod conformance;
mod fixtures;
mod realworld;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};

fn main() -> ExitCode {
    if let Some(status) = formwork_tests::conformance::run_child() {
        return status;
    }
    let arguments = Arguments::from_args();
    let done = if std::env::var_os("FORMWORK_UPDATE").is_some() {
        update(arguments.filter.as_deref()).map(|()| ExitCode::SUCCESS)
    } else {
        trials(&arguments).map(|trials| libtest_mimic::run(&arguments, trials).exit_code())
    };
    done.unwrap_or_else(|why| {
        eprintln!("error: {why}");
        ExitCode::FAILURE
    })
}

fn trials(arguments: &Arguments) -> Result<Vec<Trial>, String> {
    let mut trials = fixtures::trials()?;
    trials.extend(conformance::trials(arguments)?);
    trials.extend(realworld::trials()?);
    Ok(trials)
}

/// Updates what the filter names, all without one.
fn update(filter: Option<&str>) -> Result<(), String> {
    let is_meant = |name: &str| filter.is_none_or(|filter| name.contains(filter));
    fixtures::update(&is_meant)?;
    if is_meant("realworld::findings") { realworld::update() } else { Ok(()) }
}
