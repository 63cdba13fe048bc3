// Checks a template again after an edit of one of its modules: nothing else is read or parsed again.
#![allow(missing_docs, reason = "a program")]
use std::sync::Mutex;

use formwork::{Cancellation, Goal, MemoryHost, Options, Progress, Session, VirtualPath};

const TEMPLATE: &str = "\
Modules:
  Orders: {Source: modules/queue.yaml, Properties: {Name: orders}}
  Alarms: {Source: modules/topic.yaml}
Resources:
  Bucket: {Type: AWS::S3::Bucket}
";
const QUEUE: &str = "\
Parameters: {Name: {Type: String}}
Resources:
  Queue: {Type: AWS::SQS::Queue, Properties: {QueueName: !Ref Name}}
";
const TOPIC: &str = "\
Resources:
  Topic: {Type: AWS::SNS::Topic}
";

fn main() {
    let host = MemoryHost::new()
        .with("template.yaml", TEMPLATE)
        .with("modules/queue.yaml", QUEUE)
        .with("modules/topic.yaml", TOPIC);
    let session = Session::new(host, Options::default());
    let root = VirtualPath::new("template.yaml");
    let module = VirtualPath::new("modules/queue.yaml");

    let first = session.analyze(&root).compile(Goal::Check);
    assert!(!first.has_errors());
    assert_eq!((session.reads(), session.parses()), (3, 3));

    // The editor sends the new text of one file, which need not be on any disk.
    session.set_file(&module, QUEUE.replace("!Ref Name", "!Ref Nam").into_bytes());
    let told = Mutex::new(Vec::new());
    let progress = |step: Progress<'_>| told.lock().expect("a list").push(format!("{step:?}"));
    let cancellation = Cancellation::new();
    let second = session.analyze(&root).compile_unless(&cancellation, Goal::Check, &progress).expect("not cancelled");
    let findings: Vec<_> = second.diagnostics().iter().map(|found| found.resolve(second.sources())).collect();
    assert!(second.has_errors());
    assert_eq!(findings[0].place.file.as_deref(), Some("modules/queue.yaml"));
    assert_eq!((session.reads(), session.parses()), (3, 4));
    assert!(told.lock().expect("a list").iter().any(|step| step == "Stage(\"expand\")"));
    // Offsets are those of the file itself, whatever other files hold.
    let range = findings[0].place.range.clone().expect("a place");
    assert_eq!(session.index(&module).expect("read").text()[range.start as usize..range.end as usize], *"Nam");

    // The next key stroke came before the check was done: it is cancelled, with a typed error.
    session.set_file(&module, QUEUE.as_bytes().to_vec());
    let give_up = |_: Progress<'_>| cancellation.cancel();
    assert!(session.analyze(&root).compile_unless(&cancellation, Goal::Check, &give_up).is_err());
    assert!(!session.analyze(&root).compile(Goal::Check).has_errors());
}
