//! Bodies of APIs: `OpenAPI` documents that the transform makes, or adds to.

pub(crate) mod hashed;
pub(crate) mod implicit;

use crate::make;
use crate::value::{Map, Value};

/// The key of all methods.
pub(crate) const ANY: &str = "x-amazon-apigateway-any-method";
/// The key of an integration below a method.
pub(crate) const INTEGRATION: &str = "x-amazon-apigateway-integration";
/// Set for an API whose body the transform makes.
pub(crate) const MANAGED: &str = "__MANAGE_SWAGGER";
/// Methods of `ANY`, sorted.
pub(crate) const ALL_METHODS: [&str; 7] = ["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"];

/// The two kinds of APIs with paths.
#[derive(Debug)]
pub(crate) struct Flavor {
    /// The type of events.
    pub(crate) event: &'static str,
    /// The serverless type.
    pub(crate) kind: &'static str,
    /// The ID of the implicit API.
    pub(crate) implicit: &'static str,
    /// The property of events that names the API.
    pub(crate) property: &'static str,
    /// The stage of the implicit API.
    pub(crate) stage: Option<&'static str>,
}

/// APIs of API Gateway.
pub(crate) const REST: Flavor = Flavor {
    event: "Api",
    kind: "AWS::Serverless::Api",
    implicit: "ServerlessRestApi",
    property: "RestApiId",
    stage: Some("Prod"),
};

/// APIs of the second version of API Gateway.
pub(crate) const HTTP: Flavor = Flavor {
    event: "HttpApi",
    kind: "AWS::Serverless::HttpApi",
    implicit: "ServerlessHttpApi",
    property: "ApiId",
    stage: None,
};

impl Flavor {
    fn is_rest(&self) -> bool {
        self.stage.is_some()
    }

    /// Returns the body of an API without paths.
    pub(crate) fn new_body(&self, version: Option<&Value>) -> Value {
        let info = make::map([("version", "1.0".into()), ("title", make::reference("AWS::StackName"))]);
        let is_new = |version: &&Value| version.text().is_some_and(|version| version.starts_with('3'));
        let (key, version) = match version.filter(is_new) {
            Some(version) => ("openapi", version.clone()),
            None if self.is_rest() => ("swagger", "2.0".into()),
            None => ("openapi", "3.0.1".into()),
        };
        make::map([("info", info), ("paths", Map::new().into()), (key, version)])
    }
}

/// Returns the key of a method.
pub(crate) fn method_key(method: &str) -> String {
    let lower = method.to_lowercase();
    if lower == "any" { ANY.to_owned() } else { lower }
}

/// Returns the mappings of a path or a method: those of both branches of an `Fn::If`.
pub(crate) fn contents(value: &Value) -> Vec<&Map> {
    match value.call() {
        Some(("Fn::If", argument)) => argument
            .list()
            .unwrap_or_default()
            .iter()
            .skip(1)
            .filter(|one| !one.is_no_value())
            .filter_map(Value::map)
            .collect(),
        _ => value.map().into_iter().collect(),
    }
}

/// Returns the mappings as [`contents`] does, for changes.
pub(crate) fn contents_mut(value: &mut Value) -> Vec<&mut Map> {
    if !matches!(value.call(), Some(("Fn::If", _))) {
        return value.map_mut().into_iter().collect();
    }
    let items = value.map_mut().and_then(|map| map.get_mut("Fn::If")).and_then(Value::list_mut);
    let items = items.map(|items| items.iter_mut()).into_iter().flatten().skip(1);
    items.filter(|one| !one.is_no_value()).filter_map(Value::map_mut).collect()
}

/// Returns a value that is only there under a condition.
pub(crate) fn under(condition: Option<&Value>, value: Value) -> Value {
    match condition {
        Some(condition) => make::if_else(condition.clone(), value, make::no_value()),
        None => value,
    }
}

/// Returns the integrations of a method of the body.
pub(crate) fn methods<'b>(body: &'b Map, path: &str, method: &str) -> Vec<&'b Map> {
    let path = body.get("paths").and_then(|paths| paths.get(path));
    path.into_iter().flat_map(contents).filter_map(|path| path.get(method)).flat_map(contents).collect()
}

/// Returns the mappings of a method of the body for changes.
pub(crate) fn methods_mut<'b>(body: &'b mut Map, path: &str, method: &str) -> Vec<&'b mut Map> {
    let path = body.get_mut("paths").and_then(Value::map_mut).and_then(|paths| paths.get_mut(path));
    let contents = path.map(contents_mut).unwrap_or_default();
    contents.into_iter().filter_map(|path| path.get_mut(method)).flat_map(contents_mut).collect()
}

/// Returns the keys of a mapping in the order of the translator.
pub(crate) fn ordered(map: &Map) -> Vec<String> {
    let mut dict = crate::hash::Dict::default();
    for key in map.keys() {
        dict.insert(crate::hash::Text { value: key.to_owned(), is_unicode: true }, crate::hash::Data::Null);
    }
    dict.iter().map(|(key, _)| key.value.clone()).collect()
}

/// Puts the entries of a mapping into the order that they have when the translator copies it.
pub(crate) fn copy(map: &mut Map) {
    let keys = ordered(map);
    map.reorder(&keys);
}

/// Returns the ID in a reference, or the string itself.
pub(crate) fn named(value: &Value) -> Option<&str> {
    value.text().or_else(|| value.reference())
}
