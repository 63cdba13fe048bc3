//! The deletion policies of a template (reference/deploy.md#delete).

use formwork_base::Limits;

use crate::reformat::Alone;

/// Returns the `DeletionPolicy` of each resource that has one as a string, in the order of a template without loops,
/// such as the processed template of a stack.
///
/// ```
/// let template = "Resources: {Logs: {Type: AWS::S3::Bucket, DeletionPolicy: Retain}, Topic: {Type: AWS::SNS::Topic}}";
/// assert_eq!(formwork::deletion_policies(template.as_bytes()), [("Logs".to_owned(), "Retain".to_owned())]);
/// ```
pub fn deletion_policies(template: &[u8]) -> Vec<(String, String)> {
    let text = String::from_utf8_lossy(template);
    let Some(Alone { tree, document, .. }) = Alone::read(&text, &Limits::default()) else { return Vec::new() };
    let Some(resources) = tree.get_text(document.root, "Resources") else { return Vec::new() };
    let policy = |value| tree.get_text(value, "DeletionPolicy").and_then(|policy| tree.string(policy));
    let entries = tree.entries(resources);
    entries.filter_map(|entry| Some((tree.text(entry.key).to_owned(), policy(entry.value)?.to_owned()))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_yaml_and_what_is_neither() {
        let pair = |name: &str, policy: &str| (name.to_owned(), policy.to_owned());
        let json = br#"{"Resources": {"A": {"DeletionPolicy": "Snapshot"}, "B": {"DeletionPolicy": {"Ref": "P"}}}}"#;
        assert_eq!(deletion_policies(json), [pair("A", "Snapshot")]);
        let yaml = b"Resources:\n  A: {Type: T, DeletionPolicy: Retain}\n  B: !Ref A\n  C: 7\n";
        assert_eq!(deletion_policies(yaml), [pair("A", "Retain")]);
        for text in ["", "7", "[]", "{", "Resources: []", "Resources:\n"] {
            assert_eq!(deletion_policies(text.as_bytes()), [], "{text}");
        }
    }
}
