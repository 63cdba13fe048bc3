//! Text that is not well-formed, or that readers have to be forgiving about.

use super::Part::{Each, Once};
use super::{CHECK, JSON, Shape, shape};

/// Those shapes.
pub(super) const SHAPES: &[Shape] = &[
    shape(
        "broken-yaml",
        "yaml",
        2000,
        &[JSON, CHECK],
        &[Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n    Metadata:\n"), Each("      a@: [1\n      b@: 2\n")],
    ),
    shape(
        "broken-at-the-end",
        "yaml",
        5000,
        &[JSON, CHECK],
        &[
            Once("Resources:\n"),
            Each("  R@:\n    Type: AWS::SNS::Topic\n"),
            Once("  A: x: y\n  B: x: y\n  C: x: y\n  D: x: y\n  E: x: y\n  F: x: y\n"),
        ],
    ),
    shape(
        "empty-elements",
        "yaml",
        2000,
        &[CHECK],
        // The anchor is for the general reader.
        &[
            Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n    Metadata:\n      A: &a 1\n      L:\n"),
            Each("        -\n"),
        ],
    ),
    shape(
        "lines-in-a-json-string",
        "json",
        2000,
        &[CHECK],
        &[Once("{\"Description\": \""), Each("x@\n"), Once("\", \"Resources\": {}}\n")],
    ),
    shape(
        "broken-tabs",
        "yaml",
        2000,
        &[CHECK],
        &[Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n    Metadata:\n"), Each("      a@:\n\t- x\n")],
    ),
    shape(
        "comments-without-space",
        "yaml",
        1000,
        &[JSON],
        &[Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n    Metadata:\n"), Each("      a@: 'x'#y\n")],
    ),
    shape(
        "quotes-not-indented",
        "yaml",
        1000,
        &[JSON],
        &[Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n    Metadata:\n"), Each("      a@: 'x\n y'\n")],
    ),
    shape(
        "byte-order-marks",
        "yaml",
        2000,
        &[CHECK],
        &[Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n    Metadata:\n"), Each("      a@: 'x\u{feff}'\n")],
    ),
    shape(
        "marks-outside-quotes",
        "yaml",
        1000,
        &[CHECK],
        &[
            Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n    Metadata:\n"),
            Each("      a@: x\u{feff}y\n"),
            Each("      b@: 'x'\n"),
        ],
    ),
    shape(
        "duplicate-of-many",
        "yaml",
        1000,
        &[CHECK],
        &[
            Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n    Metadata:\n"),
            Each("      a@: 1\n"),
            Each("      a@: 2\n"),
        ],
    ),
];
