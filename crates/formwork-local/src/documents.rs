//! `OpenAPI` documents in files of their own (reference/local.md#routes).

use serde_json::{Map, Value};

/// Types of APIs, the property with the path of a file, and the property with an inline document.
const PROPERTIES: [(&str, &str, &str); 4] = [
    ("AWS::Serverless::Api", "DefinitionUri", "DefinitionBody"),
    ("AWS::Serverless::HttpApi", "DefinitionUri", "DefinitionBody"),
    ("AWS::ApiGateway::RestApi", "BodyS3Location", "Body"),
    ("AWS::ApiGatewayV2::Api", "BodyS3Location", "Body"),
];

/// A document that cannot be read, so that its routes are unknown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MissingDocument {
    /// Logical ID of the API.
    pub id: String,
    /// The property with the path of the document.
    pub property: &'static str,
    /// The reason, as a clause.
    pub why: String,
    /// Set for a local document, so that the file or the template has an error.
    pub is_local: bool,
    /// The declaration of the API, as `template.yaml:3`.
    pub place: Option<String>,
}

/// Inlines documents in files into the resources that refer to them, and returns those that cannot be read. `read`
/// receives the paths as written in the template, and returns a document, or the reason why it cannot be read.
pub(crate) fn put_in_place(
    resources: &mut Map<String, Value>,
    mut read: impl FnMut(&str) -> Result<Value, String>,
) -> Vec<MissingDocument> {
    let mut missing = Vec::new();
    for (id, resource) in resources {
        let kind = resource.get("Type").and_then(Value::as_str).unwrap_or_default();
        let Some((_, property, inline)) = PROPERTIES.iter().find(|(of, ..)| *of == kind) else { continue };
        let Some(properties) = resource.get_mut("Properties").and_then(Value::as_object_mut) else { continue };
        let Some(named) = properties.get(*property).filter(|_| !properties.contains_key(*inline)) else { continue };
        let path = named.as_str().filter(|path| !path.contains("://")).map(str::to_owned);
        let document = match &path {
            Some(path) => read(path).map_err(|why| format!("{path}: {why}")),
            None => Err(format!("the document is not on this machine: write it in {inline}")),
        };
        match document {
            Ok(document) => {
                properties.remove(*property);
                properties.insert((*inline).to_owned(), document);
            }
            Err(why) => {
                let is_local = path.is_some();
                missing.push(MissingDocument { id: id.clone(), property, why, is_local, place: None });
            }
        }
    }
    missing
}

impl std::fmt::Display for MissingDocument {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the routes in the {} of {} are not served: {}", self.property, self.id, self.why)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn documents_are_read_where_nothing_is_inline() {
        let mut resources = json!({
            "File": {"Type": "AWS::Serverless::Api", "Properties": {"DefinitionUri": "api.yaml"}},
            "Inline": {"Type": "AWS::Serverless::Api", "Properties": {"DefinitionUri": "x", "DefinitionBody": {}}},
            "Away": {"Type": "AWS::ApiGatewayV2::Api", "Properties": {"BodyS3Location": {"Bucket": "b", "Key": "k"}}},
            "Broken": {"Type": "AWS::ApiGateway::RestApi", "Properties": {"BodyS3Location": "no.yaml"}},
        });
        let Value::Object(resources) = &mut resources else { return };
        let missing = put_in_place(resources, |path| match path {
            "api.yaml" => Ok(json!({"paths": {}})),
            _ => Err("no such file".to_owned()),
        });
        assert_eq!(resources["File"]["Properties"], json!({"DefinitionBody": {"paths": {}}}));
        assert_eq!(resources["Inline"]["Properties"]["DefinitionUri"], "x");
        let reported: Vec<_> = missing.iter().map(|one| (one.to_string(), one.is_local)).collect();
        let away = "the routes in the BodyS3Location of Away are not served: the document is not on this machine: write it in Body";
        let broken = "the routes in the BodyS3Location of Broken are not served: no.yaml: no such file";
        assert_eq!(reported, [(away.to_owned(), false), (broken.to_owned(), true)]);
    }
}
