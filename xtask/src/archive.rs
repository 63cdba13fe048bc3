//! A wheel of Python.

use std::fs;
use std::io::{Cursor, Read as _};
use std::path::Path;

use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};
use zip::ZipArchive;

/// The files of a wheel.
pub(crate) struct Archive {
    /// Of the wheel, in hexadecimal digits.
    pub(crate) sha256: String,
    zip: ZipArchive<Cursor<Vec<u8>>>,
}

impl Archive {
    pub(crate) fn read(path: &Path) -> Result<Archive, String> {
        let bytes = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let sha256 = Sha256::digest(&bytes).iter().fold(String::new(), |text, byte| format!("{text}{byte:02x}"));
        Ok(Archive { sha256, zip: ZipArchive::new(Cursor::new(bytes)).map_err(|error| error.to_string())? })
    }

    pub(crate) fn object(&mut self, name: &str) -> Result<Map<String, Value>, String> {
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

    /// Names of the JSON files below a directory.
    pub(crate) fn names(&self, folder: &str) -> Vec<String> {
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

    /// The day on which a file was put into the archive.
    pub(crate) fn date(&mut self, name: &str) -> Result<String, String> {
        let file = self.zip.by_name(name).map_err(|_| format!("the wheel has no {name}"))?;
        let time = file.last_modified().ok_or_else(|| format!("{name} of the wheel has no date"))?;
        Ok(format!("{:04}-{:02}-{:02}", time.year(), time.month(), time.day()))
    }

    /// A field of the package's description, such as its version.
    pub(crate) fn metadata(&mut self, field: &str) -> Result<String, String> {
        let name = self.all_names().into_iter().find(|name| name.ends_with(".dist-info/METADATA"));
        let text = self.text(&name.ok_or("the wheel has no METADATA")?)?;
        let value = text.lines().find_map(|line| line.strip_prefix(field)?.strip_prefix(": "));
        Ok(value.ok_or_else(|| format!("METADATA of the wheel has no {field}"))?.to_owned())
    }
}
