//! Large templates with one thing in them many times: what is looked up for each is looked up in an index, so
//! that a run takes a moment. Each took a minute or more where it was searched for from end to end.
//!
//! Holds reference/reading.md#limits and reference/diagnostics.md#forms.

use std::sync::Arc;

use formwork::schemas::Schemas;
use formwork::{Code, Diagnostic, Goal, Options, Values, codes};
use formwork_tests::properties::compile;

const SERVERLESS: &str = "Transform: AWS::Serverless-2016-10-31\n";

/// Repetitions.
const MANY: usize = 30_000;

/// A text with parts that are repeated: `@` is the number of a repetition.
fn repeated(head: &str, each: &str, middle: &str, again: &str, end: &str) -> String {
    let all = |part: &str| (0..MANY).map(|number| part.replace('@', &number.to_string())).collect::<String>();
    [head, &all(each), middle, &all(again), end].concat()
}

/// How often a code is reported for a template, and how often a suggestion goes with it.
fn reported(text: &str, values: Values, code: Code) -> (usize, usize) {
    let result = compile(text, &Options { values, ..Options::default() }, Goal::Check);
    let found: Vec<_> = result.diagnostics().iter().filter(|found| found.code == code).collect();
    let has_suggestion = |help: &String| help.starts_with("did you mean");
    (found.len(), found.iter().filter(|found| found.help.iter().any(has_suggestion)).count())
}

const BUCKET: &str = "Resources:\n  B:\n    Type: AWS::S3::Bucket\n    Properties:\n      Tags:\n";

#[test]
fn conditions_that_do_not_exist() {
    let text = repeated(
        "Conditions:\n",
        "  Known@: !Equals [a, b]\n",
        "Resources:\n",
        "  R@:\n    Type: AWS::SNS::Topic\n    Condition: Knwon@\n",
        "",
    );
    let (found, suggested) = reported(&text, Values::All, codes::UNKNOWN_CONDITION);
    assert_eq!(found, MANY);
    assert!((1..20).contains(&suggested), "{suggested}");
}

#[test]
fn bodies_that_are_not_indented() {
    let text = repeated("Resources:\n", "  R@:\n  Type: AWS::SNS::Topic\n", "", "", "");
    assert_eq!(reported(&text, Values::Keep, codes::NOT_AN_OBJECT).0, MANY);
    assert_eq!(reported(&text, Values::Keep, codes::DUPLICATE_KEY).0, 0);
}

#[test]
fn types_in_the_place_of_names() {
    let each = "  R@:\n    Type: AWS::SNS::Topic\n    DependsOn: AWS::S3::Bucket\n";
    let text = repeated("Resources:\n", each, "", "", "");
    assert_eq!(reported(&text, Values::Keep, codes::UNRESOLVED_NAME).0, MANY);
}

#[test]
fn parameters_with_many_values() {
    let values = "default, ".repeat(MANY);
    let head = format!("Parameters:\n  N:\n    Type: String\n    AllowedValues: [{values}other]\nResources:\n");
    let each = "  R@:\n    Type: AWS::EC2::VPC\n    Properties: {CidrBlock: 10.0.0.0/16, InstanceTenancy: !Ref N}\n";
    let text = repeated(&head, each, "", "", "");
    let options = Options { schemas: Some(Arc::new(Schemas::embedded())), ..Options::default() };
    let result = compile(&text, &options, Goal::Check);
    let is_value = |found: &&Diagnostic| found.code == codes::VALUE_NOT_ALLOWED;
    assert_eq!(result.diagnostics().iter().filter(is_value).count(), MANY);
}

#[test]
fn queues_and_strings_that_a_parameter_or_another_resource_decides() {
    let head =
        "Parameters:\n  Env: {Type: String, Default: jobs.fifo}\nResources:\n  Failed: {Type: AWS::SQS::Queue}\n";
    let each = "  R@:\n    Type: AWS::SQS::Queue\n    Properties:\n      FifoQueue: true\n      QueueName: orders$Env\n      \
                RedrivePolicy: {deadLetterTargetArn: !GetAtt Failed.Arn, maxReceiveCount: 3}\n";
    let other = "  S@:\n    Type: AWS::SQS::Queue\n    Properties: {QueueName: !Ref Env}\n";
    let text = repeated(head, each, "", other, "");
    let options = Options { schemas: Some(Arc::new(Schemas::embedded())), ..Options::default() };
    let result = compile(&text, &options, Goal::Check);
    let count = |code| result.diagnostics().iter().filter(|found| found.code == code).count();
    assert_eq!(count(codes::FORGOTTEN_SUB), MANY);
    assert_eq!(count(codes::COMBINATION), 2 * MANY);
}

#[test]
fn keys_that_a_mapping_lacks() {
    let text = repeated(
        "Mappings:\n  M:\n",
        "    key@: {v: x}\n",
        BUCKET,
        "        - {Key: k, Value: !FindInMap [M, yek@, v]}\n",
        "",
    );
    assert_eq!(reported(&text, Values::All, codes::NO_MAPPING_ENTRY).0, MANY);
}

#[test]
fn parameters_mappings_and_anchors() {
    let text = repeated(
        "Parameters:\n",
        "  P@:\n    Type: String\n    Default: d\n    NoEcho: true\n",
        BUCKET,
        "        - {Key: !Ref P@, Value: !Ref Nope@}\n",
        "",
    );
    assert_eq!(reported(&text, Values::All, codes::UNRESOLVED_NAME).0, MANY);
    let text = repeated(
        "Mappings:\n  M:\n",
        "    key@: {v: x}\n",
        BUCKET,
        "        - {Key: k, Value: !FindInMap [M, key@, v]}\n",
        "",
    );
    assert_eq!(reported(&text, Values::All, codes::NO_MAPPING_ENTRY).0, 0);
    let head = "Resources:\n  B:\n    Type: AWS::S3::Bucket\n    Metadata:\n      A:\n";
    let text = repeated(head, "        - &a@ {x: @}\n", "      L:\n", "        - *a@\n", "");
    let output = compile(&text, &Options::default(), Goal::Expand).output().expect("no errors").render(None);
    assert_eq!(output.matches("x: ").count(), 2 * MANY);
}

#[test]
fn calls_on_one_line() {
    let each = "\"R@\": {\"Type\": \"AWS::SNS::Topic\", \"Metadata\": {\"Fn::Length\": [1, 2]}}, ";
    let text = repeated("{\"Transform\": \"AWS::LanguageExtensions\", \"Resources\": {", each, "", "", "\"A\": {}}}");
    let text = text.replace("\"A\": {}", "\"A\": {\"Type\": \"AWS::SNS::Topic\"}");
    let output = compile(&text, &Options::default(), Goal::Expand).output().expect("no errors").render(None);
    assert_eq!(output.matches("\"Metadata\": 2}").count(), MANY);
}

#[test]
fn json_with_an_error_on_every_line() {
    let text =
        repeated("{\"Resources\": {", "\n\"R@\": {\"Type\": \"AWS::SNS::Topic\" \"Properties\": {}},", "", "", "}}");
    // The text is read as JSON and as YAML, each of which reports ten.
    assert_eq!(reported(&text, Values::Keep, codes::NOT_WELL_FORMED).0, 10);
}

/// What nobody closes, and what JSON does not have, on one line and on many.
#[test]
fn json_that_is_none() {
    let pieces = [
        "'a ,",
        "\u{201c}a ,",
        "/* a ",
        "/* a\n",
        "// a\n",
        "# a ",
        "a b ",
        "a b:c ",
        "\"a\"=b;",
        "\"a: 1,\n",
        "!Ref a,",
        "\"a\"+\"b\",",
        "\"a\" \"b\" ",
        ",,",
        "None ",
        "\\q",
    ];
    for piece in pieces {
        for opening in ["{\"Resources\": {", "{\"Resources\": [", "{\"Resources\": \""] {
            let text = format!("{opening}{}", piece.repeat(MANY));
            let (count, _) = reported(&text, Values::Keep, codes::NOT_WELL_FORMED);
            assert!((1..=13).contains(&count), "{count} errors of {opening}{piece}");
        }
    }
}

#[test]
fn loops_variables_and_iterations() {
    let text = repeated(
        "Transform: AWS::LanguageExtensions\nResources:\n",
        "  Fn::ForEach::L@: [V@, [a], {'T@${V@}': {Type: 'AWS::SNS::Topic'}}]\n",
        "",
        "",
        "",
    );
    let output = compile(&text, &Options::default(), Goal::Expand).output().expect("no errors").render(None);
    assert_eq!(output.matches("AWS::SNS::Topic").count(), MANY);

    let text = repeated(
        "Transform: AWS::LanguageExtensions\nResources:\n  R: {Type: 'AWS::SNS::Topic'}\n  Fn::ForEach::L:\n    - X\n    - [a]\n    - 'T${X}': {Type: 'AWS::SNS::Topic', Properties: {P: !Sub ['${X}",
        "${V@}",
        "', {",
        "V@: !Ref R, ",
        "}]}}\n",
    );
    let output = compile(&text, &Options::default(), Goal::Expand).output().expect("no errors").render(None);
    assert!(output.contains(&format!("V{}: ", MANY - 1)));

    let text = repeated(
        "Transform: AWS::LanguageExtensions\nResources:\n  Fn::ForEach::L:\n    - X\n    - [a",
        ", Item@",
        "]\n    - '${X}': {Type: 'AWS::SNS::Topic', Properties: {P: !Sub '${X}-${Item}'}}\n",
        "",
        "",
    );
    // It is reported once, for all iterations.
    assert_eq!(reported(&text, Values::Keep, codes::UNRESOLVED_NAME).0, 1);
}

#[test]
fn marks_that_nothing_closes() {
    const MARKS: usize = 400_000;
    let head = "Transform: AWS::LanguageExtensions\nResources:\n  Fn::ForEach::L:\n    - X\n    - [a, b]\n    - ";
    for mark in ["${", "&{", "${X.", "${!", "{{", "{{resolve:ssm:a", "${var.", "${Const::", "${a}&{", "$"] {
        let marks = mark.repeat(MARKS);
        for text in [
            format!("{head}R${{X}}: {{Type: 'AWS::SNS::Topic', Properties: {{P: '{marks}'}}}}\n"),
            format!("{head}R${{X}}: {{Type: 'AWS::SNS::Topic', Properties: {{P: !Sub '{marks}${{X}}'}}}}\n"),
            format!("{head}R${{X}}: {{Type: 'AWS::SNS::Topic', Properties: {{P: !Sub '{marks}}}'}}}}\n"),
            format!("{head}R${{X}}: {{Type: 'AWS::SNS::Topic', Metadata: {{'{marks}${{X}}': x}}}}\n"),
            format!("Resources: {{R: {{Type: 'AWS::SNS::Topic', Properties: {{P: !Sub '{marks}'}}}}}}\n"),
        ] {
            // Each of them ended only after minutes where the end of every mark was looked for again.
            let spent = cost(&text, (Options::default().values, Goal::Check));
            assert!(spent.is_none_or(|spent| spent < 12_000_000_000), "{mark}: {spent:?} ns");
        }
    }
}

/// What a compilation costs this thread, in nanoseconds, whatever else the machine does; `None` where the system does not count it.
fn cost(text: &str, (values, goal): (Values, Goal)) -> Option<u64> {
    let spent = || std::fs::read_to_string("/proc/thread-self/schedstat").ok()?.split(' ').next()?.parse::<u64>().ok();
    let begin = spent()?;
    let result = compile(text, &Options { values, ..Options::default() }, goal);
    if let Ok(output) = result.output() {
        output.render(None);
    }
    Some(spent()? - begin)
}

/// Findings that were each compared with all others, and loops that were compared with all others.
#[test]
fn ten_times_the_findings_cost_ten_times() {
    const LOOPS: &str = "Transform: AWS::LanguageExtensions\nParameters: {P: {Type: CommaDelimitedList}}\n";
    const TOPIC: &str = "Resources: {R: {Type: 'AWS::SNS::Topic'}}\n";
    let (resources, conditions) = ("Resources:\n".to_owned(), "Conditions:\n".to_owned());
    let (check, expand) = ((Values::All, Goal::Check), (Values::Keep, Goal::Expand));
    for (head, each, end, how) in [
        (
            resources.clone(),
            "  R@: {Type: 'AWS::SNS::Topic', Properties: {TopicName: !Sub ['${Nope@}', {V@: y}]}}\n",
            "",
            check,
        ),
        (resources.clone(), "  R@: {Type: 'AWS::SNS::Topic', Properties: {TopicName: !Sub [x, {V@: y}]}}\n", "", check),
        (
            SERVERLESS.to_owned() + &resources,
            "  F@: {Type: 'AWS::Serverless::Function', Properties: {CodeUri: 's3://b/k', Handler: h, Runtim: x}}\n",
            "",
            check,
        ),
        (
            SERVERLESS.to_owned() + &resources,
            "  F@: {Type: 'AWS::Serverless::SimpleTable', Properties: {TableName: !GetAtt F@.Nope}}\n",
            "",
            check,
        ),
        (conditions.clone(), "  C@: !Equals [a, !Ref Nope@]\n", TOPIC, check),
        (conditions.clone(), "  A@: !Not [!Condition B@]\n  B@: !Not [!Condition A@]\n", TOPIC, check),
        (conditions.clone(), "  C@: !Equals ['!Ref AWS::Region', x]\n", TOPIC, check),
        (conditions, "  C@: !Equals [a, b]\n", TOPIC, check),
        (TOPIC.to_owned() + "Outputs:\n", "  O@: !Ref R\n", "", check),
        (
            LOOPS.to_owned() + &resources,
            "  Fn::ForEach::L@: [X, [a, b], {'R${X}': {Type: 'AWS::SNS::Topic'}}]\n",
            "",
            expand,
        ),
        (
            LOOPS.to_owned() + "Conditions:\n",
            "  Fn::ForEach::L@: [X@, [a, b], {'C${X@}': !Equals [a, !Ref X@]}]\n",
            TOPIC,
            expand,
        ),
        (
            LOOPS.to_owned() + "Conditions:\n",
            "  Fn::ForEach::L@: [X@, !Ref P, {'C@${X@}': !Equals [a, !Ref X@]}]\n",
            TOPIC,
            check,
        ),
        (
            LOOPS.to_owned() + "Resources: {",
            "Fn::ForEach::L@: [X, [a, b], {'R@${X}': {Type: 'AWS::SNS::Topic'}}], ",
            "}\n",
            expand,
        ),
    ] {
        let text = |n: usize| {
            let all: String = (0..n).map(|number| each.replace('@', &number.to_string())).collect();
            [head.as_str(), all.as_str(), end].concat()
        };
        let least = |n: usize| (0..2).filter_map(|_| cost(&text(n), how)).min();
        let (Some(once), Some(tenfold)) = (least(MANY / 10), least(MANY)) else { continue };
        // Where each was compared with all others, it was 30 to 100 times.
        assert!(tenfold < 20 * once.max(5_000_000), "{} ms, {} ms: {each}", once / 1_000_000, tenfold / 1_000_000);
    }
}
