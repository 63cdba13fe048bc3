//! The shared suites, one test a case. See `FORMWORK_CONFORMANCE` in `formwork_tests::project`.
#![allow(clippy::print_stderr, reason = "a test program speaks to its user")]

use std::process::ExitCode;

use formwork_tests::conformance::{self, Inputs};
use formwork_tests::project::{self, Shared};
use libtest_mimic::Arguments;

fn main() -> ExitCode {
    if let Some(status) = conformance::run_child() {
        return status;
    }
    let arguments = Arguments::from_args();
    let folder = match project::conformance() {
        Shared::At(folder) => folder,
        absent => return project::without_shared(&arguments, &absent),
    };
    let inputs = if arguments.list { Inputs::None("listing only".into()) } else { Inputs::generate(&folder) };
    match conformance::trials(&folder, &project::root().join("docs/deviations.md"), &inputs) {
        Ok(trials) => libtest_mimic::run(&arguments, trials).exit_code(),
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::FAILURE
        }
    }
}
