//! Resource properties that may name a local file or directory (reference/packaging.md#properties).

use formwork_syntax::{Kind, NodeId, Tree, symbol};

use Absent::{ImageMissing, LeftAlone, TemplateDirectory};
use Treatment::{File, Image, Template, Zip, ZipFolder};

/// An artifact property of a resource type, and how packaging stores its files.
#[derive(Debug)]
pub struct Artifact {
    /// The resource type.
    pub resource_type: &'static str,
    /// The path of the property below `Properties`. `*` matches any number of keys.
    pub property: &'static [&'static str],
    /// The way in which a local file or directory is stored.
    pub treatment: Treatment,
    /// The meaning of a missing or empty property.
    pub absent: Absent,
    /// The value of the property after the upload.
    pub form: Form,
}

/// The way in which a local file or directory is stored. A file that is a zip is always stored unchanged.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Treatment {
    /// A directory and a single file are zipped.
    Zip,
    /// A directory is zipped; a file is stored unchanged.
    ZipFolder,
    /// A file is stored unchanged; a directory is an error.
    File,
    /// A template, packaged with its own directory; a directory is an error.
    Template,
    /// A container image, by its tag or as an archive.
    Image,
}

/// The meaning of a missing or empty property.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Absent {
    /// No meaning: the property is not changed.
    LeftAlone,
    /// The directory of the template.
    TemplateDirectory,
    /// An error, if the resource uses an image.
    ImageMissing,
}

/// The form of a property's value after the upload.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// `s3://BUCKET/KEY`
    S3,
    /// `https://ENDPOINT/BUCKET/KEY`
    Https,
    /// The name of an image in its registry.
    Image,
    /// An object with these keys.
    LocationKeys(LocationKeys),
}

/// The keys of an object that refers to a file in S3.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LocationKeys {
    /// The key of the bucket.
    pub bucket: &'static str,
    /// The key of the object's key.
    pub key: &'static str,
    /// The key of the object's version, if the property has one.
    pub version: Option<&'static str>,
    /// Set when the property also accepts the `s3://` string, which is the value in a loop's Mapping.
    pub or_text: bool,
}

const fn members(bucket: &'static str, key: &'static str, version: Option<&'static str>, or_text: bool) -> Form {
    Form::LocationKeys(LocationKeys { bucket, key, version, or_text })
}

const BUCKET_KEY: Form = members("Bucket", "Key", Some("Version"), false);
const BUCKET_KEY_OR_TEXT: Form = members("Bucket", "Key", Some("Version"), true);
const BUCKET_KEY_OBJECT_VERSION: Form = members("Bucket", "Key", Some("ObjectVersion"), false);
const S3_BUCKET_KEY: Form = members("S3Bucket", "S3Key", Some("S3ObjectVersion"), false);
const S3_BUCKET_KEY_ONLY: Form = members("S3Bucket", "S3Key", None, false);

const fn artifact(
    resource_type: &'static str,
    property: &'static [&'static str],
    treatment: Treatment,
    absent: Absent,
    form: Form,
) -> Artifact {
    Artifact { resource_type, property, treatment, absent, form }
}

/// Every artifact property. If one path of a type is a prefix of another one, the longer one counts where it is
/// present.
pub const ALL: &[Artifact] = &[
    artifact("AWS::Serverless::Function", &["CodeUri"], Zip, TemplateDirectory, Form::S3),
    artifact("AWS::Serverless::Function", &["ImageUri"], Image, ImageMissing, Form::Image),
    artifact("AWS::Serverless::LayerVersion", &["ContentUri"], Zip, TemplateDirectory, Form::S3),
    artifact("AWS::Serverless::Api", &["DefinitionUri"], ZipFolder, LeftAlone, Form::S3),
    artifact("AWS::Serverless::HttpApi", &["DefinitionUri"], ZipFolder, LeftAlone, Form::S3),
    artifact("AWS::Serverless::StateMachine", &["DefinitionUri"], ZipFolder, LeftAlone, BUCKET_KEY_OR_TEXT),
    artifact("AWS::Serverless::GraphQLApi", &["SchemaUri"], ZipFolder, LeftAlone, Form::S3),
    artifact("AWS::Serverless::GraphQLApi", &["Functions", "*", "CodeUri"], ZipFolder, LeftAlone, Form::S3),
    artifact("AWS::Serverless::GraphQLApi", &["Resolvers", "*", "CodeUri"], ZipFolder, LeftAlone, Form::S3),
    artifact("AWS::Serverless::Application", &["Location"], Template, LeftAlone, Form::Https),
    artifact("AWS::Lambda::Function", &["Code"], Zip, TemplateDirectory, S3_BUCKET_KEY),
    artifact("AWS::Lambda::Function", &["Code", "ImageUri"], Image, ImageMissing, Form::Image),
    artifact("AWS::Lambda::LayerVersion", &["Content"], Zip, TemplateDirectory, S3_BUCKET_KEY),
    artifact("AWS::ApiGateway::RestApi", &["BodyS3Location"], ZipFolder, LeftAlone, BUCKET_KEY),
    artifact("AWS::ApiGatewayV2::Api", &["BodyS3Location"], ZipFolder, LeftAlone, BUCKET_KEY),
    artifact("AWS::AppSync::GraphQLSchema", &["DefinitionS3Location"], ZipFolder, LeftAlone, Form::S3),
    artifact("AWS::AppSync::Resolver", &["RequestMappingTemplateS3Location"], ZipFolder, LeftAlone, Form::S3),
    artifact("AWS::AppSync::Resolver", &["ResponseMappingTemplateS3Location"], ZipFolder, LeftAlone, Form::S3),
    artifact("AWS::AppSync::Resolver", &["CodeS3Location"], ZipFolder, LeftAlone, Form::S3),
    artifact(
        "AWS::AppSync::FunctionConfiguration",
        &["RequestMappingTemplateS3Location"],
        ZipFolder,
        LeftAlone,
        Form::S3,
    ),
    artifact(
        "AWS::AppSync::FunctionConfiguration",
        &["ResponseMappingTemplateS3Location"],
        ZipFolder,
        LeftAlone,
        Form::S3,
    ),
    artifact("AWS::AppSync::FunctionConfiguration", &["CodeS3Location"], ZipFolder, LeftAlone, Form::S3),
    artifact("AWS::StepFunctions::StateMachine", &["DefinitionS3Location"], ZipFolder, LeftAlone, BUCKET_KEY),
    artifact(
        "AWS::ElasticBeanstalk::ApplicationVersion",
        &["SourceBundle"],
        ZipFolder,
        TemplateDirectory,
        S3_BUCKET_KEY_ONLY,
    ),
    artifact("AWS::Glue::Job", &["Command", "ScriptLocation"], ZipFolder, TemplateDirectory, Form::S3),
    artifact("AWS::CodeCommit::Repository", &["Code", "S3"], Zip, LeftAlone, BUCKET_KEY_OBJECT_VERSION),
    artifact("AWS::CloudFormation::Stack", &["TemplateURL"], Template, LeftAlone, Form::Https),
    artifact("AWS::CloudFormation::StackSet", &["TemplateURL"], File, LeftAlone, Form::Https),
    artifact("AWS::CloudFormation::ModuleVersion", &["ModulePackage"], ZipFolder, TemplateDirectory, Form::S3),
    artifact("AWS::CloudFormation::ResourceVersion", &["SchemaHandlerPackage"], ZipFolder, TemplateDirectory, Form::S3),
];

/// Returns the artifact properties of a resource type.
pub fn of_type(resource_type: &str) -> impl Iterator<Item = &'static Artifact> {
    ALL.iter().filter(move |artifact| artifact.resource_type == resource_type)
}

/// Returns `true` for a property of a resource type that packaging reads, or in which it reads one: it reports a missing
/// file itself.
pub fn is_in(resource_type: &str, property: &str) -> bool {
    of_type(resource_type).any(|artifact| artifact.property.first() == Some(&property))
}

/// Returns `true` when a resource may have a local path in an artifact property, as far as it is known without
/// evaluating anything.
pub fn may_be_local(tree: &Tree, resource: NodeId, artifact: &Artifact) -> bool {
    let properties = tree.get(resource, symbol::PROPERTIES);
    let has = |name: &str| properties.is_some_and(|node| tree.get_text(node, name).is_some());
    let mut node = properties;
    for name in artifact.property {
        if *name == "*" {
            return node.is_some();
        }
        node = node.and_then(|node| tree.get_text(node, name));
    }
    match node.map(|node| (tree.kind(node), tree.text(node))) {
        None => {
            artifact.absent == TemplateDirectory && !["InlineCode", "ImageUri", "Code"].iter().any(|name| has(name))
        }
        Some((Kind::String, text)) => !text.contains("://") && artifact.treatment != Image,
        Some((Kind::Call, _)) => true,
        Some(_) => false,
    }
}

/// Keys of the metadata of `AWS::ServerlessRepo::Application` that may name a local file.
pub const SERVERLESS_REPO: &[Artifact] = &[
    artifact(SERVERLESS_REPO_METADATA, &["LicenseUrl"], ZipFolder, LeftAlone, Form::S3),
    artifact(SERVERLESS_REPO_METADATA, &["ReadmeUrl"], ZipFolder, LeftAlone, Form::S3),
];

/// The key of `Metadata` that describes an application of the serverless repository.
pub const SERVERLESS_REPO_METADATA: &str = "AWS::ServerlessRepo::Application";

/// The `Location` of `AWS::Include`.
pub const INCLUDE: &Artifact = &artifact("AWS::Include", &["Location"], File, LeftAlone, Form::S3);
