//! Iterations of loops that are copied are those that are expanded: one by one, output, diagnostics and origins are the same.

use std::sync::Arc;

use formwork::{Compilation, Goal, Limits, MemoryHost, Options, Session, Values};
use formwork_report::{Context, json};

use super::{equal, text_of};

/// The law for one project, whose first file is the template; returns how many of the runs have several iterations
/// and an output.
///
/// # Errors
/// In words.
pub fn copies_agree(files: &[(String, String)]) -> Result<usize, String> {
    let name = files.first().map_or("", |(name, _)| name);
    let mut count = 0;
    for (goal, values) in [
        (Goal::Check, Values::Keep),
        (Goal::Expand, Values::Keep),
        (Goal::Expand, Values::Pin),
        (Goal::Expand, Values::All),
        (Goal::Resolve, Values::Resolve),
    ] {
        let run = |copied_iterations: usize| {
            let host = files.iter().fold(MemoryHost::new(), |host, (name, text)| host.with(name, text.as_str()));
            let limits = Limits { copied_iterations, ..Limits::default() };
            Session::new(&host, Options { limits, values, ..Options::default() }).compile(name, goal)
        };
        let plain = run(usize::MAX);
        let expected = shown(&plain);
        for copied_iterations in [1, Limits::default().copied_iterations] {
            let what = || format!("{goal:?} with {copied_iterations} iterations and more copied of\n{files:#?}");
            let found = shown(&run(copied_iterations));
            if found != expected {
                equal(&what(), &found, &expected)?;
            }
        }
        let has_iterations = plain.loops().any(|(_, _, iterations)| iterations > 1);
        count += usize::from(has_iterations && plain.output().is_ok());
    }
    Ok(count)
}

/// Everything that can be seen of a run.
pub(super) fn shown(result: &Arc<Compilation>) -> String {
    let context = Context { sources: result.sources(), secrets: result.secrets(), color: false, width: None };
    let all = result.diagnostics().iter().chain(result.ignored());
    let mut shown: Vec<String> = all.map(|found| json::render(found, &context)).collect();
    if let Ok(output) = result.output() {
        shown.push(text_of(result, None).unwrap_or_default());
        for format in [formwork::Format::Yaml, formwork::Format::Json] {
            let map = output.write_with_map(Some(format), "out", &mut |part| {
                shown.push(String::from_utf8_lossy(part).into_owned());
            });
            shown.extend(map);
        }
    }
    shown.concat()
}
