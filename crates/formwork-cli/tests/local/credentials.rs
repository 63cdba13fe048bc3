//! Credentials of profiles reach functions as they sign the calls of `deploy`.
//!
//! Holds reference/local.md#credentials.

use std::os::unix::fs::PermissionsExt;

use serde_json::{Value, json};

use super::harness::{Folder, text};
use crate::support::http::{Response, converse, listen};

const TEMPLATE: &str = "Transform: AWS::Serverless-2016-10-31
Resources:
  Keys: {Type: AWS::Serverless::Function, Properties: {Runtime: python3.11, CodeUri: src, Handler: app.keys}}
";

const CODE: &str = "
import os
def keys(event, context):
    return [os.environ.get(name) for name in ('AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN', 'AWS_REGION')]
";

const CONFIG: &str = "
[profile session]
sso_session = corp
sso_account_id = 111122223333
sso_role_name = Dev
region = eu-west-1
[sso-session corp]
sso_region = eu-west-1
sso_start_url = https://corp.test/start
[profile legacy]
sso_start_url = https://corp.test/start
sso_region = eu-west-1
sso_account_id = 111122223333
sso_role_name = Dev
[profile expired]
sso_session = other
sso_account_id = 111122223333
sso_role_name = Dev
region = eu-west-1
[sso-session other]
sso_region = eu-west-1
sso_start_url = https://other.test/start
[profile process]
credential_process = ./credentials.sh
region = eu-west-2
[profile base]
aws_access_key_id = AKIABASE
aws_secret_access_key = base
[profile role]
role_arn = arn:aws:iam::111122223333:role/Dev
source_profile = base
region = eu-west-3
";

const PROCESS: &str = "#!/bin/sh
echo '{\"Version\": 1, \"AccessKeyId\": \"ASIAPROCESS\", \"SecretAccessKey\": \"p\", \"SessionToken\": \"q\"}'
";

/// The SHA-1 of `corp`, of the start URL, and of `other`: names of files of the token cache.
const TOKENS: [(&str, &str); 3] = [
    ("ee0bfd2552fbd840c02cc48b6e823320543c450f", "2099-01-01T00:00:00Z"),
    ("d8c3c531b8f82fdc8ca8bb7890461dd5d9a1744e", "2099-01-01T00:00:00Z"),
    ("d0941e68da8f38151ff86a61fc59f7c5cf9fcaa2", "2020-01-01T00:00:00Z"),
];

/// Signs in whoever has the token of the cache, and lets the keys of `base` assume the role.
fn sign_in() -> u16 {
    listen(|stream| {
        converse(stream, |request, _| {
            let is_known = request.header("x-amz-sso_bearer_token") == "the-token"
                && request.query.contains("role_name=Dev")
                && request.query.contains("account_id=111122223333");
            let body = text(&request.body);
            let assumes = body.contains("Action=AssumeRole") && request.header("authorization").contains("AKIABASE/");
            Some(match request.path.as_str() {
                "/federation/credentials" if is_known => {
                    let keys = json!({"accessKeyId": "ASIASSO", "secretAccessKey": "s", "sessionToken": "t", "expiration": 4_102_444_800_000_u64});
                    Response::new(200, json!({"roleCredentials": keys}).to_string())
                }
                "/" if assumes => Response::new(
                    200,
                    "<AssumeRoleResponse xmlns=\"https://sts.amazonaws.com/doc/2011-06-15/\"><AssumeRoleResult><AssumedRoleUser><AssumedRoleId>A:b</AssumedRoleId><Arn>arn:aws:sts::111122223333:assumed-role/Dev/b</Arn></AssumedRoleUser><Credentials><AccessKeyId>ASIAROLE</AccessKeyId><SecretAccessKey>r</SecretAccessKey><SessionToken>v</SessionToken><Expiration>2099-01-01T00:00:00Z</Expiration></Credentials></AssumeRoleResult></AssumeRoleResponse>",
                ),
                _ => Response::new(401, "{\"message\": \"Session token not found or invalid\"}")
                    .with("x-amzn-ErrorType", "UnauthorizedException"),
            })
        });
    })
}

struct Home {
    folder: Folder,
    server: String,
}

impl Home {
    fn new(name: &str) -> Home {
        let folder = Folder::new(name);
        folder.write("template.yaml", TEMPLATE);
        folder.write("src/app.py", CODE);
        folder.write("credentials.sh", PROCESS);
        let executable = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(folder.0.join("credentials.sh"), executable).expect("a mode");
        std::fs::create_dir_all(folder.0.join(".aws/sso/cache")).expect("a directory");
        folder.write(".aws/config", CONFIG);
        for (name, expires) in TOKENS {
            let token = json!({"accessToken": "the-token", "expiresAt": expires, "region": "eu-west-1"});
            folder.write(&format!(".aws/sso/cache/{name}.json"), &token.to_string());
        }
        Home { folder, server: format!("http://127.0.0.1:{}", sign_in()) }
    }

    /// Status, result and standard error of an invocation with more words and variables.
    fn invoke(&self, words: &[&str], variables: &[(&str, &str)]) -> (Option<i32>, Value, String) {
        let mut command = self.folder.command(&[&["local", "invoke", "Keys"], words].concat());
        command.env_clear().envs(std::env::vars_os().filter(|(name, _)| !name.to_string_lossy().starts_with("AWS_")));
        command.env("HOME", &self.folder.0).env("AWS_ENDPOINT_URL_SSO", &self.server);
        command.env("AWS_ENDPOINT_URL_STS", &self.server).env("AWS_EC2_METADATA_DISABLED", "true");
        let output = command.envs(variables.iter().copied()).output().expect("the program");
        (output.status.code(), serde_json::from_slice(&output.stdout).unwrap_or_default(), text(&output.stderr))
    }
}

#[test]
fn profiles_that_sign_in_run_programs_or_assume_roles_reach_functions() {
    let home = Home::new("profiles");
    let keys = [
        ("session", json!(["ASIASSO", "s", "t", "eu-west-1"])),
        ("legacy", json!(["ASIASSO", "s", "t", "us-east-1"])),
        ("process", json!(["ASIAPROCESS", "p", "q", "eu-west-2"])),
        ("base", json!(["AKIABASE", "base", null, "us-east-1"])),
        ("role", json!(["ASIAROLE", "r", "v", "eu-west-3"])),
    ];
    for (profile, keys) in keys {
        let (status, result, shown) =
            home.invoke(&["--profile", profile], &[("AWS_ACCESS_KEY_ID", "AKIAENV"), ("AWS_SECRET_ACCESS_KEY", "e")]);
        assert_eq!((status, result), (Some(0), keys.clone()), "{profile}: {shown}");
        let (_, result, shown) = home.invoke(&[], &[("AWS_PROFILE", profile)]);
        assert_eq!(result, keys, "{profile}: {shown}");
    }
    let (_, result, _) = home
        .invoke(&[], &[("AWS_PROFILE", "session"), ("AWS_ACCESS_KEY_ID", "AKIAENV"), ("AWS_SECRET_ACCESS_KEY", "e")]);
    assert_eq!(result, json!(["AKIAENV", "e", null, "eu-west-1"]));
    let (_, result, _) = home.invoke(&["--profile", "session", "--no-credentials"], &[]);
    assert_eq!(result, json!([null, null, null, "eu-west-1"]));
}

#[test]
fn a_session_that_expired_is_an_error_for_who_names_its_profile() {
    let home = Home::new("expired");
    let (status, result, shown) = home.invoke(&["--profile", "expired"], &[]);
    assert_eq!((status, result), (Some(2), Value::Null));
    assert!(
        shown.contains("the profile expired is not signed in") && shown.contains("aws sso login --profile expired"),
        "{shown}"
    );
    let (status, result, shown) = home.invoke(&[], &[("AWS_PROFILE", "expired")]);
    assert_eq!((status, &result[0]), (Some(0), &json!("defaultkey")));
    assert!(shown.contains("warning: functions get no credentials that AWS accepts"), "{shown}");
    let (status, _, shown) = home.invoke(&["--profile", "nosuch"], &[]);
    assert!(status == Some(2) && shown.contains("profile `nosuch` does not exist in the AWS configuration"), "{shown}");
}
