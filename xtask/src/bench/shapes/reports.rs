//! Many diagnostics in every form, suppressed ones and fixes.

use super::Part::{Each, Once};
use super::{CHECK, Shape, shape};

const SHORT: &[&str] = &["check", "--message-format", "short"];
const SARIF: &[&str] = &["check", "--message-format", "sarif"];
const GITHUB: &[&str] = &["check", "--message-format", "github"];
const JUNIT: &[&str] = &["check", "--message-format", "junit"];
const SELECT: &[&str] = &["check", "--select", "FW0303"];
const IGNORE: &[&str] = &["check", "--ignore", "FW03"];
const STRICT: &[&str] = &["check", "--strict"];
const NO_SUPPRESS: &[&str] = &["check", "--no-suppress"];
const DIFF: &[&str] = &["check", "--diff"];
const DIFF_UNSAFE: &[&str] = &["check", "--diff", "--unsafe-fixes"];
const FIX_UNSAFE: &[&str] = &["check", "--fix", "--unsafe-fixes"];

/// Those shapes.
pub(super) const SHAPES: &[Shape] = &[
    shape(
        "report-forms",
        "yaml",
        1000,
        &[SHORT, SARIF, GITHUB, JUNIT, SELECT, IGNORE, STRICT],
        &[Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n    Metadata:\n"), Each("      - !Ref Nope@\n")],
    ),
    shape(
        "suppressions",
        "yaml",
        1000,
        &[CHECK, NO_SUPPRESS, SARIF],
        &[
            Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n    Metadata:\n"),
            Each("      - !Ref Nope@  # formwork: allow FW0303 -- later\n"),
        ],
    ),
    shape(
        "suppressions-unused",
        "yaml",
        1000,
        &[CHECK],
        &[
            Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n    Metadata:\n"),
            Each("      - x@  # formwork: allow FW0303 -- later\n"),
        ],
    ),
    shape(
        "fixes",
        "yaml",
        500,
        &[DIFF],
        &[
            Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n"),
            Each("  R@:\n    Type: AWS::SNS::Topic\n    DependsOn: B\n    Metadata: !Ref B\n"),
        ],
    ),
    shape(
        "fixes-unsafe",
        "yaml",
        500,
        &[DIFF_UNSAFE, FIX_UNSAFE],
        &[
            Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n"),
            Each("  R@:\n    Type: AWS::SNS::Topic\n    Propertis: {}\n"),
        ],
    ),
    shape(
        "unused",
        "yaml",
        1000,
        &[CHECK],
        &[
            Once("Parameters:\n"),
            Each("  P@: {Type: String}\n"),
            Once("Conditions:\n"),
            Each("  C@: !Equals [a, b]\n"),
            Once("Mappings:\n"),
            Each("  M@: {a: {b: c}}\n"),
            Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n"),
        ],
    ),
    shape(
        "items-errors",
        "yaml",
        1000,
        &[CHECK],
        &[
            Once("Transform: AWS::LanguageExtensions\nMappings:\n  M:\n"),
            Each("    k@: {v: 1}\n"),
            Once("Resources:\n  Fn::ForEach::L:\n    - V\n    - ["),
            Each("a@,"),
            Once(
                "z]\n    - R${V}:\n        Type: AWS::SNS::Topic\n        Properties: {TopicName: !FindInMap [M, !Ref V, v]}\n",
            ),
        ],
    ),
];
