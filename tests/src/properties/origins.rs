//! Every node of an output matches its origin, and a source map agrees with the output.
//!
//! Holds reference/provenance.md#origins, reference/provenance.md#invariants,
//! reference/provenance.md#source-map.

use formwork::{Compilation, Goal, Options};

use super::{Verdict, compile};

/// The law for one template.
///
/// # Errors
/// In words.
pub fn origins(text: &str) -> Verdict {
    for stage in [Goal::Expand, Goal::Resolve] {
        let result = compile(text, &Options::default(), stage);
        if result.has_errors() {
            continue;
        }
        origins_of(&result).map_err(|error| format!("{}: {error}\n{text}", stage.name()))?;
    }
    Ok(())
}

/// The law for one result without errors.
///
/// # Errors
/// In words.
pub(super) fn origins_of(result: &Compilation) -> Verdict {
    if let Some(first) = result.verify_origins().first() {
        return Err(first.clone());
    }
    let output = result.output().map_err(|failed| failed.to_string())?;
    let plain = output.render(None);
    let mut written = Vec::new();
    let map = output.write_with_map(None, "out.yaml", &mut |part| written.extend_from_slice(part));
    if written != plain.as_bytes() {
        return Err("with a source map the output differs".to_owned());
    }
    let map = map.and_then(|map| serde_json::from_str::<serde_json::Value>(&map).ok());
    let Some(map) = map else { return Err("the source map is not JSON".to_owned()) };
    match disorder(&map) {
        Some(place) => Err(format!("rows of the source map at {place:?} are not in order, one per place")),
        None => Ok(()),
    }
}

/// The first place of a source map that does not follow the one before it.
fn disorder(map: &serde_json::Value) -> Option<(u64, u64)> {
    let number = |value: &serde_json::Value| value.as_u64().unwrap_or(u64::MAX);
    let mut last = (0, 0);
    for one in map["uses"].as_array().into_iter().flatten() {
        let segment = usize::try_from(number(&one[2])).ok()?;
        for row in map["segments"][segment].as_array().into_iter().flatten() {
            let place = (number(&one[0]) + number(&row[0]), number(&row[1]));
            if place <= last {
                return Some(place);
            }
            last = place;
        }
    }
    None
}
