//! What the README shows is what the program does.
//!
//! A block ` ```yaml file=NAME ` is the file of that name: one of the repository, which must hold the
//! same text, or else one that the commands further down read. In a block ` ```console ` every line
//! `$ formwork ...` is run in a folder with these files and the examples, and what it prints, standard
//! error first, must stand below it; a line `...` there stands for any lines. A block below a line
//! that begins `<!-- refresh` is left alone. `FORMWORK_UPDATE=1 cargo test -p formwork-cli --test
//! readme` writes what was printed into the README.
#![allow(clippy::disallowed_methods, reason = "a test of files on disk and of a program")]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A fenced block: what stands behind its fence, and its lines.
struct Block {
    info: String,
    text: String,
    /// Range of the text in the document.
    range: std::ops::Range<usize>,
}

/// The fenced blocks of a document, those to be left alone excepted.
fn blocks(document: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<(String, usize)> = None;
    let (mut at, mut skip) = (0, false);
    for line in document.split_inclusive('\n') {
        let start = at;
        at += line.len();
        match (line.strip_prefix("```"), open.take()) {
            (Some(info), None) => open = Some((info.trim().to_owned(), at)),
            (Some(_), Some((info, from))) => {
                if !std::mem::take(&mut skip) {
                    blocks.push(Block { info, text: document[from..start].to_owned(), range: from..start });
                }
            }
            (None, None) => skip |= line.starts_with("<!-- refresh"),
            (None, still) => open = still,
        }
    }
    assert!(open.is_none(), "a block of the README has no end");
    blocks
}

/// A command of a console block and what is to be printed.
fn sessions(block: &str) -> Vec<(&str, String)> {
    let mut sessions: Vec<(&str, String)> = Vec::new();
    for line in block.split_inclusive('\n') {
        match (line.strip_prefix("$ "), sessions.last_mut()) {
            (Some(command), _) => sessions.push((command.trim_end(), String::new())),
            (None, Some((_, printed))) => printed.push_str(line),
            (None, None) => panic!("output without a command: {line}"),
        }
    }
    sessions
}

/// Runs a command and gives what it prints, standard error first.
fn run(command: &str, folder: &Path) -> String {
    let words: Vec<&str> = command.split_whitespace().collect();
    assert_eq!(words[0], "formwork", "{command}");
    let output = Command::new(env!("CARGO_BIN_EXE_formwork"))
        .args(&words[1..])
        .current_dir(folder)
        .output()
        .expect("the program runs");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    text(output.stderr) + &text(output.stdout)
}

/// Whether `printed` is `shown`, where a line `...` stands for any lines.
fn agrees(shown: &[&str], printed: &[&str]) -> bool {
    match (shown, printed) {
        ([], _) => printed.is_empty(),
        (["...", rest @ ..], _) => (0..=printed.len()).any(|skipped| agrees(rest, &printed[skipped..])),
        ([first, rest @ ..], [line, more @ ..]) => first == line && agrees(rest, more),
        (_, []) => false,
    }
}

fn lines(text: &str) -> Vec<&str> {
    text.lines().map(str::trim_end).collect()
}

/// Copies the examples' templates, so that no command can change the repository.
fn copy_examples(to: &Path) {
    for entry in std::fs::read_dir(repository().join("examples")).expect("the examples") {
        let from = entry.expect("an entry").path().join("template.yaml");
        if let (true, Some(name)) = (from.is_file(), from.parent().and_then(Path::file_name)) {
            let folder = to.join("examples").join(name);
            std::fs::create_dir_all(&folder).expect("a folder");
            std::fs::copy(from, folder.join("template.yaml")).expect("a copy");
        }
    }
}

#[test]
fn the_readme_shows_what_the_program_prints() {
    let path = repository().join("README.md");
    let readme = std::fs::read_to_string(&path).expect("the README");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("readme");
    std::fs::create_dir_all(&folder).expect("a folder");
    copy_examples(&folder);
    let (found, mut wrong) = (blocks(&readme), String::new());
    let (mut commands, mut files) = (0, 0);
    for block in &found {
        let Some(name) = block.info.strip_prefix("yaml file=") else { continue };
        files += 1;
        match std::fs::read_to_string(repository().join(name)) {
            Ok(text) => assert_eq!(block.text, text, "the README shows another {name}"),
            Err(_) => std::fs::write(folder.join(name), &block.text).expect("the file is written"),
        }
    }
    let mut updates = Vec::new();
    for block in found.iter().filter(|block| block.info == "console") {
        let mut text = String::new();
        for (command, shown) in sessions(&block.text) {
            commands += 1;
            let printed = run(command, &folder);
            writeln!(text, "$ {command}").expect("a text takes all");
            if agrees(&lines(&shown), &lines(&printed)) {
                text.push_str(&shown);
            } else {
                writeln!(wrong, "$ {command}\n{printed}\nthe README has:\n{shown}").expect("a text takes all");
                text.push_str(&printed);
            }
        }
        updates.push((block.range.clone(), text));
    }
    assert!(commands > 0 && files > 0, "the README shows nothing");
    if std::env::var_os("FORMWORK_UPDATE").is_some() {
        let mut readme = readme.clone();
        updates.into_iter().rev().for_each(|(range, text)| readme.replace_range(range, &text));
        std::fs::write(&path, readme).expect("the README is written");
    } else {
        assert!(wrong.is_empty(), "{wrong}");
    }
}
