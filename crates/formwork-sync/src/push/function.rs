//! Pushes the code and the images of functions.

use std::time::Duration;

use formwork_aws::{JsonRequest, Service};
use serde_json::{Value, json};

use super::{LambdaCode, PushError, Pushed, Pusher, text};

/// Longest wait for an update of a function that is in progress.
const PATIENCE: Duration = Duration::from_mins(5);

impl Pusher<'_> {
    /// Updates the code of a function unless it is up to date; with an alias, publishes a version and points the alias
    /// to it.
    ///
    /// # Errors
    /// When a call fails.
    pub fn function(&self, name: &str, code: &LambdaCode, alias: Option<&str>) -> Result<Pushed, PushError> {
        let now = self.settled_function(name)?;
        if now["CodeSha256"].as_str() == Some(code.sha256().as_str()) {
            return Ok(Pushed::UpToDate);
        }
        self.update_code(name, &code.members()?, alias)
    }

    /// Updates the image of a function unless it is up to date; `alias` works as in [`Pusher::function`]. Tags depend
    /// on the content of an image, so an equal name that `was_there` before means an equal image.
    ///
    /// # Errors
    /// When a call fails.
    pub fn image(&self, name: &str, image: &str, was_there: bool, alias: Option<&str>) -> Result<Pushed, PushError> {
        self.settled_function(name)?;
        if was_there {
            let request = JsonRequest::new("GET", format!("/2015-03-31/functions/{}", JsonRequest::segment(name)));
            let now = self.call(Service::Lambda, "GetFunction", request)?;
            if now["Code"]["ImageUri"].as_str() == Some(image) {
                return Ok(Pushed::UpToDate);
            }
        }
        self.update_code(name, &json!({"ImageUri": image}), alias)
    }

    fn update_code(&self, name: &str, members: &Value, alias: Option<&str>) -> Result<Pushed, PushError> {
        const CALL: &str = "UpdateFunctionCode";
        let request = JsonRequest::new("PUT", path(name, "code")).body(members);
        let updated = self.call(Service::Lambda, CALL, request)?;
        self.settle(name, updated)?;
        let mut calls = vec![CALL.to_owned()];
        if let Some(alias) = alias {
            calls.push(self.publish(name, alias)?);
        }
        Ok(Pushed::Updated(calls))
    }

    /// Publishes a version of a function, and points an alias to it.
    fn publish(&self, name: &str, alias: &str) -> Result<String, PushError> {
        const PUBLISH: &str = "PublishVersion";
        const UPDATE: &str = "UpdateAlias";
        let published = JsonRequest::new("POST", path(name, "versions")).body(&json!({}));
        let published = self.call(Service::Lambda, PUBLISH, published)?;
        let version = text(&published, PUBLISH, "Version")?;
        let path = path(name, &format!("aliases/{}", JsonRequest::segment(alias)));
        let update = JsonRequest::new("PUT", path).body(&json!({"FunctionVersion": version}));
        self.call(Service::Lambda, UPDATE, update)?;
        Ok(format!("{UPDATE} {alias} to version {version}"))
    }

    /// Returns the configuration of a function once no update of it is in progress.
    pub(super) fn settled_function(&self, name: &str) -> Result<Value, PushError> {
        let now = self.configuration(name)?;
        self.settle(name, now)
    }

    pub(super) fn settle(&self, name: &str, mut now: Value) -> Result<Value, PushError> {
        let mut waited = Duration::ZERO;
        while now["LastUpdateStatus"] == "InProgress" {
            if waited >= PATIENCE {
                return Err(PushError::Busy(waited));
            }
            self.pause()?;
            waited += self.poll;
            now = self.configuration(name)?;
        }
        // The next update fixes an earlier failure.
        match now["LastUpdateStatusReason"].as_str() {
            Some(why) if now["LastUpdateStatus"] == "Failed" && !waited.is_zero() => {
                Err(PushError::Failed(why.to_owned()))
            }
            _ => Ok(now),
        }
    }

    fn configuration(&self, name: &str) -> Result<Value, PushError> {
        let request = JsonRequest::new("GET", path(name, "configuration"));
        self.call(Service::Lambda, "GetFunctionConfiguration", request)
    }

    pub(super) fn set_layers(&self, name: &str, layers: &[String]) -> Result<(), PushError> {
        let request = JsonRequest::new("PUT", path(name, "configuration")).body(&json!({"Layers": layers}));
        let updated = self.call(Service::Lambda, "UpdateFunctionConfiguration", request)?;
        self.settle(name, updated).map(drop)
    }
}

fn path(function: &str, what: &str) -> String {
    format!("/2015-03-31/functions/{}/{what}", JsonRequest::segment(function))
}
