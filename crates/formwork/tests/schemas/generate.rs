//! Resources that are right by what is known of their type.

use formwork::schemas::{Kind, Kinds, Node, ResourceType, Schemas};
use serde_json::{Map, Value, json};

/// Values that most patterns are meant for.
const WORDS: [&str; 12] = [
    "abc",
    "a",
    "abc-def-1",
    "12345678",
    "123456789012",
    "us-east-1",
    "arn:aws:iam::123456789012:role/abc",
    "arn:aws:s3:::abc",
    "/abc/",
    "https://example.com/",
    "2026-01-01T00:00:00Z",
    "a@example.com",
];

/// Types of which a resource can be generated, evenly over the table, with the properties of one.
pub(super) fn resources(schemas: &Schemas, most: usize) -> Vec<(ResourceType<'_>, Map<String, Value>)> {
    let names = schemas.type_names("AWS::");
    let all: Vec<_> = names
        .into_iter()
        .filter_map(|name| schemas.resource_type(name))
        .filter(|known| !known.is_serverless() && known.lifecycle().is_none())
        // A value of one property decides what another one needs.
        .filter(|known| known.rules().is_empty() && known.policies().next().is_none())
        .filter_map(|known| Some((known, properties(known)?)))
        .filter(|(_, properties)| !properties.is_empty())
        .collect();
    let step = (all.len() / most).max(1);
    all.into_iter().step_by(step).take(most).collect()
}

fn properties(known: ResourceType<'_>) -> Option<Map<String, Value>> {
    let is_set_by_service =
        |name: &str| known.read_only().chain(known.deprecated()).any(|path| path.names().next() == Some(name));
    let mut out = Map::new();
    let root = known.properties();
    if has_combinations(root) {
        return None;
    }
    for property in root.properties() {
        let value = (!is_set_by_service(property.name)).then(|| value(property.node, 3)).flatten();
        match value {
            Some(value) => {
                out.insert(property.name.to_owned(), value);
            }
            None if property.required => return None,
            None => {}
        }
    }
    Some(out)
}

fn has_combinations(node: Node<'_>) -> bool {
    node.one_of().chain(node.any_of()).chain(node.all_of()).next().is_some()
        || node.required_xor().next().is_some()
        || node.required_or().next().is_some()
        || node.dependent_required().next().is_some()
        || node.dependent_excluded().next().is_some()
        || node.min_properties().is_some()
        || node.max_properties().is_some()
}

/// A value that a node takes, if it is plain to see.
fn value(node: Node<'_>, depth: u32) -> Option<Value> {
    if has_combinations(node) {
        return None;
    }
    if let Some(values) = node.values() {
        return values.iter().next().map(|value| json!(value));
    }
    let kind = node.kinds().iter().next()?;
    match kind {
        Kind::String => text(node),
        Kind::Integer | Kind::Number => {
            let least = node.minimum().map_or(1.0, |least| least.value().max(1.0).ceil());
            let fits = node.maximum().is_none_or(|most| least <= most.value()) && node.multiple_of().is_none();
            fits.then(|| json!(least as i64))
        }
        Kind::Boolean => Some(json!(true)),
        Kind::Array => {
            let fits = node.min_items().is_none_or(|least| least <= 1) && node.max_items() != Some(0);
            let item = value(node.items()?, depth.checked_sub(1)?)?;
            fits.then(|| json!([item]))
        }
        Kind::Object => {
            let depth = depth.checked_sub(1)?;
            let mut out = Map::new();
            for property in node.properties() {
                match value(property.node, depth) {
                    Some(value) => {
                        out.insert(property.name.to_owned(), value);
                    }
                    None if property.required => return None,
                    None => {}
                }
            }
            Some(Value::Object(out))
        }
    }
}

/// A string of a format that is judged.
fn of_format(format: &str) -> Option<&'static str> {
    let text = match format {
        "AWS::EC2::SecurityGroup.Id" => "sg-0123456789abcdef0",
        "AWS::EC2::Subnet.Id" => "subnet-0123456789abcdef0",
        "AWS::EC2::VPC.Id" => "vpc-0123456789abcdef0",
        "AWS::EC2::Image.Id" => "ami-0123456789abcdef0",
        "AWS::IAM::Role.Arn" => "arn:aws:iam::123456789012:role/abc",
        "AWS::ACM::Certificate.Arn" => "arn:aws:acm:us-east-1:123456789012:certificate/abc",
        "AWS::KMS::Key.Arn" => "arn:aws:kms:us-east-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab",
        "AWS::Lambda::Function.Arn" => "arn:aws:lambda:us-east-1:123456789012:function:abc",
        "AWS::SNS::Topic.Arn" => "arn:aws:sns:us-east-1:123456789012:abc",
        "AWS::SQS::Queue.Arn" => "arn:aws:sqs:us-east-1:123456789012:abc",
        "ipv4-network" => "10.0.0.0/16",
        "ipv6-network" => "2001:db8::/32",
        "date-time" => "2026-01-01T00:00:00Z",
        "json" => "{}",
        _ => return None,
    };
    Some(text)
}

fn text(node: Node<'_>) -> Option<Value> {
    let (least, most) = (node.min_length().unwrap_or(0), node.max_length().unwrap_or(u64::MAX));
    let fits = |word: &str| (least..=most).contains(&(word.len() as u64));
    let long = "a".repeat(least.clamp(1, 64) as usize);
    let format = node.format().map(of_format);
    let mut words = format.into_iter().flatten().chain(WORDS).chain([long.as_str()]);
    let found =
        words.find(|word| fits(word) && node.pattern().is_none_or(|pattern| pattern.matches(word) == Some(true)));
    found.map(|word| json!(word))
}

/// A value of another kind than a node takes, which CloudFormation does not convert.
pub(super) fn of_another_kind(node: Node<'_>) -> Option<Value> {
    let kinds = node.kinds();
    let has_alternatives = node.one_of().chain(node.any_of()).chain(node.all_of()).next().is_some();
    let is_only = |kind| kinds == Kinds::ANY.with(kind);
    if has_alternatives || kinds.is_any() {
        return None;
    }
    let scalar = [Kind::String, Kind::Integer, Kind::Number, Kind::Boolean].into_iter().any(is_only);
    if scalar {
        return Some(json!({"Wrong": "kind"}));
    }
    if is_only(Kind::Object) {
        return Some(json!(["wrong kind"]));
    }
    (is_only(Kind::Array) && node.items().is_some_and(|items| !items.kinds().is_any()))
        .then(|| json!({"Wrong": "kind"}))
}
