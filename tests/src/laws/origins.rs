//! Every node of an output is what its origin says, and a source map says the same as the output.

use formwork::{Options, Stage};

use super::{Verdict, compile};

/// The law for one template.
///
/// # Errors
/// In words.
pub fn origins(text: &str) -> Verdict {
    for stage in [Stage::Expand, Stage::Resolve] {
        let mut result = compile(text, &Options::default(), stage);
        if result.has_errors() {
            continue;
        }
        let faults = result.verify_origins();
        if let Some(first) = faults.first() {
            return Err(format!("{}: {first}\n{text}", stage.name()));
        }
        let plain = result.to_string(None);
        let mut written = Vec::new();
        let map = result.write_with_map(None, stage, "out.yaml", &mut |part| written.extend_from_slice(part));
        if written != plain.as_bytes() {
            return Err(format!("with a map {} writes something else\n{text}", stage.name()));
        }
        let map = map.and_then(|map| serde_json::from_str::<serde_json::Value>(&map).ok());
        if map.is_none() {
            return Err(format!("{} gives no map that is JSON\n{text}", stage.name()));
        }
    }
    Ok(())
}
