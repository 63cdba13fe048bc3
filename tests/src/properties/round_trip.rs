//! `read(write(t)) = t`: both formats hold the same data.
//!
//! Holds reference/layout.md#other-format.

use formwork::{Compilation, Format, Goal, Options, Output};

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
        is_at_most(&result, &output, text)?;
        same_data(&format!("YAML and JSON of {}\n{text}", stage.name()), &yaml, &json)?;
        same_data(&format!("the author's format of {}\n{text}", stage.name()), &own, &json)?;
    }
    Ok(())
}

/// No text is longer than the bound that is known without writing it.
///
/// # Errors
/// In words.
pub(super) fn is_at_most(result: &Compilation, output: &Output<'_>, shown: &str) -> Verdict {
    let Some(most) = formwork_syntax::write::at_most(result.tree(), result.root(), result.sources()) else {
        return Ok(());
    };
    for format in [None, Some(Format::Yaml), Some(Format::Json)] {
        let len = output.render(format).len() as u64;
        if len > most {
            return Err(format!("{len} bytes where {most} should be enough, of {shown}"));
        }
    }
    Ok(())
}
