//! Pushes the definitions of REST APIs.

use formwork_aws::{JsonRequest, Service};
use serde_json::json;

use super::{PushError, Pushed, Pusher};

impl Pusher<'_> {
    /// Uploads the `OpenAPI` document of a REST API, and deploys it to each of its stages.
    ///
    /// # Errors
    /// When a call fails.
    pub fn rest_api(&self, id: &str, document: &[u8]) -> Result<Pushed, PushError> {
        const PUT: &str = "PutRestApi";
        const DEPLOY: &str = "CreateDeployment";
        let path = format!("/restapis/{}", JsonRequest::segment(id));
        let request = JsonRequest::new("PUT", &path).query("mode", "overwrite").document(document.to_vec());
        self.call(Service::ApiGateway, PUT, request)?;
        let mut calls = vec![PUT.to_owned()];
        let stages = JsonRequest::new("GET", format!("{path}/stages"));
        let stages = self.call(Service::ApiGateway, "GetStages", stages)?;
        let names = stages["item"].as_array().into_iter().flatten().filter_map(|stage| stage["stageName"].as_str());
        for name in names {
            let request = JsonRequest::new("POST", format!("{path}/deployments")).body(&json!({"stageName": name}));
            self.call(Service::ApiGateway, DEPLOY, request)?;
            calls.push(format!("{DEPLOY} for {name}"));
        }
        Ok(Pushed::Updated(calls))
    }
}
