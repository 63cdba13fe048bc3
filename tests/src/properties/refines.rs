//! More knowledge refines: expanding in two steps is the same as expanding in one
//! (reference/values.md#laws).

use formwork::{Goal, LanguageExtensions, Options, Values};

use super::{Verdict, compile, output, same_data, with_parameters};

/// The law for one template.
///
/// # Errors
/// In words.
pub fn refines(text: &str) -> Verdict {
    // The first step may have taken the declaration away.
    let language_extensions = match compile(text, &Options::default(), Goal::Expand).template() {
        template if template.declares_language_extensions() => LanguageExtensions::Always,
        _ => LanguageExtensions::Auto,
    };
    let all = Options { values: Values::All, language_extensions, ..Options::default() };
    let Some(kept) = output(text, &Options::default(), Goal::Expand) else { return Ok(()) };
    // A call that fails where it may never be looked at is left as it is written.
    let is_decided = |whole: &String| {
        !["Fn::ToJsonString", "Fn::Length", "!ToJsonString", "!Length", "DefaultValue", "!Select", "Fn::Select"]
            .iter()
            .any(|name| whole.contains(name))
    };
    if let Some(whole) = output(text, &all, Goal::Expand).filter(is_decided) {
        let step = output(&kept, &all, Goal::Expand).ok_or_else(|| format!("errors in the second step\n{kept}"))?;
        same_data(&format!("expand, then all\n{text}"), &undeclared(&step), &undeclared(&whole))?;
    }
    let given = Options { language_extensions, ..with_parameters(&[("Stage", "prod")]) };
    if let (Some(whole), Some(kept)) = (output(text, &given, Goal::Resolve), output(text, &given, Goal::Expand)) {
        let step = output(&kept, &given, Goal::Resolve).ok_or_else(|| format!("errors in the second step\n{kept}"))?;
        same_data(&format!("expand, then resolve\n{text}"), &undeclared(&step), &undeclared(&whole))?;
    }
    Ok(())
}

/// A template without its declaration of the transform, which the first step may have taken away.
pub(super) fn undeclared(text: &str) -> String {
    match crate::data::read(text) {
        Ok(serde_json::Value::Object(mut sections)) => {
            sections.remove("Transform");
            serde_json::Value::Object(sections).to_string()
        }
        _ => text.to_owned(),
    }
}
