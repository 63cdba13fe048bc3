//! Files of other tools that are named as a template by mistake: a report names what the file is, and quotes nothing of it.

use formwork_syntax::{Kind, NodeId, Tree};

use crate::kind_of_file::TELLING_SECTIONS;

/// What a file is that is not a template.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OtherFile {
    /// With an article: "a Kubernetes manifest".
    pub name: &'static str,
    /// What to do instead, when there is something.
    pub help: Option<&'static str>,
}

/// Keys at the top level that all are in a file of a kind.
const BY_KEYS: [(&[&str], &str, Option<&str>); 12] = [
    (&["apiVersion", "kind"], "a Kubernetes manifest", None),
    (
        &["service", "provider"],
        "a configuration of Serverless Framework",
        Some("write what is below its `resources` into a file of its own"),
    ),
    (&["services", "version"], "a Compose file", None),
    (&["services", "volumes"], "a Compose file", None),
    (&["services", "networks"], "a Compose file", None),
    (&["openapi", "paths"], "an OpenAPI document", None),
    (&["swagger", "paths"], "an OpenAPI document", None),
    (&["StartAt", "States"], "a state machine definition", None),
    (&["Version", "Statement"], "an IAM policy document", None),
    (&["on", "jobs"], "a GitHub Actions workflow", None),
    (&["version", "phases"], "a build specification of CodeBuild", None),
    (&["FormworkAccountSnapshot"], "an account snapshot", Some("pass it with `--account FILE`, beside the template")),
];

const VALUES: OtherFile = OtherFile {
    name: "a file of parameter values",
    help: Some("pass it with `--parameters-file`, beside the template"),
};

/// Returns what a file is by its keys; `None` for a template, and for what is not known.
pub fn other_file(tree: &Tree, root: NodeId, text: &str) -> Option<OtherFile> {
    if is_terraform(text) {
        let help = Some("`formwork` reads CloudFormation templates, in YAML or JSON");
        return Some(OtherFile { name: "Terraform configuration", help });
    }
    if tree.kind(root) == Kind::List {
        let is_value = |&item: &NodeId| tree.entries(item).any(|entry| tree.text(entry.key) == "ParameterKey");
        let items = tree.items(root);
        return (!items.is_empty() && items.iter().all(is_value)).then_some(VALUES);
    }
    if tree.kind(root) != Kind::Map {
        return None;
    }
    let keys: Vec<&str> = tree.entries(root).map(|entry| tree.text(entry.key)).collect();
    if keys.iter().any(|key| TELLING_SECTIONS.contains(key)) {
        return None;
    }
    let of_kind = BY_KEYS.iter().find(|(all, ..)| all.iter().all(|key| keys.contains(key)));
    if let Some(&(_, name, help)) = of_kind {
        return Some(OtherFile { name, help });
    }
    // `{"Parameters": {"Stage": "prod"}, "Tags": {...}}`
    let is_of_values = |key: &&str| ["Parameters", "Tags", "StackPolicy"].contains(key);
    let parameters = tree.entries(root).find(|entry| tree.text(entry.key) == "Parameters")?.value;
    let mut values = tree.entries(parameters).map(|entry| entry.value).peekable();
    let holds_values = values.peek().is_some() && values.all(|value| tree.is_scalar(value));
    (keys.iter().all(is_of_values) && holds_values).then_some(VALUES)
}

/// Whether the first line that is not empty or a comment begins a block of Terraform.
fn is_terraform(text: &str) -> bool {
    const BLOCKS: [&str; 8] = ["resource", "variable", "provider", "module", "terraform", "locals", "data", "output"];
    let mut lines = text.lines().map(str::trim);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with(['#', '/'])).unwrap_or_default();
    let Some(block) = first.strip_suffix('{').or_else(|| first.strip_suffix("{}")) else { return false };
    let mut words = block.split_whitespace();
    let is_block = words.next().is_some_and(|word| BLOCKS.contains(&word));
    is_block && words.all(|word| word.len() > 1 && word.starts_with('"') && word.ends_with('"'))
}

#[cfg(test)]
mod tests {
    use formwork_base::{Diagnostics, Limits, SourceMap, VirtualPath};

    use super::*;

    fn name(text: &str) -> Option<&'static str> {
        let (mut tree, mut sources) = (Tree::new(), SourceMap::new());
        let file = sources.add(VirtualPath::new("t.yaml"), text).expect("a file");
        let document =
            formwork_syntax::read(&mut tree, &sources, file, &Limits::default(), &mut Diagnostics::default());
        other_file(&tree, document.root, text).map(|file| file.name)
    }

    #[test]
    fn files_of_other_tools_are_known_by_their_keys() {
        for (text, want) in [
            ("apiVersion: v1\nkind: Service\nmetadata: {name: a}\n", "a Kubernetes manifest"),
            (
                "service: a\nprovider: {name: aws}\nresources: {Resources: {}}\n",
                "a configuration of Serverless Framework",
            ),
            ("services: {web: {image: nginx}}\nversion: '3'\n", "a Compose file"),
            ("name: ci\non: push\njobs: {}\n", "a GitHub Actions workflow"),
            ("{\"Version\": \"2012-10-17\", \"Statement\": []}", "an IAM policy document"),
            ("[{\"ParameterKey\": \"A\", \"ParameterValue\": \"b\"}]", "a file of parameter values"),
            ("{\"Parameters\": {\"A\": \"b\"}, \"Tags\": {\"c\": \"d\"}}", "a file of parameter values"),
            ("# main\nresource \"aws_sns_topic\" \"t\" {\n}\n", "Terraform configuration"),
            ("terraform {\n}\n", "Terraform configuration"),
        ] {
            assert_eq!(name(text), Some(want), "{text}");
        }
        for text in [
            "Resources: {A: {Type: AWS::SNS::Topic}}\nkind: x\napiVersion: y\n",
            "Parameters: {A: {Type: String}}\n",
            "Parameters: {A: b}\nOutputs: {}\n",
            "Parameters: {}\n",
            "data: {}\n",
            "a: b\n",
        ] {
            assert_eq!(name(text), None, "{text}");
        }
    }
}
