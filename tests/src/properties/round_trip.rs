//! `read(write(t)) = t`: both formats hold the same data.
//!
//! Holds reference/layout.md#other-format.

use formwork::{Format, Goal, Options};

use super::{Verdict, compile, same_data};

/// The law for one template.
///
/// # Errors
/// In words.
pub fn round_trip(text: &str) -> Verdict {
    for stage in [Goal::Expand, Goal::Resolve] {
        let result = compile(text, &Options::default(), stage);
        let Ok(output) = result.output() else { continue };
        let [own, yaml, json] = [None, Some(Format::Yaml), Some(Format::Json)].map(|format| output.render(format));
        same_data(&format!("YAML and JSON of {}\n{text}", stage.name()), &yaml, &json)?;
        same_data(&format!("the author's format of {}\n{text}", stage.name()), &own, &json)?;
    }
    Ok(())
}
