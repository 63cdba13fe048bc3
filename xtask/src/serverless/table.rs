//! The lines of the table.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use formwork_serverless::facts::Facts;
use serde_json::{Map, Value, json};

use crate::archive::Archive;

const TEMPLATES: &str = "samtranslator/policy_templates_data/policy_templates.json";
const CONNECTORS: &str = "samtranslator/model/connector_profiles/profiles.json";
const MANAGED: &str = "samtranslator/internal/data/aws_managed_policies.json";

/// The data of the wheel.
pub(crate) struct Source {
    header: Map<String, Value>,
    templates: Map<String, Value>,
    connectors: Map<String, Value>,
    managed: Map<String, Value>,
    sha256: String,
    date: String,
}

impl Source {
    pub(crate) fn read(wheel: &mut Archive) -> Result<Source, String> {
        let mut header = Map::new();
        for (key, field) in [("name", "Name"), ("version", "Version")] {
            header.insert(key.to_owned(), Value::String(wheel.metadata(field)?));
        }
        let mut profiles = wheel.object(CONNECTORS)?;
        profiles.remove("Version");
        profiles.values_mut().for_each(remove_comments);
        Ok(Source {
            header,
            templates: templates(&wheel.object(TEMPLATES)?)?,
            connectors: profiles,
            managed: wheel.object(MANAGED)?,
            sha256: wheel.sha256.clone(),
            date: wheel.date(TEMPLATES)?,
        })
    }

    pub(crate) fn text(&self) -> Result<String, String> {
        let mut header = self.header.clone();
        header.insert("date".to_owned(), self.date.as_str().into());
        header.insert("sha256".to_owned(), self.sha256.as_str().into());
        header.insert("partitions".to_owned(), self.managed.keys().cloned().collect());
        let mut text = String::new();
        for object in [&header, &self.templates, &self.connectors] {
            text.push_str(&serde_json::to_string(object).map_err(|error| error.to_string())?);
            text.push('\n');
        }
        for (path, bits) in self.managed_paths()? {
            let _ = writeln!(text, "{bits} {path}");
        }
        Ok(text)
    }

    /// Paths of managed policies, with a bit for each partition.
    fn managed_paths(&self) -> Result<BTreeMap<String, u32>, String> {
        let mut paths = BTreeMap::new();
        for (number, (partition, policies)) in self.managed.iter().enumerate() {
            for (name, arn) in policies.as_object().into_iter().flatten() {
                let start = format!("arn:{partition}:iam::aws:policy/");
                let path = arn.as_str().and_then(|arn| arn.strip_prefix(&start));
                let path = path.filter(|path| path.rsplit('/').next() == Some(name));
                let path = path.ok_or_else(|| format!("{MANAGED}: {arn} is not the ARN of {name} in {partition}"))?;
                *paths.entry(path.to_owned()).or_default() |= 1 << number;
            }
        }
        Ok(paths)
    }

    /// Refuses a table that does not have the facts of the wheel.
    pub(crate) fn compare(&self, facts: &Facts) -> Result<(), String> {
        for (name, template) in &self.templates {
            let read = facts.policy_templates().get(name);
            let read = read.map(|read| json!({"Parameters": read.parameters, "Statement": read.statements}));
            if read.as_ref() != Some(template) {
                return Err(format!("the table does not have policy template {name}"));
            }
        }
        for (partition, policies) in &self.managed {
            for (name, arn) in policies.as_object().into_iter().flatten() {
                if facts.managed_policies().arn(partition, name).as_deref() != arn.as_str() {
                    return Err(format!("the table does not have managed policy {name} of {partition}"));
                }
            }
        }
        for (source, destinations) in
            self.connectors.get("Permissions").and_then(Value::as_object).into_iter().flatten()
        {
            for (destination, profile) in destinations.as_object().into_iter().flatten() {
                let read = facts.connectors().permission(source, destination);
                if read.is_none_or(|read| json!({"Type": read.kind, "Properties": read.properties}) != *profile) {
                    return Err(format!("the table does not have the connector from {source} to {destination}"));
                }
            }
        }
        Ok(())
    }
}

/// Removes what is written for readers of the file.
fn remove_comments(value: &mut Value) {
    if let Value::Object(object) = value {
        object.shift_remove("_comment");
        object.values_mut().for_each(remove_comments);
    }
}

/// Names, parameters and statements, without descriptions.
fn templates(file: &Map<String, Value>) -> Result<Map<String, Value>, String> {
    let mut templates = Map::new();
    for (name, template) in file.get("Templates").and_then(Value::as_object).into_iter().flatten() {
        let definition = template.get("Definition").and_then(Value::as_object);
        let statement = definition.filter(|definition| definition.len() == 1).and_then(|one| one.get("Statement"));
        let parameters = template.get("Parameters").and_then(Value::as_object);
        let (Some(statement), Some(parameters)) = (statement, parameters) else {
            return Err(format!("{TEMPLATES}: {name} does not have the form that is known"));
        };
        let parameters: Vec<&String> = parameters.keys().collect();
        templates.insert(name.clone(), json!({"Parameters": parameters, "Statement": statement}));
    }
    Ok(templates)
}
