//! Tests of listings of types.

use wiremock::matchers::{path, query_param, query_param_is_missing};

use super::*;

const SUBNET: &str = "AWS::EC2::Subnet::Id";

fn subnet(id: &str, tags: &str) -> String {
    format!(
        "<item><subnetId>{id}</subnetId><vpcId>vpc-1</vpcId><availabilityZone>eu-west-1a</availabilityZone>{tags}</item>"
    )
}

fn subnets(items: &str, next: &str) -> ResponseTemplate {
    xml(&format!("<DescribeSubnetsResponse><subnetSet>{items}</subnetSet>{next}</DescribeSubnetsResponse>"))
}

/// Matches requests with a token, or without one.
struct Token(Option<&'static str>);

impl Match for Token {
    fn matches(&self, request: &Request) -> bool {
        let body = String::from_utf8_lossy(&request.body);
        match self.0 {
            Some(token) => body.contains(&format!("&NextToken={token}")),
            None => body.starts_with("Action=DescribeSubnets&") && !body.contains("NextToken"),
        }
    }
}

#[test]
fn pages_are_followed_to_the_end() {
    let tags =
        "<tagSet><item><key>Team</key><value>R&amp;D</value></item><item><key>Empty</key><value/></item></tagSet>";
    let server = Server::new()
        .with(Token(None), 0, subnets(&subnet("subnet-1", tags), "<nextToken>a+b</nextToken>"))
        .with(Token(Some("a%2Bb")), 0, subnets(&subnet("subnet-2", ""), "<nextToken>c</nextToken>"))
        .with(Token(Some("c")), 0, subnets(&subnet("subnet-3", ""), "<nextToken/>"));
    let fetched = server.fetch(&[all(SUBNET)]);
    assert_eq!(fetched.errors, []);
    let found = serde_json::to_value(&fetched.snapshot.types[SUBNET]).expect("JSON");
    let plain = serde_json::json!({"VpcId": "vpc-1", "AvailabilityZone": "eu-west-1a", "Tags": {}});
    let mut tagged = plain.clone();
    tagged["Tags"] = serde_json::json!({"Team": "R&D", "Empty": ""});
    assert_eq!(found, serde_json::json!({"subnet-1": tagged, "subnet-2": plain, "subnet-3": plain}));
    assert_eq!(server.requests().len(), 3);
}

#[test]
fn a_failed_page_leaves_nothing() {
    let server = Server::new().with(Token(None), 0, subnets(&subnet("subnet-1", ""), "<nextToken>b</nextToken>")).with(
        Token(Some("b")),
        0,
        ec2_error(400, "InvalidNextToken", "The token has had its day"),
    );
    let fetched = server.fetch(&[all(SUBNET)]);
    assert!(fetched.snapshot.types.is_empty() && fetched.snapshot.incomplete.is_empty());
    assert_eq!(messages(&fetched.errors), ["no account data for AWS::EC2::Subnet::Id: ec2:DescribeSubnets failed"]);
    assert_eq!(fetched.errors[0].detail.as_deref(), Some("InvalidNextToken: The token has had its day"));
}

#[test]
fn a_page_that_names_itself_ends() {
    let server = Server::new().with(Token(None), 0, subnets("", "<nextToken>a</nextToken>")).with(
        Token(Some("a")),
        0,
        subnets("", "<nextToken>a</nextToken>"),
    );
    let fetched = server.fetch(&[all(SUBNET)]);
    assert!(fetched.snapshot.types.is_empty() && fetched.errors.len() == 1, "{fetched:?}");
}

#[test]
fn pages_that_lead_back_end() {
    // The page leads to an earlier one, not to itself.
    let server = Server::new()
        .with(Token(None), 0, subnets("", "<nextToken>a</nextToken>"))
        .with(Token(Some("a")), 0, subnets("", "<nextToken>b</nextToken>"))
        .with(Token(Some("b")), 0, subnets("", "<nextToken>a</nextToken>"))
        .with(target("DescribeParameters"), 0, json(200, r#"{"Parameters":[{"Name":"/a"}],"NextToken":"t"}"#))
        .with(
            action("ListExports"),
            0,
            xml("<ListExportsResponse><ListExportsResult><Exports><member><Name>e</Name><Value>v</Value></member></Exports><NextToken>t</NextToken></ListExportsResult></ListExportsResponse>"),
        );
    let queries = [all(SUBNET), all("AWS::SSM::Parameter::Name"), AccountQuery::Export { name: "e".to_owned() }];
    let fetched = server.fetch(&queries);
    assert!(fetched.snapshot.types.is_empty() && fetched.snapshot.exports.is_none(), "{fetched:?}");
    assert_eq!(fetched.errors.len(), 3, "{fetched:?}");
    for aws_error in &fetched.errors {
        assert!(aws_error.message.ends_with("does not end"), "{}", aws_error.message);
    }
    assert!(server.requests().len() < 10);
}

#[test]
fn a_question_is_asked_once_and_signed() {
    let server = Server::new().with(Token(None), 0, subnets("", ""));
    let fetched = server.fetch(&[all(SUBNET), all(SUBNET)]);
    assert!(fetched.snapshot.types[SUBNET].is_empty());
    let requests = server.requests();
    assert_eq!(requests.len(), 1);
    let header = |name: &str| requests[0].headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    assert!(header("authorization").starts_with(&format!("AWS4-HMAC-SHA256 Credential={KEY}/")), "{requests:?}");
    assert!(header("authorization").contains("/eu-west-1/ec2/aws4_request"), "{requests:?}");
    assert_eq!(header("x-amz-security-token"), TOKEN);
}

#[test]
fn vpcs_with_their_defaults() {
    let server = Server::new()
        .with(action("DescribeVpcs"), 0, xml("<r><vpcSet><item><vpcId>vpc-1</vpcId><tagSet/></item><item><vpcId>vpc-2</vpcId></item></vpcSet></r>"))
        .with(action("DescribeNetworkAcls"), 0, xml("<r><networkAclSet><item><networkAclId>acl-1</networkAclId><vpcId>vpc-1</vpcId></item></networkAclSet></r>"))
        .with(action("DescribeSecurityGroups"), 0, xml("<r><securityGroupInfo><item><groupId>sg-2</groupId><vpcId>vpc-2</vpcId></item></securityGroupInfo></r>"));
    let fetched = server.fetch(&[all("AWS::EC2::VPC::Id")]);
    assert_eq!(
        serde_json::to_value(&fetched.snapshot.types).expect("JSON"),
        serde_json::json!({"AWS::EC2::VPC::Id": {
            "vpc-1": {"DefaultNetworkAcl": "acl-1", "Tags": {}},
            "vpc-2": {"DefaultSecurityGroup": "sg-2", "Tags": {}},
        }})
    );
}

#[test]
fn other_types() {
    let server = Server::new()
        .with(action("DescribeAvailabilityZones"), 0, xml("<r><availabilityZoneInfo><item><zoneName>eu-west-1b</zoneName></item><item><zoneName>eu-west-1a</zoneName></item></availabilityZoneInfo></r>"))
        .with(action("DescribeKeyPairs"), 0, xml("<r><keySet><item><keyName>ops</keyName></item></keySet></r>"))
        .with(action("DescribeVolumes"), 0, xml("<r><volumeSet><item><volumeId>vol-1</volumeId></item></volumeSet></r>"))
        .with(action("DescribeVpcs"), 0, xml("<r><vpcSet><item><vpcId>vpc-1</vpcId></item></vpcSet></r>"))
        .with(action("DescribeSecurityGroups"), 0, xml("<r><securityGroupInfo><item><groupId>sg-1</groupId><groupName>web</groupName></item></securityGroupInfo></r>"))
        .with(action("DescribeInstances"), 0, xml("<r><reservationSet><item><instancesSet><item><instanceId>i-1</instanceId><instanceState><name>terminated</name></instanceState></item><item><instanceId>i-2</instanceId><instanceState><name>stopped</name></instanceState></item></instancesSet></item></reservationSet></r>"));
    let kinds = [
        "AWS::EC2::KeyPair::KeyName",
        "AWS::EC2::AvailabilityZone::Name",
        "AWS::EC2::Instance::Id",
        "AWS::EC2::SecurityGroup::GroupName",
        "AWS::EC2::SecurityGroup::Id",
        "AWS::EC2::Volume::Id",
    ];
    let fetched = server.fetch(&kinds.map(all));
    assert_eq!(fetched.errors, []);
    // In the order of the table, and of each listing.
    let text = serde_json::to_string(&fetched.snapshot.types).expect("JSON");
    assert_eq!(
        text,
        r#"{"AWS::EC2::AvailabilityZone::Name":{"eu-west-1b":{},"eu-west-1a":{}},"AWS::EC2::Instance::Id":{"i-2":{}},"AWS::EC2::KeyPair::KeyName":{"ops":{}},"AWS::EC2::SecurityGroup::GroupName":{"web":{}},"AWS::EC2::SecurityGroup::Id":{"sg-1":{"Tags":{}}},"AWS::EC2::Volume::Id":{"vol-1":{}}}"#
    );
    let filters = server.requests().into_iter().filter(|request| {
        let body = String::from_utf8_lossy(&request.body).into_owned();
        body.contains("&Filter.1.Name=vpc-id&Filter.1.Value.1=vpc-1&")
            || body.contains("&Filter.1.Name=state&Filter.1.Value.1=available")
    });
    assert_eq!(filters.count(), 2);
}

#[test]
fn hosted_zones_in_two_pages() {
    let zones = |ids: &str, next: &str| {
        xml(&format!(
            "<ListHostedZonesResponse xmlns=\"https://route53.amazonaws.com/doc/2013-04-01/\"><HostedZones>{ids}</HostedZones>{next}</ListHostedZonesResponse>"
        ))
    };
    let zone = |id: &str| format!("<HostedZone><Id>/hostedzone/{id}</Id><Name>example.org.</Name></HostedZone>");
    let server = Server::new()
        .with(
            AllOf(Box::new(path("/2013-04-01/hostedzone")), Box::new(query_param_is_missing("marker"))),
            0,
            zones(&zone("Z1"), "<IsTruncated>true</IsTruncated><NextMarker>Z2</NextMarker>"),
        )
        .with(
            AllOf(Box::new(path("/2013-04-01/hostedzone")), Box::new(query_param("marker", "Z2"))),
            0,
            zones(&zone("Z2"), "<IsTruncated>false</IsTruncated>"),
        );
    let fetched = server.fetch(&[all("AWS::Route53::HostedZone::Id")]);
    assert_eq!(fetched.errors, []);
    assert_eq!(fetched.snapshot.types["AWS::Route53::HostedZone::Id"].keys().collect::<Vec<_>>(), ["Z1", "Z2"]);
    let signed =
        server.requests()[0].headers.get("authorization").and_then(|value| value.to_str().ok()).map(str::to_owned);
    assert!(signed.is_some_and(|signed| signed.contains("/us-east-1/route53/aws4_request")));
}

struct AllOf(Box<dyn Match>, Box<dyn Match>);

impl Match for AllOf {
    fn matches(&self, request: &Request) -> bool {
        self.0.matches(request) && self.1.matches(request)
    }
}
