//! Local files of a template: in the deployed template they are objects in S3.

use formwork_template::artifact;
use serde_json::Value;

use crate::sides::kind;

/// Returns the author's body of a resource with the deployed values of properties with local files, whatever is in the
/// files: a refactor changes no code.
pub(crate) fn with_deployed(authored: &Value, deployed: &Value) -> Value {
    let mut body = authored.clone();
    for artifact in artifact::of_type(kind(authored)) {
        let path: Vec<&str> = std::iter::once("Properties").chain(artifact.property.iter().copied()).collect();
        let Some(value) = at(deployed, &path) else { continue };
        if let Some(own) = at_mut(&mut body, &path)
            && is_local(own)
        {
            *own = value.clone();
        }
    }
    body
}

fn is_local(value: &Value) -> bool {
    value.as_str().is_some_and(|text| !text.contains("://"))
}

fn at<'v>(value: &'v Value, path: &[&str]) -> Option<&'v Value> {
    path.iter().try_fold(value, |value, key| value.get(key))
}

fn at_mut<'v>(value: &'v mut Value, path: &[&str]) -> Option<&'v mut Value> {
    path.iter().try_fold(value, |value, key| value.get_mut(key))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_local_path_is_the_object_that_is_deployed() {
        let body =
            |code: Value| json!({"Type": "AWS::Lambda::Function", "Properties": {"Handler": "a.b", "Code": code}});
        let deployed = body(json!({"S3Bucket": "b", "S3Key": "k"}));
        assert_eq!(with_deployed(&body(json!("src")), &deployed), deployed);
        let other = body(json!("s3://c/d"));
        assert_eq!(with_deployed(&other, &deployed), other);
        let inline = body(json!({"ZipFile": "x"}));
        assert_eq!(with_deployed(&inline, &deployed), inline);
    }
}
