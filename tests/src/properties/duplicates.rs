//! Of two entries with one key the last one counts, and the other one is in no output: what is written in any format
//! has no key twice, and is read as what is written in JSON.
//!
//! Holds reference/reading.md#duplicate-keys.

use formwork::{Format, Goal, LanguageExtensions, Options, Values, codes};

use super::{compile, origins, same_data};

/// The law for one template. Returns the number of outputs.
///
/// # Errors
/// In words.
pub fn duplicates(text: &str) -> Result<usize, String> {
    let mut outputs = 0;
    let extended = |values| Options { values, language_extensions: LanguageExtensions::Always, ..Options::default() };
    for (options, goal) in [
        (Options::default(), Goal::Expand),
        (extended(Values::Pin), Goal::Expand),
        (extended(Values::All), Goal::Expand),
        (extended(Values::All), Goal::Resolve),
    ] {
        let result = compile(text, &options, goal);
        let Ok(output) = result.output() else { continue };
        outputs += 1;
        let what = format!("{} --values {:?} of\n{text}", goal.name(), options.values);
        let [own, yaml, json] = [None, Some(Format::Yaml), Some(Format::Json)].map(|format| output.render(format));
        for (name, written) in [("the format that was read", &own), ("YAML", &yaml)] {
            same_data(&format!("{name} and JSON of {what}"), written, &json)?;
        }
        for written in [own, yaml, json] {
            let again = compile(&written, &options, Goal::Check);
            if let Some(found) = again.diagnostics().iter().find(|found| found.code == codes::DUPLICATE_KEY) {
                return Err(format!("{}: {what}\n--- written\n{written}", found.message));
            }
        }
        origins::origins_of(&result).map_err(|fault| format!("{fault}: {what}"))?;
    }
    Ok(outputs)
}
