//! A session reads and parses each file once, whatever is asked of it.

use std::sync::{Arc, Mutex};

use formwork::{
    Account, AccountQuery, Compilation, FileBytes, Goal, Host, MemoryHost, Options, Questions, ReadError, Session,
    SourceFile, VirtualPath,
};

const TEMPLATE: &str = "Modules:
  One: {Source: ./module.yaml, Properties: {Name: &name first}}
  Two: {Source: ./module.yaml, Properties: {Name: *name}}
Resources:
  Fn::Transform: {Name: AWS::Include, Parameters: {Location: included.yaml}}
  Own: {Type: AWS::SNS::Topic, Properties: {DisplayName: !Ref AWS::Region}}
";
const MODULE: &str = "Parameters: {Name: {Type: String}}
Resources:
  Queue: {Type: AWS::SQS::Queue, Properties: {QueueName: !Sub '${Name}-queue'}}
";
const INCLUDED: &str = "Shared: {Type: AWS::SNS::Topic, Properties: {DisplayName: a, DisplayName: b}}\n";

/// A host that remembers what it was asked for.
struct Counting {
    files: MemoryHost,
    asked: Mutex<Vec<String>>,
}

impl Counting {
    fn new(files: &[(&str, &str)]) -> Counting {
        let files = files.iter().fold(MemoryHost::new(), |host, (name, text)| host.with(name, *text));
        Counting { files, asked: Mutex::default() }
    }
}

impl Host for Counting {
    fn read(&self, path: &VirtualPath) -> Result<FileBytes, ReadError> {
        self.asked.lock().expect("a list").push(path.to_string());
        self.files.read(path)
    }
}

const FILES: [(&str, &str); 3] = [("t.yaml", TEMPLATE), ("module.yaml", MODULE), ("included.yaml", INCLUDED)];

/// What is known of a compilation: its text, and its diagnostics with the lines that they are at.
fn answer(compiled: &Compilation) -> (Option<String>, Vec<String>) {
    let line = |found: &formwork::Diagnostic| {
        let place = found.primary.as_ref().and_then(|label| compiled.sources().place(label.span));
        let place = place.map(|at| format!("{}:{}:{}", compiled.sources().display(at.file), at.line, at.column));
        format!("{place:?} {} {} {:?}", found.code, found.message, found.count)
    };
    (compiled.output().ok().map(|output| output.render(None)), compiled.diagnostics().iter().map(line).collect())
}

#[test]
fn goals_share_what_was_read_and_parsed() {
    let host = Counting::new(&FILES);
    let session = Session::new(&host, Options::default());
    let analysis = session.analyze(&VirtualPath::new("t.yaml"));
    for goal in [Goal::Expand, Goal::Check, Goal::Resolve, Goal::Package, Goal::Expand] {
        let shared = analysis.compile(goal);
        let alone = Session::new(&host.files, Options::default()).compile("t.yaml", goal);
        assert_eq!(answer(&shared), answer(&alone), "{goal:?}");
        assert!(Arc::ptr_eq(&shared, &analysis.compile(goal)), "a goal is reached once");
    }
    assert_eq!((session.reads(), session.parses(), session.analyses()), (3, 3, 1));
    assert_eq!(*host.asked.lock().expect("a list"), ["t.yaml", "included.yaml", "module.yaml"]);
}

#[test]
fn an_edit_of_one_file_leaves_the_others() {
    let host = Counting::new(&FILES);
    let session = Session::new(&host, Options::default());
    let before = session.compile("t.yaml", Goal::Expand);
    let edited = MODULE.replace("-queue", "-edited");
    for (path, text, parses) in [("module.yaml", edited.as_str(), 4), ("t.yaml", &TEMPLATE.replace("first", "new"), 5)]
    {
        session.set_file(&VirtualPath::new(path), text.as_bytes());
        let after = session.compile("t.yaml", Goal::Expand);
        assert_eq!((session.reads(), session.parses()), (3, parses), "{path}");
        assert!(after.output().is_ok(), "{path}");
    }
    let fresh = MemoryHost::new()
        .with("t.yaml", TEMPLATE.replace("first", "new"))
        .with("module.yaml", edited)
        .with("included.yaml", INCLUDED);
    let after = session.compile("t.yaml", Goal::Expand);
    assert_eq!(answer(&after), answer(&Session::new(&fresh, Options::default()).compile("t.yaml", Goal::Expand)));
    assert!(
        after.output().expect("no errors").render(None).contains("QueueName: new-edited"),
        "{}",
        after.output().expect("no errors").render(None)
    );
    assert!(
        before.output().expect("no errors").render(None).contains("QueueName: first-queue"),
        "a compilation stays what it was"
    );
}

#[test]
fn a_file_that_changed_on_its_host_is_read_again() {
    let host = Counting::new(&FILES);
    let session = Session::new(&host, Options::default());
    let path = VirtualPath::new("included.yaml");
    session.set_file(&path, "Shared: {Type: AWS::SNS::Subscription}\n".as_bytes());
    assert!(
        session
            .compile("t.yaml", Goal::Expand)
            .output()
            .expect("no errors")
            .render(None)
            .contains("AWS::SNS::Subscription")
    );
    session.reload_file(&path);
    let compiled = session.compile("t.yaml", Goal::Expand);
    assert!(
        compiled.output().expect("no errors").render(None).contains("DisplayName: b"),
        "{}",
        compiled.output().expect("no errors").render(None)
    );
    assert_eq!(session.reads(), 3);
}

#[test]
fn questions_leave_a_compilation_as_it_is() {
    let host = Counting::new(&FILES);
    let compiled = Session::new(&host, Options::default()).compile("t.yaml", Goal::Resolve);
    let nodes = compiled.tree().node_count();
    let explained = |path: &str| compiled.explain(path).map(|answer| format!("{answer:?}"));
    let first = explained("OneQueue.Properties.QueueName");
    assert!(first.is_ok());
    assert!(!compiled.explain_line("module.yaml", 3, None).answers.is_empty());
    assert!(compiled.verify_origins().is_empty());
    assert_eq!(explained("OneQueue.Properties.QueueName"), first);
    assert_eq!(compiled.tree().node_count(), nodes);
}

/// Nested templates that use one template with the same and with other values are read and parsed once each.
#[test]
fn nested_templates_are_parsed_once() {
    let child =
        "Parameters: {P: {Type: String}}\nResources: {T: {Type: AWS::SNS::Topic, Properties: {DisplayName: !Ref P}}}\n";
    let stack = |id: &str, value: &str| {
        format!(
            "  {id}: {{Type: AWS::CloudFormation::Stack, Properties: {{TemplateURL: c.yaml, Parameters: {{P: {value}}}}}}}\n"
        )
    };
    let text = format!("Resources:\n{}{}{}", stack("A", "a"), stack("B", "b"), stack("C", "a"));
    let host = Counting::new(&[("t.yaml", &text), ("c.yaml", child)]);
    let session = Session::new(&host, Options::default());
    let root = session.compile("t.yaml", Goal::Check);
    let nested = session.compile_nested(&root, Goal::Check, formwork::nested::PathErrors::Reported);
    assert_eq!((nested.reports.len(), root.has_errors(), nested.found.as_slice()), (2, false, [].as_slice()));
    assert_eq!((session.reads(), session.parses(), session.analyses()), (2, 2, 3));
}

/// An account that knows its number.
#[derive(Default)]
struct Known {
    answers: Vec<String>,
}

impl Account for Known {
    type Error = String;

    fn ask(&mut self, queries: &[AccountQuery]) -> Result<(), String> {
        for query in queries {
            self.answers.push(match query {
                AccountQuery::Caller => "\"Account\": \"111122223333\"".to_owned(),
                other => return Err(format!("{other:?}")),
            });
        }
        Ok(())
    }

    fn snapshot(&self) -> Option<SourceFile> {
        let name = "<answers>".to_owned();
        let text = format!("{{\"FormworkAccountSnapshot\": \"1\", {}}}", self.answers.join(", "));
        let is_empty = self.answers.is_empty();
        (!is_empty).then(|| SourceFile { path: name.clone(), display: name, bytes: text.into_bytes().into() })
    }

    fn is_answered(&self, _: &AccountQuery) -> bool {
        false
    }
}

#[test]
fn each_round_of_answers_is_one_more_analysis() {
    let text = "Resources: {T: {Type: AWS::SNS::Topic, Properties: {DisplayName: !Ref AWS::AccountId}}}\n";
    let host = Counting::new(&[("t.yaml", text)]);
    let session = Session::new(&host, Options::default());
    let mut questions = Questions::new(Known::default());
    let analysis = session.analyze(&VirtualPath::new("t.yaml"));
    let analysis = questions.complete(analysis, Goal::Resolve, &|_| {}).expect("answers");
    assert_eq!(session.analyses(), 2, "one, and one for the round of answers");
    let text = analysis.compile(Goal::Resolve).output().expect("no errors").render(None);
    assert!(text.contains("111122223333"), "{text}");
    // What was asked is not asked again.
    let again = session.analyze(&VirtualPath::new("t.yaml"));
    let again = questions.complete(again, Goal::Check, &|_| {}).expect("answers");
    assert_eq!((questions.account.answers.len(), session.analyses()), (1, 3));
    assert!(!again.compile(Goal::Check).has_errors());
    // The template, and the answers.
    assert_eq!((session.reads(), session.parses()), (1, 2));
}

#[test]
fn after_an_error_there_is_no_output() {
    let host = MemoryHost::new()
        .with("wrong.yaml", "Resources: {T: {Type: AWS::SNS::Topic, Properties: {X: !Select [2, [a]]}}}\n")
        .with("doubtful.yaml", "Resources: {T: {Type: AWS::SNS::Topic, Properties: {X: 1, X: 2}}}\n");
    let session = Session::new(&host, Options::default());
    for goal in [Goal::Expand, Goal::Resolve, Goal::Check, Goal::Package] {
        let compiled = session.compile("wrong.yaml", goal);
        let failed = compiled.output().expect_err("no output");
        assert_eq!(failed.diagnostics(), compiled.diagnostics());
        assert!(failed.to_string().starts_with("FW0402: "), "{failed}");
    }
    // A warning is an error where the options require it.
    for (strict, is_written) in [(false, true), (true, false)] {
        let session = Session::new(&host, Options { strict, ..Options::default() });
        assert_eq!(session.compile("doubtful.yaml", Goal::Expand).output().is_ok(), is_written);
    }
}
