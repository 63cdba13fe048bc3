//! The URLs of functions and APIs of a stack.

use serde_json::{Map, Value};

use crate::stack_resource::StackResource;

/// A function or an API of a stack with its URLs.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct StackEndpoint {
    /// The function or API.
    pub resource: StackResource,
    /// The URL of a function, or of each stage of an API; with custom domains, only those.
    pub urls: Vec<String>,
}

pub(crate) const FUNCTION: &str = "AWS::Lambda::Function";
pub(crate) const REST_API: &str = "AWS::ApiGateway::RestApi";
pub(crate) const HTTP_API: &str = "AWS::ApiGatewayV2::Api";

/// Types that map a custom domain to an API: the property with the API, and the one with the path.
const MAPPINGS: [(&str, &str, &str); 3] = [
    ("AWS::ApiGateway::BasePathMapping", "RestApiId", "BasePath"),
    ("AWS::ApiGateway::BasePathMappingV2", "RestApiId", "BasePath"),
    ("AWS::ApiGatewayV2::ApiMapping", "ApiId", "ApiMappingKey"),
];

/// API Gateway's notation for a mapping without a path.
const NO_PATH: &str = "(none)";

pub(crate) fn is_mapping(resource: &StackResource) -> bool {
    MAPPINGS.iter().any(|(kind, ..)| *kind == resource.kind)
}

/// Returns the URL of a stage; the default one has no path.
pub(crate) fn of_stage(api: &str, region: &str, stage: &str) -> String {
    let suffix = if region.starts_with("cn-") { ".cn" } else { "" };
    let path = if stage == "$default" { String::new() } else { format!("/{stage}") };
    format!("https://{api}.execute-api.{region}.amazonaws.com{suffix}{path}")
}

/// Returns the URLs of the custom domains of an API, from the resources of its stack's processed template.
pub(crate) fn of_domains(api: &StackResource, template: &Value, resources: &[StackResource]) -> Vec<String> {
    let Some(declared) = template.get("Resources").and_then(Value::as_object) else { return Vec::new() };
    let text = |properties: &Map<String, Value>, name: &str| -> Option<String> {
        let value = properties.get(name)?;
        if let Some(id) = value.get("Ref").and_then(Value::as_str) {
            let is_it = |one: &&StackResource| one.within == api.within && one.logical_id == id;
            return resources.iter().find(is_it).map(|one| one.physical_id.clone());
        }
        value.as_str().map(str::to_owned)
    };
    let url = |(_, resource): (&String, &Value)| -> Option<String> {
        let kind = resource.get("Type")?.as_str()?;
        let (_, owner, path) = MAPPINGS.iter().find(|(known, ..)| *known == kind)?;
        let properties = resource.get("Properties")?.as_object()?;
        if text(properties, owner).as_deref() != Some(&api.physical_id) {
            return None;
        }
        let domain = text(properties, "DomainName")?;
        let path = text(properties, path).filter(|path| !path.is_empty() && path != NO_PATH);
        Some(path.map_or_else(|| format!("https://{domain}"), |path| format!("https://{domain}/{path}")))
    };
    declared.iter().filter_map(url).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn resource(id: &str, kind: &str, physical_id: &str) -> StackResource {
        StackResource {
            logical_id: id.to_owned(),
            kind: kind.to_owned(),
            physical_id: physical_id.to_owned(),
            ..StackResource::default()
        }
    }

    #[test]
    fn stages_of_both_partitions() {
        assert_eq!(of_stage("a1", "eu-west-1", "Prod"), "https://a1.execute-api.eu-west-1.amazonaws.com/Prod");
        assert_eq!(of_stage("a1", "cn-north-1", "$default"), "https://a1.execute-api.cn-north-1.amazonaws.com.cn");
    }

    #[test]
    fn custom_domains_by_reference_and_by_name() {
        let all = [resource("Api", REST_API, "a1"), resource("Domain", "AWS::ApiGateway::DomainName", "api.example")];
        let mapping = |properties: Value| json!({"Type": "AWS::ApiGateway::BasePathMapping", "Properties": properties});
        let template = json!({"Resources": {
            "A": mapping(json!({"RestApiId": {"Ref": "Api"}, "DomainName": {"Ref": "Domain"}, "BasePath": "v1"})),
            "B": mapping(json!({"RestApiId": "a1", "DomainName": "b.example", "BasePath": "(none)"})),
            "C": mapping(json!({"RestApiId": "other", "DomainName": "c.example"})),
            "D": mapping(json!({"RestApiId": {"Fn::Sub": "a1"}})),
            "E": {"Type": "AWS::SNS::Topic"},
        }});
        assert_eq!(of_domains(&all[0], &template, &all), ["https://api.example/v1", "https://b.example"]);
        assert!(of_domains(&all[0], &Value::Null, &all).is_empty());
    }
}
