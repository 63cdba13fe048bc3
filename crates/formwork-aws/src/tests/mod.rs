//! Tests against a local server that answers as the services do.

mod answers;
mod failures;
mod listings;

use std::time::Duration;

use aws_config::{BehaviorVersion, Region};
use aws_credential_types::Credentials;
use aws_credential_types::provider::SharedCredentialsProvider;
use aws_smithy_async::rt::sleep::TokioSleep;
use aws_smithy_types::retry::RetryConfig;
use aws_smithy_types::timeout::TimeoutConfig;
use aws_types::SdkConfig;
use aws_types::origin::Origin;
use formwork_evaluate::AccountQuery;
use tokio::runtime::Runtime;
use wiremock::matchers::{body_string_contains, header};
use wiremock::{Match, Mock, MockServer, Request, ResponseTemplate};

use crate::connection::{Connection, Fetched};
use crate::runtime::runtime;
use crate::{AwsError, http_client};

const KEY: &str = "AKIDEXAMPLE";
const SECRET: &str = "wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY";
const TOKEN: &str = "session-token-of-the-tests";

struct Server {
    runtime: Runtime,
    mocks: MockServer,
    uri: String,
    attempts: u32,
    timeout: Duration,
}

impl Server {
    fn new() -> Server {
        let runtime = runtime().expect("a runtime");
        let mocks = runtime.block_on(MockServer::start());
        let uri = mocks.uri();
        Server { runtime, mocks, uri, attempts: 3, timeout: Duration::from_secs(20) }
    }

    /// Answers requests that match `matcher` with `template`, `times` times; `0` is always.
    fn with(self, matcher: impl Match + 'static, times: u64, template: ResponseTemplate) -> Server {
        let mock = Mock::given(matcher).respond_with(template);
        let mock = if times == 0 { mock } else { mock.up_to_n_times(times) };
        self.runtime.block_on(mock.mount(&self.mocks));
        self
    }

    fn fetch(&self, queries: &[AccountQuery]) -> Fetched {
        let timeouts = TimeoutConfig::builder().operation_attempt_timeout(self.timeout).build();
        let retries =
            RetryConfig::standard().with_max_attempts(self.attempts).with_initial_backoff(Duration::from_millis(5));
        let credentials = Credentials::new(KEY, SECRET, Some(TOKEN.to_owned()), None, "tests");
        let mut config = SdkConfig::builder()
            .behavior_version(BehaviorVersion::latest())
            .region(Region::new("eu-west-1"))
            .endpoint_url(&self.uri)
            .http_client(http_client::client(&crate::trust::of_machine().expect("a store")))
            .sleep_impl(TokioSleep::new())
            .retry_config(retries)
            .timeout_config(timeouts)
            .credentials_provider(SharedCredentialsProvider::new(credentials));
        config.insert_origin("endpoint_url", Origin::shared_config());
        let fetched = Connection::of(&config.build(), "eu-west-1").fetch(queries);
        // Whatever fails, no credential is ever shown.
        let text = format!("{fetched:?}{}", fetched.snapshot.to_json());
        assert!([KEY, SECRET, TOKEN].iter().all(|secret| !text.contains(secret)), "{text}");
        fetched
    }

    fn requests(&self) -> Vec<Request> {
        self.runtime.block_on(self.mocks.received_requests()).expect("recorded requests")
    }
}

fn action(name: &str) -> impl Match + 'static {
    body_string_contains(format!("Action={name}&"))
}

fn target(name: &str) -> impl Match + 'static {
    header("x-amz-target", format!("AmazonSSM.{name}").as_str())
}

fn xml(body: &str) -> ResponseTemplate {
    ResponseTemplate::new(200).set_body_raw(body.as_bytes().to_vec(), "text/xml")
}

fn json(status: u16, body: &str) -> ResponseTemplate {
    ResponseTemplate::new(status).set_body_raw(body.as_bytes().to_vec(), "application/x-amz-json-1.1")
}

fn ec2_error(status: u16, code: &str, message: &str) -> ResponseTemplate {
    let body =
        format!("<Response><Errors><Error><Code>{code}</Code><Message>{message}</Message></Error></Errors></Response>");
    ResponseTemplate::new(status).set_body_raw(body.into_bytes(), "text/xml")
}

fn all(kind: &str) -> AccountQuery {
    AccountQuery::All { kind: kind.to_owned() }
}

fn stored(name: &str) -> AccountQuery {
    AccountQuery::Stored { name: name.to_owned() }
}

fn messages(errors: &[AwsError]) -> Vec<&str> {
    errors.iter().map(|aws_error| aws_error.message.as_str()).collect()
}
