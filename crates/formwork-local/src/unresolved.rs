//! Environment variables that only CloudFormation resolves: local functions receive the unresolved string
//! (reference/local.md#values).

use std::sync::Arc;

use formwork::{Compilation, Diagnostic, Report, Severity};
use formwork_base::codes;
use formwork_template::dynamic_reference;

use crate::function::Function;
use crate::variables::VariablesFile;

/// An environment variable of a function with a dynamic reference in its value.
#[derive(Clone, Debug)]
pub struct UnresolvedVariable {
    /// ID of the function.
    pub function: String,
    /// Name of the variable.
    pub name: String,
    /// The template that declares it.
    compilation: Arc<Compilation>,
    /// The diagnostic at its place, without the names of the functions that use it.
    found: Diagnostic,
}

/// Returns the variables of a function that have a dynamic reference. `compilation` is that of its template.
pub(crate) fn of(function: &Function, compilation: &Arc<Compilation>) -> Vec<UnresolvedVariable> {
    let is_unresolved = |value: &str| dynamic_reference::find(value).is_some();
    let names = function.variables.iter().filter(|(_, value)| is_unresolved(value)).map(|(name, _)| name);
    names
        .map(|name| UnresolvedVariable {
            function: function.id.clone(),
            name: name.clone(),
            compilation: Arc::clone(compilation),
            found: found(function.logical_id(), name, compilation),
        })
        .collect()
}

/// Creates a diagnostic at the place of a variable: in the function, otherwise in `Globals`.
fn found(logical_id: &str, name: &str, compilation: &Compilation) -> Diagnostic {
    let below = |keys: &[&str]| -> Vec<String> { keys.iter().map(|&key| key.to_owned()).collect() };
    let own = below(&["Properties", "Environment", "Variables", name]);
    let global = below(&["Environment", "Variables", name]);
    let has_all = |place: &formwork::PathPlace, keys: &[String]| place.depth == keys.len();
    let of_function = compilation.path_place(logical_id, &own);
    let of_globals = || compilation.section_path_place("Globals", "Function", &global);
    let place = match of_function {
        Some(place) if has_all(&place, &own) => Some(place),
        nearest => of_globals().filter(|place| has_all(place, &global)).or(nearest),
    };
    let found = Diagnostic::titled(codes::DYNAMIC_REFERENCE, "").severity(Severity::Warning).subject(name);
    match place {
        Some(place) => found.at(place.place.span),
        None => found,
    }
}

/// Returns the reports about the variables of these functions, each place once; variables that `file` replaces are
/// omitted.
pub(crate) fn reports<'f>(
    variables: &[UnresolvedVariable],
    functions: impl IntoIterator<Item = &'f Function>,
    file: &VariablesFile,
) -> Vec<Report> {
    let mut groups: Vec<(&UnresolvedVariable, Vec<String>)> = Vec::new();
    for function in functions {
        let applied = file.applied(function);
        let reaches = |name: &str| {
            let value = applied.iter().find(|(known, _)| known == name);
            value.is_some_and(|(_, value)| dynamic_reference::find(value).is_some())
        };
        for variable in variables.iter().filter(|one| one.function == function.id && reaches(&one.name)) {
            let is_same = |other: &UnresolvedVariable| {
                Arc::ptr_eq(&other.compilation, &variable.compilation)
                    && (&other.name, other.found.span()) == (&variable.name, variable.found.span())
            };
            match groups.iter_mut().find(|(known, _)| is_same(known)) {
                Some((_, functions)) => functions.push(function.id.clone()),
                None => groups.push((variable, vec![function.id.clone()])),
            }
        }
    }
    groups.into_iter().map(|(variable, functions)| report(variable, &functions)).collect()
}

fn report(variable: &UnresolvedVariable, functions: &[String]) -> Report {
    let (first, others) = functions.split_first().map_or(("", 0), |(first, others)| (first.as_str(), others.len()));
    let of = match others {
        0 => first.to_owned(),
        1 => format!("{first} and 1 more function"),
        _ => format!("{first} and {others} more functions"),
    };
    let name = &variable.name;
    let mut found = variable.found.clone();
    // The value is not quoted: it may be that of a NoEcho parameter.
    found.message = format!("variable {name} of {of} is a dynamic reference, which only CloudFormation resolves");
    let found = found.label("reaches the function as it is written").help(format!(
        "pass a value for this machine: `--env-vars FILE` with `{{\"{first}\": {{\"{name}\": \"...\"}}}}`"
    ));
    let mut report = Report::alone(Arc::clone(&variable.compilation));
    report.add([found]);
    report
}
