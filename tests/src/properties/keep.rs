//! What is kept is deployed with other values: resolving the output of `--values keep` is resolving the project, whatever
//! values the first step had (reference/values.md#laws).

use formwork::{Goal, LanguageExtensions, Options, PseudoParameter, Session, VirtualPath};

use super::modules_agree::answer;
use super::{text_of, with_parameters};
use crate::generate::{Project, json};

/// The law for one project, whose first file is the template, and the parameter `Stage`, which decides nothing that is
/// expanded. Returns how many outputs were compared.
///
/// # Errors
/// In words.
pub fn keep(project: &Project) -> Result<usize, String> {
    let host = super::host(project.iter().map(|(name, file)| (name.as_str(), json(file))));
    let name = project.first().map_or("", |(name, _)| name);
    let mut count = 0;
    for (first, second) in [(None, "prod"), (Some("dev"), "prod"), (Some("a b"), "dev"), (None, "${!x}")] {
        let options = |stage: Option<&str>| {
            let values: Vec<(&str, &str)> = stage.map(|stage| ("Stage", stage)).into_iter().collect();
            with_parameters(&values)
        };
        let kept = Session::new(&host, options(first)).compile(name, Goal::Expand);
        let Ok(kept) = text_of(&kept, None) else { continue };
        for stack in ["dev", "other"] {
            // The declaration of the transform may be gone.
            let mut second = Options { language_extensions: LanguageExtensions::Always, ..options(Some(second)) };
            second.pseudo.push((PseudoParameter::Region, "eu-west-1".to_owned()));
            second.pseudo.push((PseudoParameter::StackName, stack.to_owned()));
            let whole = Session::new(&host, second.clone()).compile(name, Goal::Resolve);
            let Ok(mut whole) = answer(&whole) else { continue };
            let path = VirtualPath::new("template.json");
            let step = Session::new(&host, second).compile_bytes(&path, kept.as_bytes().into(), Goal::Resolve);
            let mut step = answer(&step);
            for sections in [Some(&mut whole), step.as_mut().ok()].into_iter().flatten() {
                if let Some(sections) = sections.as_object_mut() {
                    sections.remove("Parameters");
                }
            }
            count += 1;
            if step.as_ref() != Ok(&whole) {
                let files: Vec<String> =
                    project.iter().map(|(name, file)| format!("--- {name}\n{}", json(file))).collect();
                let files = files.join("\n");
                let step = step.map_or_else(|codes| format!("{codes:?}"), |step| format!("{step:#}"));
                return Err(format!("in one step {whole:#}\n--- in two\n{step}\n--- kept\n{kept}\n{files}"));
            }
        }
    }
    Ok(count)
}
