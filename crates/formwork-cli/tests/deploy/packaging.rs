//! What a deployment uploads: files that the template names, nested stacks, templates that are too
//! large. A directory replaces the bucket.
//!
//! Holds reference/deploy.md#template, reference/deploy.md#steps, reference/deploy.md#expand.

use std::fmt::Write as _;
use std::sync::OnceLock;
use std::time::Duration;

use super::answers::{Change, Event, created, done, events, no_stack, ready};
use super::program::Case;
use super::running::Running;
use crate::support::archive::docker;
use crate::support::double::{Access, Double, Script, as_usual};

const BUCKET: [&str; 4] = ["--s3-bucket", "file:store", "--bucket-name", "artifacts"];

const PARENT: &str = "Resources:
  Network:
    Type: AWS::CloudFormation::Stack
    Properties: {TemplateURL: network.yaml}
";

const CHILD: &str = "Transform: AWS::LanguageExtensions
Resources:
  Fn::ForEach::Zones:
    - Zone
    - [a, b]
    - Subnet${Zone}: {Type: AWS::SNS::Topic}
";

/// A function whose code is not built.
const UNBUILT: &str = "Resources:
  Job:
    Type: AWS::Lambda::Function
    Properties: {Code: src, Handler: a.b, Runtime: python3.13, Role: 'arn:aws:iam::111122223333:role/r'}
";

#[test]
fn files_are_uploaded_first() {
    let steps = || vec![no_stack(), created(), ready(&[Change::new("Add", "Job", "AWS::Lambda::Function")])];
    let case = Case::new("files-first").with("t.yaml", UNBUILT).with("src/a.py", "x = 1\n");
    let words = [&BUCKET[..], &["--no-execute", "--verbose"]].concat();
    let run = case.deploy(steps(), &words);
    insta::assert_snapshot!(run.told());
    let body = run.sent("CreateChangeSet", "TemplateBody");
    assert!(body.contains("S3Bucket: artifacts") && !body.contains("Code: src"), "{body}");
    // The second time it is there.
    let run = case.deploy(steps(), &words);
    assert!(!run.err.contains("uploaded"), "{}", run.err);
    assert!(run.err.contains("1 of 1 files was in the bucket already\n"), "{}", run.err);
}

/// What was not built is warned about before it is uploaded.
#[test]
fn likely_secrets_are_named_before_the_upload() {
    let steps = vec![no_stack(), created(), ready(&[Change::new("Add", "Job", "AWS::Lambda::Function")])];
    let case = Case::new("secrets-first").with("t.yaml", UNBUILT).with("src/.env", "TOKEN=1\n");
    let run = case.deploy(steps, &[&BUCKET[..], &["--no-execute"]].concat());
    let warning = "warning: src (Code of Job) has a likely secret: .env; leave out with `.formworkignore`";
    assert_eq!(run.err.matches(warning).count(), 1, "{}", run.err);
}

/// What programs read about the uploads.
#[test]
fn uploads_are_in_the_object() {
    let template = "Resources:
  Job:
    Type: AWS::Lambda::Function
    Properties: {Code: src, Handler: a.b, Runtime: python3.13, Role: 'arn:aws:iam::111122223333:role/r'}
  Other:
    Type: AWS::Lambda::Function
    Properties: {Code: src, Handler: a.c, Runtime: python3.13, Role: 'arn:aws:iam::111122223333:role/r'}
";
    let case = Case::new("uploads-object").with("t.yaml", template).with("src/a.py", "x = 1\n");
    let uploads = || {
        let steps = vec![no_stack(), created(), ready(&[Change::new("Add", "Job", "AWS::Lambda::Function")])];
        let run = case.deploy(steps, &[&BUCKET[..], &["--no-execute", "--output", "json"]].concat());
        let object: serde_json::Value = serde_json::from_str(&run.out).expect("an object");
        object["Uploads"].clone()
    };
    let first = uploads();
    assert_eq!((&first["Uploaded"], &first["Skipped"]), (&1.into(), &0.into()), "{first}");
    let artifact = &first["Artifacts"][0];
    assert_eq!((&artifact["Path"], &artifact["State"]), (&"src".into(), &"uploaded".into()), "{first}");
    assert_eq!(artifact["Resources"], serde_json::json!(["Job", "Other"]));
    assert!(
        artifact["Bytes"].as_u64() > Some(0)
            && case.exists(&format!("store/{}", artifact["Name"].as_str().expect("a name")))
    );
    let second = uploads();
    assert_eq!((&second["Uploaded"], &second["Skipped"]), (&0.into(), &1.into()), "{second}");
    assert_eq!(
        (&second["Artifacts"][0]["State"], &second["Artifacts"][0]["Bytes"]),
        (&"skipped".into(), &serde_json::Value::Null)
    );
}

/// The run that is uploading.
static UPLOADING: OnceLock<Running> = OnceLock::new();

/// What was begun at the registry is taken back, and the stack is not asked to change.
#[test]
fn ctrl_c_while_something_is_uploaded() {
    let ending: Script = |request, before| {
        if request.method == "POST" && before == 0 {
            UPLOADING.get().expect("a run").signal("INT");
            std::thread::sleep(Duration::from_millis(300));
        }
        None
    };
    let double = Double::start(Access::Open, ending);
    let template = "Resources:
  Web:
    Type: AWS::Lambda::Function
    Properties: {PackageType: Image, Code: {ImageUri: web.tar}, Role: 'arn:aws:iam::111122223333:role/r'}
";
    let archive = String::from_utf8(docker(None, &[b"a layer"]).0).expect("a text");
    let case = Case::new("upload-ctrl-c").with("t.yaml", template).with("web.tar", &archive);
    UPLOADING.get_or_init(|| case.running.clone());
    let run = case.deploy(vec![no_stack()], &["--image-repository", &double.repository("app")]);
    assert_eq!(run.status, 130, "{}", run.err);
    assert!(run.err.contains("interrupted: nothing was deployed"), "{}", run.err);
    assert!(double.manifests().is_empty());
    assert_eq!(double.asked().last().map(String::as_str), Some("DELETE uploads"), "{:?}", double.asked());
}

/// Loops are sent unrolled, in the template and in a nested one; events keep the author's lines.
#[test]
fn an_expanded_template_is_sent_with_the_lines_of_the_author() {
    let nested = "arn:aws:cloudformation:eu-west-1:111122223333:stack/shop-Network/7";
    let before = Event::stack(0, "REVIEW_IN_PROGRESS");
    let parent = format!(
        "{PARENT}  Fn::ForEach::Queues: [Name, [Orders, Users], {{'Q${{Name}}': {{Type: AWS::SQS::Queue}}}}]\n"
    );
    let steps = vec![
        no_stack(),
        created(),
        ready(&[Change::new("Add", "QOrders", "AWS::SQS::Queue")]),
        events(std::slice::from_ref(&before)),
        done("ExecuteChangeSet"),
        events(&[
            before,
            Event::of(1, "QUsers", "AWS::SQS::Queue", "CREATE_COMPLETE"),
            Event::of(2, "Network", "AWS::CloudFormation::Stack", "CREATE_IN_PROGRESS").physical(nested),
            Event::stack(4, "ROLLBACK_COMPLETE"),
        ]),
        events(&[Event::of(3, "Subnetb", "AWS::SNS::Topic", "CREATE_FAILED").inside(nested).because("No more")]),
    ];
    let parent = format!("Transform: AWS::LanguageExtensions\n{parent}");
    let case = Case::new("expanded").with("t.yaml", &parent).with("network.yaml", CHILD);
    let run = case.deploy(steps, &[&BUCKET[..], &["--expand"]].concat());
    assert_eq!(run.status, 1, "{}", run.err);
    insta::assert_snapshot!(run.told());
    let body = run.sent("CreateChangeSet", "TemplateBody");
    assert!(body.contains("QOrders:") && body.contains("QUsers:"), "{body}");
    assert!(!body.contains("ForEach") && !body.contains("LanguageExtensions"), "{body}");
    let url = body.split("TemplateURL: ").nth(1).and_then(|rest| rest.lines().next()).expect("a URL");
    let child = case.read(&format!("store/{}", url.trim_end_matches('}').rsplit('/').next().expect("a key")));
    assert!(child.contains("Subneta:") && !child.contains("ForEach"), "{child}");
}

#[test]
fn images_are_pushed_first() {
    let template = "Resources:
  Web:
    Type: AWS::Lambda::Function
    Properties: {PackageType: Image, Code: {ImageUri: web.tar}, Role: 'arn:aws:iam::111122223333:role/r'}
";
    let (archive, id) = docker(Some("web:v1"), &[b"a layer"]);
    let archive = String::from_utf8(archive).expect("a text with zeros");
    let case = Case::new("images-first").with("t.yaml", template).with("web.tar", &archive);
    let double = Double::start(Access::Open, as_usual);
    let repository = double.repository("shop");
    let steps = || vec![no_stack(), created(), ready(&[Change::new("Add", "Web", "AWS::Lambda::Function")])];
    let run = case.deploy(steps(), &["--image-repository", &repository, "--no-execute", "--verbose"]);
    assert_eq!(run.status, 0, "{}", run.err);
    let name = format!("{repository}:web-{id}-v1");
    assert!(run.err.contains(&format!("100 % uploaded web.tar of Web: {name}")), "{}", run.err);
    assert!(run.sent("CreateChangeSet", "TemplateBody").contains(&name));
    let run = case.deploy(vec![no_stack()], &[]);
    assert_eq!(run.status, 4, "{}", run.err);
    assert!(run.err.contains("--image-repository URI"), "{}", run.err);
}

#[test]
fn what_cannot_be_packaged() {
    let template = "Resources:
  Job:
    Type: AWS::Lambda::Function
    Properties: {Code: gone, Handler: a.b, Runtime: python3.13, Role: 'arn:aws:iam::111122223333:role/r'}
";
    let case = Case::new("not-packaged").with("t.yaml", template);
    insta::assert_snapshot!(case.deploy(vec![no_stack()], &BUCKET).told());
    let run = case.with("gone/a.py", "").deploy(vec![no_stack()], &[]);
    assert_eq!(run.status, 4, "{}", run.err);
    assert!(run.err.contains("--s3-bucket"), "{}", run.err);
}

#[test]
fn events_of_nested_stacks_lead_to_their_own_templates() {
    let child = "arn:aws:cloudformation:eu-west-1:111122223333:stack/shop-Network/7";
    let before = Event::stack(0, "REVIEW_IN_PROGRESS");
    let steps = vec![
        no_stack(),
        created(),
        ready(&[Change::new("Add", "Network", "AWS::CloudFormation::Stack")]),
        events(std::slice::from_ref(&before)),
        done("ExecuteChangeSet"),
        events(&[
            before,
            Event::stack(1, "CREATE_IN_PROGRESS"),
            Event::of(2, "Network", "AWS::CloudFormation::Stack", "CREATE_IN_PROGRESS").physical(child),
            Event::of(5, "Network", "AWS::CloudFormation::Stack", "CREATE_FAILED").physical(child).because("Embedded"),
            Event::stack(6, "ROLLBACK_COMPLETE"),
        ]),
        events(&[
            Event::of(3, "Subneta", "AWS::SNS::Topic", "CREATE_COMPLETE").inside(child),
            Event::of(4, "Subnetb", "AWS::SNS::Topic", "CREATE_FAILED").inside(child).because("No more topics"),
        ]),
    ];
    let case = Case::new("nested-lines").with("t.yaml", PARENT).with("network.yaml", CHILD);
    insta::assert_snapshot!(case.deploy(steps, &BUCKET).told());
}

#[test]
fn a_template_that_is_too_large_goes_through_the_bucket() {
    let mut long = "Resources:\n".to_owned();
    for number in 0..220 {
        let _ = writeln!(long, "  T{number}: {{Type: 'AWS::SNS::Topic', Metadata: {{Filler: {}}}}}", "x".repeat(300));
    }
    let case = Case::new("through").with("t.yaml", &long);
    let words = [&BUCKET[..], &["--s3-prefix", "shop", "--no-execute"]].concat();
    let run = case.deploy(vec![no_stack(), created(), ready(&[])], &words);
    assert_eq!(run.status, 0, "{}", run.err);
    let url = run.sent("CreateChangeSet", "TemplateURL");
    let key = url.strip_prefix("https://s3.eu-west-1.amazonaws.com/artifacts/").expect("the address");
    assert!(key.starts_with("shop/") && key.ends_with(".template"), "{key}");
    assert_eq!(case.read(&format!("store/{key}")), long);
    assert_eq!(run.sent("CreateChangeSet", "TemplateBody"), "");
}

/// `deploy` packages with the values that it deploys with: no item can be missing.
#[test]
fn items_of_a_parameter_are_not_fixed_before_they_are_deployed() {
    let template = "Transform: AWS::LanguageExtensions
Parameters:
  Names: {Type: CommaDelimitedList, Default: 'a,b'}
Resources:
  Fn::ForEach::Layers:
    - Name
    - !Ref Names
    - Layer${Name}:
        Type: AWS::Lambda::LayerVersion
        Properties: {Content: !Sub './src/${Name}'}
";
    let case = Case::new("not-fixed").with("t.yaml", template);
    let case = case.with("src/a/a.py", "a = 1\n").with("src/b/b.py", "b = 1\n");
    for words in [&["--strict"][..], &["--strict", "--parameter-overrides", "Names=b"]] {
        let steps = vec![no_stack(), created(), ready(&[])];
        let more = ["--no-execute", "--capabilities", "CAPABILITY_AUTO_EXPAND"];
        let run = case.deploy(steps, &[&BUCKET[..], &more, words].concat());
        assert_eq!(run.status, 0, "{}", run.err);
        assert!(!run.err.contains("FW0807"), "{}", run.err);
        assert!(run.sent("CreateChangeSet", "TemplateBody").contains("Mappings"), "the files are looked up");
    }
}

/// The same in nested stacks, but for what only the deployment knows.
#[test]
fn items_of_a_nested_stack_are_fixed_where_its_parameter_is() {
    let child = "Transform: AWS::LanguageExtensions
Parameters:
  Names: {Type: CommaDelimitedList, Default: 'a,b'}
Resources:
  Fn::ForEach::Layers:
    - Name
    - !Ref Names
    - Layer${Name}:
        Type: AWS::Lambda::LayerVersion
        Properties: {Content: !Sub './src/${Name}'}
";
    let middle = "Parameters:
  Names: {Type: CommaDelimitedList, Default: 'a,b'}
Resources:
  Inner:
    Type: AWS::CloudFormation::Stack
    Properties: {TemplateURL: ./child.yaml, Parameters: {Names: !Join [',', !Ref Names]}}
";
    let uses = |file: &str, value: &str| {
        format!(
            "Parameters:
  Names: {{Type: CommaDelimitedList, Default: 'b'}}
Resources:
  Topic: {{Type: 'AWS::SNS::Topic'}}
  Child:
    Type: AWS::CloudFormation::Stack
    Properties: {{TemplateURL: ./{file}.yaml, Parameters: {{{value}}}}}
"
        )
    };
    let known = "Names: !Join [',', !Ref Names]";
    let later = "Names: !GetAtt Topic.TopicName";
    let cases = [
        ("child", "", false),
        ("child", known, false),
        ("middle", known, false),
        ("child", later, true),
        ("middle", later, true),
    ];
    for (number, (file, value, warns)) in cases.into_iter().enumerate() {
        let case = Case::new(&format!("nested-fixed-{number}")).with("t.yaml", &uses(file, value));
        let case = case.with("child.yaml", child).with("middle.yaml", middle);
        let case = case.with("src/a/a.py", "a = 1\n").with("src/b/b.py", "b = 1\n");
        let steps = vec![no_stack(), created(), ready(&[])];
        let run =
            case.deploy(steps, &[&BUCKET[..], &["--no-execute", "--capabilities", "CAPABILITY_AUTO_EXPAND"]].concat());
        assert_eq!(run.status, 0, "{file} {value}\n{}", run.err);
        assert_eq!(run.err.contains("FW0807"), warns, "{file} {value}\n{}", run.err);
    }
}

#[test]
fn items_that_the_template_was_not_packaged_with() {
    let template = "Transform: AWS::LanguageExtensions
Metadata: {Formwork: {Collections: {Names: [a, b]}}}
Parameters:
  Names: {Type: CommaDelimitedList, Default: 'a,b'}
Mappings:
  SAMCodeJobs: {a: {S3Key: x}, b: {S3Key: y}}
Resources:
  Fn::ForEach::Jobs:
    - Name
    - !Ref Names
    - Topic${Name}:
        Type: AWS::SNS::Topic
        Properties: {DisplayName: !FindInMap [SAMCodeJobs, !Ref Name, S3Key]}
";
    let case = Case::new("collections").with("t.yaml", template);
    let run = case.deploy(vec![], &["--parameter-overrides", "Names=b,c"]);
    assert!(!run.err.contains("FW0403"), "{}", run.err);
    insta::assert_snapshot!(run.told());
    // The same as a nested stack that gets other items.
    let parent = "Transform: AWS::LanguageExtensions
Parameters: {Names: {Type: String}}
Resources:
  Child:
    Type: AWS::CloudFormation::Stack
    Properties: {TemplateURL: t.yaml, Parameters: {Names: !Ref Names}}
";
    let parent = Case::new("collections-nested").with("parent.yaml", parent).with("t.yaml", template);
    let words = ["deploy", "parent.yaml", "--stack-name", "shop", "--parameter-overrides", "Names=b,c"];
    let run = parent.run(vec![no_stack()], &[&words, &BUCKET[..]].concat());
    assert!(run.err.contains("FW0807") && !run.err.contains("FW0403"), "{}", run.err);
    let steps = vec![no_stack(), created(), ready(&[])];
    let run = case.deploy(steps, &["--no-execute", "--parameter-overrides", "Names=b"]);
    assert_eq!(run.status, 0, "{}", run.err);
}
