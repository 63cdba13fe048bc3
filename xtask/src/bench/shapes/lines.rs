//! Long lines, many lines, and where something is in them.

use super::Part::{Each, Once};
use super::{CHECK, CHECK_JSON, EXPAND, JSON, Shape, shape};

const MAP: &[&str] = &["expand", "--source-map", "template.map"];
const AT_ONE: &[&str] = &["explain", "--at", "template.json:1:5000"];
const AT_LOOP: &[&str] = &["explain", "--at", "template.yaml:8"];

/// Those shapes.
pub(super) const SHAPES: &[Shape] = &[
    shape(
        "one-line-map",
        "json",
        2000,
        &[MAP],
        &[
            Once("{\"Resources\": {"),
            Each("~\"R@\": {\"Type\": \"AWS::SNS::Topic\", \"Properties\": {\"TopicName\": \"t\u{e9}@\"}}"),
            Once("}}"),
        ],
    ),
    shape(
        "one-line-edited",
        "json",
        5000,
        &[EXPAND, MAP],
        &[
            Once("{\"Transform\": \"AWS::LanguageExtensions\", \"Resources\": {"),
            Each(
                "~\"R@\": {\"Type\": \"AWS::SNS::Topic\", \"Properties\": {\"A\": {\"Fn::Length\": [1, 2]}, \"B\": {\"Fn::Split\": [\",\", \"a,b\"]}}}",
            ),
            Once("}}"),
        ],
    ),
    shape(
        "one-line-at",
        "json",
        10000,
        &[AT_ONE],
        &[
            Once("{\"Resources\": {"),
            Each("~\"R@\": {\"Type\": \"AWS::SNS::Topic\", \"Properties\": {\"TopicName\": \"t\u{e9}@\"}}"),
            Once("}}"),
        ],
    ),
    shape(
        "one-line-errors",
        "json",
        3000,
        &[CHECK, CHECK_JSON, JSON],
        &[
            Once("{\"Resources\": {"),
            Each("~\"R@\": {\"Type\": \"AWS::SNS::Topic\", \"Properties\": {\"TopicName\": {\"Ref\": \"Nope@\"}}}"),
            Once("}}"),
        ],
    ),
    shape(
        "one-line-two-errors",
        "json",
        50000,
        &[CHECK],
        &[
            Once(
                "{\"Resources\": {\"A\": {\"Type\": \"AWS::SNS::Topic\", \"DependsOn\": \"Nope\"}, \"B\": {\"Type\": \"AWS::S3::Bucket\", \"Metadata\": [",
            ),
            Each("~{\"x\": @}"),
            Once("]}, \"A\": {\"Type\": \"AWS::SNS::Topic\", \"DependsOn\": \"Never\"}}}"),
        ],
    ),
    shape(
        "loop-map-file",
        "yaml",
        2000,
        &[MAP],
        &[
            Once("Transform: AWS::LanguageExtensions\nResources:\n  Fn::ForEach::L:\n    - V\n    - ["),
            Each("a@,"),
            Once("z]\n    - R${V}:\n        Type: AWS::SNS::Topic\n        Properties: {TopicName: !Ref V}\n"),
        ],
    ),
    shape(
        "loop-at",
        "yaml",
        2000,
        &[AT_LOOP],
        &[
            Once("Transform: AWS::LanguageExtensions\nResources:\n  Fn::ForEach::L:\n    - V\n    - ["),
            Each("a@,"),
            Once("z]\n    - R${V}:\n        Type: AWS::SNS::Topic\n        Properties: {TopicName: !Ref V}\n"),
        ],
    ),
    shape(
        "many-comments",
        "yaml",
        3000,
        &[EXPAND, CHECK],
        &[
            Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n"),
            Each("  # c@\n  R@: # d\n    Type: AWS::SNS::Topic # e\n"),
        ],
    ),
    shape(
        "literal-block",
        "yaml",
        20000,
        &[EXPAND, JSON],
        &[Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n    Metadata: |\n"), Each("      line @\n")],
    ),
    shape(
        "literal-blocks",
        "yaml",
        3000,
        &[EXPAND, JSON],
        &[Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n    Metadata:\n"), Each("      - |\n        line @\n")],
    ),
    shape(
        "quoted-lines",
        "yaml",
        5000,
        &[EXPAND, JSON],
        &[
            Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n    Metadata: \"\n"),
            Each("      line @\n"),
            Once("      \"\n"),
        ],
    ),
];
