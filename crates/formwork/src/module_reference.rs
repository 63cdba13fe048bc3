//! The interface of a module, its parameters and outputs, as Markdown (reference/command-line.md#modules-doc).

use std::fmt::Write as _;

use formwork_base::display::{escape_lines, mask_credentials};
use formwork_syntax::{Kind, NodeId, Tree, Value, symbol};
use formwork_template::Template;

use crate::compilation::Compilation;

impl Compilation {
    /// Returns the interface of the module `name` as Markdown: parameters with their types, defaults and schemas,
    /// outputs, and the resources that it generates.
    pub fn module_reference(&self, name: &str) -> String {
        escape_lines(&reference(&self.tree, self.document.root, name)).into_owned()
    }
}

fn reference(tree: &Tree, root: NodeId, name: &str) -> String {
    let mut text = format!("# {}\n", inline(name));
    if let Some(description) = tree.get(root, symbol::DESCRIPTION) {
        let _ = writeln!(text, "\n{}", tree.text(description).trim());
    }
    let template = Template::new(tree, root);
    if !template.parameters.is_empty() {
        text.push_str("\n## Properties\n\n| name | type | default | |\n|---|---|---|---|\n");
        let schemas = tree.get_text(root, "ParameterSchema");
        for parameter in &template.parameters {
            let name = tree.name(parameter.name);
            let schema = schemas.and_then(|schemas| tree.get(schemas, parameter.name));
            let kind = tree.get(parameter.node, symbol::TYPE).map_or("String", |node| tree.text(node));
            let default = schema.and_then(|schema| tree.get(schema, symbol::DEFAULT)).or(parameter.default);
            let default = default.map_or_else(|| "required".to_owned(), |node| shown(tree, node, parameter.no_echo));
            let about = tree.get(parameter.node, symbol::DESCRIPTION).map_or("", |node| tree.text(node));
            let _ = writeln!(text, "| `{}` | {} | {} | {} |", cell(name), cell(kind), default, cell(about));
        }
        for parameter in &template.parameters {
            let Some(schema) = schemas.and_then(|schemas| tree.get(schemas, parameter.name)) else { continue };
            let _ = writeln!(text, "\n### {}\n", inline(tree.name(parameter.name)));
            members(tree, schema, "", parameter.no_echo, &mut text);
        }
    }
    let entries = |name| tree.get(root, name).filter(|&node| tree.kind(node) == Kind::Map);
    if let Some(outputs) = entries(symbol::OUTPUTS).filter(|&node| !tree.is_empty(node)) {
        text.push_str("\n## Outputs\n\n| name | condition | |\n|---|---|---|\n");
        for entry in tree.entries(outputs) {
            let of = |name| tree.get(entry.value, name).map_or("", |node| tree.text(node));
            let (condition, about) = (of(symbol::CONDITION), of(symbol::DESCRIPTION));
            let _ = writeln!(text, "| `{}` | {} | {} |", cell(tree.text(entry.key)), cell(condition), cell(about));
        }
    }
    if let Some(resources) = entries(symbol::RESOURCES).filter(|&node| !tree.is_empty(node)) {
        text.push_str("\n## Resources\n\n| id | type | condition |\n|---|---|---|\n");
        for entry in tree.entries(resources) {
            let of = |name| tree.get(entry.value, name).map_or("", |node| tree.text(node));
            let (kind, condition) = (of(symbol::TYPE), of(symbol::CONDITION));
            let _ = writeln!(text, "| `{}` | {} | {} |", cell(tree.text(entry.key)), cell(kind), cell(condition));
        }
    }
    if let Some(modules) = tree.get_text(root, "Modules").filter(|&node| !tree.is_empty(node)) {
        text.push_str("\n## Modules\n\n| name | source |\n|---|---|\n");
        for entry in tree.entries(modules) {
            let source = tree.get_text(entry.value, "Source").map_or("", |node| tree.text(node));
            let _ = writeln!(text, "| `{}` | {} |", cell(tree.text(entry.key)), cell(&mask_credentials(source)));
        }
    }
    text
}

/// Lists the requirements of a schema, one line per key.
fn members(tree: &Tree, schema: NodeId, path: &str, is_secret: bool, text: &mut String) {
    const DEEP: usize = 16;
    let mut words = Vec::new();
    for entry in tree.entries(schema) {
        match tree.text(entry.key) {
            "Properties" | "Items" | "Description" => {}
            word => words.push(format!("{} {}", word, shown(tree, entry.value, is_secret && word == "Default"))),
        }
    }
    let place = if path.is_empty() { "the value" } else { path };
    let _ = writeln!(text, "- `{}`: {}", inline(place), words.join(", "));
    if path.matches(['.', '[']).count() >= DEEP {
        return;
    }
    if let Some(items) = tree.get_text(schema, "Items") {
        members(tree, items, &format!("{path}[]"), is_secret, text);
    }
    if let Some(properties) = tree.get(schema, symbol::PROPERTIES) {
        for entry in tree.entries(properties) {
            members(tree, entry.value, &format!("{path}.{}", tree.text(entry.key)), is_secret, text);
        }
    }
}

fn shown(tree: &Tree, node: NodeId, is_secret: bool) -> String {
    if is_secret {
        return "`****`".to_owned();
    }
    format!("`{}`", cell(&one_line(&Value::new(tree, node))))
}

fn one_line(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(truth) => truth.to_string(),
        Value::Number(text) | Value::String(text) => text.clone(),
        Value::List(items) => format!("[{}]", items.iter().map(one_line).collect::<Vec<_>>().join(", ")),
        Value::Map(members) => {
            let members: Vec<String> =
                members.iter().map(|(name, value)| format!("{name}: {}", one_line(value))).collect();
            format!("{{{}}}", members.join(", "))
        }
    }
}

fn cell(text: &str) -> String {
    inline(text).replace('|', "\\|").replace('`', "'")
}

fn inline(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use formwork_base::MemoryHost;

    use crate::{Goal, Options, Session};

    #[test]
    fn a_module_declares_what_goes_in_and_out() {
        let text = "Description: A topic\nParameters:\n  Label: {Type: String, Description: Its name | shown}\n  Conf: {Type: Object, Default: {A: [1]}}\n  Key: {Type: String, NoEcho: true, Default: hidden}\nParameterSchema:\n  Conf: {Type: Object, Properties: {A: {Type: Array, Items: {Type: Number, Minimum: 1}}}}\nResources:\n  T: {Type: 'AWS::SNS::Topic', Condition: C}\nOutputs:\n  Arn: {Description: Its ARN, Value: !Ref T}\n";
        let host = MemoryHost::new().with("topic.yaml", text);
        let found = Session::new(&host, Options::default()).compile("topic.yaml", Goal::Expand);
        let want = "# topic.yaml\n\nA topic\n\n## Properties\n\n| name | type | default | |\n|---|---|---|---|\n| `Label` | String | required | Its name \\| shown |\n| `Conf` | Object | `{A: [1]}` |  |\n| `Key` | String | `****` |  |\n\n### Conf\n\n- `the value`: Type `Object`\n- `.A`: Type `Array`\n- `.A[]`: Type `Number`, Minimum `1`\n\n## Outputs\n\n| name | condition | |\n|---|---|---|\n| `Arn` |  | Its ARN |\n\n## Resources\n\n| id | type | condition |\n|---|---|---|\n| `T` | AWS::SNS::Topic | C |\n";
        assert_eq!(found.module_reference("topic.yaml"), want);
    }

    #[test]
    fn secrets_and_credentials_are_not_shown() {
        let text = "Parameters:\n  Key: {Type: String, NoEcho: true}\nParameterSchema:\n  Key: {Type: Object, Default: canary, Properties: {A: {Default: canary}}}\nModules:\n  M: {Source: 'https://user:canary@host/m.yaml?token=canary'}\n";
        let host = MemoryHost::new().with("m.yaml", text);
        let found = Session::new(&host, Options::default()).compile("m.yaml", Goal::Expand);
        let reference = found.module_reference("m.yaml");
        assert!(reference.contains("https://****@host") && !reference.contains("canary"), "{reference}");
    }
}
