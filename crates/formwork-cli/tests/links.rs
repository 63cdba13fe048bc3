//! `check` of several templates: the names that they share.
//!
//! Holds reference/repository.md#links, reference/repository.md#findings.

use std::fmt::Write as _;

use crate::support::folder::Folder;

/// A template that exports some names and imports others. `id` is in its logical IDs.
fn template(id: &str, exports: &[&str], imports: &[&str]) -> String {
    let mut text = format!(
        "Parameters:\n  Stage: {{Type: String, Default: dev}}\nResources:\n  Topic{id}:\n    Type: AWS::SNS::Topic\n"
    );
    for (at, name) in imports.iter().enumerate() {
        let _ = write!(
            text,
            "  Parameter{id}{at}:\n    Type: AWS::SSM::Parameter\n    Properties:\n      Type: String\n      Value: !ImportValue\n        Fn::Sub: {name}\n"
        );
    }
    if !exports.is_empty() {
        text += "Outputs:\n";
    }
    for (at, name) in exports.iter().enumerate() {
        let _ = write!(text, "  Out{at}:\n    Value: !Ref Topic{id}\n    Export:\n      Name: !Sub {name}\n");
    }
    text
}

/// Runs `check .` over templates; returns the lines with a code of links, and standard error.
fn check(name: &str, templates: &[(&str, String)], words: &[&str]) -> (Vec<String>, String) {
    let mut folder = Folder::new("links", name);
    for (path, text) in templates {
        folder = folder.with(path, text);
    }
    let run = folder.run(&[&["check", ".", "--message-format", "short"][..], words].concat());
    let lines = run.out.lines().filter(|line| line.contains("[FW15")).map(str::to_owned).collect();
    (lines, run.err)
}

#[test]
fn a_slip_in_a_name_is_found_at_the_import() {
    for (exported, imported, is_found) in [
        ("shop-topic", "shop-topc", true),
        ("${Stage}-topic", "${Stage}-topci", true),
        ("${AWS::StackName}-topic", "${Other}-topics", true),
        ("${AWS::StackName}-topic", "network-topi", true),
        ("shop-topic", "shop-topic", false),
        ("${AWS::StackName}-topic", "network-topic", false),
        ("${AWS::StackName}-Subnet1", "${Other}-Subnet2", false),
        ("${AWS::StackName}-SubnetA", "${Other}-SubnetB", false),
        ("shop-topic", "account-baseline", false),
        ("shop-topic", "${Other}", false),
    ] {
        let imported = imported.replace("${Other}", "${Stage}");
        let templates = [("a.yaml", template("A", &[exported], &[])), ("b/b.yaml", template("B", &[], &[&imported]))];
        let (found, err) = check("slip", &templates, &[]);
        assert_eq!(!found.is_empty(), is_found, "{exported}, {imported}: {found:?} {err}");
        assert!(
            found.iter().all(|line| line.starts_with("b/b.yaml:11:") && line.contains("warning[FW1510]")),
            "{found:?}"
        );
    }
}

#[test]
fn names_from_outside_are_counted_or_errors() {
    let templates = [
        ("a.yaml", template("A", &["shop-topic"], &["account-baseline", "account-baseline"])),
        ("b.yaml", template("B", &[], &["network-vpc", "shop-topic"])),
    ];
    let (found, err) = check("outside", &templates, &[]);
    assert!(found.is_empty(), "{found:?}");
    assert_eq!(err, "note: 2 imported names come from outside of these templates\n");
    let (found, err) = check("closed", &templates, &["--stacks-closed"]);
    assert_eq!((found.len(), err.as_str()), (3, ""), "{found:?}");
    assert!(found.iter().all(|line| line.contains("error[FW1510]")), "{found:?}");
}

#[test]
fn cycles_are_found_once_with_their_way() {
    let templates = [
        ("a.yaml", template("A", &["${Stage}-a"], &["${Stage}-c"])),
        ("b.yaml", template("B", &["${Stage}-b"], &["${Stage}-a"])),
        ("c.yaml", template("C", &["${Stage}-c"], &["${Stage}-b"])),
        ("d.yaml", template("D", &[], &["${Stage}-c"])),
    ];
    let (found, _) = check("cycle", &templates, &[]);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(
        found[0].contains("error[FW1511]: a.yaml, c.yaml and b.yaml import from each other in a cycle"),
        "{found:?}"
    );
    // Names that differ from stack to stack are not the same ones.
    let open = templates.map(|(path, text)| (path, text.replace("${Stage}-", "${AWS::StackName}-")));
    assert!(check("cycle-open", &open, &[]).0.is_empty());
}

#[test]
fn a_name_of_two_stacks_is_an_error_and_that_of_alternatives_is_not() {
    let both = [("a.yaml", template("A", &["shop-topic"], &[])), ("b.yaml", template("B", &["shop-topic"], &[]))];
    let (found, _) = check("twice", &both, &[]);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].starts_with("b.yaml:") && found[0].contains("error[FW1512]"), "{found:?}");
    let alternatives =
        [("a.yaml", template("A", &["shop-topic"], &[])), ("b.yaml", template("A", &["shop-topic"], &[]))];
    assert!(check("alternatives", &alternatives, &[]).0.is_empty());
    let patterns = [("a.yaml", template("A", &["${Stage}-t"], &[])), ("b.yaml", template("B", &["${Stage}-t"], &[]))];
    assert!(check("patterns", &patterns, &[]).0.is_empty(), "each may have another stage");
}

#[test]
fn a_finding_can_be_suppressed_and_ignored() {
    let own = template("B", &[], &["shop-topc"])
        .replace("Fn::Sub: shop-topc", "Fn::Sub: shop-topc # formwork: allow FW1510 -- outside");
    let templates = [("a.yaml", template("A", &["shop-topic"], &[])), ("b.yaml", own)];
    let mut folder = Folder::new("links", "suppressed");
    for (path, text) in &templates {
        folder = folder.with(path, text);
    }
    let run = folder.run(&["check", "."]);
    assert!(run.status == 0 && !run.out.contains("FW1510]") && !run.out.contains("FW1101"), "{}", run.out);
    let templates = [("a.yaml", template("A", &["shop-topic"], &[])), ("b.yaml", template("B", &[], &["shop-topc"]))];
    assert!(check("ignored", &templates, &["--ignore", "FW1510"]).0.is_empty());
}

#[test]
fn stored_parameters_are_compared_with_those_that_are_read() {
    let writes = "Resources:\n  Url:\n    Type: AWS::SSM::Parameter\n    Properties: {Type: String, Name: /shop/url, Value: x}\n";
    let reads = |name: &str| {
        format!(
            "Resources:\n  Topic:\n    Type: AWS::SNS::Topic\n    Properties:\n      DisplayName: '{{{{resolve:ssm:{name}}}}}'\n"
        )
    };
    let found = |name: &str| check("stored", &[("a.yaml", writes.to_owned()), ("b.yaml", reads(name))], &[]).0;
    assert_eq!(found("/shop/ur1l").len(), 0, "other digits");
    let slip = found("/shop/urll");
    assert!(slip.len() == 1 && slip[0].starts_with("b.yaml:5:"), "{slip:?}");
    assert!(found("/shop/url").is_empty() && found("/other/name").is_empty());
}

#[test]
fn the_whole_message() {
    let folder = Folder::new("links", "message")
        .with("network.yaml", &template("A", &["${Stage}-topic", "shop-target"], &["${Stage}-orders"]))
        .with(
            "orders.yaml",
            &template("B", &["${Stage}-orders", "shop-target"], &["${Stage}-topic", "${Stage}-topci"]),
        );
    insta::assert_snapshot!(folder.run(&["check", "."]).out);
}

#[test]
fn a_plan_names_the_importers_of_an_export_that_goes() {
    let folder = Folder::new("links", "plan")
        .with(".git/HEAD", "ref: refs/heads/main\n")
        .with("network/old.yaml", &template("A", &["${Stage}-topic", "${AWS::StackName}-vpc", "shop-unused"], &[]))
        .with("network/new.yaml", &template("A", &[], &[]))
        .with("orders.yaml", &template("B", &[], &["${Stage}-topic", "net-vpc"]))
        .with("broken.yaml", "Resources: {A: {Type: !Nope x}}\n");
    let run = folder.run(&["plan", "network/old.yaml", "network/new.yaml", "--no-schemas", "--fail-on", "destructive"]);
    assert_eq!(run.status, 1, "{run:?}");
    for wanted in [
        "export dev-topic removed: blocked, in use by orders.yaml:11",
        "`Export dev-topic cannot be deleted as it is in use by [STACK]`",
        "-vpc\" removed: may be in use by orders.yaml:17",
        "export shop-unused removed: may be in use by importers",
    ] {
        assert!(run.out.contains(wanted), "{wanted}: {}", run.out);
    }
    let run = folder.run(&["plan", "network/old.yaml", "network/new.yaml", "--no-schemas", "--format", "json"]);
    let value: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    let export = &value["changes"][0]["export"];
    assert_eq!(
        (&export["blocked"]["reason"], &export["importers"][0]["line"]),
        (&"in-use".into(), &11.into()),
        "{export}"
    );
    // Outside of a repository nobody looks.
    std::fs::remove_dir_all(folder.path(".git")).expect("a directory");
    let run = folder.run(&["plan", "network/old.yaml", "network/new.yaml", "--no-schemas"]);
    assert_eq!(run.out.matches("may be in use by importers").count(), 3, "{}", run.out);
}

#[test]
fn stacks_are_drawn_with_the_names_that_they_share() {
    let folder = Folder::new("links", "graph")
        .with("a.yaml", &template("A", &["${Stage}-a"], &["${Stage}-b"]))
        .with("b.yaml", &template("B", &["${Stage}-b"], &[]))
        .with("alone.yaml", &template("C", &[], &[]));
    let run = folder.run(&["graph", "--stacks"]);
    assert_eq!(run.status, 0, "{run:?}");
    insta::assert_snapshot!(format!("{}{}", run.out, run.err));
    let json = folder.run(&["graph", "--stacks", "--format", "json"]);
    let value: serde_json::Value = serde_json::from_str(&json.out).expect("JSON");
    assert_eq!(value["edges"][0]["kinds"][0], "export");
    let folder = folder.with("b.yaml", &template("B", &["${Stage}-b"], &["${Stage}-a"]));
    assert_eq!(folder.run(&["graph", "--stacks"]).status, 1, "a cycle");
    let over = folder.run(&["graph", "--stacks", "-o", "a.yaml"]);
    assert!(over.status == 2 && over.err.contains("would overwrite an input"), "{over:?}");
    let broken = folder.with("broken.yaml", "Resources: {A: {Type: !Nope x}}\n");
    let run = broken.run(&["graph", "--stacks"]);
    assert!(run.status == 1 && run.out.is_empty() && run.err.contains("nothing is drawn"), "{run:?}");
}

#[test]
fn a_module_is_not_a_stack() {
    let folder = Folder::new("links", "module")
        .with("a.yaml", &template("A", &["${Stage}-a"], &[]))
        .with("b.yaml", &(template("B", &[], &["${Stage}-a"]) + "Modules:\n  M: {Source: ./m.yaml, Properties: {Name: x}}\n"))
        .with("m.yaml", "Parameters:\n  Name: {Type: String}\nParameterSchema:\n  Name: {Type: String}\nResources:\n  T: {Type: AWS::SNS::Topic, Properties: {TopicName: !Ref Name}}\n");
    let run = folder.run(&["graph", "--stacks"]);
    assert_eq!((run.status, run.err.as_str()), (0, ""), "{run:?}");
    assert!(!run.out.contains("m.yaml"), "{}", run.out);
}

#[test]
fn the_place_of_a_name_is_in_its_file() {
    let folder = Folder::new("links", "parts")
        .with("formwork.toml", "[[template]]\nname = \"net\"\nfiles = [\"net/a.yaml\", \"net/b.yaml\"]\n")
        .with("net/a.yaml", &template("A", &[], &[]))
        .with("net/b.yaml", "Outputs:\n  Out: {Value: !Ref TopicA, Export: {Name: shop-topic}}\n")
        .with("orders.yaml", &template("B", &[], &["shop-topc"]));
    let run = folder.run(&["check", "."]);
    assert!(run.out.contains("net/b.yaml:2 exports `shop-topic`"), "{}", run.out);
}
