//! The events and their options (reference/local.md#generate-event).

use super::{Sample, SampleOption};

/// A row: the names, the body in the file of both, and the options with their values and what they are.
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
    sample!("apigateway", "aws-proxy", [("body", "{\"message\": \"hello\"}", "The body of the request"), ("method", "POST", "The HTTP method"), ("path", "/orders/7", "The path"), ("resource", "/{proxy+}", "The pattern of the route"), ("stage", "Prod", "The stage"), ("region", "us-east-1", "The Region"), ("account-id", "123456789012", "The account"), ("dns-suffix", "amazonaws.com", "The end of the domain name")]),
    sample!("apigateway", "http-api-proxy", [("body", "{\"message\": \"hello\"}", "The body of the request"), ("method", "POST", "The HTTP method"), ("path", "/orders/7", "The path"), ("route-key", "ANY /{proxy+}", "The key of the route"), ("stage", "$default", "The stage"), ("region", "us-east-1", "The Region"), ("account-id", "123456789012", "The account"), ("dns-suffix", "amazonaws.com", "The end of the domain name")]),
    sample!("apigateway", "authorizer", [("region", "us-east-1", "The Region"), ("account-id", "123456789012", "The account"), ("partition", "aws", "The partition"), ("stage", "Prod", "The stage"), ("method", "GET", "The HTTP method"), ("path", "/orders", "The path"), ("token", "Bearer abc", "The token")]),
    sample!("apigateway", "request-authorizer", [("method", "POST", "The HTTP method"), ("path", "/orders/7", "The path"), ("resource", "/{proxy+}", "The pattern of the route"), ("stage", "Prod", "The stage"), ("region", "us-east-1", "The Region"), ("account-id", "123456789012", "The account"), ("dns-suffix", "amazonaws.com", "The end of the domain name"), ("partition", "aws", "The partition")]),
    sample!("s3", "put", [("region", "us-east-1", "The Region"), ("partition", "aws", "The partition"), ("bucket", "example-bucket", "The bucket"), ("key", "photos/cat.png", "The key of the object")]),
    sample!("s3", "delete", [("region", "us-east-1", "The Region"), ("partition", "aws", "The partition"), ("bucket", "example-bucket", "The bucket"), ("key", "photos/cat.png", "The key of the object")]),
    sample!("s3", "batch-invocation", [("partition", "aws", "The partition"), ("bucket", "example-bucket", "The bucket"), ("key", "photos/cat.png", "The key of the object")]),
    sample!("sns", "notification", [("region", "us-east-1", "The Region"), ("partition", "aws", "The partition"), ("account-id", "123456789012", "The account"), ("topic", "ExampleTopic", "The topic"), ("subject", "Example subject", "The subject"), ("message", "Hello from SNS", "The message")]),
    sample!("sqs", "receive-message", [("region", "us-east-1", "The Region"), ("partition", "aws", "The partition"), ("account-id", "123456789012", "The account"), ("queue-name", "ExampleQueue", "The queue"), ("body", "Hello from SQS", "The body of the message")]),
    sample!("dynamodb", "update", [("region", "us-east-1", "The Region"), ("partition", "aws", "The partition"), ("account-id", "123456789012", "The account"), ("table", "ExampleTable", "The table")]),
    sample!("kinesis", "get-records", [("region", "us-east-1", "The Region"), ("partition", "aws", "The partition"), ("account-id", "123456789012", "The account"), ("stream", "example-stream", "The stream"), ("data", "Hello from Kinesis", "The data of the record")]),
    sample!("kinesis", "kinesis-firehose", [("region", "us-east-1", "The Region"), ("partition", "aws", "The partition"), ("account-id", "123456789012", "The account"), ("delivery-stream", "example-delivery", "The delivery stream"), ("data", "Hello from Firehose", "The data of the record")]),
    sample!("kinesis", "analytics", [("region", "us-east-1", "The Region"), ("partition", "aws", "The partition"), ("account-id", "123456789012", "The account"), ("data", "Hello from Kinesis", "The data of the record")]),
    sample!("cloudwatch", "scheduled-event", [("region", "us-east-1", "The Region"), ("partition", "aws", "The partition"), ("account-id", "123456789012", "The account"), ("rule", "example-rule", "The rule")]),
    sample!("cloudwatch", "logs", [("account-id", "123456789012", "The account"), ("log-group", "/aws/lambda/example", "The log group"), ("log-stream", "2026/01/02/[$LATEST]0123456789abcdef", "The log stream"), ("message", "Hello from CloudWatch Logs", "The message")]),
    sample!("ses", "email-receiving", [("region", "us-east-1", "The Region"), ("partition", "aws", "The partition"), ("account-id", "123456789012", "The account"), ("subject", "Example subject", "The subject"), ("from", "sender@example.com", "The sender"), ("to", "recipient@example.com", "The recipient")]),
    sample!("cognito", "sync-trigger", [("region", "us-east-1", "The Region")]),
    sample!("cognito", "pre-sign-up", [("region", "us-east-1", "The Region"), ("user-name", "maria", "The name of the user"), ("email", "maria@example.com", "The address of the user")]),
    sample!("stepfunctions", "error", [("error", "ExampleError", "The name of the error"), ("cause", "the order does not exist", "The cause")]),
    sample!("codepipeline", "job", [("account-id", "123456789012", "The account"), ("bucket", "example-artifacts", "The bucket of the artifacts"), ("user-parameters", "{}", "The parameters of the action")]),
    sample!("codecommit", "repository", [("region", "us-east-1", "The Region"), ("account-id", "123456789012", "The account"), ("partition", "aws", "The partition"), ("repository", "example-repository", "The repository"), ("branch", "main", "The branch")]),
    sample!("cloudformation", "create-request", [("region", "us-east-1", "The Region"), ("account-id", "123456789012", "The account"), ("partition", "aws", "The partition"), ("stack-name", "example", "The stack")]),
    sample!("alexa-skills-kit", "start-session", [("locale", "en-US", "The locale")]),
    sample!("alexa-skills-kit", "end-session", [("locale", "en-US", "The locale")]),
    sample!("alexa-skills-kit", "intent", [("locale", "en-US", "The locale"), ("intent", "OrderIntent", "The name of the intent"), ("slot", "Product", "The name of the slot"), ("value", "tea", "The value of the slot")]),
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
    sample!("connect", "contact-flow-event", [("region", "us-east-1", "The Region"), ("account-id", "123456789012", "The account"), ("partition", "aws", "The partition")]),
    sample!("rekognition", "s3-request", [("region", "us-east-1", "The Region"), ("partition", "aws", "The partition"), ("bucket", "example-bucket", "The bucket"), ("key", "photos/cat.png", "The key of the object")]),
    sample!("appsync", "resolver", [("field", "getOrder", "The field"), ("id", "7", "The argument `id`")]),
];
