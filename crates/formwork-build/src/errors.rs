//! Reports sources that were not built (FW0809).

use std::path::Path;

use formwork::{Advice, Diagnostic, codes};
use formwork_package::ArtifactRef;

use crate::build_error::BuildError;

/// Maximum number of other resources in a message; the rest are counted.
const NAMED: usize = 5;

pub(crate) fn unclear(need: &ArtifactRef, message: &str, help: Advice) -> Diagnostic {
    at(need, format!("{} {message}", need.resource)).help(help)
}

pub(crate) fn unreadable(need: &ArtifactRef, messages: &[String], help: &str) -> Diagnostic {
    let message = format!("{} was not built: its source cannot be read", need.resource);
    messages.iter().fold(at(need, message), Diagnostic::note).help(help)
}

/// Reports a source that was not built. `others` are the resources that share it.
pub(crate) fn failed(need: &ArtifactRef, error: &BuildError, others: &[String], log: &Path) -> Diagnostic {
    let id = &need.resource;
    let mut diagnostic = match error {
        BuildError::Failed { tool, status, tail } => {
            let diagnostic = at(need, format!("{id} was not built: {tool} {status}"));
            let diagnostic =
                tail.iter().fold(diagnostic, |diagnostic, line| diagnostic.note(format!("{tool}: {line}")));
            diagnostic
                .note(format!("the log is {}", log.display()))
                .help("correct what the tool reports, and build again")
        }
        BuildError::Missing { tool, help } => {
            at(need, format!("{id} was not built: {tool} is not on the PATH")).help(help.clone())
        }
        BuildError::Unfit { message, help } => at(need, format!("{id} was not built: {message}")).help(help.clone()),
        BuildError::File { path, error } => {
            at(need, format!("{id} was not built: {} cannot be read or written: {error}", path.display()))
                .help("correct the path, its permissions, or the space on the disk")
        }
        BuildError::Interrupted => at(need, format!("{id} was not built: the build was interrupted")),
    };
    if !others.is_empty() {
        let mut names = others.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
        if others.len() > NAMED {
            names = format!("{names} and {} more", others.len() - NAMED);
        }
        diagnostic.notes.push(format!("this source is also the one of {names}"));
    }
    diagnostic
}

pub(crate) fn unknown_resource(id: &str, known: &[String]) -> Diagnostic {
    let diagnostic = Diagnostic::new(codes::BUILD, format!("no resource {id} has a source to build"));
    let nearest = known.iter().max_by(|a, b| strsim::jaro_winkler(a, id).total_cmp(&strsim::jaro_winkler(b, id)));
    match nearest {
        Some(nearest) => diagnostic.help(format!("name a resource of the expanded template, such as `{nearest}`")),
        None => diagnostic.note("no resource of the template names a local file"),
    }
}

fn at(need: &ArtifactRef, message: String) -> Diagnostic {
    Diagnostic::new(codes::BUILD, message).at(need.span).frames(need.frames.clone())
}
