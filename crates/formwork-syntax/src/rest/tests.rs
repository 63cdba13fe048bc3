use formwork_base::{Diagnostics, Limits};

use super::{Broken, Rest, Sections, read};
use crate::document::Format;
use crate::tree::Tree;

const SECTIONS: Sections<'_> =
    Sections { with_entries: &["Resources", "Outputs", "Parameters", "Conditions"], others: &["Description"] };

/// Returns the names of the entries that are read of JSON text, by section, and of the lost ones.
fn parts(text: &str) -> (Vec<String>, Vec<String>) {
    let (mut tree, mut found) = (Tree::new(), Diagnostics::new());
    let (mut errors, limits) = (Diagnostics::new(), Limits::default());
    crate::json::read::read(&mut tree, text, 1, &limits, &mut errors);
    let errors: Vec<u32> = errors.iter().map(|error| error.span().start()).collect();
    assert!(!errors.is_empty(), "{text} is well-formed");
    let broken = Broken { text, base: 1, format: Format::Json, errors: &errors };
    let Some(Rest { sections, lost }) = read(&mut tree, broken, SECTIONS, &limits, &mut found) else {
        return Default::default();
    };
    let mut names = Vec::new();
    for section in sections {
        let own = tree.text(section.key).to_owned();
        names.extend(tree.entries(section.value).map(|entry| format!("{own}.{}", tree.text(entry.key))));
    }
    let lost = lost.into_iter().map(|lost| match (lost.section, lost.entry) {
        (Some(section), Some(entry)) => format!("{section}.{entry}"),
        (section, _) => section.unwrap_or_default(),
    });
    (names, lost.collect())
}

/// A template on one line whose resource with this number has `properties`.
fn template(broken: usize, properties: &str) -> String {
    let resources: Vec<String> = (0..4)
        .map(|at| {
            let own = r#""DisplayName": {"Ref": "P"}, "Tags": [{"Key": "a", "Value": "b"}]"#;
            let properties = if at == broken { properties } else { own };
            format!(r#""R{at}": {{"Type": "AWS::SNS::Topic", "Properties": {{{properties}}}}}"#)
        })
        .collect();
    format!(
        r#"{{"Parameters": {{"P": {{"Type": "String"}}}}, "Resources": {{{}}}, "Outputs": {{"O": {{"Value": "v"}}}}}}"#,
        resources.join(", ")
    )
}

/// An error in one entry of a file on one line costs no other entry, with or without spaces.
#[test]
fn a_mistake_on_the_only_line_costs_its_entry() {
    let mistakes = [
        r#""DisplayName": "a" "TopicName": "b""#,
        r#""DisplayName": "a",, "TopicName": "b""#,
        r#""DisplayName": "a, "TopicName": "b""#,
        r#""DisplayName": a", "TopicName": "b""#,
        r#""DisplayName": a, "TopicName": "b""#,
        r#""DisplayName" "a", "TopicName": "b""#,
        r#""DisplayName"= "a", "TopicName": "b""#,
        r#""DisplayName": , "TopicName": "b""#,
        r#""DisplayName": "\q", "TopicName": "b""#,
        r#""DisplayName": ["a", "TopicName": "b""#,
        r#""DisplayName": ["a"}, "TopicName": "b""#,
        r#""DisplayName": {"a": 1, "TopicName": "b""#,
        r#""DisplayName": "a"}, "TopicName": "b""#,
        r#""DisplayName": "a"], "TopicName": "b""#,
        r#""Tags": [{"Key": "a", "Value": "b"], "TopicName": "b""#,
        r#""DisplayName": <b>, "TopicName": "b""#,
    ];
    for mistake in mistakes {
        for broken in 0..4 {
            let spaced = template(broken, mistake);
            for text in [spaced.replace(": ", ":").replace(", ", ","), spaced.clone() + "\n", spaced] {
                let (read, lost) = parts(&text);
                let others = (0..4).filter(|&at| at != broken).map(|at| format!("Resources.R{at}"));
                let expected: Vec<String> =
                    ["Parameters.P".to_owned()].into_iter().chain(others).chain(["Outputs.O".to_owned()]).collect();
                assert_eq!((read, lost), (expected, vec![format!("Resources.R{broken}")]), "{text}");
            }
        }
    }
}

/// The closing brace that is missing in an entry may be found at the end of the file.
#[test]
fn a_brace_that_is_missing_costs_its_entry() {
    let entry = |at: usize| format!(r#""R{at}": {{"Type": "A::B::C", "Properties": {{"A": {{"Ref": "P"}}}}}}"#);
    for broken in 0..3 {
        let mut entries: Vec<String> = (0..3).map(entry).collect();
        entries[broken].pop();
        let (read, lost) = parts(&format!(r#"{{"Resources": {{{}}}}}"#, entries.join(", ")));
        let others = (0..3).filter(|&at| at != broken).map(|at| format!("Resources.R{at}"));
        // The last one has the brace of the section.
        if broken < 2 {
            assert_eq!((read, lost), (others.collect(), vec![format!("Resources.R{broken}")]));
        }
    }
}

/// Brackets without an end take time in proportion to the length of the file.
#[test]
fn brackets_and_quotes_without_another_half_are_read_once() {
    let many = 20_000;
    for (begin, again, end) in [
        (r#"{"Resources": {"#, r#""R": {"Type": "A::B", "#, ""),
        (r#"{"Resources": {"a"#, r#"\""#, ""),
        (r#"{"Resources": {"#, r#"""#, ""),
        (r#"{"Resources": {"#, r#""a": {"b" "#, ""),
        (r#"{"Resources": {"#, r#"{"a":"#, "]"),
        (r#"{"Resources": {"#, "]", ""),
        (r#"{"Resources": {"#, r#""a": ["#, "}"),
    ] {
        let text = [begin, &again.repeat(many), &end.repeat(many)].concat();
        parts(&text);
    }
}
