//! Block scalars mean what they mean in PyYAML, whose reader CloudFormation's has been ported to Java from: scalars at
//! random, with every header, indentation, empty line and trailing spaces. What both accept has one value, and what is written
//! of a string is read back as that string by both.
//!
//! `FORMWORK_SCALARS` sets how many scalars there are, and `FORMWORK_SEED` which ones.

use std::process::{Command, Stdio};

use formwork::{Format, Goal, MemoryHost, Options, Session, VirtualPath};
use formwork_tests::generate::Random;
use serde_json::{Value, json};

const SCALARS: usize = 3000;

/// Prints of each template of a file what `Metadata` has as `V`, in a list; `null` for a template that is not accepted.
const PROGRAM: &str = r"
import json, sys, yaml

values = []
for text in json.load(open(sys.argv[1], encoding='utf-8')):
    try:
        values.append([yaml.safe_load(text)['Metadata']['V']])
    except yaml.YAMLError:
        values.append(None)
json.dump(values, sys.stdout)
";

const RESOURCES: &str = "Resources:\n  T: {Type: \"A::B::C\"}\n";

/// Lines of scalars, behind their indentation.
const LINES: [&str; 16] = [
    "one",
    "two words ",
    "  deeper",
    "    deepest",
    "\ttab",
    "\t",
    "",
    "  ",
    "      ",
    "- item",
    "# no comment",
    "key: value",
    "end\t",
    "--- x",
    "'quoted' \"too\"",
    "${A} \\n",
];

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().expect("a number"))
}

fn one_of<'t>(random: &mut Random, texts: &[&'t str]) -> &'t str {
    texts[random.below(texts.len())]
}

/// A template with a block scalar. Each line ends: without the last line break PyYAML leaves out that of the value, too.
fn template(random: &mut Random) -> String {
    let (style, chomping) = (one_of(random, &["|", ">"]), one_of(random, &["", "+", "-"]));
    let indicator = one_of(random, &["", "", "", "1", "2", "4"]);
    let header = if random.below(2) == 0 { [style, chomping, indicator] } else { [style, indicator, chomping] };
    let mut text =
        format!("{RESOURCES}Metadata:\n  V: {}{}\n", header.concat(), one_of(random, &["", "", " # comment", "  "]));
    let indent = " ".repeat([3, 4, 6, 8][random.below(4)]);
    for _ in 0..random.below(6) {
        let line = one_of(random, &LINES);
        let is_short = line.trim_matches(' ').is_empty() && random.below(2) == 0;
        let before = if is_short { one_of(random, &["", " ", "  "]) } else { &indent };
        text.extend([before, line, "\n"]);
    }
    text + one_of(random, &["", "", "  W: end\n", "\n\n  W: end\n", "# comment\n", "  # comment\n  W: end\n"])
}

fn compiled(name: &str, text: &str, format: Format) -> Option<String> {
    let host = MemoryHost::new();
    let session = Session::new(&host, Options::default());
    let result = session.compile_bytes(&VirtualPath::new(name), text.as_bytes().into(), Goal::Expand);
    result.output().ok().map(|output| output.render(Some(format)))
}

/// What we read as `V`; nothing of a template that is not accepted.
fn value(text: &str) -> Option<Value> {
    let json = compiled("template.yaml", text, Format::Json)?;
    let template: Value = serde_json::from_str(&json).expect("JSON");
    Some(template["Metadata"]["V"].clone())
}

/// What PyYAML reads.
fn values_of_python(texts: &[String]) -> Vec<Option<Value>> {
    let folder = tempfile::tempdir().expect("a directory");
    let (program, input) = (folder.path().join("read.py"), folder.path().join("texts.json"));
    std::fs::write(&program, PROGRAM).expect("a file");
    std::fs::write(&input, serde_json::to_vec(texts).expect("JSON")).expect("a file");
    let output = Command::new("python3").args([&program, &input]).output().expect("the program runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let values: Vec<Option<[Value; 1]>> = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(values.len(), texts.len());
    values.into_iter().map(|value| value.map(|[value]| value)).collect()
}

fn has_pyyaml() -> bool {
    let mut python = Command::new("python3");
    let status = python.args(["-c", "import yaml"]).stdout(Stdio::null()).stderr(Stdio::null()).status();
    let is_here = status.is_ok_and(|status| status.success());
    if !is_here {
        eprintln!("skipped: python3-yaml is not here");
    }
    is_here
}

#[test]
fn block_scalars_mean_what_they_mean_in_pyyaml() {
    if !has_pyyaml() {
        return;
    }
    let count = number("FORMWORK_SCALARS").map_or(SCALARS, |count| usize::try_from(count).expect("a count"));
    let mut random = Random::new(number("FORMWORK_SEED").unwrap_or(1));
    let texts: Vec<String> = (0..count).map(|_| template(&mut random)).collect();
    let (mut compared, mut refused, mut wrong) = (0, 0, Vec::new());
    for (text, other) in texts.iter().zip(values_of_python(&texts)) {
        match (value(text), other) {
            (Some(ours), Some(other)) if ours != other => {
                wrong.push(format!("{text:?}: {other} there, {ours} in ours"));
            }
            (Some(_), Some(_)) => compared += 1,
            (None, None) => {}
            // Lines that are less indented than the indicator asks for end a scalar in one way or another.
            _ => refused += 1,
        }
    }
    wrong.sort_by_key(String::len);
    let differ = wrong.len();
    wrong.truncate(5);
    assert!(wrong.is_empty(), "{differ} differ:\n{}", wrong.join("\n"));
    assert!(compared * 10 > count * 8 && refused * 50 < count, "{compared} and {refused} of {count}");
}

#[test]
fn strings_of_lines_are_written_as_both_read_them() {
    if !has_pyyaml() {
        return;
    }
    let mut random = Random::new(number("FORMWORK_SEED").unwrap_or(1));
    let strings: Vec<String> = (0..SCALARS / 2)
        .map(|_| {
            let lines: Vec<&str> = (0..=random.below(5)).map(|_| one_of(&mut random, &LINES)).collect();
            lines.join("\n") + one_of(&mut random, &["", "\n", "\n\n"])
        })
        .collect();
    let written = |string: &String| {
        let template = json!({"Resources": {"T": {"Type": "A::B::C"}}, "Metadata": {"V": string}}).to_string();
        compiled("template.json", &template, Format::Yaml).expect("a template")
    };
    let texts: Vec<String> = strings.iter().map(written).collect();
    assert!(texts.iter().filter(|text| text.contains("V: |")).count() > strings.len() / 10, "few are block scalars");
    for ((string, text), other) in strings.iter().zip(&texts).zip(values_of_python(&texts)) {
        assert_eq!(value(text).as_ref(), Some(&json!(string)), "{text}");
        assert_eq!(other, Some(json!(string)), "PyYAML reads\n{text}");
    }
}
