//! Of two entries with one key the last one counts, and the other one is in no output: what is written in any format
//! has no key twice, and is read as what is written in JSON.
//!
//! Holds reference/reading.md#duplicate-keys.

use std::sync::Arc;

use formwork::{Compilation, Format, Goal, LanguageExtensions, MemoryHost, Options, Session, Values, codes};

use super::{compile, origins, same_data};

/// The law for one template. Returns the number of outputs.
///
/// # Errors
/// In words.
pub fn duplicates(text: &str) -> Result<usize, String> {
    law(text, true, &|options, goal| compile(text, options, goal))
}

/// The law for a project of modules, the template first: with and without what is lost the output is the same. Returns
/// the number of outputs.
///
/// # Errors
/// In words.
pub fn in_projects(with: &[(String, String)], without: &[(String, String)]) -> Result<usize, String> {
    let host = |files: &[(String, String)]| super::host(files.iter().map(|(name, text)| (name.as_str(), text.clone())));
    let [with_lost, plain] = [with, without].map(host);
    let name = with.first().map_or("", |(name, _)| name);
    let compile = |host: &MemoryHost, options: &Options, goal| Session::new(host, options.clone()).compile(name, goal);
    let text = format!("{with:#?}");
    // What a root with `Modules` folds although its transform is not declared is not found again.
    let is_declared = with.first().is_some_and(|(_, root)| root.contains("AWS::LanguageExtensions"));
    let outputs = law(&text, is_declared, &|options, goal| compile(&with_lost, options, goal))?;
    let [one, other] = [&with_lost, &plain].map(|host| compile(host, &Options::default(), Goal::Expand));
    // The text of a file that is inserted is as it is written.
    let inserts = |(_, text): &(String, String)| text.contains("InsertFile");
    if with.iter().any(inserts) && with.iter().all(|(name, _)| !name.ends_with("txt")) {
        return Ok(outputs);
    }
    if let (Ok(one), Ok(other)) = (one.output(), other.output()) {
        let what = format!("with and without what is lost, of\n{text}");
        same_data(&what, &one.render(Some(Format::Json)), &other.render(Some(Format::Json)))?;
    }
    Ok(outputs)
}

fn law(text: &str, has_origins: bool, compiled: &dyn Fn(&Options, Goal) -> Arc<Compilation>) -> Result<usize, String> {
    let mut outputs = 0;
    let extended = |values| Options { values, language_extensions: LanguageExtensions::Always, ..Options::default() };
    for (options, goal) in [
        (Options::default(), Goal::Expand),
        (extended(Values::Pin), Goal::Expand),
        (extended(Values::All), Goal::Expand),
        (extended(Values::All), Goal::Resolve),
    ] {
        let result = compiled(&options, goal);
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
        if has_origins {
            origins::origins_of(&result).map_err(|error| format!("{error}: {what}"))?;
        }
    }
    Ok(outputs)
}
