//! Bodies of APIs: `OpenAPI` documents that the transform makes, or adds to.

pub(crate) mod hashed;
pub(crate) mod implicit;
mod order;
pub(crate) mod paths;
pub(crate) mod policy;
pub(crate) mod security;

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
    pub(crate) fn new_body(&self) -> Value {
        let info = make::map([("version", "1.0".into()), ("title", make::reference("AWS::StackName"))]);
        let (key, version) = if self.is_rest() { ("swagger", "2.0") } else { ("openapi", "3.0.1") };
        make::map([(key, version.into()), ("info", info), ("paths", Map::new().into())])
    }
}

/// Returns `true` for the version of a document of `OpenAPI` 3.
pub(crate) fn is_third(version: &Value) -> bool {
    version.text_form().is_some_and(|version| version.starts_with("3."))
}

/// Returns `true` for a document of `OpenAPI` 3.
pub(crate) fn is_open_api(body: &Map) -> bool {
    body.get("openapi").is_some_and(is_third)
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
    ordered_at(map, 0).into_iter().map(str::to_owned).collect()
}

/// Returns the keys of a mapping of a body in the order that they have after its copies.
pub(crate) fn ordered_at(map: &Map, copies: i32) -> Vec<&str> {
    order::order(map.history(), map.keys(), copies)
}

/// Returns how often the translator has copied a body.
pub(crate) fn copies(body: &Map) -> i32 {
    body.history().map_or(0, |history| history.copies)
}

/// Begins the history of a body.
pub(crate) fn track(body: &mut Map) {
    if body.history().is_none() {
        body.stamp(0);
    }
}

/// Begins the history of a new body that a single step changes, so that it ends with a number of copies.
pub(crate) fn track_until(body: &mut Map, copies: i32) {
    body.stamp(copies - 2);
    body.history_from(0).copies = copies - 2;
}

fn copy(body: &mut Map) -> i32 {
    track(body);
    let history = body.history_from(0);
    history.copies += 1;
    history.copies
}

/// Changes a body in a step of the translator, which copies the body before and behind.
pub(crate) fn edit<R>(body: &mut Map, change: impl FnOnce(&mut Map) -> R) -> R {
    let time = copy(body);
    let result = change(body);
    body.stamp(time);
    copy(body);
    result
}

/// Keys of a body that a step of an event changes beside its path.
const OF_EVENTS: [&str; 2] = ["securityDefinitions", "x-amazon-apigateway-request-validators"];

/// Changes a body as [`edit`] does, but at one path alone.
pub(crate) fn edit_path<R>(body: &mut Map, path: &str, change: impl FnOnce(&mut Map) -> R) -> R {
    let time = copy(body);
    let result = change(body);
    body.history_from(time).stamp(time);
    let paths = body.stamped("paths").and_then(Value::map_for_history);
    if let Some(paths) = paths {
        paths.history_from(time).stamp(time);
        if let Some(item) = paths.stamped(path) {
            item.stamp(time);
        }
    }
    for name in OF_EVENTS {
        if let Some(value) = body.stamped(name) {
            value.stamp(time);
        }
    }
    policy::stamp(body, time);
    copy(body);
    result
}

/// Returns the name of a stage as a part of an ID; the word `Stage` for one that has other characters.
pub(crate) fn stage_words(name: &str) -> &str {
    let is_id = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric());
    if is_id { name } else { "Stage" }
}

/// Returns the ID in a reference, or the string itself.
pub(crate) fn named(value: &Value) -> Option<&str> {
    value.text().or_else(|| value.reference())
}
