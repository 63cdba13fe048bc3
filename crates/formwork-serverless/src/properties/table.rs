//! Properties of the serverless types, in the order in which the translator looks at them.

use super::Kind::{
    Any, Bool, BoolOrMap, DeletionPolicy, List, ListOrMap, Map, MapOrMaps, Maps, Number, NumbersByName, OneText,
    Policies, Text, TextOrList, TextOrMap, Texts, TextsByName, TextsOrMaps,
};
use super::{Property, of};

/// Properties of `AWS::Serverless::Api`.
pub(crate) const API: &[Property] = &[
    of("__MANAGE_SWAGGER", Bool),
    of("Name", TextOrMap),
    of("StageName", TextOrMap).required(),
    of("Tags", Map),
    of("PropagateTags", Bool),
    of("DefinitionBody", Map),
    of("DefinitionUri", TextOrMap),
    of("MergeDefinitions", Bool).without_calls(),
    of("CacheClusterEnabled", Bool),
    of("CacheClusterSize", Text),
    of("Variables", Map),
    of("EndpointConfiguration", TextOrMap),
    of("MethodSettings", List),
    of("BinaryMediaTypes", List),
    of("MinimumCompressionSize", Number),
    of("Cors", TextOrMap),
    of("Auth", Map),
    of("GatewayResponses", Map),
    of("AccessLogSetting", Map),
    of("CanarySetting", Map),
    of("TracingEnabled", Bool),
    of("OpenApiVersion", Any),
    of("Models", Map),
    of("Domain", Map),
    of("FailOnWarnings", Bool),
    of("Description", Text),
    of("Mode", Text),
    of("DisableExecuteApiEndpoint", Bool),
    of("ApiKeySourceType", Text),
    of("AlwaysDeploy", Bool).without_calls(),
    of("Policy", TextOrMap),
    of("SecurityPolicy", Text),
    of("EndpointAccessMode", Text),
];

/// Properties of `AWS::Serverless::Application`.
pub(crate) const APPLICATION: &[Property] = &[
    of("Location", TextOrMap).required(),
    of("TemplateUrl", Text),
    of("Parameters", Map),
    of("NotificationARNs", TextsOrMaps),
    of("Tags", Map),
    of("TimeoutInMinutes", Number),
];

/// Properties of `AWS::Serverless::CapacityProvider`.
pub(crate) const CAPACITY_PROVIDER: &[Property] = &[
    of("CapacityProviderName", TextOrMap).without_calls(),
    of("VpcConfig", Map).required().without_calls(),
    of("OperatorRole", TextOrMap).without_calls(),
    of("Tags", Map).without_calls(),
    of("PropagateTags", Bool).without_calls(),
    of("InstanceRequirements", Map).without_calls(),
    of("ScalingConfig", Map).without_calls(),
    of("KmsKeyArn", TextOrMap).without_calls(),
    of("LoggingConfig", Map).without_calls(),
    of("ManagedResourceTags", Map).without_calls(),
];

/// Properties of `AWS::Serverless::Connector`.
pub(crate) const CONNECTOR: &[Property] =
    &[of("Source", Map).required(), of("Destination", MapOrMaps).required(), of("Permissions", Texts).required()];

/// Properties of `AWS::Serverless::Function`.
pub(crate) const FUNCTION: &[Property] = &[
    of("FunctionName", TextOrMap),
    of("Handler", Any),
    of("Runtime", Any),
    of("CodeUri", Any),
    of("ImageUri", Any),
    of("PackageType", Any),
    of("InlineCode", Any),
    of("DeadLetterQueue", Map),
    of("Description", Any),
    of("MemorySize", Any),
    of("Timeout", Any),
    of("VpcConfig", Any),
    of("Role", Text),
    of("AssumeRolePolicyDocument", Map),
    of("Policies", Policies),
    of("RolePath", Any),
    of("PermissionsBoundary", Text),
    of("Environment", Maps),
    of("Events", Maps),
    of("Tags", Map),
    of("PropagateTags", Bool),
    of("Tracing", TextOrMap),
    of("KmsKeyArn", Any),
    of("DeploymentPreference", Map),
    of("ReservedConcurrentExecutions", Any),
    of("Layers", TextsOrMaps),
    of("EventInvokeConfig", Map),
    of("EphemeralStorage", Any),
    of("AutoPublishAlias", OneText),
    of("AutoPublishCodeSha256", OneText),
    of("AutoPublishAliasAllProperties", Bool).without_calls(),
    of("VersionDescription", Any),
    of("ProvisionedConcurrencyConfig", Any),
    of("FileSystemConfigs", Any),
    of("ImageConfig", Any),
    of("CodeSigningConfigArn", Any),
    of("Architectures", Any),
    of("SnapStart", Map),
    of("FunctionUrlConfig", Map),
    of("RuntimeManagementConfig", Any),
    of("LoggingConfig", Any),
    of("RecursiveLoop", Any),
    of("SourceKMSKeyArn", Any),
    of("CapacityProviderConfig", Map),
    of("FunctionScalingConfig", Map),
    of("VersionDeletionPolicy", DeletionPolicy),
    of("PublishToLatestPublished", Any),
    of("TenancyConfig", Any),
    of("DurableConfig", Map),
];

/// Properties of `AWS::Serverless::GraphQLApi`.
pub(crate) const GRAPH_QL_API: &[Property] = &[
    of("Name", Any),
    of("Tags", Map).without_calls(),
    of("XrayEnabled", Any),
    of("Auth", Map).required().first().without_calls(),
    of("SchemaInline", Text).without_calls(),
    of("SchemaUri", Text).without_calls(),
    of("Logging", BoolOrMap).without_calls(),
    of("DataSources", Map).without_calls(),
    of("Functions", Map).without_calls(),
    of("Resolvers", Map).without_calls(),
    of("ApiKeys", Map).without_calls(),
    of("DomainName", Map).without_calls(),
    of("Cache", Map).without_calls(),
    of("Visibility", Any),
    of("OwnerContact", Any),
    of("IntrospectionConfig", Any),
    of("QueryDepthLimit", Any),
    of("ResolverCountLimit", Any),
];

/// Properties of `AWS::Serverless::HttpApi`.
pub(crate) const HTTP_API: &[Property] = &[
    of("__MANAGE_SWAGGER", Bool),
    of("Name", Any),
    of("StageName", TextOrMap),
    of("Tags", Map),
    of("PropagateTags", Bool),
    of("DefinitionBody", Map),
    of("DefinitionUri", TextOrMap),
    of("StageVariables", Map),
    of("CorsConfiguration", BoolOrMap),
    of("AccessLogSettings", Map),
    of("DefaultRouteSettings", Map),
    of("Auth", Map),
    of("RouteSettings", Map),
    of("Domain", Map),
    of("FailOnWarnings", Bool),
    of("Description", Text),
    of("DisableExecuteApiEndpoint", Bool),
];

/// Properties of `AWS::Serverless::LayerVersion`.
pub(crate) const LAYER_VERSION: &[Property] = &[
    of("LayerName", TextOrMap),
    of("Description", Text),
    of("PublishLambdaVersion", Bool),
    of("ContentUri", TextOrMap).required(),
    of("CompatibleArchitectures", TextsOrMaps),
    of("CompatibleRuntimes", TextsOrMaps),
    of("LicenseInfo", Text),
    of("RetentionPolicy", Text),
];

/// Properties of `AWS::Serverless::MicrovmImage`.
pub(crate) const MICROVM_IMAGE: &[Property] = &[
    of("Name", TextOrMap).required().without_calls(),
    of("CodeUri", TextOrMap).required().without_calls(),
    of("BaseImageArn", TextOrMap).required().without_calls(),
    of("BuildRoleArn", TextOrMap).without_calls(),
    of("BaseImageVersion", TextOrMap).required().without_calls(),
    of("Description", TextOrMap).without_calls(),
    of("Tags", Map).without_calls(),
    of("Logging", Map).without_calls(),
    of("EgressNetworkConnectors", List).without_calls(),
    of("CpuConfigurations", List).without_calls(),
    of("Resources", List).without_calls(),
    of("AdditionalOsCapabilities", List).without_calls(),
    of("Hooks", Map).without_calls(),
    of("EnvironmentVariables", Map).without_calls(),
    of("PropagateTags", Bool).without_calls(),
];

/// Properties of `AWS::Serverless::NetworkConnector`.
pub(crate) const NETWORK_CONNECTOR: &[Property] = &[
    of("Name", TextOrMap).without_calls(),
    of("VpcConfig", Map).required().without_calls(),
    of("ComputeTypes", List).without_calls(),
    of("OperatorRole", TextOrMap).without_calls(),
    of("Tags", Map).without_calls(),
    of("PropagateTags", Bool).without_calls(),
];

/// Properties of `AWS::Serverless::SimpleTable`.
pub(crate) const SIMPLE_TABLE: &[Property] = &[
    of("PointInTimeRecoverySpecification", Any),
    of("PrimaryKey", TextsByName),
    of("ProvisionedThroughput", NumbersByName),
    of("TableName", TextOrMap),
    of("Tags", Map),
    of("SSESpecification", Map),
];

/// Properties of `AWS::Serverless::StateMachine`.
pub(crate) const STATE_MACHINE: &[Property] = &[
    of("Definition", Map),
    of("DefinitionUri", TextOrMap),
    of("Logging", Map),
    of("Role", Text),
    of("RolePath", Any),
    of("DefinitionSubstitutions", Map),
    of("Events", Maps),
    of("Name", Text),
    of("Type", Text),
    of("Tags", Map),
    of("PropagateTags", Bool),
    of("Policies", TextOrList),
    of("Tracing", Map),
    of("PermissionsBoundary", Text),
    of("AutoPublishAlias", Any),
    of("DeploymentPreference", Any),
    of("UseAliasAsEventTarget", Bool).without_calls(),
];

/// Properties of `AWS::Serverless::WebFunction`.
pub(crate) const WEB_FUNCTION: &[Property] = &[
    of("FunctionName", TextOrMap),
    of("Tags", Map),
    of("ReplicaRegions", ListOrMap),
    of("AuthType", Any),
    of("Runtime", Any),
    of("CodeUri", Any),
    of("InlineCode", Any),
    of("RevisionDescription", Any),
    of("KmsKeyArn", Any),
    of("ExecutionRoleArn", Text),
    of("EnvironmentVariables", Map),
    of("EntryPoint", Any),
    of("MaxConcurrencyPerEnvironment", Any),
    of("EgressNetworkConnectorArn", Any),
    of("Timeout", Number),
    of("LoggingConfig", Any),
    of("RevisionWeights", Any),
    of("EndpointName", Any),
    of("EndpointType", Any),
    of("EndpointDescription", Any),
    of("ScalingConfig", Any),
    of("ThrottleConfig", Any),
    of("AutoDeploymentMode", Any),
];

/// Properties of `AWS::Serverless::WebSocketApi`.
pub(crate) const WEB_SOCKET_API: &[Property] = &[
    of("ApiKeySelectionExpression", Text),
    of("AccessLogSettings", Map),
    of("Auth", Map),
    of("DefaultRouteSettings", Map),
    of("Description", Text),
    of("DisableExecuteApiEndpoint", Bool),
    of("Domain", Map),
    of("DisableSchemaValidation", Bool),
    of("FailOnWarnings", Bool),
    of("IpAddressType", Text),
    of("Name", Text),
    of("PropagateTags", Bool),
    of("Routes", Map).required(),
    of("RouteSettings", Map),
    of("RouteSelectionExpression", Text).required(),
    of("StageName", TextOrMap),
    of("StageVariables", Map),
    of("Tags", Map),
];
