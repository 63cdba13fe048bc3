//! Properties in `Globals` of the serverless transform, by the kind of resources that they apply to, in the order of AWS's
//! translator.

use formwork_syntax::{NodeId, Tree, symbol};

/// The attribute of a resource with the names of properties that `Globals` does not have for it, or `*`.
pub const IGNORE: &str = "IgnoreGlobals";

/// Kinds of resources with the properties that may be global, as the translator names them.
const TYPES: [(&str, &[&str]); 10] = [
    (
        "Api",
        &[
            "Auth",
            "Name",
            "DefinitionUri",
            "CacheClusterEnabled",
            "CacheClusterSize",
            "MergeDefinitions",
            "Variables",
            "EndpointConfiguration",
            "MethodSettings",
            "BinaryMediaTypes",
            "MinimumCompressionSize",
            "Cors",
            "GatewayResponses",
            "AccessLogSetting",
            "CanarySetting",
            "TracingEnabled",
            "OpenApiVersion",
            "Domain",
            "AlwaysDeploy",
            "PropagateTags",
            "SecurityPolicy",
            "EndpointAccessMode",
        ],
    ),
    (
        "CapacityProvider",
        &[
            "VpcConfig",
            "OperatorRole",
            "Tags",
            "InstanceRequirements",
            "ScalingConfig",
            "KmsKeyArn",
            "PropagateTags",
            "LoggingConfig",
            "ManagedResourceTags",
        ],
    ),
    (
        "Function",
        &[
            "Handler",
            "Runtime",
            "CodeUri",
            "DeadLetterQueue",
            "Description",
            "MemorySize",
            "Timeout",
            "VpcConfig",
            "Environment",
            "Tags",
            "PropagateTags",
            "Tracing",
            "KmsKeyArn",
            "AutoPublishAlias",
            "AutoPublishAliasAllProperties",
            "Layers",
            "DeploymentPreference",
            "RolePath",
            "PermissionsBoundary",
            "ReservedConcurrentExecutions",
            "ProvisionedConcurrencyConfig",
            "AssumeRolePolicyDocument",
            "EventInvokeConfig",
            "FileSystemConfigs",
            "CodeSigningConfigArn",
            "Architectures",
            "SnapStart",
            "EphemeralStorage",
            "FunctionUrlConfig",
            "RuntimeManagementConfig",
            "LoggingConfig",
            "RecursiveLoop",
            "SourceKMSKeyArn",
            "TenancyConfig",
            "DurableConfig",
            "CapacityProviderConfig",
            "FunctionScalingConfig",
            "PublishToLatestPublished",
            "VersionDeletionPolicy",
        ],
    ),
    (
        "HttpApi",
        &[
            "Auth",
            "AccessLogSettings",
            "StageVariables",
            "Tags",
            "CorsConfiguration",
            "DefaultRouteSettings",
            "Domain",
            "RouteSettings",
            "FailOnWarnings",
            "PropagateTags",
        ],
    ),
    ("LayerVersion", &["PublishLambdaVersion"]),
    (
        "MicrovmImage",
        &[
            "BuildRoleArn",
            "BaseImageArn",
            "BaseImageVersion",
            "Logging",
            "EgressNetworkConnectors",
            "CpuConfigurations",
            "Resources",
            "AdditionalOsCapabilities",
            "Hooks",
            "EnvironmentVariables",
            "Tags",
            "PropagateTags",
        ],
    ),
    ("NetworkConnector", &["OperatorRole", "Tags", "PropagateTags"]),
    ("SimpleTable", &["SSESpecification"]),
    ("StateMachine", &["PropagateTags"]),
    (
        "WebSocketApi",
        &[
            "AccessLogSettings",
            "ApiKeySelectionExpression",
            "DefaultRouteSettings",
            "DisableExecuteApiEndpoint",
            "DisableSchemaValidation",
            "Domain",
            "FailOnWarnings",
            "IpAddressType",
            "PropagateTags",
            "RouteSelectionExpression",
            "RouteSettings",
            "StageVariables",
            "Tags",
        ],
    ),
];

/// Returns the kinds of resources.
pub fn types() -> impl Iterator<Item = &'static str> + Clone {
    TYPES.iter().map(|(name, _)| *name)
}

/// Returns the properties that may be global for a kind of resources; `None` when they are not known.
pub fn properties(name: &str) -> Option<&'static [&'static str]> {
    TYPES.iter().find(|(known, _)| *known == name).map(|(_, properties)| *properties)
}

/// Returns the value that `Globals` of the template at `root` has for a property of the resource `body`, unless the
/// resource ignores it.
pub fn property(tree: &Tree, root: NodeId, body: NodeId, name: &str) -> Option<NodeId> {
    let kind = tree.string(tree.get(body, symbol::TYPE)?)?.strip_prefix("AWS::Serverless::")?;
    let section = tree.get_text(tree.get(root, symbol::GLOBALS)?, kind)?;
    let is_ignored = |ignored: NodeId| {
        tree.string(ignored) == Some("*") || tree.items(ignored).iter().any(|&item| tree.string(item) == Some(name))
    };
    let found = tree.get_text(section, name)?;
    (!tree.get_text(body, IGNORE).is_some_and(is_ignored)).then_some(found)
}
