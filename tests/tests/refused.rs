//! Values that CloudFormation and its services reject (tests/refused/README.md): each is reported at its line, in a plain
//! template, in a loop and in a module, and the right ones are not.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use formwork::{Goal, MemoryHost, Options, Session, Severity};
use formwork_schemas::Schemas;
use formwork_tests::project;

/// How many slips there are at least.
const LEAST: usize = 340;

struct Case {
    kind: String,
    resources: String,
    parameters: String,
    value: String,
    is_right: bool,
}

/// A project, and the line that has the value.
struct Project {
    files: Vec<(&'static str, String)>,
    /// The file and its line.
    place: (&'static str, u32),
}

fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for name in ["needs", "parts", "policies", "values"] {
        let text = std::fs::read_to_string(project::root().join(format!("tests/refused/{name}.md"))).expect("a file");
        for part in text.split("\n## ").skip(1) {
            let (kind, rest) = part.split_once('\n').expect("a line");
            let blocks: Vec<&str> = rest.split("```").skip(1).step_by(2).collect();
            for pair in blocks.chunks(2) {
                let resources = pair[0].strip_prefix("yaml\n").expect("resources");
                let (resources, parameters) = resources.split_once("Parameters:\n").unwrap_or((resources, ""));
                for line in pair[1].strip_prefix("slips\n").expect("values").lines() {
                    cases.push(Case {
                        kind: kind.to_owned(),
                        resources: resources.to_owned(),
                        parameters: parameters.to_owned(),
                        value: line.strip_prefix("= ").unwrap_or(line).to_owned(),
                        is_right: line.starts_with("= "),
                    });
                }
            }
        }
    }
    cases
}

fn indented(text: &str, spaces: usize) -> String {
    text.lines().fold(String::new(), |out, line| format!("{out}{}{line}\n", " ".repeat(spaces)))
}

/// The number of the line with `@`, from 0.
fn line(case: &Case) -> u32 {
    case.resources.lines().position(|line| line.contains('@')).expect("a place") as u32
}

fn plain(case: &Case) -> Project {
    let head = if case.parameters.is_empty() { String::new() } else { format!("Parameters:\n{}", case.parameters) };
    let text = format!("{head}Resources:\n{}", indented(&case.resources.replacen('@', &case.value, 1), 2));
    let before = head.lines().count() as u32 + 2;
    Project { files: vec![("template.yaml", text)], place: ("template.yaml", before + line(case)) }
}

fn in_loop(case: &Case) -> Project {
    let head = if case.parameters.is_empty() { String::new() } else { format!("Parameters:\n{}", case.parameters) };
    let text = case.resources.replacen('@', &case.value, 1).replacen(':', "${Name}:", 1);
    let end = text.match_indices('\n').find(|(at, _)| text[at + 1..].starts_with(|c: char| c.is_ascii_uppercase()));
    let (first, others) = text.split_at(end.map_or(text.len(), |(at, _)| at + 1));
    let text = format!(
        "Transform: AWS::LanguageExtensions\n{head}Resources:\n  Fn::ForEach::Each:\n    - Name\n    - [A]\n    - {}{}",
        indented(first, 6).trim_start(),
        indented(others, 2)
    );
    let before = head.lines().count() as u32 + 6;
    Project { files: vec![("template.yaml", text)], place: ("template.yaml", before + line(case)) }
}

fn in_module(case: &Case) -> Project {
    let module = format!("Resources:\n{}", indented(&case.resources.replacen('@', &case.value, 1), 2));
    let root = "Modules:\n  Kit:\n    Source: ./kit.yaml\nResources:\n  Topic: {Type: AWS::SNS::Topic}\n";
    Project {
        files: vec![("template.yaml", root.to_owned()), ("kit.yaml", module)],
        place: ("kit.yaml", 2 + line(case)),
    }
}

/// Errors and warnings: file, line, and the finding.
fn findings(project: &Project, schemas: &Arc<Schemas>) -> Vec<(String, u32, String)> {
    let host = project.files.iter().fold(MemoryHost::new(), |host, (name, text)| host.with(name, text.clone()));
    let options = Options::default().for_check(Some(schemas.clone()));
    let result = Session::new(host, options).compile("template.yaml", Goal::Check);
    let of_interest = result.diagnostics().iter().filter(|found| found.severity != Severity::Note);
    let found = of_interest.map(|found| {
        let resolved = found.resolve(result.sources());
        let file = resolved.place.file.clone().unwrap_or_default();
        (file, resolved.place.line.unwrap_or_default(), format!("{} {}", found.code, found.message))
    });
    // Not every parameter of a case is used by each of its values.
    found.filter(|(.., text)| !text.starts_with("FW0208")).collect()
}

#[test]
fn slips_are_reported_at_their_line() {
    let schemas = Arc::new(Schemas::embedded());
    let mut kinds: BTreeMap<String, [usize; 2]> = BTreeMap::new();
    let (mut silent, mut wrong) = (String::new(), String::new());
    for case in cases() {
        let mut projects = vec![plain(&case), in_loop(&case)];
        if case.parameters.is_empty() {
            projects.push(in_module(&case));
        }
        let (file_of, line_of) = (|project: &Project| project.place.0, |project: &Project| project.place.1);
        let found: Vec<_> = projects.iter().map(|project| findings(project, &schemas)).collect();
        if case.is_right {
            for one in found.iter().flatten() {
                let _ = writeln!(wrong, "{}: {}: {one:?}", case.kind, case.value);
            }
            continue;
        }
        let is_at = projects.iter().zip(&found).all(|(project, found)| {
            found.iter().any(|(file, line, _)| file.ends_with(file_of(project)) && *line == line_of(project))
        });
        let tally = kinds.entry(case.kind.clone()).or_default();
        tally[0] += 1;
        tally[1] += usize::from(is_at);
        if !is_at {
            let _ = writeln!(silent, "{}: {}", case.kind, case.value);
        }
    }
    assert!(wrong.is_empty(), "right values are reported\n{wrong}");
    let (count, reported) = kinds.values().fold((0, 0), |sum, tally| (sum.0 + tally[0], sum.1 + tally[1]));
    assert!(count >= LEAST && kinds.len() >= 30, "there are {count} slips of {} kinds", kinds.len());
    assert!(reported * 100 >= count * 98, "{reported} of {count} slips are reported\n{silent}");
}
