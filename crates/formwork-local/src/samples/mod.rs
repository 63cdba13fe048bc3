//! Sample events of AWS services for functions (reference/local.md#generate-event).
//!
//! A body is JSON with placeholders: `{{name}}` is the value of an option, `{{name|base64}}` the value after a filter.
//! An object with the one key `json` is a string of the JSON below it, one with `gzip` the same compressed, in base64.
//! One with `object` is the object that its string contains as JSON, one with `lists` the same with its values in
//! lists.

mod table;

use std::io::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use formwork_base::suggest;
use md5::{Digest, Md5};
use serde_json::{Map, Value};

/// An event of a service.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample {
    /// The service, as SAM CLI names it.
    pub service: &'static str,
    /// The event of the service.
    pub event: &'static str,
    /// Options of the event.
    pub options: &'static [SampleOption],
    body: &'static str,
}

/// An option of an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SampleOption {
    /// Name without dashes.
    pub name: &'static str,
    /// Default value.
    pub value: &'static str,
    /// Description.
    pub help: &'static str,
}

/// The reason why no event is printed. The messages list the possible values.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SampleError {
    /// The service is unknown.
    #[error("{}", unknown("service", .0, &services()))]
    UnknownService(String),
    /// The service has no such event.
    #[error("{}", unknown(&format!("event of {}", .0), .1, &events(.0)))]
    UnknownEvent(String, String),
    /// The event has no such option.
    #[error("{}", unknown_option(.0, .1))]
    UnknownOption(Sample, String),
    /// The value of an option is not a JSON object.
    #[error("the value of --{0} is not a JSON object: write `--{0} '{{\"name\": \"value\"}}'`")]
    NotAnObject(String),
    /// An option has no value.
    #[error("--{0} has no value: write `--{0} VALUE`")]
    MissingValue(String),
}

fn unknown(what: &str, name: &str, all: &[&'static str]) -> String {
    let near = suggest::nearest(name, all.iter().copied());
    let near = near.map(|near| format!(": did you mean `{near}`?")).unwrap_or_default();
    format!("unknown {what} `{name}`{near}\n  help: the names are {}", all.join(", "))
}

fn unknown_option(sample: &Sample, name: &str) -> String {
    let names = sample.options.iter().map(|option| option.name);
    let near = suggest::nearest(name, names.clone()).map(|near| format!(": did you mean `--{near}`?"));
    let all: Vec<String> = names.map(|name| format!("--{name}")).collect();
    let all = if all.is_empty() { "the event has no options".to_owned() } else { all.join(", ") };
    let Sample { service, event, .. } = sample;
    format!("unknown option `--{name}` of {service} {event}{}\n  help: {all}", near.unwrap_or_default())
}

/// Returns the names of all services.
pub fn services() -> Vec<&'static str> {
    let aliases = table::EVENT_ALIASES.iter().map(|((service, _), _)| *service);
    let mut names: Vec<_> = table::ALL.iter().map(|sample| sample.service).chain(aliases).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Returns the events of a service; those with names only of SAM CLI come last.
pub fn events(service: &str) -> Vec<&'static str> {
    let own = table::ALL.iter().filter(|sample| sample.service == service).map(|sample| sample.event);
    let aliases = table::EVENT_ALIASES.iter().filter(|((known, _), _)| *known == service);
    own.chain(aliases.map(|((_, event), _)| *event)).collect()
}

impl Sample {
    /// Returns an event of a service.
    ///
    /// # Errors
    /// When the service or the event is unknown; the error lists all names and the most similar one.
    pub fn find(service: &str, event: &str) -> Result<Sample, SampleError> {
        let own = table::EVENT_ALIASES.iter().find(|(known, _)| *known == (service, event)).map(|(_, own)| *own);
        let (service, event) = own.unwrap_or((service, event));
        let found = table::ALL.iter().find(|sample| sample.service == service && sample.event == event);
        found.copied().ok_or_else(|| {
            if events(service).is_empty() {
                SampleError::UnknownService(service.to_owned())
            } else {
                SampleError::UnknownEvent(service.to_owned(), event.to_owned())
            }
        })
    }

    /// Returns the event with the values of `words`: `--name value` or `--name=value`.
    ///
    /// # Errors
    /// When an option is unknown or has no value.
    pub fn render(&self, words: &[String]) -> Result<Value, SampleError> {
        let mut values: Vec<(&str, &str)> = self.options.iter().map(|option| (option.name, option.value)).collect();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let name = word.trim_start_matches('-');
            let (name, value) = name.split_once('=').map_or((name, None), |(name, value)| (name, Some(value)));
            let alias = || table::OPTION_ALIASES.iter().find(|(foreign, _)| *foreign == name).map(|(_, own)| *own);
            let is_own = values.iter().any(|(known, _)| *known == name);
            let own = if is_own { name } else { alias().unwrap_or(name) };
            let known = values.iter_mut().find(|(known, _)| *known == own && word.starts_with("--"));
            let known = known.ok_or_else(|| SampleError::UnknownOption(*self, name.to_owned()))?;
            let value = value.or_else(|| words.next().map(String::as_str));
            known.1 = value.ok_or_else(|| SampleError::MissingValue(name.to_owned()))?;
        }
        if let Some((name, _)) = values.iter().find(|(name, value)| *name == OBJECT && object_in(value).is_none()) {
            return Err(SampleError::NotAnObject((*name).to_owned()));
        }
        // Tests check that each body is JSON.
        let body = serde_json::from_str(self.body).unwrap_or_default();
        Ok(filled(body, &values))
    }
}

/// The option whose value is a JSON object.
const OBJECT: &str = "querystringparameters";

fn object_in(text: &str) -> Option<Map<String, Value>> {
    serde_json::from_str(text).ok()
}

/// Returns an object of strings, and the same object with each string in a list.
fn listed(object: Map<String, Value>) -> Map<String, Value> {
    let list = |value: Value| if value.is_array() { value } else { Value::Array(vec![value]) };
    object.into_iter().map(|(name, value)| (name, list(value))).collect()
}

fn filled(body: Value, values: &[(&str, &str)]) -> Value {
    match body {
        Value::String(text) => Value::String(replaced(&text, values)),
        Value::Array(items) => items.into_iter().map(|item| filled(item, values)).collect(),
        Value::Object(object) => {
            let encode: Option<fn(&str) -> String> = match object.keys().next().map(String::as_str) {
                Some("json") if object.len() == 1 => Some(str::to_owned),
                Some("gzip") if object.len() == 1 => Some(compressed),
                _ => None,
            };
            let object: Map<String, Value> =
                object.into_iter().map(|(key, value)| (replaced(&key, values), filled(value, values))).collect();
            match (encode, object.iter().next()) {
                (Some(encode), Some((_, value))) => Value::String(encode(&value.to_string())),
                (None, Some((form, Value::String(text)))) if object.len() == 1 => {
                    match (form.as_str(), object_in(text)) {
                        ("object", Some(inner)) => Value::Object(inner),
                        ("lists", Some(inner)) => Value::Object(listed(inner)),
                        _ => Value::Object(object),
                    }
                }
                _ => Value::Object(object),
            }
        }
        other => other,
    }
}

/// Replaces the placeholders of a string; the values themselves are not searched for placeholders.
fn replaced(text: &str, values: &[(&str, &str)]) -> String {
    let mut result = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("{{") {
        let Some((name, tail)) = after.split_once("}}") else { break };
        let (name, filter) = name.split_once('|').unwrap_or((name, ""));
        let value = values.iter().find(|(known, _)| *known == name).map_or("", |(_, value)| *value);
        result.push_str(before);
        result.push_str(&filtered(value, filter));
        rest = tail;
    }
    result + rest
}

fn filtered(value: &str, filter: &str) -> String {
    match filter {
        "base64" => STANDARD.encode(value),
        "bare" => value.trim_start_matches('/').to_owned(),
        "md5" => formwork_base::hexadecimal(&Md5::digest(value)),
        "url" => url_encoded(value),
        _ => value.to_owned(),
    }
}

/// Encodes a key as S3 writes it in events: like a form, but with slashes.
fn url_encoded(text: &str) -> String {
    let encoded = |byte: u8| match byte {
        b' ' => "+".to_owned(),
        byte if byte.is_ascii_alphanumeric() || b"-._*/".contains(&byte) => char::from(byte).to_string(),
        byte => format!("%{byte:02X}"),
    };
    text.bytes().map(encoded).collect()
}

/// Compresses with gzip and encodes in base64, as `CloudWatch` Logs does.
fn compressed(text: &str) -> String {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    // Writing to a vector cannot fail.
    let _ = encoder.write_all(text.as_bytes());
    STANDARD.encode(encoder.finish().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    fn rendered(service: &str, event: &str, words: &[&str]) -> Value {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        Sample::find(service, event).expect("an event").render(&words).expect("values")
    }

    #[test]
    fn every_body_is_json_with_every_option_in_it() {
        let mut names = std::collections::BTreeSet::new();
        for sample in table::ALL {
            let what = format!("{} {}", sample.service, sample.event);
            assert!(names.insert((sample.service, sample.event)), "{what} is a duplicate");
            serde_json::from_str::<Value>(sample.body).expect(&what);
            let default = sample.render(&[]).expect(&what);
            assert!(default.is_object() && !default.to_string().contains("{{"), "{what}: {default}");
            for option in sample.options {
                assert!(sample.body.contains(&format!("{{{{{}", option.name)), "{what}: --{}", option.name);
                let another = if option.name == OBJECT { "{}" } else { "Another" };
                let words = [format!("--{}", option.name), another.to_owned()];
                assert_ne!(sample.render(&words).expect(&what), default, "{what}: --{}", option.name);
            }
        }
        assert!(names.len() >= 40);
    }

    #[test]
    fn names_of_sam_lead_to_the_same_shapes() {
        for ((service, event), own) in table::EVENT_ALIASES {
            let sample = Sample::find(service, event).expect("an event");
            assert_eq!((sample.service, sample.event), *own, "{service} {event}");
        }
        let request = rendered("cloudformation", "create-request", &["--stack", "shop"]);
        assert!(request.to_string().contains("stack/shop/"), "{request}");
    }

    #[test]
    fn values_are_in_the_places_of_the_service() {
        let put = rendered("s3", "put", &["--bucket", "photos", "--key=a b/é.png", "--region", "eu-west-1"]);
        let record = &put["Records"][0];
        assert_eq!(record["eventName"], "ObjectCreated:Put");
        assert_eq!(record["awsRegion"], "eu-west-1");
        assert_eq!(record["s3"]["bucket"]["arn"], "arn:aws:s3:::photos");
        assert_eq!(record["s3"]["object"]["key"], "a+b/%C3%A9.png");
        let message = rendered("sqs", "receive-message", &["--body", "{{region}} \"x\""]);
        assert_eq!(message["Records"][0]["body"], "{{region}} \"x\"");
        assert_eq!(message["Records"][0]["md5OfBody"].as_str().map(str::len), Some(32));
        let empty = rendered("sqs", "receive-message", &["--body="]);
        assert_eq!(empty["Records"][0]["md5OfBody"], "d41d8cd98f00b204e9800998ecf8427e");
        let proxy = rendered("apigateway", "aws-proxy", &["--body", "hi", "--path", "/a/b"]);
        assert_eq!((&proxy["body"], &proxy["pathParameters"]["proxy"]), (&"aGk=".into(), &"a/b".into()));
        let proxy = rendered("apigateway", "aws-proxy", &["--querystringparameters", "{\"a\": \"1\"}"]);
        assert_eq!(proxy["queryStringParameters"]["a"], "1");
        assert_eq!(proxy["multiValueQueryStringParameters"]["a"][0], "1");
        let authorizer = rendered("apigateway", "authorizer", &["--resource", "orders/{id}", "--restApiId", "api"]);
        let arn = authorizer["methodArn"].as_str().expect("a string");
        assert!(arn.ends_with(":api/Prod/GET/orders/{id}"), "{arn}");
        let config = rendered("config", "periodic-rule", &["--account-id", "1"]);
        let inner: Value = serde_json::from_str(config["invokingEvent"].as_str().expect("JSON")).expect("JSON");
        assert_eq!(inner["awsAccountId"], "1");
    }

    #[test]
    fn records_of_streams_are_as_their_sources_send_them() {
        let bytes = |data: &Value| STANDARD.decode(data.as_str().expect("base64")).expect("base64");
        let unzipped = |data: &Value| {
            let mut text = String::new();
            flate2::read::GzDecoder::new(bytes(data).as_slice()).read_to_string(&mut text).expect("gzip");
            serde_json::from_str::<Value>(&text).expect("JSON")
        };
        let compressed = rendered("kinesis", "analytics-compressed", &[]);
        assert_eq!(unzipped(&compressed["records"][0]["data"])["orderId"], 7);
        let logs = rendered("kinesis", "cloudwatch-logs-processor", &["--account-id", "1"]);
        let types = [0, 1, 2].map(|at| unzipped(&logs["records"][at]["data"])["messageType"].clone());
        assert_eq!(types, ["CONTROL_MESSAGE", "DATA_MESSAGE", "DATA_MESSAGE"].map(Value::from));
        // An aggregated record: a mark, records in protocol buffers, and the MD5 of these.
        for record in rendered("kinesis", "analytics-kpl", &[])["records"].as_array().expect("records") {
            let aggregated = bytes(&record["data"]);
            let (records, sum) = aggregated.split_at(aggregated.len() - 16);
            assert_eq!(&records[..4], [0xF3, 0x89, 0x9A, 0xC2]);
            assert_eq!(Md5::digest(&records[4..]).as_slice(), sum);
        }
        let source = rendered("kinesis", "streams-as-source", &["--data", "aGk=", "--partition-key", "k"]);
        assert_eq!(source["records"][0]["data"], "aGk=");
        assert_eq!(source["records"][0]["kinesisRecordMetadata"]["partitionKey"], "k");
    }

    #[test]
    fn logs_are_compressed() {
        let event = rendered("cloudwatch", "logs", &["--message", "out of tea"]);
        let bytes = STANDARD.decode(event["awslogs"]["data"].as_str().expect("base64")).expect("base64");
        let mut text = String::new();
        flate2::read::GzDecoder::new(bytes.as_slice()).read_to_string(&mut text).expect("gzip");
        let logs: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(logs["logEvents"][0]["message"], "out of tea");
    }

    #[test]
    fn wrong_names_get_near_ones() {
        let error = |service: &str, event: &str| Sample::find(service, event).expect_err("no event").to_string();
        assert!(error("sss", "put").starts_with("unknown service `sss`"));
        assert!(
            error("dynamo-db", "update").starts_with("unknown service `dynamo-db`: did you mean `dynamodb`?\n  help: ")
        );
        assert!(
            error("s3", "putt")
                .starts_with("unknown event of s3 `putt`: did you mean `put`?\n  help: the names are put, ")
        );
        let option = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            Sample::find("s3", "put").expect("an event").render(&words).expect_err("no option").to_string()
        };
        let unknown = "unknown option `--bukket` of s3 put: did you mean `--bucket`?\n  help: --region, --partition, --bucket, --key";
        assert_eq!(option(&["--bukket", "x"]), unknown);
        assert_eq!(option(&["--bucket"]), "--bucket has no value: write `--bucket VALUE`");
        assert!(option(&["bucket"]).starts_with("unknown option"));
    }
}
