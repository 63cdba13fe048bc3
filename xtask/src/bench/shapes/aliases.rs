//! Anchors, aliases and merge keys of YAML.

use super::Part::{Each, Once};
use super::{CHECK, EXPAND, JSON, Shape, shape};

/// Those shapes.
pub(super) const SHAPES: &[Shape] = &[
    shape(
        "aliases-of-many",
        "yaml",
        5000,
        &[JSON, EXPAND, CHECK],
        &[
            Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n    Metadata:\n      L:\n"),
            Each("        - &a@ {x: @}\n        - *a@\n"),
        ],
    ),
    shape(
        "aliases-of-one",
        "yaml",
        25000,
        &[JSON, EXPAND, CHECK],
        &[
            Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n    Metadata:\n      A: &a {x: 1}\n      L:\n"),
            Each("        - *a\n"),
        ],
    ),
    shape(
        "anchors-again",
        "yaml",
        5000,
        &[JSON, EXPAND],
        &[
            Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n    Metadata:\n      L:\n"),
            Each("        - &a [@]\n        - *a\n"),
        ],
    ),
    shape(
        "anchors-in-a-loop",
        "yaml",
        3000,
        &[EXPAND, CHECK],
        &[
            Once(
                "Transform: AWS::LanguageExtensions\nResources:\n  Fn::ForEach::L:\n    - V\n    - [a, b]\n    - R${V}:\n        Type: AWS::SNS::Topic\n        Metadata:\n          - !Ref V\n",
            ),
            Each("          - &a@ {x: @}\n"),
        ],
    ),
    shape(
        "anchors-replaced",
        "yaml",
        3000,
        &[EXPAND],
        &[
            Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n    Metadata:\n"),
            Each("      a@: &a@ !Sub 'x${AWS::Region}'\n"),
        ],
    ),
];
