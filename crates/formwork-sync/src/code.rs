//! Classifies artifact properties by how their code is pushed (reference/sync.md#code).

use serde_json::Value;

/// The API calls that update the code of a resource without a deployment.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum CodeKind {
    /// `UpdateFunctionCode` with a zip.
    Function,
    /// `UpdateFunctionCode` with an image that was pushed to its repository.
    Image,
    /// `PublishLayerVersion`, and `UpdateFunctionConfiguration` of the functions that use the layer.
    Layer,
    /// `UpdateStateMachine`.
    StateMachine,
    /// `PutRestApi` and `CreateDeployment`.
    RestApi,
    /// `ReimportApi`.
    HttpApi,
}

/// The way in which changed content of an artifact property reaches the stack.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Code {
    /// Pushed by API calls.
    Pushed {
        /// The calls to use.
        kind: CodeKind,
        /// The alias of a function that has to point to the published version.
        alias: Option<String>,
    },
    /// Only a deployment updates this content, for the reason that it holds.
    Deployed(&'static str),
}

impl CodeKind {
    /// Returns the CloudFormation type of the deployed resource.
    pub fn deployed_type(self) -> &'static str {
        match self {
            CodeKind::Function | CodeKind::Image => "AWS::Lambda::Function",
            CodeKind::Layer => "AWS::Lambda::LayerVersion",
            CodeKind::StateMachine => "AWS::StepFunctions::StateMachine",
            CodeKind::RestApi => "AWS::ApiGateway::RestApi",
            CodeKind::HttpApi => "AWS::ApiGatewayV2::Api",
        }
    }

    fn of(resource_type: &str, property: &str) -> Option<CodeKind> {
        Some(match (resource_type, property) {
            ("AWS::Serverless::Function" | "AWS::Serverless::WebFunction", "CodeUri")
            | ("AWS::Lambda::Function", "Code") => CodeKind::Function,
            ("AWS::Serverless::Function", "ImageUri") | ("AWS::Lambda::Function", "Code.ImageUri") => CodeKind::Image,
            ("AWS::Serverless::LayerVersion", "ContentUri") | ("AWS::Lambda::LayerVersion", "Content") => {
                CodeKind::Layer
            }
            ("AWS::Serverless::StateMachine", "DefinitionUri")
            | ("AWS::StepFunctions::StateMachine", "DefinitionS3Location") => CodeKind::StateMachine,
            ("AWS::Serverless::Api", "DefinitionUri") | ("AWS::ApiGateway::RestApi", "BodyS3Location") => {
                CodeKind::RestApi
            }
            ("AWS::Serverless::HttpApi", "DefinitionUri") | ("AWS::ApiGatewayV2::Api", "BodyS3Location") => {
                CodeKind::HttpApi
            }
            _ => return None,
        })
    }
}

impl Code {
    /// Classifies a property of a resource, as the resource is after expansion.
    pub fn of(resource: &Value, property: &str) -> Code {
        let resource_type = resource["Type"].as_str().unwrap_or_default();
        let Some(kind) = CodeKind::of(resource_type, property) else {
            return Code::Deployed("no call pushes it");
        };
        let properties = &resource["Properties"];
        if kind == CodeKind::StateMachine && !properties["DefinitionSubstitutions"].is_null() {
            return Code::Deployed("only a deployment resolves DefinitionSubstitutions");
        }
        let alias = properties["AutoPublishAlias"].as_str().map(str::to_owned);
        Code::Pushed { kind, alias: alias.filter(|_| matches!(kind, CodeKind::Function | CodeKind::Image)) }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn types_and_properties() {
        let kind = |kind: &str, property: &str| match Code::of(&json!({"Type": kind, "Properties": {}}), property) {
            Code::Pushed { kind, .. } => Some(kind),
            Code::Deployed(_) => None,
        };
        assert_eq!(kind("AWS::Serverless::Function", "CodeUri"), Some(CodeKind::Function));
        assert_eq!(kind("AWS::Lambda::LayerVersion", "Content"), Some(CodeKind::Layer));
        assert_eq!(kind("AWS::StepFunctions::StateMachine", "DefinitionS3Location"), Some(CodeKind::StateMachine));
        assert_eq!(kind("AWS::Serverless::Api", "DefinitionUri"), Some(CodeKind::RestApi));
        assert_eq!(kind("AWS::ApiGatewayV2::Api", "BodyS3Location"), Some(CodeKind::HttpApi));
        assert_eq!(kind("AWS::Glue::Job", "Command.ScriptLocation"), None);
        assert_eq!(kind("AWS::Lambda::Function", "Code.ImageUri"), Some(CodeKind::Image));
        assert_eq!(kind("AWS::Serverless::Function", "ImageUri"), Some(CodeKind::Image));
    }

    #[test]
    fn what_only_the_deployment_knows() {
        let resource = json!({"Type": "AWS::Serverless::StateMachine",
            "Properties": {"DefinitionSubstitutions": {"Arn": {"Fn::GetAtt": ["F", "Arn"]}}}});
        assert!(matches!(Code::of(&resource, "DefinitionUri"), Code::Deployed(why) if why.contains("Substitutions")));
        let function = json!({"Type": "AWS::Serverless::Function", "Properties": {"AutoPublishAlias": "live"}});
        let alias = Some("live".to_owned());
        assert_eq!(Code::of(&function, "CodeUri"), Code::Pushed { kind: CodeKind::Function, alias });
    }
}
