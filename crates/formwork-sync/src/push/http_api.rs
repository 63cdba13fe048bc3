//! Pushes the definitions of HTTP APIs.

use formwork_aws::{JsonRequest, Service};
use serde_json::json;

use super::{PushError, Pushed, Pusher};

impl Pusher<'_> {
    /// Uploads the `OpenAPI` document of an HTTP API, and deploys it to the stages without automatic deployment.
    ///
    /// # Errors
    /// When a call fails, or the document is not UTF-8.
    pub fn http_api(&self, id: &str, document: &[u8]) -> Result<Pushed, PushError> {
        const REIMPORT: &str = "ReimportApi";
        const DEPLOY: &str = "CreateDeployment";
        let text = std::str::from_utf8(document);
        let text = text.map_err(|_| PushError::Unfit("the file is not UTF-8 text".to_owned()))?;
        let path = format!("/v2/apis/{}", JsonRequest::segment(id));
        let request = JsonRequest::new("PUT", &path).body(&json!({"body": text}));
        self.call(Service::ApiGateway, REIMPORT, request)?;
        let mut calls = vec![REIMPORT.to_owned()];
        let stages = JsonRequest::new("GET", format!("{path}/stages"));
        let stages = self.call(Service::ApiGateway, "GetStages", stages)?;
        for stage in stages["items"].as_array().into_iter().flatten() {
            let Some(name) = stage["stageName"].as_str().filter(|_| stage["autoDeploy"] != true) else { continue };
            let request = JsonRequest::new("POST", format!("{path}/deployments")).body(&json!({"stageName": name}));
            self.call(Service::ApiGateway, DEPLOY, request)?;
            calls.push(format!("{DEPLOY} for {name}"));
        }
        Ok(Pushed::Updated(calls))
    }
}
