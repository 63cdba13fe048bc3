//! Long strings: marks of placeholders that nothing closes.

use super::Part::{Each, Once};
use super::{CHECK, EXPAND, RAIN, Shape, shape};

/// Those shapes.
pub(super) const SHAPES: &[Shape] = &[
    shape(
        "open-placeholders",
        "yaml",
        20000,
        &[EXPAND, CHECK],
        &[
            Once(
                "Transform: AWS::LanguageExtensions\nResources:\n  Fn::ForEach::L:\n    - X\n    - [a, b]\n    - R${X}: {Type: AWS::SNS::Topic, Properties: {P: '",
            ),
            Each("${"),
            Once("'}}\n"),
        ],
    ),
    shape(
        "open-names",
        "yaml",
        20000,
        &[EXPAND, CHECK],
        &[
            Once(
                "Transform: AWS::LanguageExtensions\nResources:\n  Fn::ForEach::L:\n    - X\n    - [a, b]\n    - R${X}: {Type: AWS::SNS::Topic, Properties: {P: '",
            ),
            Each("&{"),
            Once("'}}\n"),
        ],
    ),
    shape(
        "open-attributes",
        "yaml",
        20000,
        &[EXPAND, CHECK],
        &[
            Once(
                "Transform: AWS::LanguageExtensions\nResources:\n  Fn::ForEach::L:\n    - X\n    - [a, b]\n    - R${X}: {Type: AWS::SNS::Topic, Properties: {P: !Sub '",
            ),
            Each("${X."),
            Once("${X}'}}\n"),
        ],
    ),
    shape(
        "closed-at-the-end",
        "yaml",
        20000,
        &[EXPAND, CHECK],
        &[
            Once(
                "Transform: AWS::LanguageExtensions\nResources:\n  Fn::ForEach::L:\n    - X\n    - [a, b]\n    - R${X}: {Type: AWS::SNS::Topic, Properties: {P: !Sub '",
            ),
            Each("${a"),
            Once("}'}}\n"),
        ],
    ),
    shape(
        "open-braces",
        "yaml",
        20000,
        &[EXPAND, CHECK],
        &[
            Once(
                "Transform: AWS::LanguageExtensions\nResources:\n  Fn::ForEach::L:\n    - X\n    - [a, b]\n    - R${X}: {Type: AWS::SNS::Topic, Properties: {P: '",
            ),
            Each("{{"),
            Once("'}}\n"),
        ],
    ),
    shape(
        "many-dollars",
        "yaml",
        20000,
        &[EXPAND, CHECK],
        &[
            Once(
                "Transform: AWS::LanguageExtensions\nResources:\n  Fn::ForEach::L:\n    - X\n    - [a, b]\n    - R${X}: {Type: AWS::SNS::Topic, Properties: {P: !Sub '",
            ),
            Each("$"),
            Once("'}}\n"),
        ],
    ),
    shape(
        "rain-directives",
        "yaml",
        3000,
        &[RAIN],
        &[Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n    Metadata:\n"), Each("      - !Rain::Env X@\n")],
    ),
    shape(
        "rain-line",
        "yaml",
        3000,
        &[RAIN],
        &[
            Once("Resources: {B: {Type: 'AWS::S3::Bucket', Metadata: ["),
            Each("~ '${a}[].', !Rain::Env x@"),
            Once("]}}\n"),
        ],
    ),
    shape(
        "rain-modules",
        "yaml",
        3000,
        &[RAIN],
        &[Once("Resources: {A: {Type: 'AWS::SNS::Topic'}"), Each(", M@: {Type: !Rain::Module m.yaml}"), Once("}\n")],
    ),
];
