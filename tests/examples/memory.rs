//! The memory of a session whose templates were all compiled, as a multiple of their bytes.
//!
//! ```sh
//! cargo run --release -p formwork-tests --example memory -- [COUNT]
//! ```
#![allow(clippy::print_stdout, reason = "a program for developers: it prints")]
#![allow(clippy::disallowed_methods, reason = "a program for developers: processes are its work")]

use std::fmt::Write as _;

use formwork::{Goal, MemoryHost, Options, Session};

/// A template of about 20 KB; no two have a text in common but their section.
fn template(number: usize) -> String {
    let mut text = "Parameters: {Stage: {Type: String}}\nResources:\n".to_owned();
    for at in 0.. {
        if text.len() >= 20_000 {
            break;
        }
        let _ = write!(
            text,
            "  Queue{at}:\n    Type: AWS::SQS::Queue\n    Properties:\n      QueueName: !Sub 'queue-{number}-{at}-${{Stage}}'\n      DelaySeconds: 5\n  Alarm{at}:\n    Type: AWS::SNS::Topic\n    Properties:\n      DisplayName: !GetAtt Queue{at}.QueueName\n      Tags: [{{Key: template, Value: t{number}}}, {{Key: stage, Value: !Ref Stage}}]\n"
        );
    }
    text
}

/// Resident memory of this process in bytes, where Linux has it.
fn resident() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<usize>().ok()).unwrap_or_default() * 1024
}

fn main() {
    let count = std::env::args().nth(1).and_then(|word| word.parse().ok()).unwrap_or(1000);
    let before = resident();
    let mut bytes = 0;
    let host = (0..count).fold(MemoryHost::new(), |host, number| {
        let text = template(number);
        bytes += text.len();
        host.with(&format!("t{number}.yaml"), text)
    });
    let with_files = resident();
    let session = Session::new(host, Options::default());
    let compiled: Vec<_> = (0..count).map(|number| session.compile(&format!("t{number}.yaml"), Goal::Check)).collect();
    let with_results = resident();
    let clean = compiled.iter().filter(|compiled| !compiled.has_errors()).count();
    drop(compiled);
    let after = resident();
    let times = |resident: usize| resident.saturating_sub(before) as f64 / bytes as f64;
    println!("{count} templates of {} bytes, {clean} without errors", bytes / count);
    println!("the files alone:    {:.1} times their bytes", times(with_files));
    println!("all results in use: {:.1}", times(with_results));
    println!("the session alone:  {:.1}", times(after));
    drop(session);
}
