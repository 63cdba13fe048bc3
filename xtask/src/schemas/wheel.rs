//! The wheel of cfn-lint.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Cursor, Read as _};
use std::path::Path;

use formwork_schemas::Date;
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};
use zip::ZipArchive;

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
        let bytes = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let sha256 = Sha256::digest(&bytes).iter().fold(String::new(), |text, byte| format!("{text}{byte:02x}"));
        let mut files = Files { zip: ZipArchive::new(Cursor::new(bytes)).map_err(|error| error.to_string())? };
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
        let version = files.version()?;
        Ok(Wheel { date, version, sha256, types, regions, runtimes, extensions, actions })
    }
}

struct Files {
    zip: ZipArchive<Cursor<Vec<u8>>>,
}

impl Files {
    fn object(&mut self, name: &str) -> Result<Map<String, Value>, String> {
        let text = self.text(name)?;
        match serde_json::from_str(&text) {
            Ok(Value::Object(object)) => Ok(object),
            Ok(_) => Err(format!("{name} of the wheel is not an object")),
            Err(error) => Err(format!("{name} of the wheel: {error}")),
        }
    }

    fn text(&mut self, name: &str) -> Result<String, String> {
        let mut file = self.zip.by_name(name).map_err(|_| format!("the wheel has no {name}"))?;
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(|error| format!("{name} of the wheel: {error}"))?;
        Ok(text)
    }

    fn names(&self, folder: &str) -> Vec<String> {
        let mut names = self.all_names();
        names.retain(|name| {
            name.starts_with(folder) && Path::new(name).extension().is_some_and(|extension| extension == "json")
        });
        names.sort();
        names
    }

    /// Names of files that can be read as text.
    fn all_names(&self) -> Vec<String> {
        self.zip.file_names().flatten().map(std::borrow::Cow::into_owned).collect()
    }

    /// Of the package.
    fn version(&mut self) -> Result<String, String> {
        let name = self.all_names().into_iter().find(|name| name.ends_with(".dist-info/METADATA"));
        let text = self.text(&name.ok_or("the wheel has no METADATA")?)?;
        let version = text.lines().find_map(|line| line.strip_prefix("Version: "));
        Ok(version.ok_or("METADATA of the wheel has no version")?.to_owned())
    }
}
