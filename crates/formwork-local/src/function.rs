//! Lambda functions as evaluated templates declare them.

use std::path::PathBuf;

use serde_json::{Map, Value};

use crate::localize::{residual_text, scalar_text};

/// The source of the code of a function or the content of a layer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CodeSource {
    /// A directory, a zip file or a single file.
    Path(PathBuf),
    /// A string in the template.
    Inline(String),
    /// A remote location, such as a bucket.
    Remote(String),
    /// A container image.
    Image,
}

/// A layer of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layer {
    /// Logical ID or ARN.
    pub name: String,
    /// Content of the layer.
    pub source: CodeSource,
}

/// A function with everything that it runs with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function {
    /// Logical ID in the expansion, `Stack/ID` below nested stacks.
    pub id: String,
    /// `FunctionName`, when it is known.
    pub name: Option<String>,
    /// `Runtime`.
    pub runtime: Option<String>,
    /// `Handler`.
    pub handler: Option<String>,
    /// Code of the function.
    pub code: CodeSource,
    /// Layers, in order.
    pub layers: Vec<Layer>,
    /// `MemorySize` in MB.
    pub memory: u64,
    /// `Timeout` in seconds.
    pub timeout: u64,
    /// Declared environment variables.
    pub variables: Vec<(String, String)>,
    /// Set for a function with a `DurableConfig`.
    pub is_durable: bool,
    /// The declaration as `file:line`.
    pub place: Option<String>,
}

impl Function {
    /// Returns the name that Lambda would use: `FunctionName` when it is known, otherwise the logical ID.
    pub fn lambda_name(&self) -> &str {
        self.name.as_deref().unwrap_or(&self.id)
    }

    /// Returns a sentence about features that are missing locally.
    pub fn note(&self) -> Option<String> {
        let what = "it is run as another function, with no execution, checkpoints and replay";
        self.is_durable.then(|| format!("{} is a durable function: {what}, which its SDK needs", self.id))
    }

    /// Returns the last part of the ID: the logical ID in the function's own template.
    pub fn logical_id(&self) -> &str {
        self.id.rsplit('/').next().unwrap_or(&self.id)
    }
}

/// Returns the functions among evaluated resources. `prefix` is the path of nested stacks, such as `Stack/`; `base` is
/// the directory of the template.
pub(crate) fn functions(resources: &Map<String, Value>, prefix: &str, base: &std::path::Path) -> Vec<Function> {
    let empty = Map::new();
    let mut found = Vec::new();
    for (id, resource) in resources {
        let properties = resource.get("Properties").and_then(Value::as_object).unwrap_or(&empty);
        let code = match resource.get("Type").and_then(Value::as_str) {
            Some("AWS::Serverless::Function") => serverless_code(properties, base),
            Some("AWS::Lambda::Function") => lambda_code(properties, base),
            _ => continue,
        };
        let text = |name: &str| properties.get(name).and_then(scalar_text);
        let number = |name: &str, default: u64| text(name).and_then(|text| text.parse().ok()).unwrap_or(default);
        found.push(Function {
            id: format!("{prefix}{id}"),
            name: text("FunctionName"),
            runtime: text("Runtime"),
            handler: text("Handler"),
            code,
            layers: layers(properties.get("Layers"), resources, base),
            memory: number("MemorySize", 128),
            timeout: number("Timeout", 3),
            variables: variables(properties),
            is_durable: properties.get("DurableConfig").is_some_and(|value| !value.is_null()),
            place: None,
        });
    }
    found
}

fn variables(properties: &Map<String, Value>) -> Vec<(String, String)> {
    let declared = properties.get("Environment").and_then(|value| value.get("Variables")).and_then(Value::as_object);
    declared.into_iter().flatten().map(|(name, value)| (name.clone(), residual_text(value))).collect()
}

fn serverless_code(properties: &Map<String, Value>, base: &std::path::Path) -> CodeSource {
    if properties.get("PackageType").and_then(Value::as_str) == Some("Image") {
        return CodeSource::Image;
    }
    match (properties.get("InlineCode"), properties.get("CodeUri")) {
        (Some(code), _) => CodeSource::Inline(residual_text(code)),
        (None, uri) => located(uri, base),
    }
}

fn lambda_code(properties: &Map<String, Value>, base: &std::path::Path) -> CodeSource {
    let code = properties.get("Code");
    if properties.get("PackageType").and_then(Value::as_str) == Some("Image") {
        return CodeSource::Image;
    }
    match code.and_then(|code| code.get("ZipFile")) {
        Some(text) => CodeSource::Inline(residual_text(text)),
        None => located(code, base),
    }
}

/// Returns the source in a property: a path from the template's directory, or an address.
fn located(value: Option<&Value>, base: &std::path::Path) -> CodeSource {
    match value {
        None | Some(Value::Null) => CodeSource::Path(base.to_owned()),
        Some(Value::String(text)) if text.is_empty() => CodeSource::Path(base.to_owned()),
        Some(Value::String(text)) if is_address(text) => CodeSource::Remote(text.clone()),
        Some(Value::String(text)) => CodeSource::Path(base.join(text)),
        Some(Value::Object(object)) => {
            let part = |names: [&str; 2]| names.iter().find_map(|name| object.get(*name)).map(residual_text);
            match (part(["S3Bucket", "Bucket"]), part(["S3Key", "Key"])) {
                (Some(bucket), Some(key)) => CodeSource::Remote(format!("s3://{bucket}/{key}")),
                _ => CodeSource::Remote(residual_text(&Value::Object(object.clone()))),
            }
        }
        Some(other) => CodeSource::Remote(other.to_string()),
    }
}

fn is_address(text: &str) -> bool {
    ["s3://", "https://", "http://"].iter().any(|scheme| text.starts_with(scheme))
}

fn layers(value: Option<&Value>, resources: &Map<String, Value>, base: &std::path::Path) -> Vec<Layer> {
    let items = value.and_then(Value::as_array).into_iter().flatten();
    items
        .filter(|item| !item.is_null())
        .map(|item| {
            let name = residual_text(item);
            let source = layer(&name, resources, base).unwrap_or_else(|| CodeSource::Remote(name.clone()));
            Layer { name, source }
        })
        .collect()
}

/// Returns the content of a layer; `None` when the resources have no such layer.
pub(crate) fn layer(id: &str, resources: &Map<String, Value>, base: &std::path::Path) -> Option<CodeSource> {
    let resource = resources.get(id)?;
    let property = match resource.get("Type")?.as_str()? {
        "AWS::Serverless::LayerVersion" => "ContentUri",
        "AWS::Lambda::LayerVersion" => "Content",
        _ => return None,
    };
    let properties = resource.get("Properties");
    Some(located(properties.and_then(|properties| properties.get(property)), base))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use serde_json::json;

    use super::*;

    #[test]
    fn functions_of_both_types_with_their_defaults() {
        let resources = json!({
            "A": {"Type": "AWS::Serverless::Function", "Properties": {
                "CodeUri": "src/a", "Runtime": "python3.11", "Handler": "app.handler", "MemorySize": "512",
                "Environment": {"Variables": {"N": 3, "B": true, "R": {"Fn::ImportValue": "x"}}},
                "Layers": ["Shared", "arn:aws:lambda:eu-west-1:1:layer:x:1"],
            }},
            "B": {"Type": "AWS::Lambda::Function", "Properties": {
                "FunctionName": "named", "Code": {"ZipFile": "text"}, "Timeout": 10,
            }},
            "C": {"Type": "AWS::Lambda::Function", "Properties": {"Code": {"S3Bucket": "b", "S3Key": "k"}}},
            "D": {"Type": "AWS::Serverless::Function"},
            "E": {"Type": "AWS::Serverless::Function", "Properties": {"PackageType": "Image"}},
            "Shared": {"Type": "AWS::Serverless::LayerVersion", "Properties": {"ContentUri": "layer"}},
        });
        let found = functions(resources.as_object().expect("an object"), "Child/", Path::new("t"));
        let ids: Vec<&str> = found.iter().map(|function| function.id.as_str()).collect();
        assert_eq!(ids, ["Child/A", "Child/B", "Child/C", "Child/D", "Child/E"]);
        assert_eq!(found[0].code, CodeSource::Path("t/src/a".into()));
        assert_eq!((found[0].memory, found[0].timeout), (512, 3));
        let variables: Vec<(&str, &str)> =
            found[0].variables.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        assert_eq!(variables, [("N", "3"), ("B", "true"), ("R", "x")]);
        assert_eq!(found[0].layers[0].source, CodeSource::Path("t/layer".into()));
        assert!(matches!(found[0].layers[1].source, CodeSource::Remote(_)));
        assert_eq!((found[1].lambda_name(), found[1].timeout), ("named", 10));
        assert_eq!(found[1].code, CodeSource::Inline("text".into()));
        assert_eq!(found[2].code, CodeSource::Remote("s3://b/k".into()));
        assert_eq!(found[3].code, CodeSource::Path("t".into()));
        assert_eq!(found[4].code, CodeSource::Image);
        assert_eq!(found[3].logical_id(), "D");
    }
}
