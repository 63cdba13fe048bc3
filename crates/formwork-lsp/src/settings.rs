//! Settings of a client.

use formwork_ide::expansion_view::Stage;
use formwork_ide::hints::HintKinds;
use serde_json::Value;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum CheckTrigger {
    #[default]
    OnType,
    OnSave,
    Off,
}

/// The settings of a client, which have the prefix `formwork.` there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Settings {
    pub(crate) values: String,
    pub(crate) parameter_files: Vec<String>,
    pub(crate) project_root: Option<String>,
    pub(crate) run: CheckTrigger,
    pub(crate) hints: HintKinds,
    pub(crate) off: Vec<&'static str>,
    pub(crate) stage: Stage,
    pub(crate) follows: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            values: "default".to_owned(),
            parameter_files: Vec::new(),
            project_root: None,
            run: CheckTrigger::OnType,
            hints: HintKinds::default(),
            off: Vec::new(),
            stage: Stage::Expand,
            follows: true,
        }
    }
}

const FEATURES: [&str; 7] = ["hover", "completion", "codeLens", "semanticTokens", "format", "links", "symbols"];

impl Settings {
    pub(crate) fn is_on(&self, feature: &str) -> bool {
        !self.off.contains(&feature)
    }

    /// Applies the settings of an object, nested or with dotted keys, and returns its errors.
    pub(crate) fn merge(&mut self, object: &Value) -> Vec<String> {
        let mut wrong = Vec::new();
        let mut flat = Vec::new();
        flatten("", object.get("formwork").unwrap_or(object), &mut flat);
        for (key, value) in flat {
            if let Err(why) = self.set(key.strip_prefix("formwork.").unwrap_or(&key), value) {
                wrong.push(format!("setting formwork.{key} {why}"));
            }
        }
        wrong
    }

    fn set(&mut self, key: &str, value: &Value) -> Result<(), &'static str> {
        let flag = || value.as_bool().ok_or("is not true or false");
        let text = || value.as_str().map(str::to_owned).ok_or("is not a string");
        if let Some(feature) = key.strip_suffix(".enable") {
            let feature = FEATURES.iter().find(|known| **known == feature).ok_or("is unknown")?;
            self.off.retain(|off| off != feature);
            if !flag()? {
                self.off.push(feature);
            }
            return Ok(());
        }
        match key {
            "values" => self.values = text()?,
            "parameterFiles" => {
                let list = value.as_array().ok_or("is not a list")?;
                let files: Option<Vec<String>> = list.iter().map(|one| one.as_str().map(str::to_owned)).collect();
                self.parameter_files = files.ok_or("is not a list of strings")?;
            }
            "projectRoot" => self.project_root = if value.is_null() { None } else { Some(text()?) },
            "diagnostics.run" => {
                self.run = match value.as_str() {
                    Some("onType") => CheckTrigger::OnType,
                    Some("onSave") => CheckTrigger::OnSave,
                    Some("off") => CheckTrigger::Off,
                    _ => return Err("is none of onType, onSave, off"),
                }
            }
            "hints.loops" => self.hints.loops = flag()?,
            "hints.imports" => self.hints.imports = flag()?,
            "hints.collections" => self.hints.collections = flag()?,
            "hints.conditions" => self.hints.conditions = flag()?,
            "hints.absent" => self.hints.absent = flag()?,
            "hints.values" => self.hints.values = flag()?,
            "expansion.stage" => {
                self.stage = value.as_str().and_then(Stage::from_name).ok_or("is none of expand, resolve, deploy")?;
            }
            "expansion.follow" => self.follows = flag()?,
            // Settings of clients, and of the start of the server.
            "path" | "trace.server" | "trusted" => {}
            _ => return Err("is unknown"),
        }
        Ok(())
    }
}

fn flatten<'v>(prefix: &str, value: &'v Value, flat: &mut Vec<(String, &'v Value)>) {
    match value {
        Value::Object(members) => {
            for (key, value) in members {
                let key = if prefix.is_empty() { key.clone() } else { format!("{prefix}.{key}") };
                flatten(&key, value, flat);
            }
        }
        Value::Null if prefix.is_empty() => {}
        value => flat.push((prefix.to_owned(), value)),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn settings_are_nested_or_dotted_and_wrong_ones_are_named() {
        let mut settings = Settings::default();
        let wrong = settings.merge(&json!({
            "hints": {"values": true, "loops": 1},
            "formwork.hover.enable": false,
            "expansion": {"stage": "resolve"},
            "colour": "red"
        }));
        assert!(settings.hints.values && settings.hints.loops && !settings.is_on("hover"));
        assert_eq!(settings.stage, Stage::Resolve);
        assert_eq!(wrong, ["setting formwork.hints.loops is not true or false", "setting formwork.colour is unknown"]);
        assert!(Settings::default().merge(&Value::Null).is_empty());
    }
}
