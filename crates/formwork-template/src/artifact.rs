//! Resource properties that may name a local file or folder (spec packaging.md, section 1).

/// Where one kind of resource names local files.
#[derive(Debug)]
pub struct Artifact {
    /// Resource type.
    pub resource_type: &'static str,
    /// Path of the property below `Properties`. `*` stands for any number of members.
    pub property: &'static [&'static str],
}

const fn artifact(resource_type: &'static str, property: &'static [&'static str]) -> Artifact {
    Artifact { resource_type, property }
}

/// Every artifact property. Of two paths of one type of which one begins with the other, the
/// longer one counts where it is present.
pub const ALL: &[Artifact] = &[
    artifact("AWS::Serverless::Function", &["CodeUri"]),
    artifact("AWS::Serverless::Function", &["ImageUri"]),
    artifact("AWS::Serverless::LayerVersion", &["ContentUri"]),
    artifact("AWS::Serverless::Api", &["DefinitionUri"]),
    artifact("AWS::Serverless::HttpApi", &["DefinitionUri"]),
    artifact("AWS::Serverless::StateMachine", &["DefinitionUri"]),
    artifact("AWS::Serverless::GraphQLApi", &["SchemaUri"]),
    artifact("AWS::Serverless::GraphQLApi", &["Functions", "*", "CodeUri"]),
    artifact("AWS::Serverless::GraphQLApi", &["Resolvers", "*", "CodeUri"]),
    artifact("AWS::Serverless::Application", &["Location"]),
    artifact("AWS::Lambda::Function", &["Code"]),
    artifact("AWS::Lambda::Function", &["Code", "ImageUri"]),
    artifact("AWS::Lambda::LayerVersion", &["Content"]),
    artifact("AWS::ApiGateway::RestApi", &["BodyS3Location"]),
    artifact("AWS::ApiGatewayV2::Api", &["BodyS3Location"]),
    artifact("AWS::AppSync::GraphQLSchema", &["DefinitionS3Location"]),
    artifact("AWS::AppSync::Resolver", &["RequestMappingTemplateS3Location"]),
    artifact("AWS::AppSync::Resolver", &["ResponseMappingTemplateS3Location"]),
    artifact("AWS::AppSync::Resolver", &["CodeS3Location"]),
    artifact("AWS::AppSync::FunctionConfiguration", &["RequestMappingTemplateS3Location"]),
    artifact("AWS::AppSync::FunctionConfiguration", &["ResponseMappingTemplateS3Location"]),
    artifact("AWS::AppSync::FunctionConfiguration", &["CodeS3Location"]),
    artifact("AWS::StepFunctions::StateMachine", &["DefinitionS3Location"]),
    artifact("AWS::ElasticBeanstalk::ApplicationVersion", &["SourceBundle"]),
    artifact("AWS::Glue::Job", &["Command", "ScriptLocation"]),
    artifact("AWS::CodeCommit::Repository", &["Code", "S3"]),
    artifact("AWS::CloudFormation::Stack", &["TemplateURL"]),
    artifact("AWS::CloudFormation::StackSet", &["TemplateURL"]),
    artifact("AWS::CloudFormation::ModuleVersion", &["ModulePackage"]),
    artifact("AWS::CloudFormation::ResourceVersion", &["SchemaHandlerPackage"]),
];

/// The artifact properties of a resource type.
pub fn of_type(resource_type: &str) -> impl Iterator<Item = &'static Artifact> {
    ALL.iter().filter(move |artifact| artifact.resource_type == resource_type)
}
