//! `AllowedPattern` means what it means in Java, which CloudFormation runs: patterns at random against the JDK of this
//! machine. Where ours decides, Java decides the same; what is not known is left out.
//!
//! `FORMWORK_PATTERNS` sets how many patterns there are, and `FORMWORK_SEED` which ones.

#![allow(clippy::disallowed_methods, reason = "the JDK is a program of the machine, and speaks through files")]
#![allow(clippy::print_stderr, reason = "a test program speaks to its user")]

use std::fmt::Write as _;
use std::process::{Command, Stdio};

use formwork_rules::parameters::{Match, Pattern};
use formwork_tests::generate::{Random, pattern, value_of_pattern};

const PATTERNS: usize = 5000;
const VALUES: usize = 6;

/// Prints for each line of a file, a pattern and a value in hexadecimal digits, whether the whole value matches.
const PROGRAM: &str = r#"
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

#[test]
fn patterns_mean_what_they_mean_in_java() {
    let number = |name: &str| std::env::var(name).ok().map(|text| text.parse::<u64>().expect("a number"));
    let is_jdk = Command::new("javac").arg("-version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !is_jdk.is_ok_and(|status| status.success()) {
        assert!(std::env::var_os("FORMWORK_REQUIRE_JAVA").is_none(), "javac is not here");
        eprintln!("skipped: javac is not here");
        return;
    }
    let mut random = Random::new(number("FORMWORK_SEED").unwrap_or(1));
    let count = number("FORMWORK_PATTERNS").map_or(PATTERNS, |count| usize::try_from(count).expect("a count"));
    let pairs: Vec<(String, String)> = (0..count)
        .flat_map(|_| {
            let pattern = pattern(&mut random);
            let values: Vec<String> = (0..VALUES).map(|_| value_of_pattern(&mut random, &pattern)).collect();
            values.into_iter().map(move |value| (pattern.clone(), value))
        })
        .collect();
    let mut lines = String::new();
    for (pattern, value) in &pairs {
        let _ = writeln!(lines, "{}\t{}", digits(pattern), digits(value));
    }
    let folder = tempfile::tempdir().expect("a directory");
    let (program, input) = (folder.path().join("Patterns.java"), folder.path().join("pairs.txt"));
    std::fs::write(&program, PROGRAM).expect("the program");
    std::fs::write(&input, lines).expect("the pairs");
    let output = Command::new("java").arg(&program).arg(&input).output().expect("java");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let answers = String::from_utf8(output.stdout).expect("UTF-8");
    let answers: Vec<&str> = answers.lines().collect();
    assert_eq!(answers.len(), pairs.len());

    let (mut decided, mut wrong) = ([0, 0], Vec::new());
    for ((pattern, value), java) in pairs.iter().zip(answers) {
        let ours = match Pattern::compile(pattern, 1).matches(value) {
            Match::Unknown(_) => continue,
            Match::Yes => "yes",
            Match::No => "no",
        };
        decided[usize::from(ours == "yes")] += 1;
        // A pattern that Java does not compile is reported elsewhere, or by CloudFormation.
        if java != ours && java != "invalid" {
            wrong.push(format!("{pattern:?} on {value:?}: {java} in Java, {ours} in ours"));
        }
    }
    wrong.sort_by_key(String::len);
    wrong.truncate(10);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // Few are left undecided, and both answers are compared.
    assert!(decided[0] > pairs.len() / 5 && decided[1] > pairs.len() / 60, "{decided:?} of {}", pairs.len());
}

fn digits(text: &str) -> String {
    text.bytes().fold(String::new(), |mut out, byte| {
        let _ = write!(out, "{byte:02x}");
        out
    })
}
