//! The wheel of cfn-lint.

use std::collections::BTreeMap;
use std::path::Path;

use formwork_schemas::Date;
use serde_json::{Map, Value};

use crate::archive::Archive;

/// What the table needs of it.
pub(crate) struct Wheel {
    /// Of the schemas.
    pub(crate) date: Date,
    pub(crate) version: String,
    /// Of the file, in hexadecimal digits.
    pub(crate) sha256: String,
    pub(crate) types: BTreeMap<String, Value>,
    /// The names of the types of each Region file.
    pub(crate) regions: BTreeMap<String, Vec<String>>,
    pub(crate) runtimes: Map<String, Value>,
    /// Rules between properties, by directory and file.
    pub(crate) extensions: BTreeMap<String, Value>,
    /// Names of actions by service of IAM, sorted.
    pub(crate) actions: BTreeMap<String, Vec<String>>,
}

const DATA: &str = "cfnlint/data";

impl Wheel {
    pub(crate) fn read(path: &Path) -> Result<Wheel, String> {
        let mut files = Archive::read(path)?;
        let version = files.object(&format!("{DATA}/schemas/version.json"))?;
        let date = version.get("schema_date").and_then(Value::as_str).and_then(Date::parse);
        let date = date.ok_or("version.json of the wheel has no schema_date")?;
        let runtimes = files.object(&format!("{DATA}/AdditionalSpecs/LmbdRuntimeLifecycle.json"))?;
        let mut types = BTreeMap::new();
        let mut regions = BTreeMap::new();
        let folder = format!("{DATA}/schemas/providers/");
        for name in files.names(&folder) {
            let provider = files.object(&name)?;
            let region = name.trim_start_matches(&folder).trim_end_matches(".json").to_owned();
            for (type_name, file) in &provider {
                let file = file.as_str().ok_or_else(|| format!("{name}: {type_name} names no file"))?;
                let schema = files.object(&format!("{DATA}/schemas/resources/{file}.json"))?;
                let schema = Value::Object(schema);
                if types.get(type_name).is_some_and(|known| *known != schema) {
                    return Err(format!(
                        "{type_name} has another schema in {region}: the table has one for all Regions"
                    ));
                }
                types.insert(type_name.clone(), schema);
            }
            if region != "sam" {
                regions.insert(region, provider.keys().cloned().collect());
            }
        }
        let folder = format!("{DATA}/schemas/extensions/");
        let mut extensions = BTreeMap::new();
        for name in files.names(&folder) {
            let file = name.trim_start_matches(&folder).to_owned();
            extensions.insert(file, Value::Object(files.object(&name)?));
        }
        let policies = files.object(&format!("{DATA}/AdditionalSpecs/Policies.json"))?;
        let names = |service: &Value| {
            let actions = service.get("Actions").and_then(Value::as_object).into_iter().flatten();
            let mut names: Vec<String> = actions.map(|(name, _)| name.clone()).collect();
            names.sort_unstable();
            names
        };
        let actions = policies.iter().map(|(service, facts)| (service.clone(), names(facts))).collect();
        let version = files.metadata("Version")?;
        Ok(Wheel { date, version, sha256: files.sha256, types, regions, runtimes, extensions, actions })
    }
}
