//! A project is the module of a root: a template that only imports another one generates the same resources,
//! conditions and outputs, with the name of the import in front (reference/modules/copies.md#root-loops).

use formwork::{Compilation, Goal, Options, PseudoParameter, Session, Values, VirtualPath};
use formwork_syntax::value::Value;

use super::modules_agree::{PREFIX, answer, map};
use super::{origins, text_of};
use crate::generate::{Project, ROOT, ROOTED_OUTPUTS, json};

/// The law for one project. Returns whether it has an output.
///
/// # Errors
/// In words.
pub fn module_of_root(project: &Project) -> Result<bool, String> {
    let files: Vec<(&str, String)> = project.iter().map(|(name, file)| (name.as_str(), json(file))).collect();
    let host = super::host(files.iter().map(|(name, file)| (*name, file.clone())));
    let own = files.iter().find(|(name, _)| *name == ROOT).map(|(_, file)| file.clone()).unwrap_or_default();
    let importing = json(&importing());
    let mut is_sound = false;
    for is_region_known in [false, true] {
        let mut options = Options { values: Values::All, ..Options::default() };
        if is_region_known {
            options.pseudo.push((PseudoParameter::Region, "eu-west-1".to_owned()));
        }
        for goal in [Goal::Expand, Goal::Resolve] {
            let compile = |text: &str| {
                let session = Session::new(&host, options.clone());
                session.compile_bytes(&VirtualPath::new("template.json"), text.as_bytes().into(), goal)
            };
            let runs = [compile(&own), compile(&importing)];
            let mut answers = [answer(&runs[0]), answer(&runs[1])];
            for sections in answers.iter_mut().flatten().filter_map(serde_json::Value::as_object_mut) {
                sections.remove("Parameters");
            }
            let error = |what: &str, words: [String; 2]| {
                let [one, other] = words;
                format!(
                    "{} {what}\n{own}\n--- itself\n{one}\n--- as a module\n{other}\n--- of\n{files:#?}",
                    goal.name()
                )
            };
            if answers[0] != answers[1] {
                let words = [0, 1].map(|at| match &answers[at] {
                    Ok(value) => format!("{value:#}"),
                    Err(codes) => {
                        let messages: Vec<&str> = runs[at].diagnostics().iter().map(|d| d.message.as_str()).collect();
                        format!("{codes:?} {messages:#?}")
                    }
                });
                return Err(error("differs", words));
            }
            if answers[0].is_err() {
                continue;
            }
            is_sound = true;
            let [all, brought] = [0, 1].map(|at| conditions(&runs[at]));
            if let Some((name, _)) = brought.iter().find(|&(name, body)| all.get(name) != Some(body)) {
                return Err(error(
                    &format!("has another condition {name}"),
                    [format!("{all:#?}"), format!("{brought:#?}")],
                ));
            }
            for run in &runs {
                origins::origins_of(run).map_err(|wrong| error(&wrong, Default::default()))?;
            }
        }
    }
    Ok(is_sound)
}

/// A template that imports the project and passes its outputs on.
fn importing() -> Value {
    let text = |text: &str| Value::String(text.to_owned());
    let output = |name: &'static str| {
        let value = map(vec![("Fn::GetAtt", Value::List(vec![text(PREFIX), text(name)]))]);
        (name, map(vec![("Value", value)]))
    };
    map(vec![
        ("Transform", text("AWS::LanguageExtensions")),
        ("Modules", map(vec![(PREFIX, map(vec![("Source", text(&format!("./{ROOT}")))]))])),
        ("Outputs", map(ROOTED_OUTPUTS.into_iter().map(output).collect())),
    ])
}

/// The conditions of an output, without the prefix.
fn conditions(result: &Compilation) -> serde_json::Map<String, serde_json::Value> {
    let text = text_of(result, None).unwrap_or_default().replace(PREFIX, "");
    let value = crate::data::read(&text).map(|value| crate::data::long_form(&value)).unwrap_or_default();
    value.get("Conditions").and_then(serde_json::Value::as_object).cloned().unwrap_or_default()
}
