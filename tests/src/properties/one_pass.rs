//! One pass is enough, and what is computed in two steps is what is computed in one
//! (reference/functions.md#select, reference/values.md#laws).

use formwork::{Goal, LanguageExtensions, Options, Severity, Values, codes};

use super::{Verdict, compile, equal, output, same_data};

/// The options of a run; the declaration of the transform may be gone from an output.
fn options(values: Values) -> Options {
    Options { values, language_extensions: LanguageExtensions::Always, ..Options::default() }
}

/// The law for one template. Returns how many outputs were checked.
///
/// # Errors
/// In words.
pub fn one_pass(text: &str) -> Result<usize, String> {
    let mut count = 0;
    let all = output(text, &options(Values::All), Goal::Expand);
    for (name, values, stage) in [
        ("keep", Values::Keep, Goal::Expand),
        ("pin", Values::Pin, Goal::Expand),
        ("all", Values::All, Goal::Expand),
        ("resolve", Values::Resolve, Goal::Resolve),
    ] {
        let Some(once) = output(text, &options(values), stage) else { continue };
        count += 1;
        // What would be deployed has no resource of a false condition: a reference to one in a branch that is not decided
        // leads nowhere, and the first step warned of it.
        if stage == Goal::Resolve && warns_of_removed(text, &options(values)) {
            continue;
        }
        let twice = again(name, text, &once, values, stage)?;
        equal(&format!("{name} twice of\n{text}"), &once, &twice)?;
        if let (Some(all), Values::Keep | Values::Pin) = (&all, values) {
            let step = again("all", text, &once, Values::All, Goal::Expand)?;
            same_transformed(&format!("{name}, then all\n{text}\n--- {name}\n{once}"), &step, all)?;
        }
    }
    Ok(count)
}

/// Whether a reference stays to a resource that a false condition removes.
fn warns_of_removed(text: &str, options: &Options) -> bool {
    let result = compile(text, options, Goal::Resolve);
    result.diagnostics().iter().any(|found| found.code == codes::ABSENT_RESOURCE)
}

fn again(name: &str, text: &str, once: &str, values: Values, stage: Goal) -> Result<String, String> {
    let result = compile(once, &options(values), stage);
    if let Ok(output) = result.output() {
        return Ok(output.render(None));
    }
    let errors = result.diagnostics().iter().filter(|found| found.severity == Severity::Error);
    let errors: Vec<&str> = errors.map(|found| found.message.as_str()).collect();
    Err(format!("errors in the second step, {name}: {errors:?}\n--- first output\n{once}\n--- template\n{text}"))
}

/// The same data, whether or not the transform is declared.
fn same_transformed(what: &str, one: &str, other: &str) -> Verdict {
    same_data(what, &super::refines::undeclared(one), &super::refines::undeclared(other))
}
