//! Files that list existing resources for an import into a stack (reference/deploy.md#import).

use formwork_base::Limits;
use formwork_syntax::{Kind, NodeId, Tree};

use crate::reformat::Alone;

/// An existing resource to be imported into a stack.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ImportRecord {
    /// The logical ID in the stack.
    pub logical_id: String,
    /// The resource type, if the file has it.
    pub kind: Option<String>,
    /// The identifying properties and their values; `None` for a value that is not a string.
    pub identifier: Vec<(String, Option<String>)>,
    /// The line of the record, from 1.
    pub line: u32,
}

/// Parses a file of import records: a list of `{ResourceType, LogicalResourceId, ResourceIdentifier}`, as for the AWS
/// CLI, or an object with the identifier of each logical ID, as for `cdk import`. `None` for another shape.
///
/// ```
/// let records = formwork::import_records(b"{\"Orders\": {\"QueueUrl\": \"https://x\"}}").expect("an object");
/// assert_eq!((records[0].logical_id.as_str(), records[0].identifier[0].0.as_str()), ("Orders", "QueueUrl"));
/// ```
pub fn import_records(file: &[u8]) -> Option<Vec<ImportRecord>> {
    let text = String::from_utf8_lossy(file);
    let Alone { tree, document, sources, .. } = Alone::read(&text, &Limits::default())?;
    let line = |node| sources.place(tree.span(node)).map_or(1, |place| place.line);
    match tree.kind(document.root) {
        Kind::List => tree
            .items(document.root)
            .iter()
            .map(|&item| {
                let text = |name| tree.get_text(item, name).and_then(|node| tree.string(node)).map(str::to_owned);
                let id = tree.get_text(item, "LogicalResourceId")?;
                Some(ImportRecord {
                    logical_id: tree.string(id)?.to_owned(),
                    kind: text("ResourceType"),
                    identifier: identifier(&tree, tree.get_text(item, "ResourceIdentifier"))?,
                    line: line(id),
                })
            })
            .collect(),
        Kind::Map => tree
            .entries(document.root)
            .map(|entry| {
                Some(ImportRecord {
                    logical_id: tree.text(entry.key).to_owned(),
                    kind: None,
                    identifier: identifier(&tree, Some(entry.value))?,
                    line: line(entry.key),
                })
            })
            .collect(),
        _ => None,
    }
}

/// The properties of an identifier; empty without one, `None` when it is not an object.
fn identifier(tree: &Tree, node: Option<NodeId>) -> Option<Vec<(String, Option<String>)>> {
    let Some(node) = node else { return Some(Vec::new()) };
    let value = |node| tree.string(node).map(str::to_owned);
    (tree.kind(node) == Kind::Map)
        .then(|| tree.entries(node).map(|entry| (tree.text(entry.key).to_owned(), value(entry.value))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_shapes_in_json_and_yaml() {
        let list = b"- LogicalResourceId: Orders\n  ResourceType: AWS::SQS::Queue\n  ResourceIdentifier: {QueueUrl: https://x, N: 7}\n";
        let records = import_records(list).expect("a list");
        assert_eq!((records[0].line, records[0].kind.as_deref()), (1, Some("AWS::SQS::Queue")));
        let pair = |name: &str, value: Option<&str>| (name.to_owned(), value.map(str::to_owned));
        assert_eq!(records[0].identifier, [pair("QueueUrl", Some("https://x")), pair("N", None)]);
        let object = b"{\"A\": {\"B\": \"c\"},\n \"D\": {}}";
        let records = import_records(object).expect("an object");
        assert_eq!((records[1].logical_id.as_str(), records[1].line), ("D", 2));
        for other in ["", "7", "[1]", "{\"A\": 1}", "[{\"ResourceType\": \"X\"}]"] {
            assert_eq!(import_records(other.as_bytes()), None, "{other}");
        }
    }
}
