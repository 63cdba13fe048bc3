//! Tests of failures.

use super::*;
use crate::AwsErrorKind;

const KEYS: &str = "AWS::EC2::KeyPair::KeyName";
const ZONES: &str = "AWS::EC2::AvailabilityZone::Name";

fn keys() -> ResponseTemplate {
    xml("<r><keySet><item><keyName>ops</keyName></item></keySet></r>")
}

fn aws_error(server: &Server) -> AwsError {
    let mut fetched = server.fetch(&[all(KEYS)]);
    assert!(fetched.snapshot.types.is_empty() && fetched.errors.len() == 1, "{fetched:?}");
    fetched.errors.remove(0)
}

#[test]
fn throttled_calls_are_made_again() {
    let server = Server::new()
        .with(action("DescribeKeyPairs"), 1, ec2_error(503, "RequestLimitExceeded", "Request limit exceeded."))
        .with(action("DescribeKeyPairs"), 1, ec2_error(400, "Throttling", "Rate exceeded"))
        .with(action("DescribeKeyPairs"), 0, keys())
        .with(target("GetParameters"), 1, json(400, r#"{"__type":"ThrottlingException","message":"Rate exceeded"}"#))
        .with(target("GetParameters"), 0, json(200, r#"{"Parameters":[]}"#));
    let fetched = server.fetch(&[all(KEYS), stored("/a")]);
    assert_eq!(fetched.errors, []);
    assert_eq!(fetched.snapshot.types[KEYS].keys().collect::<Vec<_>>(), ["ops"]);
    assert_eq!(fetched.snapshot.ssm_parameters.map(|stored| stored.len()), Some(0));
    assert_eq!(server.requests().len(), 5);
}

#[test]
fn throttled_to_the_end() {
    let server = Server::new().with(
        action("DescribeKeyPairs"),
        0,
        ec2_error(503, "RequestLimitExceeded", "Request limit exceeded."),
    );
    let aws_error = aws_error(&server);
    assert_eq!(aws_error.message, "no account data for AWS::EC2::KeyPair::KeyName: AWS throttles ec2:DescribeKeyPairs");
    assert_eq!(server.requests().len(), 3);
}

#[test]
fn a_missing_permission_is_named() {
    let server = Server::new()
        .with(
            action("DescribeKeyPairs"),
            0,
            ec2_error(
                403,
                "UnauthorizedOperation",
                "You are not authorized to perform this operation. Encoded authorization failure message: 3kLm",
            ),
        )
        .with(action("DescribeAvailabilityZones"), 0, xml("<r><availabilityZoneInfo/></r>"));
    let fetched = server.fetch(&[all(KEYS), all(ZONES)]);
    assert_eq!(fetched.snapshot.types.keys().collect::<Vec<_>>(), [ZONES]);
    assert_eq!(
        fetched.errors,
        [AwsError {
            kind: AwsErrorKind::Denied,
            message: "no account data for AWS::EC2::KeyPair::KeyName: the permission ec2:DescribeKeyPairs is missing"
                .to_owned(),
            detail: Some("You are not authorized to perform this operation.".to_owned()),
            help: "allow ec2:DescribeKeyPairs for these credentials, or pass the data with --account FILE".to_owned(),
        }]
    );
    // A refusal is final.
    assert_eq!(server.requests().len(), 2);
}

#[test]
fn access_denied_everywhere() {
    let route53 = "<ErrorResponse><Error><Code>AccessDenied</Code><Message>User: x is not authorized</Message></Error></ErrorResponse>";
    let server = Server::new()
        .with(
            wiremock::matchers::method("GET"),
            0,
            ResponseTemplate::new(403).set_body_raw(route53.as_bytes().to_vec(), "text/xml"),
        )
        .with(
            target("DescribeParameters"),
            0,
            json(400, r#"{"__type":"AccessDeniedException","Message":"User: x is not authorized"}"#),
        )
        .with(
            action("ListExports"),
            0,
            ResponseTemplate::new(403).set_body_raw(route53.as_bytes().to_vec(), "text/xml"),
        );
    let queries = [
        all("AWS::Route53::HostedZone::Id"),
        all("AWS::SSM::Parameter::Name"),
        AccountQuery::Export { name: "e".to_owned() },
    ];
    let fetched = server.fetch(&queries);
    assert_eq!(
        messages(&fetched.errors),
        [
            "no account data for AWS::Route53::HostedZone::Id: the permission route53:ListHostedZones is missing",
            "no account data for AWS::SSM::Parameter::Name: the permission ssm:DescribeParameters is missing",
            "no account data for exports: the permission cloudformation:ListExports is missing",
        ]
    );
    assert!(fetched.errors.iter().all(|aws_error| aws_error.detail.as_deref() == Some("User: x is not authorized")));
}

#[test]
fn expired_credentials_are_reported_once() {
    let server = Server::new()
        .with(action("DescribeKeyPairs"), 0, ec2_error(400, "RequestExpired", "Request has expired."))
        .with(action("DescribeAvailabilityZones"), 0, ec2_error(401, "AuthFailure", "AWS was not able to validate the provided access credentials"))
        .with(target("GetParameters"), 0, json(400, r#"{"__type":"ExpiredTokenException","message":"The security token included in the request is expired"}"#));
    let fetched = server.fetch(&[all(KEYS), all(ZONES), stored("/a")]);
    assert_eq!(messages(&fetched.errors), ["AWS does not accept the credentials"]);
    assert!(fetched.errors[0].kind.is_fatal());
    assert_eq!(fetched.snapshot, crate::Snapshot::default());
}

#[test]
fn answers_that_cannot_be_read() {
    for body in ["<r><keySet><item>", "not XML", "{}", ""] {
        let server = Server::new().with(action("DescribeKeyPairs"), 0, xml(body));
        let aws_error = aws_error(&server);
        assert_eq!(
            aws_error.message,
            "no account data for AWS::EC2::KeyPair::KeyName: the answer to ec2:DescribeKeyPairs cannot be read",
            "{body}"
        );
    }
}

#[test]
fn a_broken_answer_is_asked_for_again() {
    let server = Server::new()
        .with(action("DescribeKeyPairs"), 1, xml("<r><keySet>"))
        .with(action("DescribeKeyPairs"), 1, ResponseTemplate::new(500))
        .with(action("DescribeKeyPairs"), 0, keys());
    let fetched = server.fetch(&[all(KEYS)]);
    assert_eq!((fetched.errors, fetched.snapshot.types[KEYS].len()), (vec![], 1));
}

#[test]
fn an_answer_that_does_not_come() {
    let mut server = Server::new().with(action("DescribeKeyPairs"), 0, keys().set_delay(Duration::from_secs(30)));
    (server.attempts, server.timeout) = (2, Duration::from_millis(50));
    let aws_error = aws_error(&server);
    assert_eq!(aws_error.message, "no account data for AWS::EC2::KeyPair::KeyName: ec2:DescribeKeyPairs took too long");
    assert_eq!(server.requests().len(), 2);
}

#[test]
fn something_else_answers() {
    // Nothing is mounted: every call gets 404 without a body.
    let aws_error = aws_error(&Server::new());
    assert_eq!(aws_error.message, "no account data for AWS::EC2::KeyPair::KeyName: ec2:DescribeKeyPairs failed");
    assert_eq!(aws_error.detail, None);
    // The error of a response with a body shows its content and its address.
    let page = ResponseTemplate::new(404).set_body_raw(b"<html>Not here\x1b[31m".to_vec(), "text/html");
    let server = Server::new().with(action("DescribeKeyPairs"), 0, page);
    let aws_error = self::aws_error(&server);
    assert!(aws_error.message.ends_with("the answer to ec2:DescribeKeyPairs cannot be read"), "{}", aws_error.message);
    let want = format!("HTTP 404 from {}/, text/html: <html>Not here\\u{{1b}}[31m", server.uri);
    assert_eq!(aws_error.detail, Some(want));
}

#[test]
fn nobody_answers() {
    let mut server = Server::new();
    // A port that was free a moment ago.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    drop(listener);
    server.uri = format!("http://{address}");
    let aws_error = aws_error(&server);
    assert_eq!(
        aws_error.message,
        "no account data for AWS::EC2::KeyPair::KeyName: the endpoint of ec2:DescribeKeyPairs cannot be reached"
    );
}
