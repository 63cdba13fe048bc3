//! Mistakes in formwork.toml and samconfig.toml: each with the report of `check`, and the lines that its advice changes.
//! `FORMWORK_UPDATE` writes the reports into the files.

use crate::support::folder::Folder;

/// The number of mistakes there are at least.
const LEAST: usize = 30;

const TEMPLATE: &str = "Parameters:
  Stage: {Type: String, Default: dev}
Resources:
  Topic:
    Type: AWS::SNS::Topic
    Properties: {DisplayName: !Ref Stage}
";

struct Mistake<'t> {
    title: &'t str,
    text: &'t str,
    report: &'t str,
    fix: &'t str,
}

fn read(page: &str) -> Vec<Mistake<'_>> {
    let case = |part| -> Option<Mistake<'_>> {
        let (title, rest): (&str, &str) = str::split_once(part, '\n')?;
        let block = |language: &str| {
            let (_, rest) = rest.split_once(&format!("```{language}\n"))?;
            rest.split_once("```").map(|(block, _)| block)
        };
        Some(Mistake { title, text: block("toml")?, report: block("report")?, fix: block("fix")? })
    };
    page.split("\n## ").skip(1).map(|part| case(part).expect("a case")).collect()
}

/// Applies lines behind `-` and `+`. An empty line is between two edits.
fn fixed(text: &str, fix: &str) -> String {
    fix.split("\n\n").fold(text.to_owned(), |text, edit| {
        let lines = |mark: &str| -> String {
            let lines = edit.lines().filter_map(|line| line.strip_prefix(mark));
            lines.fold(String::new(), |text, line| text + line.strip_prefix(' ').unwrap_or(line) + "\n")
        };
        let old = lines("-");
        assert_eq!(text.matches(&old).count(), 1, "{old} in\n{text}");
        text.replacen(&old, &lines("+"), 1)
    })
}

/// What is reported of a configuration: lines of standard error, without the name of the template and what was set.
fn report(file: &str, text: &str) -> (i32, String) {
    let folder = Folder::new("configuration-mistakes", "project").with("template.yaml", TEMPLATE).with(file, text);
    let run = folder.run(&["check", "template.yaml"]);
    let is_told = |line: &&str| !line.starts_with("template:") && !line.contains("toml sets ") && !line.is_empty();
    let lines: Vec<&str> = run.err.lines().chain(run.out.lines()).filter(is_told).collect();
    (run.status, lines.iter().fold(String::new(), |text, line| text + line.trim_end() + "\n"))
}

#[test]
fn mistakes_of_configurations_are_reported_with_advice_that_works() {
    let mut count = 0;
    for file in ["formwork.toml", "samconfig.toml"] {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/configuration_mistakes")
            .join(file.replace("toml", "md"));
        let page = std::fs::read_to_string(&path).expect("a page");
        let mut wrong = Vec::new();
        let mut update = page.clone();
        for mistake in read(&page) {
            count += 1;
            let (_, found) = report(file, mistake.text);
            if std::env::var_os("FORMWORK_UPDATE").is_some() {
                let start = update.find(&format!("\n## {}\n", mistake.title)).expect("the case");
                let at = start + update[start..].find("```report\n").expect("a report") + "```report\n".len();
                update.replace_range(at..at + mistake.report.len(), &found);
            } else if found != mistake.report {
                wrong.push(format!("{}: expected\n{}found\n{found}", mistake.title, mistake.report));
            }
            let (status, left) = report(file, &fixed(mistake.text, mistake.fix));
            if status != 0 || left.contains("warning") || left.contains("error") {
                wrong.push(format!("{}: left is\n{left}", mistake.title));
            }
        }
        if update != page {
            std::fs::write(&path, update).expect("written");
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    }
    assert!(count >= LEAST, "there are {count} mistakes");
}
