//! Finds the uploaded files of a deployed template.

use formwork_template::artifact::{self, Form, LocationKeys};
use formwork_template::{ecr, pseudo_parameter};
use serde_json::Value;

/// Returns the keys of objects in a bucket, below a prefix, that artifact properties of a processed template refer to:
/// each once, in the order of the template.
pub(crate) fn keys(template: &Value, bucket: &str, prefix: Option<&str>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let resources = template.get("Resources").and_then(Value::as_object);
    for resource in resources.into_iter().flat_map(serde_json::Map::values) {
        let kind = resource.get("Type").and_then(Value::as_str).unwrap_or_default();
        let Some(properties) = resource.get("Properties") else { continue };
        for artifact in artifact::of_type(kind) {
            for value in at(properties, artifact.property) {
                let Some((own, key)) = location(value, artifact.form, template) else { continue };
                let is_below =
                    prefix.is_none_or(|prefix| key.strip_prefix(prefix).is_some_and(|rest| rest.starts_with('/')));
                if own == bucket && is_below && !found.contains(&key) {
                    found.push(key);
                }
            }
        }
    }
    found
}

/// Returns the values at a path, in which `*` is any key.
fn at<'v>(value: &'v Value, path: &[&str]) -> Vec<&'v Value> {
    path.iter().fold(vec![value], |values, name| match *name {
        "*" => values.into_iter().filter_map(Value::as_object).flat_map(serde_json::Map::values).collect(),
        name => values.into_iter().filter_map(|value| value.get(name)).collect(),
    })
}

fn location(value: &Value, form: Form, template: &Value) -> Option<(String, String)> {
    let text = |value: &Value| string(value, template);
    match form {
        Form::Image => None,
        Form::S3 => of_uri(&text(value)?),
        Form::Https => of_uri(&text(value)?).or_else(|| of_https(&text(value)?)),
        Form::LocationKeys(LocationKeys { bucket, key, or_text, .. }) => match text(value).filter(|_| or_text) {
            Some(uri) => of_uri(&uri),
            None => Some((text(value.get(bucket)?)?, text(value.get(key)?)?)),
        },
    }
}

fn of_uri(text: &str) -> Option<(String, String)> {
    let (bucket, key) = text.strip_prefix("s3://")?.split_once('/')?;
    Some((bucket.to_owned(), key.to_owned()))
}

/// Parses `https://s3.REGION.amazonaws.com/BUCKET/KEY`, or `https://BUCKET.s3.REGION.amazonaws.com/KEY`. The host is
/// compared completely, with the suffix of the Region's partition: another host may serve foreign objects.
fn of_https(text: &str) -> Option<(String, String)> {
    let (host, path) = text.strip_prefix("https://")?.split_once('/')?;
    if is_s3(host) {
        let (bucket, key) = path.split_once('/')?;
        return Some((bucket.to_owned(), key.to_owned()));
    }
    let mut starts = host.match_indices(".s3").map(|(at, _)| at);
    let bucket = starts.find_map(|at| is_s3(host.get(at + 1..)?).then(|| host.get(..at))?)?;
    Some((bucket.to_owned(), path.to_owned()))
}

/// `true` for a host of S3 itself: `s3.REGION.SUFFIX`, also with `-` before the Region, with `dualstack`, or without a
/// Region.
fn is_s3(host: &str) -> bool {
    if host == "s3.amazonaws.com" {
        return true;
    }
    let rest =
        host.strip_prefix("s3.dualstack.").or_else(|| host.strip_prefix("s3.")).or_else(|| host.strip_prefix("s3-"));
    let parts = rest.and_then(|rest| rest.split_once('.'));
    parts.is_some_and(|(region, suffix)| ecr::is_region(region) && suffix == pseudo_parameter::of_region(region).1)
}

/// Returns a string, also one that is looked up in the Mappings by literal names.
fn string(value: &Value, template: &Value) -> Option<String> {
    if let Some(text) = value.as_str() {
        return Some(text.to_owned());
    }
    let names = value.get("Fn::FindInMap")?.as_array()?;
    let found = names.iter().try_fold(template.get("Mappings")?, |table, name| table.get(name.as_str()?))?;
    found.as_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn objects_of_the_bucket_below_the_prefix() {
        let function = |code: Value| json!({"Type": "AWS::Lambda::Function", "Properties": {"Code": code}});
        let template = json!({
            "Mappings": {"Code": {"a": {"Key": "shop/mapped"}}},
            "Resources": {
                "A": function(json!({"S3Bucket": "b", "S3Key": "shop/one"})),
                "Same": function(json!({"S3Bucket": "b", "S3Key": "shop/one"})),
                "B": function(json!({"S3Bucket": "other", "S3Key": "shop/two"})),
                "C": function(json!({"S3Bucket": "b", "S3Key": "shopping/three"})),
                "D": function(json!({"ZipFile": "x"})),
                "E": function(json!({"S3Bucket": "b", "S3Key": {"Fn::FindInMap": ["Code", "a", "Key"]}})),
                "F": function(json!({"S3Bucket": {"Ref": "Bucket"}, "S3Key": "shop/four"})),
                "G": {"Type": "AWS::Serverless::Function", "Properties": {"CodeUri": "s3://b/shop/five"}},
                "N": {"Type": "AWS::CloudFormation::Stack", "Properties": {"TemplateURL": "https://s3.eu-west-1.amazonaws.com/b/shop/six.template"}},
                "M": {"Type": "AWS::CloudFormation::Stack", "Properties": {"TemplateURL": "https://b.s3.eu-west-1.amazonaws.com/shop/seven.template"}},
                "X": {"Type": "AWS::SNS::Topic", "Properties": {"CodeUri": "s3://b/shop/no"}},
            },
        });
        assert_eq!(
            keys(&template, "b", Some("shop")),
            ["shop/one", "shop/mapped", "shop/five", "shop/six.template", "shop/seven.template"]
        );
        assert_eq!(keys(&template, "b", None).len(), 6);
        assert_eq!(keys(&Value::Null, "b", None), Vec::<String>::new());
    }

    #[test]
    fn hosts_of_s3_are_compared_whole() {
        let own = Some(("b".to_owned(), "k/l".to_owned()));
        for host in [
            "s3.amazonaws.com",
            "s3.eu-west-1.amazonaws.com",
            "s3-us-west-2.amazonaws.com",
            "s3.cn-north-1.amazonaws.com.cn",
        ] {
            assert_eq!(of_https(&format!("https://{host}/b/k/l")), own, "{host}");
        }
        for host in ["b.s3.amazonaws.com", "b.s3.eu-west-1.amazonaws.com", "b.s3.dualstack.eu-west-1.amazonaws.com"] {
            assert_eq!(of_https(&format!("https://{host}/k/l")), own, "{host}");
        }
        let dotted = Some(("a.s3.b".to_owned(), "k".to_owned()));
        assert_eq!(of_https("https://a.s3.b.s3.eu-west-1.amazonaws.com/k"), dotted);
        for host in [
            "s3.evil.example",
            "s3.eu-west-1.amazonaws.com.evil.example",
            "s3-evil.example",
            "b.s3.evil.example",
            "b.s3-evil.example",
            "s3.eu-west-1.amazonaws.com.cn",
            "evils3.eu-west-1.amazonaws.com",
            "s3.eu-west-1.amazonaws.com:443",
        ] {
            assert_eq!(of_https(&format!("https://{host}/b/k")), None, "{host}");
        }
    }
}
