//! Other programs that read the same templates, those that are installed: whole processes, in turns.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use super::{median, process};

/// A program that does what a command of ours does.
struct Peer {
    /// Its file name.
    program: &'static str,
    /// Words that make it print its version.
    version: &'static [&'static str],
    /// What it is asked, the template left out.
    words: &'static [&'static str],
    /// What ours is asked.
    ours: &'static [&'static str],
}

const PEERS: [Peer; 3] = [
    Peer { program: "cfn-lint", version: &["--version"], words: &["--template"], ours: &["check"] },
    Peer {
        program: "sam",
        version: &["--version"],
        words: &["validate", "--lint", "--region", "us-east-1", "--template-file"],
        ours: &["validate"],
    },
    Peer { program: "rain", version: &["--version"], words: &["fmt"], ours: &["expand"] },
];

/// Resources of the templates.
const SIZES: [usize; 3] = [1, 20, 200];

/// Measures each peer that is installed, and ours, and prints a table.
pub(super) fn run(program: &Path, folder: &Path, rounds: u32) -> Result<(), String> {
    let folder = folder.join("peers");
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    println!("| program | command | resources | ms | ours | ms | ratio |");
    println!("|---|---|---:|---:|---|---:|---:|");
    let mut found = 0;
    for peer in &PEERS {
        let Some(version) = version(peer) else {
            eprintln!("{} is not installed", peer.program);
            continue;
        };
        found += 1;
        for size in SIZES {
            let template = folder.join(format!("topics-{size}.yaml"));
            fs::write(&template, topics(size)).map_err(|error| format!("{}: {error}", template.display()))?;
            let (mut theirs, mut ours) = (Vec::new(), Vec::new());
            for _ in 0..rounds {
                let run = |program: &Path, words: &[&str]| {
                    process::run_to_any_end(program, words, Some(&template), &folder).map(|run| run.cpu_ms)
                };
                theirs.push(run(Path::new(peer.program), peer.words)?);
                ours.push(run(program, peer.ours)?);
            }
            let ratio = super::median_ratio(&theirs, &ours);
            println!(
                "| {version} | {} | {size} | {:.1} | {} | {:.2} | {ratio:.0} |",
                peer.words.join(" "),
                median(theirs),
                peer.ours.join(" "),
                median(ours)
            );
        }
    }
    if found == 0 { Err("none of the peers is installed".to_owned()) } else { Ok(()) }
}

/// What a peer reports as its version, on one line; `None` when it is not installed.
fn version(peer: &Peer) -> Option<String> {
    let output = Command::new(peer.program).args(peer.version).stdin(Stdio::null()).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    Some(text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// A template with this many topics, made by a loop.
fn topics(count: usize) -> String {
    let items: Vec<String> = (0..count).map(|at| format!("N{at}")).collect();
    format!(
        "AWSTemplateFormatVersion: '2010-09-09'\nTransform: AWS::LanguageExtensions\nResources:\n  Fn::ForEach::Topics:\n    - Name\n    - [{}]\n    - Topic${{Name}}:\n        Type: AWS::SNS::Topic\n        Properties:\n          DisplayName: !Sub 'Topic ${{Name}}'\n",
        items.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_have_what_their_names_tell() {
        assert!(topics(20).contains("N0, N1") && topics(20).contains("N19]") && topics(1).contains("[N0]"));
    }
}
