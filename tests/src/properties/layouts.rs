//! `read(yaml(t)) = json(t)`: every layout of YAML has the value of the same data in JSON, as it is
//! written by an author and as commands write it.

use formwork::{Format, Goal, LanguageExtensions, Options, Values};

use super::{Verdict, compile, compile_named, same_data, text_of, with_parameters};

/// The law for data in YAML and in JSON.
///
/// # Errors
/// In words.
pub fn data(yaml: &str, json: &str) -> Verdict {
    same_data("YAML and JSON of one value", yaml, json)
}

/// The law for a template in YAML and in JSON, through commands that compute. Returns how many of them
/// printed something.
///
/// # Errors
/// In words.
pub fn layouts(yaml: &str, json: &str) -> Result<u32, String> {
    data(yaml, json)?;
    let mut printed = 0;
    let all = |values| Options { values, language_extensions: LanguageExtensions::Always, ..Options::default() };
    let given = Options { language_extensions: LanguageExtensions::Always, ..with_parameters(&[("Stage", "prod")]) };
    for (options, stage) in [
        (Options::default(), Goal::Expand),
        (all(Values::All), Goal::Expand),
        (Options::default(), Goal::Resolve),
        (given, Goal::Resolve),
    ] {
        let (one, other) = (compile(yaml, &options, stage), compile(json, &options, stage));
        let what = format!("{} --values {:?} of\n{yaml}", stage.name(), options.values);
        if one.has_errors() != other.has_errors() {
            return Err(format!("YAML or JSON alone has errors: {what}"));
        }
        if one.has_errors() {
            continue;
        }
        printed += 1;
        let want = text_of(&other, None)?;
        same_data(&what, &text_of(&one, None)?, &want)?;
        same_data(&format!("in JSON, {what}"), &text_of(&one, Some(Format::Json))?, &want)?;
        same_data(&format!("in YAML, {what}"), &text_of(&other, Some(Format::Yaml))?, &want)?;
        let named = compile_named("template.json", yaml, &options, stage);
        same_data(&format!("in a file that is called JSON, {what}"), &text_of(&named, None)?, &want)?;
    }
    Ok(printed)
}
