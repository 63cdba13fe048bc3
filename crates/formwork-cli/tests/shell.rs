//! What shells and `man` read of the program (reference/command-line.md#commands).

use std::path::PathBuf;
use std::process::{Command, Stdio};

fn formwork(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_formwork")).args(arguments).output().expect("the program runs");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stderr.is_empty(), "{arguments:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn completions_name_the_commands_and_options() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = formwork(&["completions", shell]);
        for word in ["expand", "start-api", "parameter-overrides"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
}

#[test]
fn bash_completes_a_command() {
    let script = formwork(&["completions", "bash"]);
    let complete = format!(
        "{script}\nCOMP_WORDS=(formwork expl) COMP_CWORD=1\n_formwork formwork expl formwork\necho \"${{COMPREPLY[*]}}\""
    );
    let Ok(output) = Command::new("bash").args(["--norc", "-c", &complete]).stdin(Stdio::null()).output() else {
        return eprintln!("SKIPPED: there is no bash");
    };
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "explain");
}

#[test]
fn manual_pages_for_all_and_for_each_command() {
    assert!(formwork(&["man"]).contains(".SH \"FORMWORK LOCAL INVOKE\""));
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("shell/man");
    let _ = std::fs::remove_dir_all(&directory);
    assert_eq!(formwork(&["man", "-o", directory.to_str().expect("a path")]), "");
    let page = std::fs::read_to_string(directory.join("formwork-rules-check.1")).expect("a page");
    assert!(page.contains("formwork\\-rules\\-check \\- Evaluate every rule"), "{page}");
    assert!(directory.join("formwork.1").is_file());
}
