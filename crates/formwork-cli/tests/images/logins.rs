//! Who asks: Docker's configuration, its helpers, and ECR.

use std::os::unix::fs::PermissionsExt;

use crate::support::archive::docker;
use crate::support::double::{ANN, Access, Double, as_usual};
use crate::support::folder::{Folder, Run};
use crate::support::http::{Request, Response};

const WEB: &str = "Transform: AWS::Serverless-2016-10-31
Resources:
  Web: {Type: AWS::Serverless::Function, Properties: {PackageType: Image, ImageUri: web.tar}}
";

pub(crate) fn web(name: &str) -> Folder {
    let folder = super::real::folder(name, WEB);
    std::fs::write(folder.path("web.tar"), docker(Some("web:v1"), &[b"a layer"]).0).expect("written");
    folder
}

fn push(folder: &Folder, double: &Double, environment: &[(&str, &str)]) -> Run {
    let repository = double.repository("org/app");
    let words = ["package", "t.yaml", "--image-repository", &repository, "-o", "out.yaml"];
    let run = folder.timed(&words, environment);
    for secret in ["hidden", ANN, "a-token-of-the-tests", "identity"] {
        assert!(!run.out.contains(secret) && !run.err.contains(secret), "{run:?}");
    }
    run
}

/// A directory with a Docker configuration.
fn with_config(name: &str, text: &str) -> (Folder, String) {
    let folder = web(name).with("docker/config.json", text);
    let path = folder.path("docker").display().to_string();
    (folder, path)
}

#[test]
fn passwords_of_docker_s_configuration() {
    for (name, access) in [("basic", Access::Basic), ("bearer", Access::Bearer)] {
        let double = Double::start(access, as_usual);
        let auths = format!(r#"{{"auths": {{"http://127.0.0.1:{}/v2/": {{"auth": "{ANN}"}}}}}}"#, double.port);
        let (folder, config) = with_config(name, &auths);
        let run = push(&folder, &double, &[("DOCKER_CONFIG", &config)]);
        assert_eq!(run.status, 0, "{}", run.err);
        assert_eq!(double.manifests().len(), 1);
        let tokens: Vec<Request> = double.requests().into_iter().filter(|asked| asked.path == "/token").collect();
        assert_eq!(tokens.len(), usize::from(access == Access::Bearer), "one token for all");
        for token in tokens {
            assert_eq!(token.query, "service=tests&scope=repository%3Aorg%2Fapp%3Apull%2Cpush");
        }
    }
}

#[test]
fn helpers_and_identity_tokens() {
    let double = Double::start(Access::Bearer, as_usual);
    let host = format!("127.0.0.1:{}", double.port);
    let (folder, config) =
        with_config("identity", &format!(r#"{{"auths": {{"{host}": {{"identitytoken": "identity"}}}}}}"#));
    let run = push(&folder, &double, &[("DOCKER_CONFIG", &config)]);
    assert_eq!(run.status, 0, "{}", run.err);
    for name in ["helper", "store"] {
        let double = Double::start(Access::Basic, as_usual);
        let host = format!("127.0.0.1:{}", double.port);
        let text = match name {
            "helper" => format!(r#"{{"credHelpers": {{"{host}": "tests"}}}}"#),
            _ => r#"{"credsStore": "tests"}"#.to_owned(),
        };
        let (folder, config) = with_config(name, &text);
        let script = format!(
            "#!/bin/sh\nread host\n[ \"$1 $host\" = 'get {host}' ] && echo '{{\"Username\": \"ann\", \"Secret\": \"hidden\"}}'\n"
        );
        let folder = folder.with("tools/docker-credential-tests", &script);
        let mode = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(folder.path("tools/docker-credential-tests"), mode).expect("a mode");
        let path = format!("{}:/usr/bin:/bin", folder.path("tools").display());
        let run = push(&folder, &double, &[("DOCKER_CONFIG", &config), ("PATH", &path)]);
        assert_eq!(run.status, 0, "{name}: {}", run.err);
    }
}

#[test]
fn nobody_logged_in() {
    for access in [Access::Basic, Access::Bearer] {
        let double = Double::start(access, as_usual);
        let folder = web("nobody");
        let run = push(&folder, &double, &[]);
        assert_eq!(run.status, 1, "{}", run.err);
        assert!(run.err.contains("could not be pushed"), "{}", run.err);
        assert!(run.err.contains(&format!("docker login 127.0.0.1:{}", double.port)), "{}", run.err);
        assert!(!folder.path("out.yaml").exists());
    }
}

#[test]
fn a_configuration_that_means_nothing() {
    let double = Double::start(Access::Basic, as_usual);
    let (folder, config) = with_config("broken", "{\"auths\": hidden");
    let run = push(&folder, &double, &[("DOCKER_CONFIG", &config)]);
    assert!(run.status == 1 && run.err.contains("config.json is not JSON"), "{}", run.err);
    let (folder, config) = with_config("no-helper", r#"{"credsStore": "nowhere"}"#);
    let run = push(&folder, &double, &[("DOCKER_CONFIG", &config)]);
    assert!(run.status == 1 && run.err.contains("docker-credential-nowhere returned no login"), "{}", run.err);
}

/// ECR and CloudFormation on the port of the registry.
fn aws(request: &Request, before: usize) -> Option<Response> {
    let body = String::from_utf8_lossy(&request.body);
    if request.header("x-amz-target") == "AmazonEC2ContainerRegistry_V20150921.GetAuthorizationToken" {
        assert!(request.header("authorization").contains("/eu-west-1/ecr/aws4_request"));
        let host = request.header("host");
        let data = format!(
            r#"{{"authorizationData": [{{"authorizationToken": "{ANN}", "proxyEndpoint": "http://{host}"}}]}}"#
        );
        return Some(Response::new(200, data).with("Content-Type", "application/x-amz-json-1.1"));
    }
    let action = |name: &str| request.path == "/" && body.contains(&format!("Action={name}&"));
    if action("DescribeStacks") {
        assert!(body.contains("StackName=shop-") && body.contains("-CompanionStack"), "{body}");
        if before == 0 {
            let error = "<ErrorResponse><Error><Code>ValidationError</Code><Message>Stack with id x does not exist</Message></Error></ErrorResponse>";
            return Some(Response::new(400, error));
        }
        let stack = "<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackName>s</StackName><CreationTime>2026-01-31T09:00:00Z</CreationTime><StackStatus>CREATE_COMPLETE</StackStatus><Tags><member><Key>ManagedStackSource</Key><Value>AwsSamCli</Value></member></Tags></member></Stacks></DescribeStacksResult></DescribeStacksResponse>";
        return Some(Response::new(200, stack));
    }
    if action("CreateStack") {
        assert!(body.contains("AWS%3A%3AECR%3A%3ARepository"), "{body}");
        let made =
            "<CreateStackResponse><CreateStackResult><StackId>s</StackId></CreateStackResult></CreateStackResponse>";
        return Some(Response::new(200, made));
    }
    None
}

#[test]
fn repositories_that_belong_to_a_stack() {
    let double = Double::start(Access::Basic, aws);
    let folder = web("managed");
    let url = format!("http://127.0.0.1:{}", double.port);
    let environment = [
        ("AWS_ACCESS_KEY_ID", "AKIDOFTHETESTS"),
        ("AWS_SECRET_ACCESS_KEY", "a-secret-of-the-tests"),
        ("AWS_REGION", "eu-west-1"),
        ("AWS_ENDPOINT_URL", url.as_str()),
        ("HOME", "/nowhere"),
    ];
    let words = ["package", "t.yaml", "--resolve-image-repos", "--stack-name", "shop"];
    let run = folder.timed(&words, &environment);
    assert_eq!(run.status, 0, "{}", run.err);
    let place = format!("127.0.0.1:{}/shop", double.port);
    assert!(run.out.contains(&place) && run.out.contains("repo:web-"), "{}", run.out);
    let created = |asked: &&Request| String::from_utf8_lossy(&asked.body).contains("Action=CreateStack");
    assert_eq!(double.requests().iter().filter(created).count(), 1);
    let logins = double.requests().iter().filter(|asked| !asked.header("x-amz-target").is_empty()).count();
    assert_eq!(logins, 1, "one login for all");
    let run = folder.run(&["package", "t.yaml", "--resolve-image-repos"]);
    assert!(run.status == 2 && run.err.contains("--resolve-image-repos needs `--stack-name NAME`"), "{}", run.err);
}
