//! Pushes the content of layers.

use formwork_aws::{JsonRequest, Service};
use serde_json::{Map, Value};

use super::{LambdaCode, PushError, Pushed, Pusher, text};

/// Properties that a new version copies from the version before.
const KEPT: [&str; 4] = ["Description", "CompatibleRuntimes", "CompatibleArchitectures", "LicenseInfo"];

struct User<'u> {
    name: &'u str,
    layers: Vec<String>,
}

impl Pusher<'_> {
    /// Publishes a version of a layer, unless the newest one in use has this content, and sets it on those of
    /// `functions` that use another version. `deployed` is the ARN of the version in the stack.
    ///
    /// # Errors
    /// When a call fails.
    pub fn layer<'u>(
        &self,
        deployed: &str,
        code: &LambdaCode,
        functions: impl Iterator<Item = &'u str>,
    ) -> Result<Pushed, PushError> {
        const PUBLISH: &str = "PublishLayerVersion";
        let Some((layer, _)) = deployed.rsplit_once(':') else {
            return Err(PushError::Unfit(format!("{deployed} is not the ARN of a version of a layer")));
        };
        let users = self.users(layer, functions)?;
        let used = users.iter().flat_map(|user| &user.layers).filter(|arn| is_version_of(arn, layer));
        let current = used.chain([&deployed.to_owned()]).max_by_key(|arn| version(arn)).cloned().unwrap_or_default();
        let known = self.layer_version(layer, version(&current))?;
        let mut calls = Vec::new();
        let target = if known["Content"]["CodeSha256"].as_str() == Some(code.sha256().as_str()) {
            current
        } else {
            let mut body: Map<String, Value> = Map::new();
            body.insert("Content".to_owned(), code.members()?);
            for name in KEPT {
                let kept = known.get(name).filter(|kept| !is_empty(kept));
                body.extend(kept.map(|kept| (name.to_owned(), kept.clone())));
            }
            let request = JsonRequest::new("POST", path(layer)).body(&Value::Object(body));
            let published = self.call(Service::Lambda, PUBLISH, request)?;
            calls.push(PUBLISH.to_owned());
            text(&published, PUBLISH, "LayerVersionArn")?.to_owned()
        };
        for user in users {
            let is_other = |arn: &String| is_version_of(arn, layer) && *arn != target;
            if !user.layers.iter().any(is_other) {
                continue;
            }
            let now = |arn: &String| if is_version_of(arn, layer) { target.clone() } else { arn.clone() };
            self.set_layers(user.name, &user.layers.iter().map(now).collect::<Vec<_>>())?;
            calls.push(format!("UpdateFunctionConfiguration of {}", user.name));
        }
        Ok(if calls.is_empty() { Pushed::UpToDate } else { Pushed::Updated(calls) })
    }

    /// Returns the functions that use any version of a layer.
    fn users<'u>(&self, layer: &str, functions: impl Iterator<Item = &'u str>) -> Result<Vec<User<'u>>, PushError> {
        let mut users = Vec::new();
        for name in functions {
            let now = self.settled_function(name)?;
            let layers = now["Layers"].as_array().into_iter().flatten();
            let layers: Vec<String> = layers.filter_map(|one| Some(one["Arn"].as_str()?.to_owned())).collect();
            if layers.iter().any(|arn| is_version_of(arn, layer)) {
                users.push(User { name, layers });
            }
        }
        Ok(users)
    }

    fn layer_version(&self, layer: &str, version: u64) -> Result<Value, PushError> {
        let request = JsonRequest::new("GET", format!("{}/{version}", path(layer)));
        self.call(Service::Lambda, "GetLayerVersion", request)
    }
}

fn is_version_of(arn: &str, layer: &str) -> bool {
    arn.rsplit_once(':').is_some_and(|(known, _)| known == layer)
}

/// Returns the version number at the end of an ARN.
fn version(arn: &str) -> u64 {
    arn.rsplit(':').next().and_then(|version| version.parse().ok()).unwrap_or_default()
}

fn path(layer: &str) -> String {
    let name = layer.rsplit(':').next().unwrap_or_default();
    format!("/2018-10-31/layers/{}/versions", JsonRequest::segment(name))
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        _ => false,
    }
}
