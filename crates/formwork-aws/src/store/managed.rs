//! The bucket that SAM CLI and Formwork share by default (`--resolve-s3`).

use std::time::{Duration, Instant};

use super::interrupt::Interrupt;
use super::stack::{Stack, create, describe};
use crate::aws_error::{AwsError, AwsErrorKind, TRUST};
use crate::call_error::{CallError, CallErrorKind};
use crate::cloud_formation::CloudFormation;
use crate::configuration::configuration;
use crate::runtime::runtime;
use crate::settings::{Settings, configured_region};

/// The stack of the bucket: SAM CLI's, so that an account has one such bucket.
const STACK: &str = "aws-sam-cli-managed-default";
/// The tag by which SAM CLI recognizes the stack.
pub(super) const TAG: (&str, &str) = ("ManagedStackSource", "AwsSamCli");
const OUTPUT: &str = "SourceBucket";
pub(super) const PATIENCE: Duration = Duration::from_mins(5);
const FIRST_PAUSE: Duration = Duration::from_millis(500);
const LONGEST_PAUSE: Duration = Duration::from_secs(20);

/// A bucket with versions, which accepts only encrypted connections.
const TEMPLATE: &str = r#"{
  "Description": "Bucket for packaged templates and their files",
  "Resources": {
    "SamCliSourceBucket": {
      "Type": "AWS::S3::Bucket",
      "Properties": {
        "VersioningConfiguration": {"Status": "Enabled"},
        "Tags": [{"Key": "ManagedStackSource", "Value": "AwsSamCli"}]
      }
    },
    "SamCliSourceBucketBucketPolicy": {
      "Type": "AWS::S3::BucketPolicy",
      "Properties": {
        "Bucket": {"Ref": "SamCliSourceBucket"},
        "PolicyDocument": {
          "Version": "2012-10-17",
          "Statement": [
            {
              "Effect": "Allow",
              "Action": "s3:GetObject",
              "Resource": {"Fn::Sub": "arn:${AWS::Partition}:s3:::${SamCliSourceBucket}/*"},
              "Principal": {"Service": "serverlessrepo.amazonaws.com"},
              "Condition": {"StringEquals": {"aws:SourceAccount": {"Ref": "AWS::AccountId"}}}
            },
            {
              "Effect": "Deny",
              "Action": "s3:*",
              "Resource": [
                {"Fn::Sub": "arn:${AWS::Partition}:s3:::${SamCliSourceBucket}"},
                {"Fn::Sub": "arn:${AWS::Partition}:s3:::${SamCliSourceBucket}/*"}
              ],
              "Principal": "*",
              "Condition": {"Bool": {"aws:SecureTransport": "false"}}
            }
          ]
        }
      }
    }
  },
  "Outputs": {"SourceBucket": {"Value": {"Ref": "SamCliSourceBucket"}}}
}"#;

/// Returns the name of the managed bucket, which is created when it does not exist.
///
/// # Errors
/// When no Region is known, when the credentials are missing, or when CloudFormation rejects a call.
pub fn managed_bucket(settings: &Settings, interrupt: &Interrupt) -> Result<String, AwsError> {
    let settings = Settings { region: configured_region(settings), ..settings.clone() };
    let runtime = runtime().map_err(|error| AwsError::no_runtime(&error))?;
    runtime.block_on(async {
        tokio::select! {
            found = find(&settings) => found,
            () = interrupt.wait() => Err(AwsError::interrupted()),
        }
    })
}

async fn find(settings: &Settings) -> Result<String, AwsError> {
    let (config, region) = configuration(settings).await?;
    find_by(&CloudFormation::new(&config, &region)).await
}

async fn find_by(client: &CloudFormation) -> Result<String, AwsError> {
    let begin = Instant::now();
    let mut is_generated = false;
    loop {
        let stack = patiently(begin, || describe(client, STACK)).await;
        let stack = stack.map_err(|failure| MANAGED.refused("cloudformation:DescribeStacks", failure))?;
        if !is_generated && stack.as_ref().is_none_or(Stack::is_in_review) {
            let made = patiently(begin, || create(client, STACK, TEMPLATE, TAG)).await;
            made.map_err(|failure| MANAGED.refused("cloudformation:CreateStack", failure))?;
            is_generated = true;
            continue;
        }
        if stack.as_ref().is_some_and(Stack::is_busy) && begin.elapsed() < PATIENCE {
            tokio::time::sleep(Duration::from_secs(2)).await;
            continue;
        }
        return stack.as_ref().map_or_else(|| Err(MANAGED.unusable("it does not exist")), bucket_of);
    }
}

/// Repeats a call, after growing pauses, while CloudFormation throttles or has an outage.
pub(super) async fn patiently<T, F>(begin: Instant, mut call: impl FnMut() -> F) -> Result<T, CallError>
where
    F: Future<Output = Result<T, CallError>>,
{
    let mut pause = FIRST_PAUSE;
    loop {
        match call().await {
            Err(failure) if failure.passes() && begin.elapsed() < PATIENCE => tokio::time::sleep(pause).await,
            result => return result,
        }
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

fn bucket_of(stack: &Stack) -> Result<String, AwsError> {
    MANAGED.check_tag(stack)?;
    let output = stack.outputs.iter().find(|(key, _)| key == OUTPUT);
    let bucket = output.map(|(_, value)| value).filter(|bucket| *bucket != "-");
    bucket.cloned().ok_or_else(|| {
        let status = if stack.status.is_empty() { "unknown" } else { &stack.status };
        MANAGED.unusable(&format!("its status is {status}, and it has no output {OUTPUT}"))
    })
}

const MANAGED: ManagedStack<'_> =
    ManagedStack { name: STACK, resource: "bucket", instead: "name a bucket with --s3-bucket" };

/// A stack that SAM CLI manages, with words for messages.
#[derive(Clone, Copy)]
pub(super) struct ManagedStack<'m> {
    pub(super) name: &'m str,
    /// The provided thing, such as `bucket`.
    pub(super) resource: &'m str,
    /// The alternative, as advice.
    pub(super) instead: &'m str,
}

impl ManagedStack<'_> {
    /// Rejects a foreign stack of this name.
    pub(super) fn check_tag(self, stack: &Stack) -> Result<(), AwsError> {
        let is_ours = stack.tags.iter().any(|(key, value)| (key.as_str(), value.as_str()) == TAG);
        if is_ours { Ok(()) } else { Err(self.unusable(&format!("it has no tag {} with the value {}", TAG.0, TAG.1))) }
    }

    pub(super) fn unusable(self, why: &str) -> AwsError {
        AwsError {
            kind: AwsErrorKind::Failed,
            message: format!("the stack {} has no usable {}: {why}", self.name, self.resource),
            detail: None,
            help: format!("{}, or delete that stack and package again", self.instead),
        }
    }

    pub(super) fn refused(self, permission: &str, failure: CallError) -> AwsError {
        let ManagedStack { name, resource, instead } = self;
        match failure.kind {
            CallErrorKind::Credentials if failure.code.as_deref().is_some_and(|code| code.starts_with("Expired")) => {
                AwsError::expired(failure.detail)
            }
            CallErrorKind::Credentials => AwsError::rejected(&failure),
            CallErrorKind::Denied => AwsError {
                kind: AwsErrorKind::Denied,
                message: format!("the permission {permission} is missing for the stack {name}"),
                detail: failure.detail,
                help: format!("allow {permission} for these credentials, or {instead}"),
            },
            CallErrorKind::Untrusted => AwsError {
                kind: AwsErrorKind::Failed,
                message: "the certificate of CloudFormation is not trusted".to_owned(),
                detail: failure.detail,
                help: TRUST.to_owned(),
            },
            _ => AwsError {
                kind: AwsErrorKind::Failed,
                message: format!("the stack {name} cannot be asked for its {resource}"),
                detail: failure.detail,
                help: format!("try again, or {instead}"),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use aws_config::{BehaviorVersion, Region};
    use aws_credential_types::Credentials;
    use aws_credential_types::provider::SharedCredentialsProvider;
    use aws_smithy_async::rt::sleep::TokioSleep;
    use aws_smithy_types::retry::RetryConfig;
    use aws_types::SdkConfig;
    use wiremock::matchers::body_string_contains;
    use wiremock::{Mock, MockServer, ResponseTemplate};

    use super::*;
    use crate::{http_client, trust};

    const THROTTLED: &str =
        "<ErrorResponse><Error><Code>Throttling</Code><Message>Rate exceeded</Message></Error></ErrorResponse>";
    const READY: &str = "<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackName>s</StackName><CreationTime>2026-01-31T09:00:00Z</CreationTime><StackStatus>CREATE_COMPLETE</StackStatus><Tags><member><Key>ManagedStackSource</Key><Value>AwsSamCli</Value></member></Tags><Outputs><member><OutputKey>SourceBucket</OutputKey><OutputValue>the-bucket</OutputValue></member></Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>";

    #[test]
    fn throttling_is_waited_out() {
        let runtime = runtime().expect("a runtime");
        let found = runtime.block_on(async {
            let server = MockServer::start().await;
            let describes = || Mock::given(body_string_contains("Action=DescribeStacks&"));
            let throttled = ResponseTemplate::new(400).set_body_raw(THROTTLED, "text/xml");
            describes().respond_with(throttled).up_to_n_times(1).mount(&server).await;
            let ready = ResponseTemplate::new(200).set_body_raw(READY, "text/xml");
            describes().respond_with(ready).mount(&server).await;
            let config = SdkConfig::builder()
                .behavior_version(BehaviorVersion::latest())
                .region(Region::new("eu-west-1"))
                .endpoint_url(server.uri())
                .http_client(http_client::client(&trust::of_machine().expect("a store")))
                .sleep_impl(TokioSleep::new())
                .retry_config(RetryConfig::disabled())
                .credentials_provider(SharedCredentialsProvider::new(Credentials::new("A", "b", None, None, "tests")))
                .build();
            find_by(&CloudFormation::new(&config, "eu-west-1")).await
        });
        assert_eq!(found.as_deref(), Ok("the-bucket"));
    }
}
