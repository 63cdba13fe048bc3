//! A syntax error hides the problems of the entry that it is in, and of no other: a problem that is known in one entry
//! is still reported at its place when another entry, or the first line of a section, is broken.
//!
//! Holds reference/diagnostics.md#wording.

use formwork::{Diagnostic, Goal, Options, codes};

use super::compile;

/// What became of the known problem.
#[derive(Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The text is well-formed.
    NoError,
    /// It is reported.
    Seen,
    /// It is not reported.
    Hidden,
    /// Something else is reported, too: in words.
    Added(String),
}

/// Templates with one problem each: the text, and where the entry with the problem is.
pub struct Case {
    /// What it is about.
    pub name: String,
    /// The template.
    pub text: String,
    /// The lines of the entry with the problem.
    known: std::ops::Range<usize>,
}

const PLAIN: &str = "\
AWSTemplateFormatVersion: '2010-09-09'
Description: Queues and topics
Transform: TRANSFORM
Parameters:
  Env:
    Type: String
    Default: dev
  Size:
    Type: Number
    Default: 5
Mappings:
  Sizes:
    dev:
      delay: 1
    prod:
      delay: 5
Conditions:
  IsProd: !Equals [!Ref Env, prod]
Resources:
  Queue:
    Type: AWS::SQS::Queue
    Condition: IsProd
    Properties:
      QueueName: !Sub \"${Env}-queue\"
      DelaySeconds: !FindInMap [Sizes, !Ref Env, delay]
      Tags:
        - Key: env
          Value: !Ref Env
        - Key: size
          Value: !Ref Size
  KNOWN
  Topic:
    Type: AWS::SNS::Topic
    Properties:
      DisplayName: !Join [\"-\", [a, b]]
      KmsMasterKeyId: 'alias/topic'
Outputs:
  Name:
    Value: !GetAtt Topic.TopicName
  Size:
    Value: !Ref Size
";

const FLOW: &str = "\
Transform: TRANSFORM
Parameters:
  Env: {Type: String, Default: dev}
  Size: {Type: Number, Default: 5}
Conditions:
  IsProd: !Equals [!Ref Env, prod]
Resources:
  Queue:
    Type: AWS::SQS::Queue
    Condition: IsProd
    Properties: {QueueName: !Sub \"${Env}-queue\", DelaySeconds: !Ref Size}
  KNOWN
  Topic: {Type: AWS::SNS::Topic, Properties: {DisplayName: !Join [\"-\", [a, b]]}}
Outputs:
  Name: {Value: !GetAtt Topic.TopicName}
";

const BRACES: &str = "\
{
  Transform: TRANSFORM,
  Parameters: {
    Env: {Type: String, Default: dev},
    Size: {Type: Number, Default: 5}
  },
  Resources: {
    Queue: {
      Type: AWS::SQS::Queue,
      Properties: {QueueName: !Ref Env, DelaySeconds: !Ref Size}
    },
    KNOWN
    Topic: {
      Type: AWS::SNS::Topic
    }
  },
  Outputs: {
    Name: {Value: !GetAtt Topic.TopicName}
  }
}
";

const JSON: &str = r#"{
  "Transform": TRANSFORM,
  "Parameters": {
    "Env": {
      "Type": "String",
      "Default": "dev"
    },
    "Size": {"Type": "Number", "Default": 5}
  },
  "Resources": {
    "Queue": {
      "Type": "AWS::SQS::Queue",
      "Properties": {
        "QueueName": {"Ref": "Env"},
        "DelaySeconds": {"Ref": "Size"},
        "Tags": [
          {"Key": "env", "Value": {"Fn::Sub": "${Env}"}}
        ]
      }
    },
    KNOWN
    "Topic": {
      "Type": "AWS::SNS::Topic",
      "Properties": {
        "DisplayName": {"Fn::Join": ["-", ["a", {"Ref": "Env"}]]}
      }
    }
  },
  "Outputs": {
    "Name": {
      "Value": {"Fn::GetAtt": ["Topic", "TopicName"]}
    }
  }
}
"#;

/// The templates: each way of writing one, each problem, with and without the serverless transform.
pub fn cases() -> Vec<Case> {
    let transforms = ["AWS::LanguageExtensions", "AWS::Serverless-2016-10-31"];
    let lists = |names: [&str; 2], quote: &str| names.map(|name| format!("{quote}{name}{quote}")).join(", ");
    let in_block =
        ["\n  - AWS::LanguageExtensions\n  - AWS::Serverless-2016-10-31".to_owned(), transforms[1].to_owned()];
    let in_braces = [format!("[{}]", lists(transforms, "")), transforms[0].to_owned()];
    let in_json = [format!("[{}]", lists(transforms, "\"")), format!("\"{}\"", transforms[1])];
    let problems = ["{Ref: Nowhere}", "{Fn::Joim: [a, [b]]}", "{Fn::Sub: \"${Nowhere}\"}"];
    let in_tags = ["!Ref Nowhere", "!Joim [a, [b]]", "!Sub \"${Nowhere}\""];
    let entry = |value: &str, way: usize| match way {
        0 => format!("Known:\n    Type: AWS::SNS::Topic\n    Properties:\n      TopicName: {value}"),
        1 => format!("Known: {{Type: AWS::SNS::Topic, Properties: {{TopicName: {value}}}}}"),
        2 => format!("Known: {{\n      Type: AWS::SNS::Topic, Properties: {{TopicName: {value}}}\n    }},"),
        _ => {
            let value = value.replace("Ref:", "\"Ref\":").replace("Fn::Joim:", "\"Fn::Joim\":");
            let value = value.replace("Fn::Sub:", "\"Fn::Sub\":").replace(" Nowhere}", " \"Nowhere\"}");
            let value = value.replace("[a, [b]]", "[\"a\", [\"b\"]]");
            format!(
                "\"Known\": {{\n      \"Type\": \"AWS::SNS::Topic\",\n      \"Properties\": {{\"TopicName\": {value}}}\n    }},"
            )
        }
    };
    // A section of properties, misspelt.
    let misspelt = |entry: &str| entry.replace("Properties", "Propertes");
    let mut cases = Vec::new();
    for (way, (text, transforms)) in
        [(PLAIN, &in_block), (FLOW, &in_block), (BRACES, &in_braces), (JSON, &in_json)].into_iter().enumerate()
    {
        for transform in transforms {
            let values = problems.iter().chain(if way < 3 { &in_tags[..] } else { &[] });
            let mut entries: Vec<String> = values.map(|value| entry(value, way)).collect();
            entries.push(misspelt(&entry(if way < 3 { "a" } else { "\"a\"" }, way)));
            for known in entries {
                let text = text.replace(": TRANSFORM", &format!(": {transform}").replace(": \n", ":\n"));
                let start = text.find("KNOWN").unwrap_or_default();
                let text = text.replace("KNOWN", &known);
                let name = format!("way {way}, {}", known.replace('\n', " "));
                cases.push(Case { name, known: start..start + known.len(), text });
            }
        }
    }
    cases
}

/// The mistakes.
pub const MISTAKES: usize = 16;

/// The template with one of the [`MISTAKES`], at each of the places outside the entry with the problem.
pub fn broken(case: &Case, mistake: usize) -> Vec<String> {
    let text = case.text.as_str();
    let is_outside = |at: &usize| *at + 1 < case.known.start || *at > case.known.end;
    let at = |pattern: &str| text.match_indices(pattern).map(|(at, _)| at).filter(is_outside).collect::<Vec<_>>();
    let without = |at: usize, len: usize| format!("{}{}", &text[..at], &text[at + len..]);
    let with = |at: usize, what: &str| format!("{}{what}{}", &text[..at], &text[at..]);
    let lines = || text.match_indices("\n ").map(|(at, _)| at + 1).filter(is_outside);
    match mistake {
        // A character that is missing: a colon, the space behind it, a dash, a bracket, a quote, a comma.
        0 => at(": ").into_iter().map(|at| without(at, 1)).collect(),
        1 => at(":\n").into_iter().map(|at| without(at, 1)).collect(),
        2 => at(": ").into_iter().map(|at| without(at + 1, 1)).collect(),
        3 => at("- ").into_iter().map(|at| without(at, 2)).collect(),
        4 => at("]").into_iter().chain(at("}")).map(|at| without(at, 1)).collect(),
        5 => at("[").into_iter().chain(at("{")).map(|at| without(at, 1)).collect(),
        6 => at("\"").into_iter().chain(at("'")).map(|at| without(at, 1)).collect(),
        7 => at(", ").into_iter().chain(at(",\n")).map(|at| without(at, 1)).collect(),
        // One too many: a comma, a bracket, a quote, a space or tab of the indentation.
        8 => at(": ").into_iter().map(|at| with(at + 2, ",")).collect(),
        9 => at("]").into_iter().chain(at("}")).map(|at| with(at, &text[at..=at])).collect(),
        10 => at(": ").into_iter().map(|at| with(at + 2, "\"")).collect(),
        11 => lines().map(|at| with(at, " ")).collect(),
        12 => lines().map(|at| without(at, 1)).collect(),
        13 => lines().map(|at| with(at, "\t")).collect(),
        // Text that is none of the template.
        14 => at("\n").into_iter().map(|at| with(at, " ]")).collect(),
        _ => {
            let line = |at: usize| text[at + 1..].lines().next().unwrap_or_default();
            let conflict = |at: usize| {
                let line = line(at);
                with(at + 1, &format!("<<<<<<< ours\n{line}\n=======\n")).replacen(
                    &format!("=======\n{line}\n"),
                    &format!("=======\n{line}\n>>>>>>> theirs\n"),
                    1,
                )
            };
            at("\n").into_iter().filter(|&at| at + 1 < text.len() && is_outside(&(at + 1))).map(conflict).collect()
        }
    }
}

/// What becomes of the problem of a case in a text that is broken elsewhere.
pub fn outcome(case: &Case, broken: &str) -> Outcome {
    let whole = compile(&case.text, &Options::default(), Goal::Check);
    let result = compile(broken, &Options::default(), Goal::Check);
    let is_of_syntax = |found: &Diagnostic| [codes::NOT_WELL_FORMED, codes::TWO_TAGS].contains(&found.code);
    if !result.diagnostics().iter().any(is_of_syntax) {
        return Outcome::NoError;
    }
    let is_of_reading = |found: &&Diagnostic| is_of_syntax(found) || found.code == codes::UNKNOWN_TAG;
    let told = |found: &Diagnostic| (found.code, found.message.clone());
    let base = whole.sources().base(whole.document().file) as usize;
    let is_of_case = |found: &&Diagnostic| case.known.contains(&(found.span().start() as usize - base));
    let problems: Vec<_> = whole.diagnostics().iter().filter(is_of_case).map(told).collect();
    let known: Vec<_> = whole.diagnostics().iter().map(told).collect();
    let seen: Vec<_> = result.diagnostics().iter().filter(|found| !is_of_reading(found)).map(told).collect();
    if let Some((code, message)) = seen.iter().find(|found| !known.contains(found)) {
        return Outcome::Added(format!("{code} {message}"));
    }
    let all: Vec<_> = result.diagnostics().iter().map(told).collect();
    let is_seen = !problems.is_empty() && problems.iter().all(|found| all.contains(found));
    if is_seen { Outcome::Seen } else { Outcome::Hidden }
}
