//! Files that a run has for itself are read where they are used, those that runs share are copied: the runs are the same.

use std::sync::Arc;

use formwork::{Goal, Options, Session, Sources};

use super::copies_agree::shown;
use super::{Verdict, equal, host};

/// The law for a project whose first file is the template.
///
/// # Errors
/// In words.
pub fn one_run(files: &[(String, String)]) -> Verdict {
    let name = files.first().map_or("", |(name, _)| name);
    for goal in [Goal::Check, Goal::Expand, Goal::Resolve] {
        let run = |sources: Sources| {
            let host = host(files.iter().map(|(name, text)| (name.as_str(), text.clone())));
            shown(&Session::sharing(Arc::new(sources), &host, Options::default()).compile(name, goal))
        };
        let (alone, shared) = (run(Sources::of_one_run()), run(Sources::new()));
        if alone != shared {
            equal(&format!("{goal:?} of\n{files:#?}"), &alone, &shared)?;
        }
    }
    Ok(())
}
