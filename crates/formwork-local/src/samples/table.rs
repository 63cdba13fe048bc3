//! The events and their options (reference/local.md#generate-event).

use super::{Sample, SampleOption};

/// A row: the names, the body in the file of both names, and the options with their defaults and descriptions.
macro_rules! sample {
    ($service:literal, $event:literal, [$(($name:literal, $value:literal, $help:literal)),*]) => {
        Sample {
            service: $service,
            event: $event,
            body: include_str!(concat!("bodies/", $service, "-", $event, ".json")),
            options: &[$(SampleOption { name: $name, value: $value, help: $help }),*],
        }
    };
}

/// All events, those of a service together.
#[rustfmt::skip]
pub(super) const ALL: &[Sample] = &[
    sample!("apigateway", "aws-proxy", [("body", "{\"message\": \"hello\"}", "The body of the request"), ("method", "POST", "The HTTP method"), ("path", "/orders/7", "The path"), ("querystringparameters", "{\"color\": \"green\"}", "The query, as a JSON object"), ("resource", "/{proxy+}", "The pattern of the route"), ("stage", "Prod", "The stage"), ("region", "us-east-1", "The Region"), ("account-id", "123456789012", "The account"), ("dns-suffix", "amazonaws.com", "The end of the domain name")]),
    sample!("apigateway", "http-api-proxy", [("body", "{\"message\": \"hello\"}", "The body of the request"), ("method", "POST", "The HTTP method"), ("path", "/orders/7", "The path"), ("route-key", "ANY /{proxy+}", "The key of the route"), ("stage", "$default", "The stage"), ("region", "us-east-1", "The Region"), ("account-id", "123456789012", "The account"), ("dns-suffix", "amazonaws.com", "The end of the domain name")]),
    sample!("apigateway", "authorizer", [("region", "us-east-1", "The Region"), ("account-id", "123456789012", "The account"), ("partition", "aws", "The partition"), ("stage", "Prod", "The stage"), ("method", "GET", "The HTTP method"), ("path", "/orders", "The path"), ("token", "Bearer abc", "The token"), ("rest-api-id", "a1b2c3d4e5", "The ID of the API")]),
    sample!("apigateway", "request-authorizer", [("method", "POST", "The HTTP method"), ("path", "/orders/7", "The path"), ("resource", "/{proxy+}", "The pattern of the route"), ("stage", "Prod", "The stage"), ("region", "us-east-1", "The Region"), ("account-id", "123456789012", "The account"), ("dns-suffix", "amazonaws.com", "The end of the domain name"), ("partition", "aws", "The partition"), ("rest-api-id", "a1b2c3d4e5", "The ID of the API")]),
    sample!("s3", "put", [("region", "us-east-1", "The Region"), ("partition", "aws", "The partition"), ("bucket", "example-bucket", "The bucket"), ("key", "photos/cat.png", "The key of the object")]),
    sample!("s3", "delete", [("region", "us-east-1", "The Region"), ("partition", "aws", "The partition"), ("bucket", "example-bucket", "The bucket"), ("key", "photos/cat.png", "The key of the object")]),
    sample!("s3", "batch-invocation", [("bucket-arn", "arn:aws:s3:::example-bucket", "The ARN of the bucket"), ("key", "photos/cat.png", "The key of the object")]),
    sample!("sns", "notification", [("region", "us-east-1", "The Region"), ("partition", "aws", "The partition"), ("account-id", "123456789012", "The account"), ("topic", "ExampleTopic", "The topic"), ("subject", "Example subject", "The subject"), ("message", "Hello from SNS", "The message")]),
    sample!("sqs", "receive-message", [("region", "us-east-1", "The Region"), ("partition", "aws", "The partition"), ("account-id", "123456789012", "The account"), ("queue-name", "ExampleQueue", "The queue"), ("body", "Hello from SQS", "The body of the message")]),
    sample!("dynamodb", "update", [("region", "us-east-1", "The Region"), ("partition", "aws", "The partition"), ("account-id", "123456789012", "The account"), ("table", "ExampleTable", "The table")]),
    sample!("kinesis", "get-records", [("region", "us-east-1", "The Region"), ("partition", "aws", "The partition"), ("account-id", "123456789012", "The account"), ("stream", "example-stream", "The stream"), ("data", "Hello from Kinesis", "The data of the record"), ("partition-key", "order-7", "The partition key"), ("sequence", "49590338271490256608559692538361571095921575989136588898", "The sequence number")]),
    sample!("kinesis", "kinesis-firehose", [("region", "us-east-1", "The Region"), ("partition", "aws", "The partition"), ("account-id", "123456789012", "The account"), ("delivery-stream", "example-delivery", "The delivery stream"), ("data", "Hello from Firehose", "The data of the record")]),
    sample!("kinesis", "analytics", [("region", "us-east-1", "The Region"), ("partition", "aws", "The partition"), ("account-id", "123456789012", "The account"), ("data", "Hello from Kinesis", "The data of the record"), ("application", "example", "The application"), ("stream", "example-stream", "The stream")]),
    sample!("kinesis", "analytics-compressed", [("region", "us-east-1", "The Region"), ("partition", "aws", "The partition"), ("account-id", "123456789012", "The account"), ("application", "example", "The application"), ("stream", "example-stream", "The stream"), ("data", "H4sIAAAAAAACA6tWyi9KSS3yTFGyMtdRKi5JLElVslIqSMxMUaoFAJBT4z8cAAAA", "The data of the record as it is sent: gzip in base64")]),
    sample!("kinesis", "analytics-dynamodb", [("region", "us-east-1", "The Region"), ("partition", "aws", "The partition"), ("account-id", "123456789012", "The account"), ("application", "example", "The application"), ("stream", "example-stream", "The stream"), ("data", "{\"orderId\":7,\"state\":\"paid\"}", "The data of the record")]),
    sample!("kinesis", "analytics-kpl", [("region", "us-east-1", "The Region"), ("partition", "aws", "The partition"), ("account-id", "123456789012", "The account"), ("application", "example", "The application"), ("stream", "example-stream", "The stream")]),
    sample!("kinesis", "cloudwatch-logs-processor", [("region", "us-east-1", "The Region"), ("partition", "aws", "The partition"), ("account-id", "123456789012", "The account")]),
    sample!("kinesis", "streams-as-source", [("region", "us-east-1", "The Region"), ("partition", "aws", "The partition"), ("partition-key", "order-7", "The partition key"), ("data", "eyJvcmRlcklkIjo3LCJzdGF0ZSI6InBhaWQifQ==", "The data of the record as it is sent: in base64"), ("sequence", "49590338271490256608559692538361571095921575989136588898", "The sequence number")]),
    sample!("cloudwatch", "scheduled-event", [("region", "us-east-1", "The Region"), ("partition", "aws", "The partition"), ("account-id", "123456789012", "The account"), ("rule", "example-rule", "The rule")]),
    sample!("cloudwatch", "logs", [("account-id", "123456789012", "The account"), ("log-group", "/aws/lambda/example", "The log group"), ("log-stream", "2026/01/02/[$LATEST]0123456789abcdef", "The log stream"), ("message", "Hello from CloudWatch Logs", "The message")]),
    sample!("ses", "email-receiving", [("region", "us-east-1", "The Region"), ("partition", "aws", "The partition"), ("account-id", "123456789012", "The account"), ("dns-suffix", "us-east-1.amazonaws.com", "The end of the host that received the message"), ("subject", "Example subject", "The subject"), ("from", "sender@example.com", "The sender"), ("to", "recipient@example.com", "The recipient")]),
    sample!("cognito", "sync-trigger", [("region", "us-east-1", "The Region")]),
    sample!("cognito", "pre-sign-up", [("region", "us-east-1", "The Region"), ("user-name", "maria", "The name of the user"), ("email", "maria@example.com", "The address of the user")]),
    sample!("stepfunctions", "error", [("error", "ExampleError", "The name of the error"), ("cause", "the order does not exist", "The cause")]),
    sample!("codepipeline", "job", [("account-id", "123456789012", "The account"), ("input-bucket", "example-artifacts", "The bucket of the input"), ("input-key", "pipeline/source.zip", "The key of the input"), ("output-bucket", "example-artifacts", "The bucket of the output"), ("output-key", "pipeline/built.zip", "The key of the output"), ("user-parameters", "{}", "The parameters of the action")]),
    sample!("codecommit", "repository", [("region", "us-east-1", "The Region"), ("account-id", "123456789012", "The account"), ("partition", "aws", "The partition"), ("repository", "example-repository", "The repository"), ("branch", "main", "The branch"), ("custom-data", "example", "The data of the trigger"), ("trigger", "on-push", "The trigger")]),
    sample!("cloudformation", "create-request", [("region", "us-east-1", "The Region"), ("account-id", "123456789012", "The account"), ("partition", "aws", "The partition"), ("stack-name", "example", "The stack")]),
    sample!("alexa-skills-kit", "start-session", [("locale", "en-US", "The locale"), ("session-id", "amzn1.echo-api.session.example", "The ID of the session"), ("application-id", "amzn1.ask.skill.example", "The ID of the skill"), ("user-id", "amzn1.ask.account.EXAMPLE", "The ID of the user"), ("request-id", "amzn1.echo-api.request.example", "The ID of the request")]),
    sample!("alexa-skills-kit", "end-session", [("locale", "en-US", "The locale"), ("session-id", "amzn1.echo-api.session.example", "The ID of the session"), ("application-id", "amzn1.ask.skill.example", "The ID of the skill"), ("user-id", "amzn1.ask.account.EXAMPLE", "The ID of the user"), ("request-id", "amzn1.echo-api.request.example", "The ID of the request")]),
    sample!("alexa-skills-kit", "intent", [("locale", "en-US", "The locale"), ("intent", "OrderIntent", "The name of the intent"), ("slot", "Product", "The name of the slot"), ("value", "tea", "The value of the slot"), ("session-id", "amzn1.echo-api.session.example", "The ID of the session"), ("application-id", "amzn1.ask.skill.example", "The ID of the skill"), ("user-id", "amzn1.ask.account.EXAMPLE", "The ID of the user"), ("request-id", "amzn1.echo-api.request.example", "The ID of the request")]),
    sample!("alexa-smart-home", "discovery-request", []),
    sample!("alexa-smart-home", "turn-on-request", [("endpoint", "lamp-1", "The ID of the device")]),
    sample!("alexa-smart-home", "turn-off-request", [("endpoint", "lamp-1", "The ID of the device")]),
    sample!("cloudfront", "viewer-request", [("distribution", "EDFDVBD6EXAMPLE", "The ID of the distribution"), ("host", "www.example.com", "The host"), ("method", "GET", "The HTTP method"), ("uri", "/index.html", "The path"), ("querystring", "size=large", "The query")]),
    sample!("cloudfront", "origin-request", [("distribution", "EDFDVBD6EXAMPLE", "The ID of the distribution"), ("host", "www.example.com", "The host"), ("method", "GET", "The HTTP method"), ("uri", "/index.html", "The path"), ("querystring", "size=large", "The query")]),
    sample!("cloudfront", "viewer-response", [("distribution", "EDFDVBD6EXAMPLE", "The ID of the distribution"), ("host", "www.example.com", "The host"), ("method", "GET", "The HTTP method"), ("uri", "/index.html", "The path"), ("querystring", "size=large", "The query")]),
    sample!("lex", "order-flowers", [("bot", "FlowerShop", "The bot"), ("intent", "OrderFlowers", "The intent"), ("slot", "FlowerType", "The name of the slot"), ("value", "tulips", "The value of the slot"), ("text", "I want tulips", "The words of the user"), ("user-id", "user-7", "The ID of the user")]),
    sample!("lex", "book-car", [("bot", "Travel", "The bot"), ("intent", "BookCar", "The intent"), ("slot", "PickUpCity", "The name of the slot"), ("value", "Lisbon", "The value of the slot"), ("text", "I need a car in Lisbon", "The words of the user"), ("user-id", "user-7", "The ID of the user")]),
    sample!("lex", "book-hotel", [("bot", "Travel", "The bot"), ("intent", "BookHotel", "The intent"), ("slot", "Location", "The name of the slot"), ("value", "Porto", "The value of the slot"), ("text", "A room in Porto, please", "The words of the user"), ("user-id", "user-7", "The ID of the user")]),
    sample!("lex", "make-appointment", [("bot", "Clinic", "The bot"), ("intent", "MakeAppointment", "The intent"), ("slot", "AppointmentType", "The name of the slot"), ("value", "cleaning", "The value of the slot"), ("text", "I need a cleaning", "The words of the user"), ("user-id", "user-7", "The ID of the user")]),
    sample!("lex", "v2", [("bot", "Shop", "The bot"), ("intent", "OrderTea", "The intent"), ("slot", "Kind", "The name of the slot"), ("value", "green", "The value of the slot"), ("text", "Green tea, please", "The words of the user"), ("user-id", "user-7", "The ID of the user")]),
    sample!("config", "item-change-notification", [("region", "us-east-1", "The Region"), ("account-id", "123456789012", "The account"), ("partition", "aws", "The partition"), ("rule", "example-rule", "The rule")]),
    sample!("config", "periodic-rule", [("region", "us-east-1", "The Region"), ("account-id", "123456789012", "The account"), ("partition", "aws", "The partition"), ("rule", "example-rule", "The rule")]),
    sample!("batch", "get-job", []),
    sample!("batch", "submit-job", []),
    sample!("connect", "contact-flow-event", [("region", "us-east-1", "The Region"), ("account-id", "123456789012", "The account"), ("partition", "aws", "The partition"), ("contact-id", "4a573372-1f28-4e26-b97b-0a1b2c3d4e5f", "The ID of the contact"), ("phone-number", "+15555550100", "The number of the caller")]),
    sample!("rekognition", "s3-request", [("region", "us-east-1", "The Region"), ("partition", "aws", "The partition"), ("bucket", "example-bucket", "The bucket"), ("key", "photos/cat.png", "The key of the object")]),
    sample!("appsync", "resolver", [("field", "getOrder", "The field"), ("id", "7", "The argument `id`")]),
    sample!("alb", "request", [("region", "us-east-1", "The Region"), ("account-id", "123456789012", "The account"), ("partition", "aws", "The partition"), ("method", "POST", "The HTTP method"), ("path", "/orders/7", "The path"), ("body", "hello", "The body of the request"), ("dns-suffix", "amazonaws.com", "The end of the domain name")]),
    sample!("config", "oversized-item-change-notification", [("region", "us-east-1", "The Region"), ("account-id", "123456789012", "The account"), ("partition", "aws", "The partition"), ("rule", "example-rule", "The rule")]),
    sample!("workmail", "email", [("flow-direction", "INBOUND", "INBOUND or OUTBOUND"), ("mail-from", "sender@example.com", "The sender of the envelope"), ("sender", "sender@example.com", "The sender of the message"), ("subject", "Example subject", "The subject")]),
    sample!("sagemaker", "ground-truth-pre-human", [("region", "us-east-1", "The Region"), ("account-id", "123456789012", "The account"), ("partition", "aws", "The partition"), ("labeling-job-name", "example-job", "The labeling job"), ("source-ref", "s3://example-bucket/image.png", "The object to label")]),
    sample!("sagemaker", "ground-truth-annotation-consolidation", [("region", "us-east-1", "The Region"), ("account-id", "123456789012", "The account"), ("partition", "aws", "The partition"), ("labeling-job-name", "example-job", "The labeling job"), ("label-attribute-name", "example-label", "The attribute of the labels"), ("execution-role", "example-role", "The role"), ("s3-output-path", "s3://example-bucket/output", "The location of the output"), ("iteration-object-timestamp", "2026-01-02_03:04:05", "The time of the iteration")]),
];

type Names = (&'static str, &'static str);

/// Events of SAM CLI with another name here: its service and event, and the names here. The shapes are the same; values
/// differ.
#[rustfmt::skip]
pub(super) const EVENT_ALIASES: &[(Names, Names)] = &[
    (("alexa-skills-kit", "intent-answer"), ("alexa-skills-kit", "intent")),
    (("alexa-skills-kit", "intent-getnewfact"), ("alexa-skills-kit", "intent")),
    (("alexa-skills-kit", "intent-mycoloris"), ("alexa-skills-kit", "intent")),
    (("alexa-skills-kit", "intent-recipe"), ("alexa-skills-kit", "intent")),
    (("alexa-smart-home", "smart-home-control-turn-off-request"), ("alexa-smart-home", "turn-off-request")),
    (("alexa-smart-home", "smart-home-control-turn-on-request"), ("alexa-smart-home", "turn-on-request")),
    (("alexa-smart-home", "smart-home-discovery-request"), ("alexa-smart-home", "discovery-request")),
    (("cloudfront", "ab-test"), ("cloudfront", "viewer-request")),
    (("cloudfront", "http-redirect"), ("cloudfront", "viewer-request")),
    (("cloudfront", "modify-querystring"), ("cloudfront", "viewer-request")),
    (("cloudfront", "multiple-remote-calls-aggregate-response"), ("cloudfront", "viewer-request")),
    (("cloudfront", "normalize-querystring-to-improve-cache-hit"), ("cloudfront", "viewer-request")),
    (("cloudfront", "redirect-unauthenticated-users"), ("cloudfront", "viewer-request")),
    (("cloudfront", "response-generation"), ("cloudfront", "viewer-request")),
    (("cloudfront", "simple-remote-call"), ("cloudfront", "viewer-request")),
    (("cloudfront", "redirect-on-viewer-country"), ("cloudfront", "origin-request")),
    (("cloudfront", "serve-object-on-viewer-device"), ("cloudfront", "origin-request")),
    (("cloudfront", "access-request-in-response"), ("cloudfront", "viewer-response")),
    (("cloudfront", "modify-response-header"), ("cloudfront", "viewer-response")),
    (("kinesis", "apachelog"), ("kinesis", "kinesis-firehose")),
    (("kinesis", "syslog"), ("kinesis", "kinesis-firehose")),
    (("lex-v2", "banking-bot"), ("lex", "v2")),
    (("lex-v2", "book-car"), ("lex", "v2")),
    (("lex-v2", "book-hotel"), ("lex", "v2")),
];

/// Options of SAM CLI, and their names here.
pub(super) const OPTION_ALIASES: &[(&str, &str)] =
    &[("stack", "stack-name"), ("restApiId", "rest-api-id"), ("resource", "path")];
