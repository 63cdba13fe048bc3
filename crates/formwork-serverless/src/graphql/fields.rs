//! Keys of a GraphQL API's properties, in the order in which the translator looks at them.

use crate::shape::Shape::{Any, AnyDict, CallOrText, Dict, List, Object, ObjectOrTruth, OneOf, Text, Truth};
use crate::shape::{Field, may, must};

/// Properties of `AWS::Serverless::GraphQLApi`.
pub(super) const API: &[Field] = &[
    must("Auth", Object(AUTH)),
    may("Tags", AnyDict),
    may("Name", Any),
    may("XrayEnabled", Truth),
    may("SchemaInline", Any),
    may("SchemaUri", Any),
    may("Logging", ObjectOrTruth(LOGGING)),
    may("DataSources", Object(DATA_SOURCES)),
    may("Functions", Dict(&Object(FUNCTION))),
    may("Resolvers", Dict(&Dict(&Object(RESOLVER)))),
    may("ApiKeys", Dict(&Object(API_KEY))),
    may("DomainName", Object(DOMAIN_NAME)),
    may("Cache", Object(CACHE)),
    may("Visibility", Any),
    may("OwnerContact", Any),
    may("IntrospectionConfig", Any),
    may("QueryDepthLimit", Any),
    may("ResolverCountLimit", Any),
];

const AUTH_TYPES: &[&str] = &["AWS_IAM", "API_KEY", "AWS_LAMBDA", "OPENID_CONNECT", "AMAZON_COGNITO_USER_POOLS"];

const AUTH: &[Field] = &[
    must("Type", OneOf(AUTH_TYPES)),
    may("LambdaAuthorizer", Object(LAMBDA_AUTHORIZER)),
    may("OpenIDConnect", Object(OPEN_ID_CONNECT)),
    may("UserPool", Object(USER_POOL)),
    may("Additional", List(&Object(ADDITIONAL))),
];

const ADDITIONAL: &[Field] = &[
    must("Type", OneOf(AUTH_TYPES)),
    may("LambdaAuthorizer", Object(LAMBDA_AUTHORIZER)),
    may("OpenIDConnect", Object(OPEN_ID_CONNECT)),
    may("UserPool", Object(USER_POOL)),
];

const LAMBDA_AUTHORIZER: &[Field] =
    &[may("AuthorizerResultTtlInSeconds", Any), must("AuthorizerUri", Any), may("IdentityValidationExpression", Any)];

const OPEN_ID_CONNECT: &[Field] = &[may("AuthTTL", Any), may("ClientId", Any), may("IatTTL", Any), may("Issuer", Any)];

const USER_POOL: &[Field] =
    &[may("AppIdClientRegex", Any), may("AwsRegion", Any), may("DefaultAction", Any), must("UserPoolId", Any)];

const LOGGING: &[Field] =
    &[may("CloudWatchLogsRoleArn", Any), may("ExcludeVerboseContent", Any), may("FieldLogLevel", Any)];

const DATA_SOURCES: &[Field] = &[may("DynamoDb", Dict(&Object(DYNAMO_DB))), may("Lambda", Dict(&Object(LAMBDA)))];

const DYNAMO_DB: &[Field] = &[
    must("TableName", Any),
    may("ServiceRoleArn", Any),
    may("TableArn", Any),
    may("Permissions", List(&OneOf(&["Read", "Write"]))),
    may("Name", Any),
    may("Description", Any),
    may("Region", Any),
    may("DeltaSync", Object(DELTA_SYNC)),
    may("UseCallerCredentials", Any),
    may("Versioned", Any),
];

const DELTA_SYNC: &[Field] =
    &[must("BaseTableTTL", Any), must("DeltaSyncTableName", Any), must("DeltaSyncTableTTL", Any)];

const LAMBDA: &[Field] =
    &[must("FunctionArn", Any), may("ServiceRoleArn", Any), may("Name", Any), may("Description", Any)];

const RUNTIME: &[Field] = &[must("Name", Any), must("Version", Any)];

const SYNC: &[Field] = &[
    must("ConflictDetection", Any),
    may("ConflictHandler", Any),
    may("LambdaConflictHandlerConfig", Object(&[must("LambdaConflictHandlerArn", Any)])),
];

const FUNCTION: &[Field] = &[
    may("DataSource", CallOrText),
    may("Runtime", Object(RUNTIME)),
    may("InlineCode", Any),
    may("CodeUri", Any),
    may("Description", Any),
    may("MaxBatchSize", Any),
    may("Name", Text),
    may("Id", Any),
    may("Sync", Object(SYNC)),
];

const RESOLVER: &[Field] = &[
    may("FieldName", Text),
    may("Caching", Object(&[must("Ttl", Any), may("CachingKeys", List(&Any))])),
    may("InlineCode", Any),
    may("CodeUri", Any),
    may("MaxBatchSize", Any),
    may("Pipeline", List(&Text)),
    may("Runtime", Object(RUNTIME)),
    may("Sync", Object(SYNC)),
];

const API_KEY: &[Field] = &[may("ApiKeyId", Any), may("Description", Any), may("ExpiresOn", Any)];

const DOMAIN_NAME: &[Field] = &[must("CertificateArn", Any), must("DomainName", Any), may("Description", Any)];

const CACHE: &[Field] = &[
    must("ApiCachingBehavior", Any),
    must("Ttl", Any),
    must("Type", Any),
    may("AtRestEncryptionEnabled", Any),
    may("TransitEncryptionEnabled", Any),
];
