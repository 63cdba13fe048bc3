//! The table of the program.
#![cfg(feature = "embedded")]

use formwork_schemas::{Date, Effect, Kind, Policy, Reason, Schemas, Stage, Table};

fn embedded() -> Table {
    Table::read(include_bytes!("../data/table.bin").as_slice()).expect("it is known")
}

#[test]
fn every_block_is_read() {
    let table = embedded();
    assert_eq!(table.verify(), Ok(()));
    assert!(table.bytes() <= 850_000);
    let schemas = Schemas::embedded();
    assert_eq!(schemas.type_names("").len(), schemas.len());
    assert!(schemas.len() > 1_800);
    assert_eq!(schemas.date().map(|date| date.to_string().len()), Some(10));
    for name in schemas.type_names("") {
        assert!(schemas.resource_type(name).is_some(), "{name}");
    }
}

#[test]
fn properties_have_kinds_and_values() {
    let schemas = Schemas::embedded();
    let table = schemas.resource_type("AWS::DynamoDB::Table").expect("it is known");
    let billing = table.properties().property("BillingMode").expect("it is known");
    assert!(billing.node.kinds().has(Kind::String) && !billing.required);
    let values: Vec<&str> = billing.node.values().expect("it is known").iter().collect();
    assert_eq!(values, ["PAY_PER_REQUEST", "PROVISIONED"]);
    assert!(table.properties().required().any(|name| name == "KeySchema"));
    assert!(table.properties().is_closed());
    let tag = table.properties().at(&["Tags", "0", "Key"]).expect("it is known");
    assert_eq!(tag.kinds().to_string(), "string");
    assert!(schemas.resource_type("AWS::DynamoDB::Tabel").is_none());
    assert!(schemas.resource_type("Custom::Thing").is_none());
}

#[test]
fn effects_follow_the_order_of_the_facts() {
    let schemas = Schemas::embedded();
    let effect = |name: &str, path: &[&str]| schemas.resource_type(name).expect("it is known").effect(path);
    assert_eq!(effect("AWS::S3::Bucket", &["BucketName"]), Effect::Replace(Reason::CreateOnly));
    assert_eq!(effect("AWS::S3::Bucket", &["Tags", "0", "Value"]), Effect::Update);
    assert_eq!(effect("AWS::S3::Bucket", &["Arn"]), Effect::None);
    assert_eq!(
        effect("AWS::CertificateManager::Certificate", &["ValidationMethod"]),
        Effect::MayReplace(Reason::OlderSpecification)
    );
    assert_eq!(effect("AWS::Serverless::Function", &["Runtime"]), Effect::Unknown);
    let immutable: Vec<&str> = schemas
        .type_names("AWS::")
        .into_iter()
        .filter(|name| effect(name, &["Tags"]) == Effect::Replace(Reason::ImmutableType))
        .collect();
    assert!(immutable.len() > 100, "{}", immutable.len());
}

#[test]
fn an_unknown_value_has_the_effects_of_what_may_be_in_it() {
    let schemas = Schemas::embedded();
    let mut types = schemas.type_names("AWS::").into_iter().filter_map(|name| schemas.resource_type(name));
    let (group, path) = types
        .find_map(|group| {
            let path = group.create_only().find(|path| path.names().count() > 1)?;
            let path: Vec<&str> = path.names().collect();
            (group.has_update() && group.effect(&path[..1]) == Effect::Update).then_some((group, path))
        })
        .expect("it is known");
    let above = path.get(..1).expect("it is known");
    assert_eq!(group.effect_within(above), Effect::Replace(Reason::CreateOnly));
    assert_eq!(group.effect(&path), Effect::Replace(Reason::CreateOnly));
}

#[test]
fn attributes_and_references() {
    let schemas = Schemas::embedded();
    let bucket = schemas.resource_type("AWS::S3::Bucket").expect("it is known");
    assert!(bucket.attribute("Arn").is_some());
    assert!(bucket.attribute("BucketName").is_none());
    assert!(bucket.attributes().iter().any(|attribute| attribute.name == "DomainName"));
    let database = schemas.resource_type("AWS::RDS::DBInstance").expect("it is known");
    assert!(database.attribute("Endpoint.Address").is_some());
    assert!(database.attribute("Endpoint.Adress").is_none());
    assert_eq!(bucket.reference(), ["BucketName"]);
    let stage = schemas.resource_type("AWS::ApiGateway::Stage").expect("it is known");
    assert_eq!(stage.reference(), ["StageName"]);
}

#[test]
fn facts_kept_by_hand() {
    let schemas = Schemas::embedded();
    let stateful = schemas.resource_type("AWS::RDS::DBCluster").expect("it is known").stateful().expect("it is known");
    assert_eq!(stateful.default_policy, Some(Policy::Snapshot));
    let bucket = schemas.resource_type("AWS::S3::Bucket").expect("it is known");
    assert!(bucket.stateful().expect("it is known").deleted_only_when_empty);
    let role = schemas.resource_type("AWS::IAM::Role").expect("it is known");
    assert!(role.policies().any(|(path, class)| path == "AssumeRolePolicyDocument" && class == "trust"));
    let mesh = schemas.resource_type("AWS::AppMesh::Mesh").expect("it is known");
    assert_eq!(mesh.lifecycle().map(|lifecycle| lifecycle.stage), Some(Stage::Sunset));
    assert_eq!(mesh.lifecycle().expect("it is known").date, Some(Date(20_260_930)));
    let runtime = schemas.runtime("nodejs12.x").expect("it is known");
    assert!(runtime.create_block.expect("it is known") < schemas.date().expect("it is known"));
    assert_eq!(bucket.is_in("us-east-1"), Some(true));
    assert_eq!(bucket.is_in("us-iso-east-1"), None);
    assert_eq!(schemas.regions().count(), 37);
}
