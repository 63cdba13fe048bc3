//! Projects of several files: all commands end within their limits, their messages can be shown, and YAML and
//! JSON files have one result.

use std::sync::Arc;

use std::collections::BTreeSet;

use formwork::{Code, Compilation, Goal, Limits, Options, Session, Severity, SourceFile, codes};

use formwork_syntax::value::Value;

use super::{Verdict, host, quiet, round_trip, same_data, text_of};
use crate::generate::{Choices, Project, json, yaml};

/// Small enough for a run to take no time.
fn limits() -> Limits {
    Limits {
        nodes: 50_000,
        iterations: 2_000,
        output_nodes: 50_000,
        text_bytes: 1 << 16,
        total_text_bytes: 1 << 20,
        ..Limits::default()
    }
}

/// The law for one project; whether it has an output. `choices` decide on the layout of its files in YAML.
///
/// # Errors
/// In words.
pub fn projects(project: &Project, choices: &mut Choices<'_>) -> Result<bool, String> {
    let mut has_output = false;
    // A string is not a template.
    let mut in_yaml = |(name, file): &(String, Value)| {
        let text = if matches!(file, Value::String(_)) { json(file) } else { yaml(file, choices) };
        (name.clone(), text)
    };
    let in_yaml: Vec<(String, String)> = project.iter().map(&mut in_yaml).collect();
    let in_json: Vec<(String, String)> = project.iter().map(|(name, file)| (name.clone(), json(file))).collect();
    for stage in [Goal::Expand, Goal::Resolve, Goal::Check, Goal::Package] {
        let (one, other) = (compile(&in_yaml, stage), compile(&in_json, stage));
        quiet::well_formed(&one)?;
        quiet::well_formed(&other)?;
        // The text of a template that is inserted is that of its format.
        let has_texts = project.iter().any(|(_, file)| matches!(file, Value::String(_)));
        if !has_texts && in_json.iter().any(|(_, text)| text.contains("Fn::InsertFile")) {
            continue;
        }
        let (a, b) = (said(&one), said(&other));
        let files = || format!("{in_yaml:#?}\n{in_json:#?}");
        if a != b {
            return Err(format!("{} reports {a:?} for the YAML and {b:?} for the JSON of\n{}", stage.name(), files()));
        }
        if matches!(stage, Goal::Expand | Goal::Resolve) && !one.has_errors() {
            has_output = true;
            if let Ok(output) = one.output() {
                round_trip::is_at_most(&one, &output, &files())?;
            }
            same_data(&format!("{} of\n{}", stage.name(), files()), &text_of(&one, None)?, &text_of(&other, None)?)?;
        }
    }
    Ok(has_output)
}

fn compile(files: &[(String, String)], stage: Goal) -> Arc<Compilation> {
    let host = host(files.iter().map(|(name, text)| (name.as_str(), text.clone())));
    let options = Options { limits: limits(), ..Options::default() };
    Session::new(&host, options).compile(files.first().map_or("", |(name, _)| name), stage)
}

/// The law that `check` of a directory needs, where the order of the templates is not fixed: a template in which nothing is
/// found is clean as a module, too. Returns how many of the project's files are clean.
///
/// # Errors
/// In words.
pub fn clean_as_modules(project: &Project) -> Result<usize, String> {
    let host = host(project.iter().map(|(name, file)| (name.as_str(), json(file))));
    let mut clean = 0;
    let is_template = |(name, file): &&(String, Value)| !matches!(file, Value::String(_)) && !name.contains(".zip/");
    for (name, _) in project.iter().filter(is_template) {
        let found = |is_imported| {
            let options = Options { limits: limits(), is_imported, ..Options::default() };
            let result = Session::new(&host, options).compile(name, Goal::Check);
            result.diagnostics().iter().map(|found| format!("{}: {}", found.code, found.message)).collect::<Vec<_>>()
        };
        if found(false).is_empty() {
            clean += 1;
            let found = found(true);
            if !found.is_empty() {
                return Err(format!("{name} as a module: {found:?}, in\n{project:#?}"));
            }
        }
    }
    Ok(clean)
}

/// The codes, but for those about sizes and about what one format alone has.
fn said(result: &Compilation) -> BTreeSet<(Code, Severity)> {
    let all = result.diagnostics().iter().map(|found| (found.code, found.severity));
    all.filter(|(code, _)| *code != codes::QUOTA_BYTES).collect()
}

const ASKING: &str = "Parameters:
  Vpc: {Type: 'AWS::EC2::VPC::Id', Default: vpc-a}
  Subnets: {Type: 'List<AWS::EC2::Subnet::Id>', Default: 'subnet-1,subnet-9'}
  Image: {Type: 'AWS::SSM::Parameter::Value<String>', Default: /a}
Rules:
  All: {Assertions: [{Assert: {'Fn::Contains': [{'Fn::RefAll': 'AWS::EC2::VPC::Id'}, !Ref Vpc]}}]}
  Tagged: {Assertions: [{Assert: {'Fn::EachMemberEquals': [{'Fn::ValueOf': [Subnets, VpcId]}, !Ref Vpc]}}]}
  Team: {Assertions: [{Assert: {'Fn::Equals': [{'Fn::ValueOf': [Vpc, Tags.Team]}, dev]}}]}
Resources:
  R: {Type: 'AWS::SNS::Topic', Properties: {DisplayName: !Ref Image, Zones: {'Fn::GetAZs': ''}}}
";

/// The law for account data: any file is accepted, twice is once, and both formats agree.
///
/// # Errors
/// In words.
pub fn snapshot(in_yaml: &str, in_json: Option<&str>) -> Verdict {
    for stage in [Goal::Resolve, Goal::Check, Goal::Rules, Goal::Deploy] {
        let run = |texts: &[&str]| {
            let accounts = texts.iter().enumerate().map(|(at, text)| SourceFile {
                path: format!("account{at}"),
                display: format!("account{at}"),
                bytes: text.as_bytes().into(),
            });
            let options = Options { accounts: accounts.collect(), limits: limits(), ..Options::default() };
            super::compile(ASKING, &options, stage)
        };
        let one = run(&[in_yaml]);
        quiet::well_formed(&one)?;
        let outcome = |result: &Compilation| (said(result), text_of(result, None).ok());
        let twice = run(&[in_yaml, in_yaml]);
        if outcome(&twice) != outcome(&one) {
            return Err(format!(
                "{} with it twice: {:?}, once: {:?}\n{in_yaml}",
                stage.name(),
                outcome(&twice),
                outcome(&one)
            ));
        }
        let Some(in_json) = in_json else { continue };
        let other = run(&[in_json]);
        quiet::well_formed(&other)?;
        if outcome(&other) != outcome(&one) {
            return Err(format!(
                "{}: {:?} of\n{in_yaml}\n{:?} of\n{in_json}",
                stage.name(),
                outcome(&one),
                outcome(&other)
            ));
        }
    }
    Ok(())
}
