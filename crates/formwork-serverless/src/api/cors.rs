//! `Cors`: a method `OPTIONS` that answers by itself.

use crate::context::Input;
use crate::make;
use crate::openapi::{self, ALL_METHODS, ANY, INTEGRATION, ordered};
use crate::refusal::Refusal;
use crate::value::{Map, Value};
use rustc_hash::FxHashSet;

const OPTIONS: &str = "options";
const KEYS: [&str; 5] = ["AllowMethods", "AllowHeaders", "AllowOrigin", "MaxAge", "AllowCredentials"];

/// The headers of an answer.
struct Cors {
    origin: Value,
    headers: Option<Value>,
    methods: Option<Value>,
    max_age: Option<Value>,
    credentials: bool,
}

/// Adds the method to all paths that have none.
pub(super) fn add(input: &Input, body: &mut Map) -> Result<(), Refusal> {
    let Some(authored) = input.get("Cors") else { return Ok(()) };
    let has_paths = body.get("paths").is_some_and(Value::is_true);
    let cors = read(authored, has_paths)?;
    let Some(paths) = body.get_mut("paths").and_then(Value::map_mut) else { return Ok(()) };
    let mut seen = FxHashSet::default();
    for name in ordered(paths) {
        // The translator takes a path with a slash at its end for the same.
        let is_new = seen.insert(name.trim_end_matches('/').to_owned());
        let Some(path) = paths.get_mut(&name).filter(|_| is_new) else { continue };
        for item in openapi::contents_mut(path) {
            if !item.has(OPTIONS) {
                let options = cors.options(item).at(authored.origin());
                item.set(OPTIONS, options);
            }
        }
    }
    Ok(())
}

fn read(authored: &Value, has_paths: bool) -> Result<Cors, Refusal> {
    let none = Map::new();
    let refuse = |sentence: String| Refusal::new(sentence).at(authored.origin());
    let (map, alone) = match authored.map() {
        Some(map) if !authored.is_call() => (map, None),
        _ => (&none, Some(authored.clone())),
    };
    if let Some(unknown) = map.keys().find(|key| !KEYS.contains(key)) {
        let sentence = format!("Invalid key '{unknown}' for 'Cors' property.");
        return Err(Refusal::new(sentence).at(map.key(unknown)).about(unknown).among(KEYS));
    }
    if let Some(origin) = map.get("AllowOrigin").filter(|origin| has_paths && !origin.is_true()) {
        let sentence = "Structure of the SAM template is invalid. Invalid input. Value for AllowedOrigins is required";
        return Err(Refusal::new(sentence).at(origin.origin()));
    }
    let get = |name: &str| map.get(name).filter(|value| value.is_true()).cloned();
    let origin = alone.or_else(|| get("AllowOrigin")).unwrap_or_else(|| "'*'".into());
    let credentials = map.get("AllowCredentials").and_then(Value::truth) == Some(true);
    if credentials && origin.text() == Some("'*'") {
        return Err(refuse(
            "Unable to add Cors configuration because 'AllowCredentials' can not be true when 'AllowOrigin' is \"'*'\" or not set"
                .to_owned(),
        ));
    }
    Ok(Cors {
        origin,
        headers: get("AllowHeaders"),
        methods: get("AllowMethods"),
        max_age: map.get("MaxAge").filter(|age| !age.is_null()).cloned(),
        credentials,
    })
}

impl Cors {
    /// Returns the headers with their values, in the order in which the translator adds them.
    fn values(&self, path: &Map) -> Vec<(&'static str, Value)> {
        let methods = self.methods.clone().unwrap_or_else(|| allowed(path).into());
        let credentials = self.credentials.then(|| Value::from("'true'"));
        let all = [
            ("Access-Control-Allow-Headers", self.headers.clone()),
            ("Access-Control-Allow-Origin", Some(self.origin.clone())),
            ("Access-Control-Allow-Methods", Some(methods)),
            ("Access-Control-Max-Age", self.max_age.clone()),
            ("Access-Control-Allow-Credentials", credentials),
        ];
        all.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
    }

    fn options(&self, path: &Map) -> Value {
        let values = self.values(path);
        let mut parameters = Map::new();
        let mut headers = Map::new();
        for (name, value) in values {
            parameters.set(&format!("method.response.header.{name}"), value);
            let kind = if name == "Access-Control-Max-Age" { "integer" } else { "string" };
            let shape = make::map([("type", kind.into())]);
            headers.set(name, shape);
        }
        let default = make::map([
            ("statusCode", "200".into()),
            ("responseParameters", parameters.into()),
            ("responseTemplates", make::map([("application/json", "{}\n".into())])),
        ]);
        let integration = make::map([
            ("type", "mock".into()),
            ("requestTemplates", make::map([("application/json", "{\n  \"statusCode\" : 200\n}\n".into())])),
            ("responses", make::map([("default", default)])),
        ]);
        let response =
            make::map([("description", "Default response for CORS method".into()), ("headers", headers.into())]);
        make::map([
            ("summary", "CORS support".into()),
            ("consumes", make::list(["application/json"])),
            ("produces", make::list(["application/json"])),
            (INTEGRATION, integration),
            ("responses", make::map([("200", response)])),
        ])
    }
}

/// Returns the methods of a path.
fn allowed(path: &Map) -> String {
    if path.has(ANY) {
        return format!("'{}'", ALL_METHODS.join(","));
    }
    let mut methods: Vec<String> = path.keys().map(str::to_uppercase).collect();
    methods.push("OPTIONS".to_owned());
    methods.sort_unstable();
    methods.dedup();
    format!("'{}'", methods.join(","))
}
