//! `formwork lsp`: the language server on standard input and output.

use std::path::Path;
use std::sync::Arc;

use clap::FromArgMatches as _;
use formwork::Host;
use formwork_lsp::{Hosts, Replay};

use crate::Status;
use formwork_run::args::InputArgs;

use crate::args::{Cli, Command, LspArgs, program};
use crate::failure::Failure;
use crate::project_host::{Project, ProjectHost};
use formwork_project::loader_in;

/// Runs the server until its editor ends it.
///
/// # Errors
/// When the program's own command line cannot be parsed.
pub(crate) fn run(args: &LspArgs) -> Result<Status, Failure> {
    // Also if options are in front of the command.
    formwork_lsp::use_small_pages();
    let inputs = inputs().ok_or_else(|| "the options of `check` cannot be read".to_owned())?;
    let hosts = Hosts::new(move |directory, root| host(directory, root, &inputs));
    let (log, record) = (args.log.clone(), args.record.clone());
    let options = formwork_lsp::Options { is_trusted: args.trust, log, record, hosts };
    let status = match &args.replay {
        Some(log) => {
            let (log, root) = (log.clone(), args.root.clone());
            let replay = Replay { log, root, updates: args.update, probes: args.probe };
            formwork_lsp::replay(&replay, &options, &mut std::io::stdout())
        }
        None => formwork_lsp::run(&options),
    };
    Ok(match status {
        0 => Status::Done,
        1 => Status::Errors,
        _ => Status::Failed,
    })
}

/// The inputs of `check` without options: no remote module is fetched, and those of the lock file are read from the
/// cache.
fn inputs() -> Option<InputArgs> {
    let matches = program().try_get_matches_from(["formwork", "check", "template.yaml"]).ok()?;
    match Cli::from_arg_matches(&matches).ok()?.command {
        Command::Check(args) => Some(args.inputs),
        _ => None,
    }
}

fn host(directory: &Path, root: &Path, inputs: &InputArgs) -> Option<Arc<dyn Host>> {
    if !directory.is_dir() {
        return None;
    }
    let project = Project::open(root, loader_in(root).ok()?).ok()?;
    let host = ProjectHost::in_project(directory, &project, project.loader(), inputs).ok()?;
    Some(Arc::new(host))
}
