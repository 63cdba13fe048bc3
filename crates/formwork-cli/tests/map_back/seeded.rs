//! A collection of errors, each in every kind of place that repeats or moves a resource: tools that are installed
//! (`FORMWORK_TOOLS`) find them in the expansion, and `check --with` reports each once, on the line that it was seeded on.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use crate::support::folder::Folder;

/// Resources with one error each. A resource is what is written below its logical ID; the line that ends in `#!` has the
/// error, without such a line it is that of the logical ID.
struct Fault {
    tool: &'static str,
    rule: &'static str,
    resource: &'static str,
}

const fn fault(tool: &'static str, rule: &'static str, resource: &'static str) -> Fault {
    Fault { tool, rule, resource }
}

const FAULTS: &[Fault] = &[
    fault("cfn-lint", "E3002", "Type: AWS::SQS::Queue\nProperties:\n  DelaySeconds: 5\n  Nam: x #!\n"),
    fault("cfn-lint", "E3003", "Type: AWS::IAM::Role\nProperties: #!\n  Path: /\n"),
    fault("cfn-lint", "E3006", "Type: AWS::SQS::Quee #!\n"),
    fault("cfn-lint", "E3012", "Type: AWS::SQS::Queue\nProperties:\n  DelaySeconds: abc #!\n"),
    fault("cfn-lint", "E3030", "Type: AWS::Logs::LogGroup\nProperties:\n  RetentionInDays: 8 #!\n"),
    fault("cfn-lint", "E3034", "Type: AWS::SQS::Queue\n# A comment\nProperties: {DelaySeconds: 1000} #!\n"),
    fault("cfn-lint", "W3045", "Type: AWS::S3::Bucket\nProperties:\n  AccessControl: PublicRead #!\n"),
    fault("cloudformation-validate", "F3002", "Type: AWS::SNS::Topic\nProperties:\n  TopicName: a\n  Nam: x #!\n"),
    fault("cloudformation-validate", "F3012", "Type: AWS::SQS::Queue\nProperties:\n  DelaySeconds: abc #!\n"),
    // The tool reports it at the logical ID.
    fault("cloudformation-validate", "F3006", "Type: AWS::SQS::Quee\n"),
    fault("cloudformation-validate", "F3034", "Type: AWS::SQS::Queue\nProperties:\n  DelaySeconds: 1000 #!\n"),
    fault("checkov", "CKV_AWS_27", "Type: AWS::SQS::Queue\nProperties:\n  DelaySeconds: 5\n"),
    fault("checkov", "CKV_AWS_20", "Type: AWS::S3::Bucket\nProperties:\n  AccessControl: PublicRead\n"),
    fault("checkov", "CKV_AWS_158", "Type: AWS::Logs::LogGroup\nProperties:\n  RetentionInDays: 7\n"),
    fault("cfn-guard", "QUEUE_DELAY", "Type: AWS::SQS::Queue\nProperties:\n  DelaySeconds: 900 #!\n"),
    fault("cfn-guard", "VOLUME_ENCRYPTED", "Type: AWS::EC2::Volume\nProperties:\n  Size: 5\n  Encrypted: false #!\n"),
    fault("cfn-guard", "TOPIC_KEY", "Type: AWS::SNS::Topic\nProperties: #!\n  DisplayName: x\n"),
];

const GUARD_RULES: &str = "rule queue_delay {
  Resources.*[ Type == 'AWS::SQS::Queue' ].Properties.DelaySeconds < 900
}
rule volume_encrypted {
  Resources.*[ Type == 'AWS::EC2::Volume' ].Properties.Encrypted == true
}
rule topic_key {
  Resources.*[ Type == 'AWS::SNS::Topic' ].Properties.KmsMasterKeyId exists
}
";

/// Where a resource is.
#[derive(Clone, Copy, PartialEq, Debug)]
enum At {
    /// In the template.
    Plain,
    Loop,
    LoopInLoop,
    /// In a module that is imported twice.
    Module,
    /// In a module that a list repeats.
    RepeatedModule,
    LoopInModule,
    ModuleInModule,
}

const PLACES: [At; 7] =
    [At::Plain, At::Loop, At::LoopInLoop, At::Module, At::RepeatedModule, At::LoopInModule, At::ModuleInModule];

/// A file that is written line by line.
#[derive(Default)]
struct Text(String);

impl Text {
    fn add(&mut self, text: &str) {
        let _ = writeln!(self.0, "{text}");
    }

    /// Adds a resource below a head of lines; the number of the line of its error.
    fn resource(&mut self, head: &str, id: &str, indent: usize, resource: &str) -> usize {
        if !head.is_empty() {
            self.add(head);
        }
        let pad = " ".repeat(indent);
        let _ = writeln!(self.0, "{pad}{id}:");
        let mut line = self.0.lines().count();
        let first = line;
        for (number, text) in resource.lines().enumerate() {
            if text.ends_with("#!") {
                line = first + number + 1;
            }
            let _ = writeln!(self.0, "{pad}  {}", text.trim_end_matches(" #!"));
        }
        line
    }
}

/// A project with all errors that a tool finds, and the place of each: its rule, file and line.
fn project(tool: &str) -> (Folder, Vec<(String, String, usize)>) {
    let mut folder = Folder::new("map-back-seeded", tool).with("guard.rules", GUARD_RULES);
    let (mut root, mut imports) = (Text("Transform: AWS::LanguageExtensions\nResources:\n".to_owned()), String::new());
    let mut wanted = Vec::new();
    for (number, fault) in FAULTS.iter().filter(|fault| fault.tool == tool).enumerate() {
        for (at, place) in PLACES.into_iter().enumerate() {
            let key = format!("{number}x{at}");
            let file = format!("modules/m{key}.yaml");
            let mut module = Text("Resources:\n".to_owned());
            // What is in front of an error differs.
            root.add(&"  # a comment\n".repeat((number + at) % 3));
            let (file, line) = match place {
                At::Plain => ("template.yaml".to_owned(), root.resource("", &format!("R{key}"), 2, fault.resource)),
                At::Loop => {
                    let head = format!("  Fn::ForEach::L{key}:\n    - Name\n    - [Aa, Bb, Cc]\n    -");
                    let line = root.resource(&head, &format!("R{key}${{Name}}"), 6, fault.resource);
                    ("template.yaml".to_owned(), line)
                }
                At::LoopInLoop => {
                    let head = format!(
                        "  Fn::ForEach::L{key}:\n    - Name\n    - [Aa, Bb]\n    - Fn::ForEach::K{key}:\n        - Zone\n        \
                         - [Yy, Zz]\n        -"
                    );
                    let line = root.resource(&head, &format!("R{key}${{Name}}${{Zone}}"), 10, fault.resource);
                    ("template.yaml".to_owned(), line)
                }
                At::Module => {
                    let _ = write!(imports, "  M{key}:\n    Source: {file}\n  N{key}:\n    Source: {file}\n");
                    let line = module.resource("", "R", 2, fault.resource);
                    (file, line)
                }
                At::RepeatedModule => {
                    let _ = write!(imports, "  M{key}:\n    Source: {file}\n    ForEach: [Aa, Bb]\n");
                    let line = module.resource("  # a comment", "R", 2, fault.resource);
                    (file, line)
                }
                At::LoopInModule => {
                    let _ = write!(imports, "  M{key}:\n    Source: {file}\n  N{key}:\n    Source: {file}\n");
                    let head = "  Fn::ForEach::L:\n    - Name\n    - [Aa, Bb]\n    -";
                    let line = module.resource(head, "R${Name}", 6, fault.resource);
                    (file, line)
                }
                At::ModuleInModule => {
                    let inner = format!("modules/inner{key}.yaml");
                    let _ = write!(imports, "  M{key}:\n    Source: {file}\n  N{key}:\n    Source: {file}\n");
                    module = Text(format!("Modules:\n  I:\n    Source: inner{key}.yaml\nResources: {{}}\n"));
                    folder = folder.with(&file, &module.0);
                    module = Text("Resources:\n".to_owned());
                    let line = module.resource("", "R", 2, fault.resource);
                    (inner, line)
                }
            };
            if file != "template.yaml" {
                folder = folder.with(&file, &module.0);
            }
            wanted.push((fault.rule.to_owned(), file, line));
        }
    }
    let _ = write!(root.0, "Modules:\n{imports}");
    (folder.with("template.yaml", &root.0), wanted)
}

/// The tools, and a `PATH` with them. `cloudformation-validate` is the directory of a Python that has the library.
pub(super) fn tools() -> Option<(PathBuf, String)> {
    let tools = std::env::var_os("FORMWORK_TOOLS").map(PathBuf::from)?;
    // Python looks for its packages beside the path that it was started with.
    let python = tools.join("cloudformation-validate");
    let python = python.canonicalize().unwrap_or(python);
    let path = format!("{}:{}:/usr/bin:/bin", python.display(), tools.display());
    Some((tools, path))
}

#[test]
fn each_seeded_error_is_one_finding_on_its_line() {
    let Some((tools, path)) = tools() else {
        eprintln!("skipped: FORMWORK_TOOLS names no directory");
        return;
    };
    let mut seeded = 0;
    for tool in ["cfn-lint", "cloudformation-validate", "checkov", "cfn-guard"] {
        if !tools.join(tool).exists() {
            let required = std::env::var("FORMWORK_REQUIRE_TOOLS").unwrap_or_default();
            assert!(!required.split(',').any(|name| name == tool), "{tool} is not in {}", tools.display());
            eprintln!("skipped: {tool} is not in {}", tools.display());
            continue;
        }
        let (folder, wanted) = project(tool);
        let words = ["check", "--no-schemas", "--with", tool, "template.yaml", "--message-format", "json"];
        let rules = ["--guard-rules", "guard.rules"];
        let output = folder.formwork(&words).args(rules).env("PATH", &path).output().expect("it runs");
        let (printed, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        let mut found: BTreeMap<(String, String, usize), (usize, u64)> = BTreeMap::new();
        for line in printed.lines() {
            let one: serde_json::Value = serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}\n{errors}"));
            let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
            let line = one["line"].as_u64().unwrap_or_default() as usize;
            let entry = found.entry((text(&one["code"]), text(&one["file"]), line)).or_default();
            entry.0 += 1;
            entry.1 += one["count"].as_u64().unwrap_or(1);
        }
        for place in &wanted {
            assert_eq!(found.get(place).map(|found| found.0), Some(1), "{tool}: {place:?} in\n{found:?}\n{errors}");
        }
        // What has the rule of an error is one of the errors.
        let rules: Vec<&str> = FAULTS.iter().filter(|fault| fault.tool == tool).map(|fault| fault.rule).collect();
        for place in found.keys().filter(|place| tool != "checkov" && rules.contains(&place.0.as_str())) {
            assert!(wanted.contains(place), "{tool}: {place:?} is on no seeded line");
        }
        seeded += wanted.len();
    }
    eprintln!("{seeded} seeded errors");
}
