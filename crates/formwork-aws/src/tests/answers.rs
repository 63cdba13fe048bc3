//! Tests of answers other than listings: named images and parameters, exports, the account.

use super::*;

const IMAGE: &str = "AWS::EC2::Image::Id";
const NAME: &str = "AWS::SSM::Parameter::Name";

fn values(kind: &str, values: &[&str]) -> AccountQuery {
    AccountQuery::Values { kind: kind.to_owned(), values: values.iter().map(|&value| value.to_owned()).collect() }
}

fn images(ids: &[&str]) -> ResponseTemplate {
    let items: Vec<String> = ids.iter().map(|id| format!("<item><imageId>{id}</imageId></item>")).collect();
    xml(&format!("<DescribeImagesResponse><imagesSet>{}</imagesSet></DescribeImagesResponse>", items.concat()))
}

#[test]
fn images_that_exist_and_not() {
    let server = Server::new()
        .with(
            body_string_contains("ImageId.2="),
            0,
            ec2_error(400, "InvalidAMIID.NotFound", "The image id '[ami-2]' does not exist"),
        )
        .with(body_string_contains("ImageId.1=ami-1&"), 0, images(&["ami-1"]))
        .with(
            body_string_contains("ImageId.1=ami-2&"),
            0,
            ec2_error(400, "InvalidAMIID.NotFound", "The image id '[ami-2]' does not exist"),
        );
    let fetched = server.fetch(&[values(IMAGE, &["ami-1", "ami-2", ""])]);
    assert_eq!(fetched.errors, []);
    assert_eq!(
        serde_json::to_value(&fetched.snapshot.types[IMAGE]).expect("JSON"),
        serde_json::json!({"ami-1": {}, "ami-2": null, "": null})
    );
    assert_eq!(fetched.snapshot.incomplete, [IMAGE]);
}

#[test]
fn own_images_are_not_all() {
    let server = Server::new().with(body_string_contains("Owner.1=self"), 0, images(&["ami-9"]));
    let fetched = server.fetch(&[all(IMAGE)]);
    assert_eq!(
        serde_json::to_string(&fetched.snapshot.types).expect("JSON"),
        r#"{"AWS::EC2::Image::Id":{"ami-9":{}}}"#
    );
    assert_eq!(fetched.snapshot.incomplete, [IMAGE]);
}

#[test]
fn what_is_asked_about_is_not_repeated() {
    let server = Server::new()
        .with(action("DescribeImages"), 0, ec2_error(400, "UnauthorizedOperation", "no right to ami-secret"))
        .with(
            target("GetParameters"),
            0,
            json(400, r#"{"__type":"AccessDeniedException","message":"no right to /secret"}"#),
        );
    let fetched = server.fetch(&[values(IMAGE, &["ami-secret"]), stored("/secret")]);
    assert_eq!(
        messages(&fetched.errors),
        [
            "no account data for AWS::EC2::Image::Id: the permission ec2:DescribeImages is missing",
            "no account data for stored SSM parameters: the permission ssm:GetParameters is missing",
        ]
    );
    assert!(!format!("{:?}", fetched.errors).contains("secret"));
    assert!(fetched.snapshot.ssm_parameters.is_none());
}

#[test]
fn stored_parameters() {
    let server = Server::new().with(
        target("GetParameters"),
        0,
        json(
            200,
            r#"{"Parameters":[
                {"Name":"/list","Type":"StringList","Value":"a,b","Version":3},
                {"Name":"/text","Selector":":2","Type":"String","Value":"x","Version":2},
                {"Name":"/secret","Type":"SecureString","Value":"ciphertext","Version":1}
            ],"InvalidParameters":["/none"]}"#,
        ),
    );
    let fetched =
        server.fetch(&[stored("/list"), stored("/none"), stored("/text:2"), stored("/secret"), stored("/list")]);
    assert_eq!(messages(&fetched.errors), ["the SSM parameter /secret is a SecureString: its value is not read"]);
    assert_eq!(
        serde_json::to_value(&fetched.snapshot.ssm_parameters).expect("JSON"),
        serde_json::json!({
            "/list": {"Type": "StringList", "Value": "a,b", "Version": 3},
            "/text:2": {"Type": "String", "Value": "x", "Version": 2},
        })
    );
    assert_eq!(fetched.snapshot.incomplete, ["SsmParameters"]);
    let asked = server.requests();
    assert_eq!(asked.len(), 1);
    assert_eq!(
        serde_json::from_slice::<serde_json::Value>(&asked[0].body).expect("JSON"),
        serde_json::json!({"Names": ["/list", "/none", "/text:2", "/secret"], "WithDecryption": false})
    );
}

#[test]
fn a_text_that_is_no_name() {
    let refused = || json(400, r#"{"__type":"ValidationException","message":"no name"}"#);
    let server = Server::new().with(body_string_contains("no name!"), 0, refused()).with(
        target("GetParameters"),
        0,
        json(200, r#"{"Parameters":[{"Name":"/a","Type":"String","Value":"x","Version":1}]}"#),
    );
    let fetched = server.fetch(&[values(NAME, &["/a", "no name!"])]);
    assert_eq!(fetched.errors, []);
    assert_eq!(
        serde_json::to_value(&fetched.snapshot.types[NAME]).expect("JSON"),
        serde_json::json!({"/a": {}, "no name!": null})
    );
    assert_eq!(fetched.snapshot.incomplete, [NAME]);
}

#[test]
fn names_of_all_parameters() {
    let server = Server::new()
        .with(body_string_contains("\"NextToken\":\"t\""), 0, json(200, r#"{"Parameters":[{"Name":"/b"}]}"#))
        .with(target("DescribeParameters"), 0, json(200, r#"{"Parameters":[{"Name":"/a"}],"NextToken":"t"}"#));
    let fetched = server.fetch(&[all(NAME)]);
    assert_eq!(fetched.snapshot.types[NAME].keys().collect::<Vec<_>>(), ["/a", "/b"]);
    assert!(fetched.snapshot.incomplete.is_empty());
}

#[test]
fn the_account_and_exports() {
    let member = |name: &str| format!("<member><Name>{name}</Name><Value>value of {name}</Value></member>");
    let page = |name: &str, next: &str| {
        xml(&format!(
            "<ListExportsResponse><ListExportsResult><Exports>{}</Exports>{next}</ListExportsResult></ListExportsResponse>",
            member(name)
        ))
    };
    let server = Server::new()
        .with(action("GetCallerIdentity"), 0, xml("<GetCallerIdentityResponse><GetCallerIdentityResult><Arn>arn:aws-cn:iam::123456789012:user/a</Arn><UserId>A</UserId><Account>123456789012</Account></GetCallerIdentityResult></GetCallerIdentityResponse>"))
        .with(body_string_contains("NextToken=n"), 0, page("b", ""))
        .with(action("ListExports"), 0, page("a", "<NextToken>n</NextToken>"));
    let fetched = server.fetch(&[
        AccountQuery::Caller,
        AccountQuery::Export { name: "a".to_owned() },
        AccountQuery::Export { name: "z".to_owned() },
    ]);
    assert_eq!(fetched.errors, []);
    let snapshot = serde_json::to_value(&fetched.snapshot).expect("JSON");
    assert_eq!(
        (&snapshot["Account"], &snapshot["Partition"], &snapshot["Region"]),
        (&"123456789012".into(), &"aws-cn".into(), &"eu-west-1".into())
    );
    assert_eq!(snapshot["Exports"], serde_json::json!({"a": "value of a", "b": "value of b"}));
    assert!(
        snapshot["CapturedAt"]
            .as_str()
            .is_some_and(|time| time.len() == "2025-01-31T10:00:00Z".len() && time.ends_with('Z'))
    );
}
