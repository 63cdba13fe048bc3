//! Rain templates, migrated (reference/modules/README.md#rain). `cases.txt` holds them: a heading
//! `=== name`, the template, `--- becomes` with the new text, and `--- notes` with what is left to do.
//! `FORMWORK_UPDATE=1` updates the last two.

use std::fmt::Write as _;
use std::path::Path;

use formwork::migrate::rain::migrate;
use formwork::{Goal, MemoryHost, Options, Session, Severity};

/// Files beside every template.
const FILES: [(&str, &str); 5] = [
    ("note.txt", "\n  first line  \n\n\tsecond: #line\n\n"),
    ("plain.txt", "no white space around"),
    ("odd.txt", "carriage\r\nreturn\n"),
    (
        "bucket.yaml",
        "Parameters:\n  Label: {Type: String, Default: none}\nResources:\n  Box: {Type: AWS::S3::Bucket, Properties: {BucketName: !Ref Label}}\nOutputs:\n  Arn: {Value: !GetAtt Box.Arn}\n",
    ),
    ("kit/bucket.yaml", "Resources:\n  Box: {Type: AWS::S3::Bucket}\nOutputs:\n  Arn: {Value: !GetAtt Box.Arn}\n"),
];

struct Case {
    name: String,
    template: String,
    becomes: String,
    notes: String,
}

fn cases(text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    let mut part = 0;
    for line in text.split_inclusive('\n') {
        if let Some(name) = line.strip_prefix("=== ") {
            let empty = String::new;
            cases.push(Case { name: name.trim().to_owned(), template: empty(), becomes: empty(), notes: empty() });
            part = 0;
        } else if line == "--- becomes\n" {
            part = 1;
        } else if line == "--- notes\n" {
            part = 2;
        } else if let Some(case) = cases.last_mut() {
            [&mut case.template, &mut case.becomes, &mut case.notes][part].push_str(line);
        }
    }
    cases
}

fn run(template: &str) -> (String, String) {
    let files = |path: &str| {
        let found = FILES.iter().find(|(name, _)| *name == path.trim_start_matches("./"));
        found.map(|(_, text)| (*text).to_owned())
    };
    match migrate(template, &files) {
        Ok(migrated) => {
            let notes =
                migrated.left.iter().map(|left| format!("{}: {}\n", left.line, left.what)).collect::<Vec<_>>().concat();
            (migrated.text, notes)
        }
        Err(why) => (String::new(), format!("refused: {why}\n")),
    }
}

#[test]
fn every_shape_is_translated_or_named() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rain/cases.txt");
    let cases = cases(&std::fs::read_to_string(&path).expect("the cases"));
    assert!(cases.len() >= 20, "{} cases", cases.len());
    if std::env::var_os("FORMWORK_UPDATE").is_some() {
        let mut text = String::new();
        for case in &cases {
            let (becomes, notes) = run(&case.template);
            let _ = write!(text, "=== {}\n{}--- becomes\n{becomes}--- notes\n{notes}", case.name, case.template);
        }
        std::fs::write(&path, text).expect("written");
        return;
    }
    for case in &cases {
        let (becomes, notes) = run(&case.template);
        assert_eq!((becomes.as_str(), notes.as_str()), (case.becomes.as_str(), case.notes.as_str()), "{}", case.name);
    }
}

/// What needs no person's work expands, and there is nothing of rain in it.
#[test]
fn what_is_translated_expands() {
    let cases = cases(include_str!("cases.txt"));
    let mut expanded = 0;
    for case in cases.iter().filter(|case| case.notes.is_empty()) {
        let mut host = MemoryHost::new().with("template.yaml", case.becomes.as_str());
        for (name, text) in FILES {
            host = host.with(name, text);
        }
        let result = Session::new(&host, Options::default()).compile("template.yaml", Goal::Expand);
        let wrong: Vec<&str> = result
            .diagnostics()
            .iter()
            .filter(|found| found.severity == Severity::Error)
            .map(|found| found.message.as_str())
            .collect();
        assert!(wrong.is_empty(), "{}: {wrong:?}\n{}", case.name, case.becomes);
        assert!(!result.output().expect("no errors").render(None).contains("Rain::"), "{}", case.name);
        let again = migrate(&case.becomes, &|_| None).expect("a template");
        assert_eq!(again.text, case.becomes, "{} twice", case.name);
        expanded += 1;
    }
    assert!(expanded >= 12, "{expanded}");
}
