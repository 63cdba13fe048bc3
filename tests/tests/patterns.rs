//! `AllowedPattern` means what it means in Java, which CloudFormation runs, and the `Pattern` of a module's schema what it
//! means in Python, which the AWS CLI runs: patterns at random against the JDK and the Python of this machine. Where ours
//! decides, they decide the same; what is not known is left out.
//!
//! `FORMWORK_PATTERNS` sets how many patterns there are, and `FORMWORK_SEED` which ones.

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use formwork_evaluate::{Dialect, Match, Pattern};
use formwork_tests::generate::{self, JAVA, PYTHON, Random, pattern, value_of_pattern};

const PATTERNS: usize = 5000;
const VALUES: usize = 6;

/// Prints for each line of a file, a pattern and a value in hexadecimal digits, whether the whole value matches.
const JAVA_PROGRAM: &str = r#"
import java.nio.file.*;
import java.util.regex.*;

public class Patterns {
    static String text(String digits) {
        return new String(java.util.HexFormat.of().parseHex(digits), java.nio.charset.StandardCharsets.UTF_8);
    }

    public static void main(String[] words) throws Exception {
        StringBuilder out = new StringBuilder();
        for (String line : Files.readAllLines(Path.of(words[0]))) {
            String[] pair = line.split("\t", -1);
            String answer;
            try {
                answer = Pattern.compile(text(pair[0])).matcher(text(pair[1])).matches() ? "yes" : "no";
            } catch (RuntimeException | StackOverflowError error) {
                answer = "invalid";
            }
            out.append(answer).append('\n');
        }
        System.out.print(out);
    }
}
"#;

/// The same for matches from the start of the value on.
const PYTHON_PROGRAM: &str = r"
import re, sys, warnings

warnings.simplefilter('ignore')
for line in open(sys.argv[1]):
    pattern, value = (bytes.fromhex(digits).decode() for digits in line.rstrip('\n').split('\t'))
    try:
        print('yes' if re.match(pattern, value) else 'no')
    except (re.error, OverflowError, RecursionError):
        print('invalid')
";

#[test]
fn patterns_mean_what_they_mean_in_java() {
    if !is_here("javac", "-version") {
        assert!(std::env::var_os("FORMWORK_REQUIRE_JAVA").is_none(), "javac is not here");
        eprintln!("skipped: javac is not here");
        return;
    }
    let pairs = pairs(&JAVA);
    let java = answers("java", "Patterns.java", JAVA_PROGRAM, &pairs);
    let ours = pairs.iter().map(|(pattern, value)| match Pattern::new(pattern, Dialect::Java, 200_000) {
        Err(_) => "invalid",
        Ok(compiled) => of_match(&compiled.matches(value)),
    });
    let is_wrong = |pattern: &str, java: &str| java != "invalid" && Pattern::error(pattern, Dialect::Java).is_some();
    let refused = pairs.iter().zip(&java).filter(|((pattern, _), java)| is_wrong(pattern, java));
    let mut refused: Vec<&String> = refused.map(|((pattern, _), _)| pattern).collect();
    refused.sort_by_key(|pattern| pattern.len());
    refused.dedup();
    refused.truncate(10);
    assert!(refused.is_empty(), "refused, though Java compiles them: {refused:?}");
    // Of what Java does not compile, some is reported as not decided.
    compare(&pairs, java, ours, |other, ours| other == "invalid" || other == ours);
}

/// Here what is invalid is, too.
#[test]
fn patterns_mean_what_they_mean_in_python() {
    if !is_here("python3", "-c import sys; sys.exit(sys.version_info < (3, 11))") {
        eprintln!("skipped: Python 3.11 or newer is not here");
        return;
    }
    let pairs = pairs(&PYTHON);
    let python = answers("python3", "patterns.py", PYTHON_PROGRAM, &pairs);
    let ours = pairs.iter().map(|(pattern, value)| match Pattern::new(pattern, Dialect::Python, 200_000) {
        Err(_) => "invalid",
        Ok(compiled) => of_match(&compiled.matches(value)),
    });
    compare(&pairs, python, ours, |other, ours| other == ours);
}

fn is_here(program: &str, word: &str) -> bool {
    let words = word.strip_prefix("-c ").map_or_else(|| vec![word], |code| vec!["-c", code]);
    let status = Command::new(program).args(words).stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

fn of_match(result: &Match) -> &'static str {
    match result {
        Match::Yes => "yes",
        Match::No => "no",
        Match::Unknown(_) => "unknown",
    }
}

/// Patterns, and values for each.
fn pairs(dialect: &generate::Dialect) -> Vec<(String, String)> {
    let number = |name: &str| std::env::var(name).ok().map(|text| text.parse::<u64>().expect("a number"));
    let mut random = Random::new(number("FORMWORK_SEED").unwrap_or(1));
    let count = number("FORMWORK_PATTERNS").map_or(PATTERNS, |count| usize::try_from(count).expect("a count"));
    let mut pairs = Vec::new();
    for _ in 0..count {
        let pattern = pattern(&mut random, dialect);
        for _ in 0..VALUES {
            pairs.push((pattern.clone(), value_of_pattern(&mut random, &pattern)));
        }
    }
    pairs
}

/// What a program prints for each pair.
fn answers(runtime: &str, name: &str, text: &str, pairs: &[(String, String)]) -> Vec<String> {
    let mut lines = String::new();
    for (pattern, value) in pairs {
        let _ = writeln!(lines, "{}\t{}", digits(pattern), digits(value));
    }
    let folder = tempfile::tempdir().expect("a directory");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("a file");
        path
    };
    let (program, input) = (write(name, text), write("pairs.txt", &lines));
    let run = |words: [&Path; 2]| Command::new(runtime).args(words).output().expect("the program runs");
    let output = run([&program, &input]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let answers = String::from_utf8(output.stdout).expect("UTF-8");
    let answers: Vec<String> = answers.lines().map(str::to_owned).collect();
    assert_eq!(answers.len(), pairs.len());
    answers
}

/// Compares the answers of another program with ours.
fn compare(
    pairs: &[(String, String)],
    others: Vec<String>,
    ours: impl Iterator<Item = &'static str>,
    is_same: impl Fn(&str, &str) -> bool,
) {
    let (mut decided, mut wrong) = ([0, 0], Vec::new());
    for (((pattern, value), other), ours) in pairs.iter().zip(others).zip(ours) {
        match ours {
            "unknown" => continue,
            "yes" => decided[1] += 1,
            "no" => decided[0] += 1,
            _ => {}
        }
        if !is_same(&other, ours) {
            wrong.push(format!("{pattern:?} on {value:?}: {other} there, {ours} in ours"));
        }
    }
    wrong.sort_by_key(String::len);
    let count = wrong.len();
    wrong.truncate(10);
    assert!(wrong.is_empty(), "{count} differ:\n{}", wrong.join("\n"));
    // Few are left undecided, and both answers are compared.
    assert!(decided[0] > pairs.len() / 5 && decided[1] > pairs.len() / 60, "{decided:?} of {}", pairs.len());
}

fn digits(text: &str) -> String {
    text.bytes().fold(String::new(), |mut out, byte| {
        let _ = write!(out, "{byte:02x}");
        out
    })
}
