//! Digests that AWS's translator computed.

use serde_json::Value;

use super::ids::{Deployment, layer, rest_deployment, version};
use super::{Data, Dict, Text, digest_of, short_digest, spaced_json};

fn data(json: &Value) -> Data {
    match json {
        Value::Null => Data::Null,
        Value::Bool(value) => Data::Bool(*value),
        Value::Number(number) if number.is_f64() => number.as_f64().map_or(Data::Null, Data::Float),
        Value::Number(number) => number.to_string().parse().map_or(Data::Null, Data::Int),
        Value::String(value) => Data::unicode(value.as_str()),
        Value::Array(items) => Data::List(items.iter().map(data).collect()),
        Value::Object(entries) => Data::map(entries.iter().map(|(key, value)| (key.as_str(), data(value)))),
    }
}

fn parse(json: &str) -> Data {
    data(&serde_json::from_str(json).expect("JSON"))
}

fn dict(json: &str) -> Dict {
    match parse(json) {
        Data::Map(dict) => dict,
        other => panic!("{other:?} is not an object"),
    }
}

fn of_body(body: &Data) -> String {
    rest_deployment(Deployment { body, open_api_version: None, domain: None, function_names: "" })
}

/// Bodies at random: keys in the order of hashes, tables that grow, quotes and escapes, numbers.
#[test]
fn deployments_of_authored_bodies() {
    for line in include_str!("deployments.txt").lines() {
        let (expected, body) = line.split_once(' ').expect("digits and a body");
        assert_eq!(of_body(&parse(body))[..10], *expected, "{body}");
    }
}

#[test]
fn deployments_with_a_version_and_a_domain() {
    let body = parse(r#"{"swagger": "2.0", "paths": {}}"#);
    let parts = Deployment { body: &body, open_api_version: None, domain: None, function_names: "" };
    assert_eq!(rest_deployment(parts), "4fc299d0231d133ea66a1aa4be7d5bcd64d5f900");
    let open_api_version = Data::unicode("3.0.1");
    let with_version = Deployment { open_api_version: Some(&open_api_version), ..parts };
    assert_eq!(rest_deployment(with_version), "e01fc47f92f232c03ef1f9e54710af97f73d6cd8");
    let domain = parse(
        r#"{"DomainName": "x.y", "CertificateArn": "c", "EndpointConfiguration": "REGIONAL",
            "ApiDomainName": "ApiGatewayDomainName0ae4ca4466"}"#,
    );
    let with_domain = Deployment { domain: Some(&domain), ..parts };
    assert_eq!(rest_deployment(with_domain), "3bcd82065f018e615c632017f8b23c1b53d95c88", "{}", spaced_json(&domain));
}

/// Keys and values that the transform adds are printed without `u`.
#[test]
fn deployment_of_a_generated_body() {
    let plain = |entries: Vec<(&str, bool, Data)>| {
        let mut dict = Dict::default();
        for (key, is_unicode, value) in entries {
            dict.insert(Text { value: key.to_owned(), is_unicode }, value);
        }
        Data::Map(dict)
    };
    let uri = "arn:aws:apigateway:${AWS::Region}:lambda:path/2015-03-31/functions/${F.Arn}/invocations";
    let integration = plain(vec![
        ("type", false, Data::plain("aws_proxy")),
        ("httpMethod", false, Data::plain("POST")),
        ("uri", false, plain(vec![("Fn::Sub", false, Data::unicode(uri))])),
    ]);
    let method =
        plain(vec![("x-amazon-apigateway-integration", false, integration), ("responses", false, plain(vec![]))]);
    let title = plain(vec![("Ref", false, Data::plain("AWS::StackName"))]);
    let info = plain(vec![("version", false, Data::plain("1.0")), ("title", false, title)]);
    let body = plain(vec![
        ("info", false, info),
        ("paths", false, plain(vec![("/x", true, plain(vec![("get", true, method)]))])),
        ("swagger", false, Data::plain("2.0")),
    ]);
    let parts = Deployment { body: &body, open_api_version: None, domain: None, function_names: "fname" };
    assert_eq!(rest_deployment(parts), "819caed7812a1f4847ab52f78f40e5f398fc4ac3");
}

#[test]
fn versions_are_those_of_code_of_properties_or_of_a_digest() {
    assert_eq!(version(&parse(r#"{"S3Key": "k", "S3Bucket": "b"}"#), None), "03ba323aca");
    assert_eq!(version(&Data::Null, Some("6b86b273ff34fce19d6b804eff5a3f57")), "6b86b273ff");
    assert_eq!(version(&Data::Null, Some("abc")), "abc");
    let properties = r#"{"Code": {"S3Bucket": "b", "S3Key": "k"}, "Handler": "a.b", "Runtime": "python3.12",
        "Tags": [{"Key": "lambda:createdBy", "Value": "SAM"}]}"#;
    assert_eq!(version(&parse(properties), None), "2270e9e90e");
}

#[test]
fn layers_are_hashed_without_policies_and_metadata() {
    let of = |attributes: &str, properties: &str| {
        let json = format!(r#"{{"Type": "AWS::Serverless::LayerVersion", {attributes} "Properties": {properties}}}"#);
        layer("L", &dict(&json))
    };
    let plain = r#"{"LayerName": "x", "ContentUri": "s3://b/k"}"#;
    assert_eq!(of("", plain), "ed20a34344");
    assert_eq!(
        of(r#""Metadata": {"a": "b"}, "DeletionPolicy": "Delete", "UpdateReplacePolicy": "Retain","#, plain),
        "ed20a34344"
    );
    assert_eq!(of(r#""Condition": "C","#, plain), "26f5efcdb4");
    assert_eq!(of(r#""DependsOn": "C","#, plain), "6719f98ce0");
    assert_eq!(of("", r#"{"LayerName": {"Fn::Sub": "pp-é"}, "ContentUri": "s3://b/k"}"#), "9d17f05da1");
}

#[test]
fn names_are_hashed_as_they_are_and_objects_as_json() {
    assert_eq!(digest_of(&Data::unicode("Pr-d")), "d8d84fd629");
    assert_eq!(short_digest("x.y"), "0ae4ca4466");
    assert_eq!(digest_of(&parse(r#"{"Fn::Sub": "a.pp"}"#)), "4c7104995b");
}
