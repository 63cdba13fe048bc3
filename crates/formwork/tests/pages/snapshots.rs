//! What people see: every message of every page's wrong examples and of `causes.txt`, as it is drawn.
//!
//! `FORMWORK_UPDATE=1` updates the files in `messages/`: read the difference before it is
//! committed.

use std::path::Path;

use formwork::Report;
use formwork_report::{Context, human};

fn drawn(report: &Report) -> String {
    let result = report.compilation();
    let context = Context { sources: result.sources(), secrets: result.secrets(), color: false, width: None };
    let text: String = report.diagnostics().iter().map(|found| human::render(found, &context)).collect();
    let text = super::packaging::in_project(&text);
    // A line of many characters adds nothing at its end.
    text.lines().map(|line| line.chars().take(240).collect::<String>() + "\n").collect()
}

#[test]
fn messages_are_drawn_as_they_were() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pages/messages");
    let mut wanted: Vec<(String, String)> = super::pages()
        .map(|page| {
            let examples = page.wrong.iter().map(|example| drawn(&super::run(example, example.stage)));
            (format!("{}.txt", page.code), examples.collect())
        })
        .collect();
    let causes =
        super::causes::all().map(|cause| format!("=== {}\n\n{}", cause.name, drawn(&cause.run(formwork::Goal::Check))));
    wanted.push(("causes.txt".to_owned(), causes.collect()));
    let update = std::env::var_os("FORMWORK_UPDATE").is_some();
    let mut wrong = Vec::new();
    let mut names = Vec::new();
    for (name, text) in wanted {
        let path = folder.join(&name);
        let found = std::fs::read_to_string(&path).unwrap_or_default();
        if found != text && update {
            std::fs::create_dir_all(&folder).expect("a directory");
            std::fs::write(&path, &text).expect("the file is written");
        } else if found != text {
            wrong.push(format!("{name} has\n{found}\nand it is\n{text}"));
        }
        names.push(name);
    }
    for entry in std::fs::read_dir(&folder).expect("the directory") {
        let name = entry.expect("an entry").file_name().to_string_lossy().into_owned();
        if !names.contains(&name) {
            wrong.push(format!("{name} is of no code"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
