//! Templates with many findings, each of which was compared with all others.

use super::Part::{Each, Once};
use super::{CHECK, CHECK_JSON, EXPAND, RESOLVE, Shape, shape};

const MAP: &[&str] = &["expand", "--source-map", "out.map"];

/// Those shapes.
pub(super) const SHAPES: &[Shape] = &[
    shape(
        "unknown-variables-of-sub",
        "yaml",
        1600,
        &[CHECK, CHECK_JSON],
        &[
            Once("Resources:\n"),
            Each("  R@:\n    Type: AWS::SNS::Topic\n    Properties: {TopicName: !Sub ['${Nope@}', {Vaaa@: y}]}\n"),
        ],
    ),
    shape(
        "unused-variables-of-sub",
        "yaml",
        2000,
        &[CHECK],
        &[
            Once("Resources:\n"),
            Each("  R@:\n    Type: AWS::SNS::Topic\n    Properties: {TopicName: !Sub [x, {V@: y}]}\n"),
        ],
    ),
    shape(
        "unknown-names-in-conditions",
        "yaml",
        2000,
        &[CHECK],
        &[
            Once("Conditions:\n"),
            Each("  C@: !Equals [a, !Ref Nope@]\n"),
            Once("Resources:\n  R: {Type: AWS::SNS::Topic}\n"),
        ],
    ),
    shape(
        "circles-of-conditions",
        "yaml",
        2000,
        &[CHECK],
        &[
            Once("Conditions:\n"),
            Each("  A@: !Not [!Condition B@]\n  B@: !Not [!Condition A@]\n"),
            Once("Resources:\n  R: {Type: AWS::SNS::Topic}\n"),
        ],
    ),
    shape(
        "circles-of-two",
        "yaml",
        2000,
        &[CHECK],
        &[
            Once("Resources:\n"),
            Each(
                "  A@:\n    Type: AWS::SNS::Topic\n    Properties: {TopicName: !Ref B@}\n  B@:\n    Type: AWS::SNS::Topic\n    Properties: {TopicName: !Ref A@}\n",
            ),
        ],
    ),
    shape(
        "misquoted-conditions",
        "yaml",
        2000,
        &[CHECK],
        &[
            Once("Conditions:\n"),
            Each("  C@: !Equals ['!Ref AWS::Region', x]\n"),
            Once("Resources:\n  R: {Type: AWS::SNS::Topic}\n"),
        ],
    ),
    shape(
        "constant-conditions",
        "yaml",
        2000,
        &[CHECK],
        &[
            Once("Conditions:\n"),
            Each("  C@: !Equals [a, b]\n"),
            Once("Resources:\n"),
            Each("  R@: {Type: AWS::SNS::Topic, Condition: C@}\n"),
        ],
    ),
    shape(
        "outputs-that-are-no-objects",
        "yaml",
        2000,
        &[CHECK],
        &[Once("Resources:\n  R: {Type: AWS::SNS::Topic}\nOutputs:\n"), Each("  O@: !Ref R\n")],
    ),
    shape(
        "loops-with-the-same-keys",
        "yaml",
        2000,
        &[CHECK],
        &[
            Once("Transform: AWS::LanguageExtensions\nResources:\n"),
            Each("  Fn::ForEach::L@: [X, [a, b], {'R${X}': {Type: 'AWS::SNS::Topic'}}]\n"),
        ],
    ),
    shape(
        "loops-of-the-same-conditions",
        "yaml",
        2000,
        &[RESOLVE, CHECK],
        &[
            Once("Transform: AWS::LanguageExtensions\nParameters:\n  P: {Type: String, Default: a}\nConditions:\n"),
            Each("  Fn::ForEach::L@: [X@, [a, b], {'C${X@}': !Equals [!Ref P, !Ref X@]}]\n"),
            Once("Resources:\n  R: {Type: AWS::SNS::Topic}\n"),
        ],
    ),
    shape(
        "loops-of-unknown-conditions",
        "yaml",
        2000,
        &[RESOLVE, CHECK],
        &[
            Once("Transform: AWS::LanguageExtensions\nParameters:\n  P: {Type: CommaDelimitedList}\nConditions:\n"),
            Each("  Fn::ForEach::L@: [X@, !Ref P, {'C@${X@}': !Equals [a, !Ref X@]}]\n"),
            Once("Resources:\n"),
            Each("  R@: {Type: AWS::SNS::Topic, Condition: C@a}\n"),
        ],
    ),
    shape(
        "loops-on-one-line",
        "json",
        2000,
        &[MAP, EXPAND, CHECK],
        &[
            Once("{\"Transform\": \"AWS::LanguageExtensions\", \"Resources\": {\"B\": {\"Type\": \"AWS::SNS::Topic\"}"),
            Each(", \"Fn::ForEach::L@\": [\"X\", [\"a\", \"b\"], {\"R@${X}\": {\"Type\": \"AWS::SNS::Topic\"}}]"),
            Once("}}\n"),
        ],
    ),
];
