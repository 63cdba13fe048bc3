//! A packaged template exists only without errors, whoever finds them and whenever.
//!
//! Holds reference/packaging.md#properties.

use formwork::package::Target;
use formwork::{Diagnostic, Goal, MemoryHost, Options, PackageOptions, Packaging, Session, Severity, codes};

const LAMBDA: &str = "Resources: {Lambda: {Type: AWS::Serverless::Function, Properties: {CodeUri: ./src}}}\n";

fn packaging(text: &str, options: Options) -> Packaging {
    let session = Session::new(MemoryHost::new().with("template.yaml", text), options);
    Packaging::new(&session.compile("template.yaml", Goal::Package), PackageOptions::default())
}

fn target() -> Target {
    let url = "https://s3.amazonaws.com/bucket/key".to_owned();
    Target::Object { bucket: "bucket".into(), key: "key".into(), url }
}

fn fails(packaging: &Packaging, why: &str) {
    assert!(packaging.report().has_errors(), "{why}");
    let failed = packaging.output().expect_err(why);
    assert!(failed.diagnostics().iter().any(|found| found.severity == Severity::Error), "{why}");
}

#[test]
fn a_template_without_errors_is_packaged() {
    let mut packaging = packaging(LAMBDA, Options::default());
    packaging.rewrite(&[target()]);
    packaging.add([Diagnostic::new(codes::ARTIFACT_PATH, "not so bad").severity(Severity::Warning)]);
    assert!(packaging.output().is_ok_and(|packaged| packaged.render(None).contains("s3://bucket/key")));
}

#[test]
fn an_error_of_the_compilation_leaves_none() {
    for text in ["Resources: [", "Resources: {T: {Type: AWS::SNS::Topic, Properties: {A: !Nope x}}}\n", "[]"] {
        let mut packaging = packaging(text, Options::default());
        fails(&packaging, text);
        packaging.rewrite(&[]);
        fails(&packaging, text);
    }
}

#[test]
fn an_error_that_packaging_finds_leaves_none() {
    let text = "Transform: AWS::LanguageExtensions
Resources:
  Fn::ForEach::L:
    - N
    - [!Sub 'a-b', c]
    - R${N}: {Type: AWS::Lambda::Function, Properties: {Code: !Sub './${N}/${AWS::Region}'}}
  FormworkArtifacts: {Type: AWS::SNS::Topic, Properties: {Content: 1}}
Mappings: {SAMCodeL: {a: {b: c}}}
";
    let mut packaging = packaging(text, Options::default());
    let needs = packaging.plan().needs.len();
    packaging.rewrite(&vec![target(); needs]);
    let has_errors = packaging.report().diagnostics().iter().any(|found| found.severity == Severity::Error);
    assert_eq!(packaging.output().is_err(), has_errors);
}

#[test]
fn an_error_that_is_found_of_the_files_leaves_none() {
    let mut packaging = packaging(LAMBDA, Options::default());
    packaging.rewrite(&[target()]);
    packaging.add([Diagnostic::new(codes::ARTIFACT_PATH, "./src cannot be read")]);
    fails(&packaging, "an error that was added");
}

#[test]
fn a_warning_that_is_an_error_leaves_none() {
    let mut packaging = packaging(LAMBDA, Options { strict: true, ..Options::default() });
    packaging.rewrite(&[target()]);
    packaging.add([Diagnostic::new(codes::ARTIFACT_PATH, "not so bad").severity(Severity::Warning)]);
    fails(&packaging, "--strict");
}
