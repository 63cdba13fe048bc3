//! `graph` read by the programs that its formats are for: Graphviz, and Mermaid's own parser (reference/graph.md#formats).
//!
//! The graphs are those of the examples, of the pages and of the fixtures, with names that need escaping, and one of 600
//! resources.
#![cfg(all(feature = "aws", feature = "local", unix))]

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use crate::schemas::blocks::{repository, templates};
use crate::support::folder::Folder;

/// Of the pages and fixtures every so many templates are drawn.
const STEP: usize = 6;

/// Names that are syntax in each of the formats.
const ODD: &str = "Resources:\n  end: {Type: AWS::SNS::Topic}\n  graph: {Type: AWS::SNS::Topic, DependsOn: end}\n  subgraph: {Type: 'AWS::SNS::Topic', Properties: {DisplayName: !Ref graph}}\n  style: {Type: \"Custom::A-b_c@d\", Properties: {ServiceToken: !GetAtt graph.TopicArn}}\nOutputs:\n  click: {Value: !Sub \"${style}\"}\nConditions:\n  default: !Equals [\"a\", \"b\"]\n";

fn large() -> String {
    let mut text = "Resources:\n  Topic0: {Type: AWS::SNS::Topic}\n".to_owned();
    for at in 1..600 {
        let used = (at * 7 + 1) % at;
        let _ = writeln!(text, "  Topic{at}: {{Type: AWS::SNS::Topic, Properties: {{DisplayName: !Ref Topic{used}}}}}");
    }
    text
}

/// A directory of graphs in a format, and how many there are.
fn drawn(name: &str, format: &str, extension: &str) -> (Folder, usize) {
    let folder = Folder::new("graph-readers", name);
    let mut texts: Vec<String> = templates().iter().step_by(STEP).map(|block| block.text.clone()).collect();
    for entry in fs::read_dir(repository().join("examples")).expect("the examples").flatten() {
        texts.extend(fs::read_to_string(entry.path().join("expanded.yaml")));
    }
    texts.extend([ODD.to_owned(), large()]);
    let mut count = 0;
    for (at, text) in texts.iter().enumerate() {
        let template = format!("{at}.yaml");
        fs::write(folder.path(&template), text).expect("written");
        let file = format!("{at}.{extension}");
        let with = "parameters,outputs,conditions,imports";
        folder.run(&["graph", &template, "--format", format, "--with", with, "-o", &file]);
        // Some templates of the fixtures are wrong on purpose; a cycle is drawn all the same.
        count += usize::from(folder.path(&file).exists());
    }
    assert!(count > 60, "{count} of {}", texts.len());
    (folder, count)
}

/// Prints why something is skipped, unless the variable requires it.
fn skipped(what: &str, required: &str) {
    assert!(std::env::var_os(required).is_none(), "{what}");
    eprintln!("skipped: {what}");
}

fn files(folder: &Folder, extension: &str) -> Vec<PathBuf> {
    let all = fs::read_dir(folder.path(".")).expect("a directory").flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> = all.filter(|path| path.extension() == Some(OsStr::new(extension))).collect();
    files.sort();
    files
}

#[test]
fn graphviz_reads_every_graph_as_it_is() {
    if Command::new("dot").arg("-V").output().is_err() {
        return skipped("Graphviz is not here", "FORMWORK_REQUIRE_GRAPHVIZ");
    }
    let (folder, count) = drawn("dot", "dot", "dot");
    let files = files(&folder, "dot");
    assert_eq!(files.len(), count);
    let output = Command::new("dot").arg("-Tdot_json").args(&files).output().expect("dot");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && errors.is_empty(), "{errors}");
    // It sees the nodes and edges of the graph, by their logical IDs.
    let graphs = serde_json::Deserializer::from_slice(&output.stdout).into_iter::<Value>();
    let mut seen = 0;
    for (graph, file) in graphs.zip(&files) {
        let graph = graph.expect("JSON");
        let template = file.with_extension("yaml");
        let with = "parameters,outputs,conditions,imports";
        let template = template.to_string_lossy();
        let run = folder.run(&["graph", &template, "--format", "json", "--with", with]);
        let ours: Value = serde_json::from_str(&run.out).expect("JSON");
        let texts = |value: &Value, name: &str, of: &str| -> Vec<String> {
            let all = value[name].as_array().into_iter().flatten();
            let mut names: Vec<String> = all.filter_map(|one| Some(one[of].as_str()?.to_owned())).collect();
            names.sort();
            names
        };
        let mut objects = texts(&graph, "objects", "name");
        objects.retain(|name| !name.starts_with("cluster_"));
        assert_eq!(objects, texts(&ours, "nodes", "id"), "{template}");
        let count = |value: &Value| value["edges"].as_array().map_or(0, Vec::len);
        assert_eq!(count(&graph), count(&ours), "{template}");
        seen += 1;
    }
    assert_eq!(seen, count);
}

#[test]
fn mermaid_parses_every_graph() {
    let found = std::env::var_os("FORMWORK_MERMAID").map(PathBuf::from);
    let Some(packages) = found.filter(|folder| folder.join("node_modules/mermaid/package.json").is_file()) else {
        return skipped("FORMWORK_MERMAID names no directory with mermaid", "FORMWORK_REQUIRE_MERMAID");
    };
    let (folder, count) = drawn("mermaid", "mermaid", "mmd");
    let files = files(&folder, "mmd");
    assert_eq!(files.len(), count);
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/graph_readers/mermaid.mjs");
    let output = Command::new("node").arg(script).arg(&packages).args(&files).output().expect("node");
    let (printed, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{printed}{errors}");
    assert_eq!(printed.trim(), format!("{count} parsed, a broken one refused"));
}
