//! A plan is never milder than the truth: each gate that stops it with the values stops it without them
//! (reference/plan.md#unknown).

use std::sync::Arc;

use formwork::planning::{Compiled, Gate, KnownTypes, Settings, Sides, Worlds};
use formwork::{Goal, Options, ParameterValue, PseudoParameter};
use formwork_evaluate::ValueSource;
use formwork_schemas::Schemas;

use super::compile;
use crate::generate::Versions;

/// The law for two versions of a template and values. Returns how many gates stop the plan with the values; `None` where
/// a template refuses them.
///
/// # Errors
/// In words.
pub fn never_milder(versions: &Versions) -> Result<Option<usize>, String> {
    let texts = [versions.old.to_string(), versions.new.to_string()];
    let types = KnownTypes::new(Arc::new(Schemas::embedded()));
    let Some(without) = gates(&texts, &options(&[]), &types) else { return Ok(None) };
    // Values that a template refuses stop the plan.
    let Some(with) = gates(&texts, &options(&versions.values), &types) else { return Ok(None) };
    if let Some(gate) = with.iter().find(|gate| !without.contains(gate)) {
        return Err(format!(
            "the gate {} stops the plan with {:?} and not without them\n--- old\n{}\n--- new\n{}",
            gate.name(),
            versions.values,
            pretty(&versions.old),
            pretty(&versions.new)
        ));
    }
    Ok(Some(with.len()))
}

fn pretty(template: &serde_json::Value) -> String {
    serde_json::to_string_pretty(template).unwrap_or_default()
}

fn options(values: &[(&str, &str)]) -> Options {
    let mut options = Options::default();
    for (name, value) in values {
        match PseudoParameter::from_name(name) {
            Some(pseudo) => options.pseudo.push((pseudo, (*value).to_owned())),
            None => options.parameters.push(ParameterValue {
                name: (*name).to_owned(),
                value: (*value).to_owned(),
                given: ValueSource::CommandLine,
            }),
        }
    }
    options
}

/// The gates that stop a plan; `None` where a side has errors.
fn gates(texts: &[String; 2], options: &Options, types: &KnownTypes) -> Option<Vec<Gate>> {
    let [old, new] = texts.each_ref().map(|text| compile(text, options, Goal::Resolve));
    if old.has_errors() || new.has_errors() {
        return None;
    }
    let [old, new] = [old, new].map(|root| Compiled { root: Some(root), ..Compiled::default() });
    let worlds = Worlds::of(&old, &new);
    let sides = Sides::new(&old, &new, &worlds);
    let plan = sides.plan(Settings { facts: Some(types), ..Settings::default() });
    Some(Gate::ALL.into_iter().filter(|gate| gate.is_hit(&plan)).collect())
}
