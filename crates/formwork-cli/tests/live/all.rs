//! `deploy --all` against moto: twelve stacks in their order, again without changes, and a failure in the middle.
//!
//! Holds reference/deploy.md#all.

use serde_json::Value;
use std::fmt::Write as _;

use super::moto::Moto;
use super::program::Folder;

const COUNT: usize = 12;

/// A stack that reads a parameter of the one before it, and of the first one. Moto has no exports.
fn template(at: usize) -> String {
    let mut text = "Resources:\n".to_owned();
    let names = if at.is_multiple_of(3) {
        "none".to_owned()
    } else {
        format!("{{{{resolve:ssm:/all/0}}}} {{{{resolve:ssm:/all/{}}}}}", at - 1)
    };
    let _ = writeln!(
        text,
        "  Topic: {{Type: AWS::SNS::Topic, Properties: {{TopicName: all-{at}, DisplayName: '{names}'}}}}\n  Stored: {{Type: AWS::SSM::Parameter, Properties: {{Name: /all/{at}, Type: String, Value: '{at}'}}}}"
    );
    text
}

fn folder() -> Folder {
    let mut stacks = String::new();
    // The file has the last stack first: the links decide.
    for at in (0..COUNT).rev() {
        let _ = write!(stacks, "[[stack]]\nname = \"all-{at}\"\ntemplate = \"s{at}.yaml\"\nregion = \"us-east-1\"\n");
    }
    (0..COUNT).fold(Folder::new("all").with("formwork.toml", &stacks), |folder, at| {
        folder.with(&format!("s{at}.yaml"), &template(at))
    })
}

fn results(out: &str) -> Vec<(String, String)> {
    let value: Value = serde_json::from_str(out).expect("JSON");
    let text = |value: &Value| value.as_str().expect("text").to_owned();
    let one = |stack: &Value| (text(&stack["Stack"]), text(&stack["Result"]));
    value["Stacks"].as_array().expect("stacks").iter().map(one).collect()
}

pub(crate) fn twelve_stacks(moto: &Moto) {
    let deploy = |folder: &Folder, words: &[&str]| {
        let all = ["deploy", "--all", "--yes", "--poll-delay", "0.05", "--format", "json", "--region", "us-east-1"];
        moto.run(folder, &[&all, words].concat())
    };
    let folder = folder();
    let run = deploy(&folder, &["--jobs", "3"]);
    assert_eq!(run.status, 0, "{} {}", run.out, run.err);
    let first = results(&run.out);
    assert_eq!(first.len(), COUNT, "{first:?}");
    assert!(first.iter().all(|(_, result)| result == "deployed"), "{first:?}");

    let again = deploy(&folder, &[]);
    assert_eq!(again.status, 0, "{} {}", again.out, again.err);
    assert!(results(&again.out).iter().all(|(_, result)| result == "no-changes"), "{}", again.out);

    // A change set that cannot be made stops what depends on its stack, and nothing else.
    let broken = template(1).replace("Resources:", "Parameters:\n  Needed: {Type: String}\nResources:");
    let more = "  More: {Type: AWS::SNS::Topic}\n";
    let folder = folder.with("s1.yaml", &broken).with("s4.yaml", &(template(4) + more));
    let run = deploy(&folder, &[]);
    assert_ne!(run.status, 0, "{}", run.out);
    let ended = results(&run.out);
    let of =
        |name: &str| ended.iter().find(|(stack, _)| stack == name).map(|(_, result)| result.clone()).expect("a stack");
    assert_eq!(of("all-2"), "waits for all-1", "{ended:?}");
    assert!(!["deployed", "no-changes"].contains(&of("all-1").as_str()), "{ended:?}");
    assert_eq!((of("all-3"), of("all-4")), ("no-changes".to_owned(), "deployed".to_owned()), "{ended:?}");

    // Corrected and run again, it goes on where it stopped.
    let folder = folder.with("s1.yaml", &template(1));
    let run = deploy(&folder, &[]);
    assert_eq!(run.status, 0, "{} {}", run.out, run.err);
}
