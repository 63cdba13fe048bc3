//! The shared suites, through the library: the comparisons of their `run.py`.
//!
//! A suite is a directory with a manifest that lists cases. [`SUITES`] is the table of those that run
//! here; a further one is a further row.

mod case;
mod deviations;
mod hostile;
mod recorded;
mod rules;
mod template;
mod yaml;

use std::path::Path;

use libtest_mimic::{Failed, Trial};
use serde_json::Value;

use crate::project;

pub use case::Case;
pub use deviations::{Deviation, Deviations};
pub use hostile::{Inputs, run_child};

/// A suite.
#[derive(Clone, Copy)]
pub struct Suite {
    /// Its name, which is that of its directory.
    pub name: &'static str,
    /// The file that lists its cases.
    pub manifest: &'static str,
    /// Whether a case is run here: the others need what the library has not.
    pub runs: fn(&Value) -> bool,
    /// Whether a case holds.
    ///
    /// # Errors
    /// Describes what does not.
    pub holds: fn(&Case) -> Result<(), String>,
}

/// Suites that run through the library.
pub const SUITES: &[Suite] = &[
    Suite { name: "expand", manifest: "manifest.json", runs: |_| true, holds: template::expand },
    Suite {
        name: "language-extensions",
        manifest: "manifest.json",
        runs: |_| true,
        holds: template::language_extensions,
    },
    Suite { name: "map-and-merge", manifest: "manifest.json", runs: |_| true, holds: template::map_and_merge },
    Suite { name: "aws-recorded", manifest: "manifest.json", runs: recorded::is_local, holds: recorded::holds },
    Suite { name: "rules", manifest: "manifest.json", runs: |_| true, holds: rules::holds },
    Suite { name: "yaml-test-suite", manifest: "cases.json", runs: |_| true, holds: yaml::holds },
    Suite { name: "hostile", manifest: "INDEX.json", runs: hostile::is_known, holds: hostile::holds },
];

/// One test a case of every suite, and one for the list of deviations.
///
/// # Errors
/// When a manifest or the list cannot be read.
pub fn trials(folder: &Path, deviations: &Path, inputs: &Inputs) -> Result<Vec<Trial>, String> {
    let deviations = Deviations::read(deviations)?;
    if let Inputs::None(why) = inputs {
        eprintln!("generated inputs of the hostile suite: SKIPPED, {why}");
    }
    let mut trials = Vec::new();
    let mut names = Vec::new();
    for suite in SUITES {
        let path = folder.join(suite.name).join(suite.manifest);
        let manifest = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let manifest: Value =
            serde_json::from_slice(&manifest).map_err(|error| format!("{}: {error}", path.display()))?;
        let cases = manifest["cases"].as_array().ok_or_else(|| format!("{} lists no cases", path.display()))?;
        for data in cases {
            let case = Case::new(folder.join(suite.name), data.clone(), inputs.clone());
            let name = format!("{}::{}", suite.name, case.name());
            let deviation = deviations.get(&name).cloned();
            let is_absent = matches!(inputs, Inputs::None(_)) && hostile::is_generated(data);
            let runs = (suite.runs)(data) && (!is_absent || project::is_demanded().is_some());
            let holds = suite.holds;
            let trial = Trial::test(format!("conformance::{name}"), move || judge(deviation.as_ref(), holds(&case)));
            trials.push(trial.with_ignored_flag(!runs));
            names.push(name);
        }
    }
    let unknown = deviations.unknown(&names);
    trials.push(Trial::test("conformance::deviations::name cases that exist", move || match unknown.as_slice() {
        [] => Ok(()),
        names => Err(Failed::from(format!("docs/deviations.md lists what no suite has: {}", names.join(", ")))),
    }));
    Ok(trials)
}

/// A case that is listed fails as listed; one that is not listed holds.
fn judge(deviation: Option<&Deviation>, outcome: Result<(), String>) -> Result<(), Failed> {
    match (deviation, outcome) {
        (None, Ok(())) => Ok(()),
        (None, Err(why)) => Err(why.into()),
        (Some(_), Ok(())) => Err("docs/deviations.md lists this case, but it holds: remove the entry".into()),
        (Some(deviation), Err(why)) if why.contains(&deviation.fails_with) => Ok(()),
        (Some(deviation), Err(why)) => Err(format!(
            "docs/deviations.md lists that this case fails with \"{}\", but it fails with: {why}",
            deviation.fails_with
        )
        .into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deviations_are_exact() {
        let listed = Deviation { case: "a::b".into(), fails_with: "/X: missing".into() };
        assert!(judge(None, Ok(())).is_ok());
        assert!(judge(None, Err("wrong".into())).is_err());
        assert!(judge(Some(&listed), Err("in short /X: missing".into())).is_ok());
        assert!(judge(Some(&listed), Err("/Y: missing".into())).is_err());
        assert!(judge(Some(&listed), Ok(())).is_err());
    }
}
