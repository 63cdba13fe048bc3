//! Recognizes files of other tools that are passed as a template by mistake: a report contains the kind of the file,
//! and nothing of its content.

use formwork_syntax::{Kind, NodeId, Tree};

use crate::kind_of_file::TELLING_SECTIONS;

/// The kind of a file that is not a template.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OtherFile {
    /// The kind with an article: "a Kubernetes manifest".
    pub name: &'static str,
    /// Advice, if there is any.
    pub help: Option<&'static str>,
}

/// Top-level keys that all files of a kind have.
const BY_KEYS: &[(&[&str], &str, Option<&str>)] = &[
    (&["apiVersion", "kind"], "a Kubernetes manifest", None),
    (&["apiVersion", "name", "version"], "a description of a Helm chart", None),
    (
        &["service", "provider"],
        "a configuration of Serverless Framework",
        Some("write what is below its `resources` into a file of its own"),
    ),
    (&["service", "functions"], "a configuration of Serverless Framework", None),
    (&["services", "version"], "a Compose file", None),
    (&["services", "name"], "a Compose file", None),
    (&["services", "secrets"], "a Compose file", None),
    (&["services", "volumes"], "a Compose file", None),
    (&["services", "networks"], "a Compose file", None),
    (&["openapi", "info"], "an OpenAPI document", None),
    (&["asyncapi", "info"], "an AsyncAPI document", None),
    (&["openapi", "paths"], "an OpenAPI document", None),
    (&["swagger", "paths"], "an OpenAPI document", None),
    (&["StartAt", "States"], "a state machine definition", None),
    (&["Version", "Statement"], "an IAM policy document", None),
    (&["on", "jobs"], "a GitHub Actions workflow", None),
    (&["version", "phases"], "a build specification of CodeBuild", None),
    (&["version", "jobs", "workflows"], "a configuration of CircleCI", None),
    (&["runtime", "config"], "a project of Pulumi", Some(READS)),
    (&["name", "runtime", "resources"], "a program of Pulumi in YAML", Some(READS)),
    (&["runtime", "description", "name"], "a project of Pulumi", Some(READS)),
    (&["app", "context"], "the configuration of an AWS CDK app", Some(SYNTH)),
    (&["app", "watch"], "the configuration of an AWS CDK app", Some(SYNTH)),
    (&["version", "artifacts"], "a manifest of `cdk.out`", Some("name a `*.template.json` beside it")),
    (&["$schema", "contentVersion", "resources"], "an ARM template of Azure", None),
    (&["imports", "resources"], "a configuration of Google Deployment Manager", None),
    (&["ROSTemplateFormatVersion"], "a template of Alibaba Cloud ROS", None),
    (&["heat_template_version"], "a template of OpenStack Heat", None),
    (&["tosca_definitions_version"], "a TOSCA template", None),
    (&["terraform_version", "resources"], "a state of Terraform", None),
    (&["terraform_version", "planned_values"], "a plan of Terraform", None),
    (&["name", "runs"], "an action of GitHub Actions", None),
    (&["pool", "steps"], "a pipeline of Azure", None),
    (&["version", "os", "files"], "an AppSpec file of CodeDeploy", None),
    (&["version", "default"], "a configuration of SAM CLI", Some("name the template beside it")),
    (&["schemaVersion", "mainSteps"], "a document of Systems Manager", None),
    (&["schemaVersion", "runtimeConfig"], "a document of Systems Manager", None),
    (&["rules", "extends"], "a configuration of ESLint", None),
    (&["rules", "env"], "a configuration of ESLint", None),
    (&["version", "deployment"], "a state of Pulumi", None),
    (&["compilerOptions"], "a configuration of TypeScript", None),
    (&["devDependencies"], "a manifest of npm", None),
    (&["name", "scripts"], "a manifest of npm", None),
    (&["Records"], "an event for a function", Some("pass it with `formwork local invoke -e FILE`")),
    (&["Stacks"], "an answer of DescribeStacks", None),
    (&["TemplateBody"], "an answer of GetTemplate", Some("write what is below its `TemplateBody` into a file")),
    (&["formwork_stack"], "a recorded stack", Some("pass it with `--stack-snapshot FILE`, beside the template")),
    (&["name", "version", "dependencies"], "a manifest of npm", None),
    (&["repos"], "a configuration of pre-commit", None),
    (&["$schema", "type", "properties"], "a JSON Schema", None),
    (&["template-file-path"], DEPLOYMENT, Some("name the template that `template-file-path` has")),
    (&["FormworkAccountSnapshot"], "an account snapshot", Some("pass it with `--account FILE`, beside the template")),
];

const READS: &str = "`formwork` reads CloudFormation templates, in YAML or JSON";

const SYNTH: &str = "run `cdk synth`, and name a template in `cdk.out`";

const DEPLOYMENT: &str = "a deployment file of Git sync";

const VALUES: OtherFile = OtherFile {
    name: "a file of parameter values",
    help: Some("pass it with `--parameters-file`, beside the template"),
};

/// Returns the kind of a file by its keys; `None` for a template or an unknown kind.
pub fn other_file(tree: &Tree, root: NodeId, text: &str) -> Option<OtherFile> {
    if tree.entries(root).any(|entry| TELLING_SECTIONS.contains(&tree.text(entry.key))) {
        let has_list = tree.get_text(root, "Resources").is_some_and(|node| tree.kind(node) == Kind::List);
        let is_app_spec = has_list && tree.get_text(root, "version").is_some();
        return is_app_spec.then_some(OtherFile { name: "an AppSpec file of CodeDeploy", help: None });
    }
    if let Some(name) = of_source(text) {
        let help = if name == PROGRAM { "run it, and name the template that it writes" } else { READS };
        return Some(OtherFile { name, help: Some(help) });
    }
    if is_toml(text) {
        let help = Some("name a template: `samconfig.toml` and `formwork.toml` beside it are read, too");
        return Some(OtherFile { name: "a TOML file", help });
    }
    if tree.kind(root) == Kind::String && text.lines().any(|line| line.starts_with("# ") || line.starts_with("## ")) {
        return Some(OtherFile { name: "Markdown or other text", help: Some(READS) });
    }
    if tree.kind(root) == Kind::List {
        let is_play =
            |&item: &NodeId| tree.entries(item).any(|entry| ["hosts", "tasks"].contains(&tree.text(entry.key)));
        if !tree.is_empty(root) && tree.items(root).iter().all(is_play) {
            return Some(OtherFile { name: "a playbook of Ansible", help: None });
        }
        let is_value = |&item: &NodeId| tree.entries(item).any(|entry| tree.text(entry.key) == "ParameterKey");
        let items = tree.items(root);
        return (!items.is_empty() && items.iter().all(is_value)).then_some(VALUES);
    }
    if tree.kind(root) != Kind::Map {
        return None;
    }
    let keys: Vec<&str> = tree.entries(root).map(|entry| tree.text(entry.key)).collect();
    let of_kind = BY_KEYS.iter().find(|(all, ..)| all.iter().all(|key| keys.contains(key)));
    if let Some(&(_, name, help)) = of_kind {
        return Some(OtherFile { name, help });
    }
    let values = |name: &str| tree.entries(root).find(|entry| tree.text(entry.key) == name).map(|entry| entry.value);
    let is_service = |node: NodeId| tree.entries(node).any(|entry| ["image", "build"].contains(&tree.text(entry.key)));
    if values("services").is_some_and(|services| tree.entries(services).any(|entry| is_service(entry.value))) {
        return Some(OtherFile { name: "a Compose file", help: None });
    }
    let is_of_names = |list: NodeId| {
        tree.kind(list) == Kind::List && !tree.is_empty(list) && tree.items(list).iter().all(|&it| tree.is_scalar(it))
    };
    if values("resources").is_some_and(is_of_names) {
        return Some(OtherFile { name: "a Kustomize file", help: None });
    }
    if keys.iter().all(|key| TERRAFORM.contains(key)) && keys.iter().any(|key| ["resource", "provider"].contains(key)) {
        return Some(OtherFile { name: "Terraform configuration", help: Some(READS) });
    }
    let has_script = |node: NodeId| tree.entries(node).any(|entry| tree.text(entry.key) == "script");
    if tree.entries(root).any(|entry| has_script(entry.value)) {
        return Some(OtherFile { name: "a pipeline of GitLab", help: None });
    }
    // `{"Parameters": {"Stage": "prod"}, "Tags": {...}}`
    let is_of_values = |key: &&str| ["Parameters", "Tags", "StackPolicy"].contains(key);
    let parameters = tree.entries(root).find(|entry| tree.text(entry.key) == "Parameters")?.value;
    let mut values = tree.entries(parameters).map(|entry| entry.value).peekable();
    let holds_values = values.peek().is_some() && values.all(|value| tree.is_scalar(value));
    (keys.iter().all(is_of_values) && holds_values).then_some(VALUES)
}

const PROGRAM: &str = "a program";

/// Returns `true` if the first line is that of a TOML file: the header of a table, or a version.
fn is_toml(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with('#')).unwrap_or_default();
    let name = first.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let is_table = name.is_some_and(|name| {
        !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "._-[]\"".contains(c))
    });
    first.starts_with("version = ") || is_table && text.lines().any(|line| line.contains(" = "))
}

fn of_source(text: &str) -> Option<&'static str> {
    if is_terraform(text) {
        return Some("Terraform configuration");
    }
    let has_line = |start: &str| text.lines().any(|line| line.starts_with(start));
    if has_line("apiVersion:") && has_line("kind:") && text.contains("{{") && !has_line("Resources:") {
        return Some("a template of a Helm chart");
    }
    let mut lines = text.lines().map(str::trim);
    let is_code = |line: &&str| {
        !line.is_empty() && !line.starts_with("//") && !line.starts_with("/*") && !line.starts_with("@description(")
    };
    let first = lines.find(is_code).unwrap_or_default();
    let mut words = first.split_whitespace();
    match (words.next()?, words.next(), words.next()) {
        ("targetScope", Some("="), _) | ("param", Some(_), Some(_)) => Some("a Bicep file"),
        ("resource" | "module", Some(_), Some(path)) if path.starts_with('\'') => Some("a Bicep file"),
        ("import", Some("*" | "{" | "cdk" | "aws_cdk"), _) | ("from", Some(_), Some("import")) => Some(PROGRAM),
        ("package", Some("main"), None) | ("#!/bin/bash" | "#!/bin/sh" | "#!/usr/bin/env", ..) => Some(PROGRAM),
        ("const" | "let" | "var", Some(_), Some("=")) => Some(PROGRAM),
        ("#cloud-config", ..) => Some("a configuration of cloud-init"),
        ("<!DOCTYPE" | "<!doctype" | "<html>" | "<html", ..) => Some("an HTML document"),
        ("<?xml", ..) => Some("an XML document"),
        ("FROM", Some(_), None | Some("AS" | "as")) => Some("a Dockerfile"),
        _ => None,
    }
}

const TERRAFORM: [&str; 8] = ["resource", "variable", "provider", "module", "terraform", "locals", "data", "output"];

fn is_terraform(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with(['#', '/'])).unwrap_or_default();
    let Some(block) = first.strip_suffix('{').or_else(|| first.strip_suffix("{}")) else { return false };
    let mut words = block.split_whitespace();
    let is_block = words.next().is_some_and(|word| TERRAFORM.contains(&word));
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
            ("param location string = 'x'\n\nresource a 'Microsoft.Web/sites@2022-03-01' = {\n}\n", "a Bicep file"),
            ("targetScope = 'subscription'\n", "a Bicep file"),
            ("// storage\nresource a 'Microsoft.Storage/storageAccounts@2022-09-01' = {\n}\n", "a Bicep file"),
            ("name: shop\nruntime: yaml\nresources:\n  a: {type: 'aws:s3:Bucket'}\n", "a program of Pulumi in YAML"),
            ("name: shop\nruntime: nodejs\ndescription: x\n", "a project of Pulumi"),
            ("{\"app\": \"node bin/app.js\", \"context\": {}}", "the configuration of an AWS CDK app"),
            ("import * as cdk from 'aws-cdk-lib';\n", "a program"),
            ("- hosts: all\n  tasks: []\n", "a playbook of Ansible"),
            ("openapi: 3.0.1\ninfo: {title: a}\npaths: {}\n", "an OpenAPI document"),
            ("apiVersion: v2\nname: web\nversion: 0.1.0\n", "a description of a Helm chart"),
            ("apiVersion: v1\nkind: Service\nmetadata:\n  name: {{ .Values.name }}\n", "a template of a Helm chart"),
            ("stages: [test]\ntest:\n  script: [make]\n", "a pipeline of GitLab"),
            ("template-file-path: t.yaml\nparameters: {A: b}\n", "a deployment file of Git sync"),
            ("{\"$schema\": \"x\", \"contentVersion\": \"1.0.0.0\", \"resources\": []}", "an ARM template of Azure"),
            ("FROM python:3.12\nRUN true\n", "a Dockerfile"),
            ("services:\n  web:\n    image: nginx\n", "a Compose file"),
            ("resources:\n- a.yaml\n", "a Kustomize file"),
            ("{\"resource\": {\"aws_sns_topic\": {}}}", "Terraform configuration"),
            ("[default.deploy.parameters]\nstack_name = \"a\"\n", "a TOML file"),
            ("# Title\n\nText.\n", "Markdown or other text"),
            ("{\"TemplateBody\": {\"Resources\": {}}}", "an answer of GetTemplate"),
            ("schemaVersion: '2.2'\ndescription: a\nmainSteps: []\n", "a document of Systems Manager"),
            ("version: 0.0\nResources:\n  - Orders: {Type: AWS::Lambda::Function}\n", "an AppSpec file of CodeDeploy"),
            ("{\"extends\": \"a\", \"rules\": {}}", "a configuration of ESLint"),
            ("{\"version\": 3, \"deployment\": {}}", "a state of Pulumi"),
            ("<?xml version=\"1.0\"?>\n<a/>\n", "an XML document"),
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
            "resources:\n  T: {Type: AWS::SNS::Topic}\n",
        ] {
            assert_eq!(name(text), None, "{text}");
        }
    }
}
