//! Each rule of cfn-lint 1.58 that needs no schema is found, too: a template of our own shows it, in the fixtures or made
//! here, or docs/comparison.md has a row with the reason.

use std::collections::BTreeSet;

use formwork::{Goal, Options};
use formwork_tests::project;
use formwork_tests::properties::compile;

/// The rules E0, E1, E2, E6, E7, E8, W1, W2, W7 and W8, as `cfn-lint --list-rules` prints them.
const RULES: &[&str] = &[
    "E0000", "E0001", "E0002", "E0003", "E0100", "E0200", "E1001", "E1002", "E1003", "E1004", "E1005", "E1010",
    "E1011", "E1015", "E1016", "E1017", "E1018", "E1019", "E1020", "E1021", "E1022", "E1024", "E1027", "E1028",
    "E1029", "E1030", "E1031", "E1032", "E1033", "E1040", "E1041", "E1050", "E1051", "E1052", "E1101", "E1103",
    "E1150", "E1151", "E1152", "E1153", "E1154", "E1155", "E1156", "E1157", "E1158", "E1159", "E1160", "E1161",
    "E1162", "E1164", "E1700", "E1701", "E1702", "E2001", "E2002", "E2003", "E2010", "E2011", "E2015", "E2529",
    "E2530", "E2531", "E2533", "E2900", "E6001", "E6002", "E6003", "E6004", "E6005", "E6010", "E6011", "E6101",
    "E6102", "E7001", "E7002", "E7010", "E8001", "E8002", "E8003", "E8004", "E8005", "E8006", "E8007", "W1001",
    "W1011", "W1019", "W1020", "W1028", "W1030", "W1031", "W1032", "W1033", "W1034", "W1035", "W1036", "W1040",
    "W1051", "W1053", "W1054", "W1100", "W1101", "W2001", "W2002", "W2010", "W2030", "W2031", "W2501", "W2506",
    "W2511", "W2530", "W2531", "W2533", "W7001", "W8001", "W8003",
];

/// The fixtures, whose headings begin with a rule.
const FIXTURES: [&str; 2] = ["tests/fixtures/checks/linter-rules.md", "tests/fixtures/schemas/linter-rules.md"];

const TOPIC: &str = "Resources: {T: {Type: AWS::SNS::Topic}}\n";

/// Rules about sizes: templates that nobody wants to read in a fixture.
fn made() -> Vec<(&'static str, &'static str, String)> {
    let many = |section: &str, body: &str| {
        let members: Vec<String> = (0..201).map(|number| format!("P{number}: {body}")).collect();
        format!("{section}: {{{}}}\n{TOPIC}", members.join(", "))
    };
    let name = "O".repeat(256);
    vec![
        ("E1002", "FW0906", format!("Metadata: {{a: {}}}\n{TOPIC}", "x".repeat(1_048_577))),
        ("E1003", "FW0905", format!("Description: {}\n{TOPIC}", "x".repeat(1025))),
        ("E2010", "FW0903", many("Parameters", "{Type: String}")),
        ("E2011", "FW0905", format!("Parameters: {{{name}: {{Type: String}}}}\n{TOPIC}")),
        ("E6010", "FW0902", many("Outputs", "{Value: a}")),
        ("E6011", "FW0905", format!("Outputs: {{{name}: {{Value: a}}}}\n{TOPIC}")),
        ("E7010", "FW0904", many("Mappings", "{a: {b: c}}")),
    ]
}

/// The rules that a line names, with those between the two of `E1101 to E1164`.
fn named(line: &str) -> BTreeSet<&'static str> {
    let words: Vec<&str> = line.split([' ', ',', ';']).filter(|word| !word.is_empty()).collect();
    let is_between =
        |rule: &str| words.windows(3).any(|three| three[1] == "to" && three[0] <= rule && rule <= three[2]);
    RULES.iter().copied().filter(|rule| words.contains(rule) || is_between(rule)).collect()
}

#[test]
fn sizes_are_limited() {
    for (rule, code, text) in made() {
        let result = compile(&text, &Options::default(), Goal::Check);
        assert!(result.diagnostics().iter().any(|found| found.code.to_string() == code), "{rule} {code}");
    }
}

#[test]
fn every_rule_is_found_or_has_a_reason() {
    let read = |path: &str| std::fs::read_to_string(project::root().join(path)).expect("a text");
    let mut known: BTreeSet<&str> = made().into_iter().map(|(rule, ..)| rule).collect();
    for path in FIXTURES {
        let text = read(path);
        for heading in text.lines().filter_map(|line| line.strip_prefix("## ")) {
            let rule = heading.split(':').next().unwrap_or_default();
            known.extend(RULES.iter().copied().filter(|known| *known == rule));
        }
    }
    let comparison = read("docs/comparison.md");
    let section = comparison.split("## Rules of cfn-lint").nth(1).expect("the section");
    let section = section.split("\n## ").next().unwrap_or_default();
    for row in section.lines().filter_map(|line| line.strip_prefix("| ")) {
        known.extend(named(row.split('|').next().unwrap_or_default()));
    }
    let open: Vec<&&str> = RULES.iter().filter(|rule| !known.contains(**rule)).collect();
    assert!(open.is_empty(), "neither found nor explained: {open:?}");
}
