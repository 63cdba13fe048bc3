//! Stacks of a repository: `[[stack]]` (reference/configuration.md#stack).

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::scalar::scalar_or_list;

/// The word in names and values that is replaced with the stage.
const STAGE: &str = "{stage}";

/// A value of a stack: one for all stages, or one for each.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OfStage {
    /// The value of all stages.
    All(String),
    /// Values by stage.
    Each(Vec<(String, String)>),
}

/// A stack, or one for each of its stages.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeclaredStack {
    /// The name of the stack, in which `{stage}` is the stage.
    pub name: String,
    /// The line of the name.
    pub line: usize,
    /// The path of the template, from the directory of the configuration file, or the name of a `[[template]]`.
    pub template: String,
    /// The line of the template.
    pub template_line: usize,
    /// The stages; without any the stack is one of all stages.
    pub stages: Vec<String>,
    /// Values of parameters, in which `{stage}` is the stage, each with its byte range in the file.
    pub parameters: Vec<(String, String, Range<usize>)>,
    /// The Region.
    pub region: Option<OfStage>,
    /// The account.
    pub account: Option<OfStage>,
}

impl OfStage {
    fn of(&self, stage: Option<&str>) -> Option<String> {
        match self {
            OfStage::All(value) => Some(filled(value, stage)),
            OfStage::Each(values) => {
                values.iter().find(|(known, _)| Some(known.as_str()) == stage).map(|(_, value)| value.clone())
            }
        }
    }
}

impl DeclaredStack {
    /// Returns the name in a stage.
    pub fn name_in(&self, stage: Option<&str>) -> String {
        filled(&self.name, stage)
    }

    /// Returns the Region in a stage.
    pub fn region_in(&self, stage: Option<&str>) -> Option<String> {
        self.region.as_ref()?.of(stage)
    }

    /// Returns the account in a stage.
    pub fn account_in(&self, stage: Option<&str>) -> Option<String> {
        self.account.as_ref()?.of(stage)
    }

    /// Returns the values of parameters in a stage.
    pub fn parameters_in(&self, stage: Option<&str>) -> Vec<(String, String, Range<usize>)> {
        let one =
            |(name, value, place): &(String, String, Range<usize>)| (name.clone(), filled(value, stage), place.clone());
        self.parameters.iter().map(one).collect()
    }
}

fn filled(text: &str, stage: Option<&str>) -> String {
    match stage {
        Some(stage) => text.replace(STAGE, stage),
        None => text.to_owned(),
    }
}

/// Reads an element of `[[stack]]`, which begins in the line `own`. `line` returns the line of an offset; `wrong` receives errors with their lines.
pub(super) fn read(
    table: &DeTable<'_>,
    own: usize,
    line: &dyn Fn(usize) -> usize,
    wrong: &mut dyn FnMut(usize, String),
) -> Option<DeclaredStack> {
    let mut reader = Reader { line, wrong };
    let name = reader.text(table, "name");
    let template = reader.text(table, "template");
    let stack = DeclaredStack {
        stages: reader.stages(table),
        parameters: reader.parameters(table),
        region: reader.of_stage(table, "region"),
        account: reader.of_stage(table, "account"),
        line: name.as_ref().map_or(own, |(_, line)| *line),
        template_line: template.as_ref().map_or(own, |(_, line)| *line),
        name: name.map(|(name, _)| name).unwrap_or_default(),
        template: template.map(|(template, _)| template).unwrap_or_default(),
    };
    for (key, value) in table {
        if !["name", "template", "stages", "parameters", "region", "account"].contains(&key.get_ref().as_ref()) {
            let why = format!(
                "`{}` is not a key of `[[stack]]`, which has `name`, `template`, `stages`, `parameters`, `region` and `account`",
                key.get_ref()
            );
            reader.wrong(value, why);
        }
    }
    for key in ["name", "template"] {
        if !table.contains_key(key) {
            (reader.wrong)(own, format!("the stack has no `{key}`"));
        }
    }
    reader.judge(&stack, table);
    (!stack.name.is_empty() && !stack.template.is_empty()).then_some(stack)
}

struct Reader<'r> {
    line: &'r dyn Fn(usize) -> usize,
    wrong: &'r mut dyn FnMut(usize, String),
}

impl Reader<'_> {
    fn wrong(&mut self, value: &Spanned<DeValue<'_>>, why: String) {
        (self.wrong)((self.line)(value.span().start), why);
    }

    fn text(&mut self, table: &DeTable<'_>, key: &str) -> Option<(String, usize)> {
        let value = table.get(key)?;
        match value.get_ref() {
            DeValue::String(text) if !text.is_empty() => Some((text.to_string(), (self.line)(value.span().start))),
            _ => {
                self.wrong(value, format!("`{key}` is not a string with characters"));
                None
            }
        }
    }

    fn stages(&mut self, table: &DeTable<'_>) -> Vec<String> {
        let Some(value) = table.get("stages") else { return Vec::new() };
        let DeValue::Array(items) = value.get_ref() else {
            self.wrong(value, "`stages` is not a list of strings".to_owned());
            return Vec::new();
        };
        let mut stages: Vec<String> = Vec::new();
        for item in items {
            match item.get_ref() {
                DeValue::String(text) if stages.iter().any(|known| known == text) => {
                    self.wrong(item, format!("stage `{text}` is in the list twice"));
                }
                DeValue::String(text) if !text.is_empty() && !text.contains(',') => stages.push(text.to_string()),
                _ => self.wrong(item, "a stage is not a string without `,`".to_owned()),
            }
        }
        stages
    }

    fn parameters(&mut self, table: &DeTable<'_>) -> Vec<(String, String, Range<usize>)> {
        let Some(value) = table.get("parameters") else { return Vec::new() };
        let DeValue::Table(values) = value.get_ref() else {
            self.wrong(value, "`parameters` is not a table of values".to_owned());
            return Vec::new();
        };
        let mut found = Vec::new();
        for (name, value) in values {
            match scalar_or_list(value.get_ref()) {
                Some(text) => found.push((name.get_ref().to_string(), text, value.span())),
                None => {
                    self.wrong(value, format!("the value of `{}` is not a scalar or a list of them", name.get_ref()));
                }
            }
        }
        found
    }

    fn of_stage(&mut self, table: &DeTable<'_>, key: &str) -> Option<OfStage> {
        let value = table.get(key)?;
        match value.get_ref() {
            DeValue::String(text) => Some(OfStage::All(text.to_string())),
            DeValue::Table(values) => {
                let mut found = Vec::new();
                for (stage, value) in values {
                    match value.get_ref() {
                        DeValue::String(text) => found.push((stage.get_ref().to_string(), text.to_string())),
                        _ => self.wrong(value, format!("`{key}` of stage `{}` is not a string", stage.get_ref())),
                    }
                }
                Some(OfStage::Each(found))
            }
            _ => {
                self.wrong(value, format!("`{key}` is not a string, or a table of strings by stage"));
                None
            }
        }
    }

    /// Rejects `{stage}` without stages, and values of stages that the stack does not have.
    fn judge(&mut self, stack: &DeclaredStack, table: &DeTable<'_>) {
        if stack.stages.is_empty() && stack.name.contains(STAGE) {
            (self.wrong)(stack.line, "the name has `{stage}`, and the stack has no `stages`".to_owned());
        }
        for (key, of_stage) in [("region", &stack.region), ("account", &stack.account)] {
            let Some(OfStage::Each(values)) = of_stage else { continue };
            for (stage, _) in values.iter().filter(|(stage, _)| !stack.stages.contains(stage)) {
                if let Some(value) = table.get(key) {
                    self.wrong(value, format!("`{key}` has a value for `{stage}`, which is not in `stages`"));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::ProjectFile;

    fn read(text: &str) -> Result<ProjectFile, Vec<String>> {
        let parsed = ProjectFile::parse(Path::new("formwork.toml"), text.as_bytes());
        parsed.map_err(|failures| failures.iter().map(|failure| failure.message.clone()).collect())
    }

    #[test]
    fn a_stage_is_in_names_and_values() {
        let file = read(
            "[[stack]]\nname = \"shop-{stage}\"\ntemplate = \"a.yaml\"\nstages = [\"dev\", \"prod\"]\nparameters = {Stage = \"{stage}\", Zones = [\"a\", \"b\"]}\nregion = {dev = \"eu-west-1\"}\naccount = \"111122223333\"\n",
        )
        .expect("a file");
        let [stack] = file.stacks() else { panic!("one stack") };
        assert_eq!(stack.name_in(Some("dev")), "shop-dev");
        let values: Vec<_> = stack.parameters_in(Some("prod")).into_iter().map(|(_, value, _)| value).collect();
        assert_eq!(values, ["prod", "a,b"]);
        assert_eq!((stack.region_in(Some("dev")).as_deref(), stack.region_in(Some("prod"))), (Some("eu-west-1"), None));
        assert_eq!(stack.account_in(Some("prod")).as_deref(), Some("111122223333"));
    }

    #[test]
    fn what_a_stack_cannot_have_is_an_error_with_its_line() {
        for (text, wrong) in [
            ("[[stack]]\nname = \"a\"\n", "formwork.toml:1: the stack has no `template`"),
            ("[[stack]]\nname = \"a-{stage}\"\ntemplate = \"a.yaml\"\n", "formwork.toml:2: the name has `{stage}`"),
            ("[[stack]]\nname = \"a\"\ntemplate = \"a.yaml\"\nfoo = 1\n", "formwork.toml:4: `foo` is not a key"),
            ("[[stack]]\nname = \"a\"\ntemplate = \"../a.yaml\"\n", "formwork.toml:3: "),
            (
                "[[stack]]\nname = \"a\"\ntemplate = \"a.yaml\"\nstages = [\"a\", \"a\"]\n",
                "formwork.toml:4: stage `a` is in the list twice",
            ),
            (
                "[[stack]]\nname = \"a\"\ntemplate = \"a.yaml\"\nregion = {dev = \"x\"}\n",
                "formwork.toml:4: `region` has a value for `dev`",
            ),
        ] {
            let failures = read(text).expect_err(text);
            assert!(failures.iter().any(|failure| failure.starts_with(wrong)), "{text}: {failures:?}");
        }
    }
}
