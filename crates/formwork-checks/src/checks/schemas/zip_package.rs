//! Properties that a Lambda function with a .zip file needs (reference/schemas.md#zip).

use formwork_base::suggest::slip;
use formwork_syntax::{Kind, NodeId, symbol};

use super::combinations;
use super::presence::Presence;
use super::walk::{At, Walk};

/// Not required by the schemas, since an image has them itself.
const NEEDED: [&str; 2] = ["Handler", "Runtime"];

impl Walk<'_> {
    /// Checks the properties of a function whose code certainly is a .zip file.
    pub(super) fn zip_package(&mut self, at: At) {
        let Some(resource) = self.resource.filter(|_| self.path.is_empty()) else { return };
        let code = match resource.name() {
            "AWS::Lambda::Function" => self.zip_of_function(at.node),
            "AWS::Serverless::Function" => self.zip_of_serverless_function(at.node),
            _ => None,
        };
        let Some(code) = code else { return };
        let is_missing = |name: &&str| self.presence(at.node, name) == Presence::Absent && !self.may_be_global(name);
        let missing: Vec<&str> = NEEDED.into_iter().filter(is_missing).collect();
        if !missing.is_empty() {
            let names = missing.join(" and ");
            let message = format!("has {code}, which needs {names}");
            combinations::report(self, at, &message, &format!("add {names}"), &missing);
        }
    }

    fn zip_of_function(&self, properties: NodeId) -> Option<&'static str> {
        let code = self.tree.get_text(properties, "Code").filter(|_| self.is_zip(properties))?;
        match self.tree.kind(code) {
            Kind::String => Some("Code"),
            Kind::Map if self.presence(code, "ImageUri") == Presence::Absent => {
                let has = |name: &str| self.presence(code, name) == Presence::Present;
                let known = [("ZipFile", "Code.ZipFile"), ("S3Bucket", "Code.S3Bucket")];
                known.into_iter().find(|(name, _)| has(name)).map(|(_, path)| path)
            }
            _ => None,
        }
    }

    fn zip_of_serverless_function(&self, properties: NodeId) -> Option<&'static str> {
        let is_image = ["ImageUri", "ImageConfig"]
            .iter()
            .any(|name| self.presence(properties, name) != Presence::Absent || self.may_be_global(name));
        if is_image || self.may_be_global("PackageType") || !self.is_zip(properties) {
            return None;
        }
        let has = |name: &&str| self.presence(properties, name) == Presence::Present;
        ["InlineCode", "CodeUri"].into_iter().find(has)
    }

    fn is_zip(&self, properties: NodeId) -> bool {
        let kind = self.tree.get_text(properties, "PackageType");
        kind.is_none_or(|kind| self.tree.string(kind) == Some("Zip"))
    }

    /// Returns `true` if `Globals` has a property for functions, or one with nearly its name.
    fn may_be_global(&self, name: &str) -> bool {
        if !self.is_serverless() {
            return false;
        }
        let globals = self.tree.get(self.template.root, symbol::GLOBALS);
        let Some(section) = globals.and_then(|globals| self.tree.get_text(globals, "Function")) else { return false };
        let is_name = |key: &str| key == name || slip(key, [name]).is_some();
        self.tree.kind(section) != Kind::Map
            || self.tree.entries(section).any(|entry| is_name(self.tree.text(entry.key)))
    }
}
