//! Conditions, mappings and parameters, one thing of them many times.

use super::Part::{Each, Once};
use super::{ALL, CHECK, JSON, Shape, shape};

const PRUNE: &[&str] = &["resolve", "--prune", "--format", "json"];
const METRICS: &[&str] = &["expand", "--metrics", "--format", "json"];

/// Those shapes.
pub(super) const SHAPES: &[Shape] = &[
    shape(
        "conditions-of-conditions",
        "yaml",
        1000,
        &[CHECK, ALL],
        &[
            Once("Parameters:\n  P: {Type: String}\nConditions:\n  C0: !Equals [!Ref P, x]\n"),
            Each("  C@: !And [!Condition C^, !Equals [!Ref P, x@]]\n"),
            Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n"),
            Each("  R@:\n    Type: AWS::SNS::Topic\n    Condition: C@\n"),
        ],
    ),
    shape(
        "conditions-used-by-one",
        "yaml",
        1000,
        &[CHECK],
        &[
            Once("Parameters:\n  P: {Type: String}\nConditions:\n  Last: !Equals [!Ref P, x]\n"),
            Each("  C^: !Not [!Condition C@]\n"),
            Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n    Condition: C0\n"),
        ],
    ),
    shape(
        "conditions-of-a-wide-one",
        "yaml",
        1000,
        &[CHECK],
        &[
            Once("Conditions:\n  Wide: !Or\n"),
            Each("    - !Condition L@\n"),
            Each("  L@: !Equals [!Ref AWS::Region, x]\n"),
            Each("  R@: !Not [!Condition Wide]\n"),
            Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n    Condition: R1\n"),
        ],
    ),
    shape(
        "conditions-pairs",
        "yaml",
        500,
        &[CHECK, ALL],
        &[
            Once("Parameters:\n"),
            Each("  P@: {Type: String}\n"),
            Once("Conditions:\n"),
            Each("  C@: !Equals [!Ref P@, x]\n"),
            Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n"),
            Each(
                "  R@:\n    Type: AWS::SNS::Topic\n    Condition: C@\n  S@:\n    Type: AWS::SNS::Topic\n    Properties: {TopicName: !If [C@, !GetAtt R@.TopicName, x]}\n",
            ),
        ],
    ),
    shape(
        "mapping-same-key",
        "yaml",
        2000,
        &[ALL, CHECK],
        &[
            Once("Transform: AWS::LanguageExtensions\nParameters:\n  P: {Type: String}\nMappings:\n  M:\n"),
            Each("    k@: {v: x@}\n"),
            Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n    Metadata:\n"),
            Each("      - !FindInMap [M, !Ref P, v]\n"),
        ],
    ),
    shape(
        "allowed-values",
        "yaml",
        5000,
        &[CHECK, JSON],
        &[
            Once("Parameters:\n  P:\n    Type: String\n    Default: v1\n    AllowedValues: ["),
            Each("v@,"),
            Once("z]\nResources:\n  B:\n    Type: AWS::S3::Bucket\n"),
        ],
    ),
    shape(
        "list-parameter",
        "yaml",
        5000,
        &[ALL, CHECK],
        &[
            Once("Parameters:\n  P:\n    Type: CommaDelimitedList\n    Default: '"),
            Each("v@,"),
            Once("z'\nResources:\n  B:\n    Type: AWS::S3::Bucket\n    Metadata: !Join ['-', !Ref P]\n"),
        ],
    ),
    shape(
        "one-cycle",
        "yaml",
        1000,
        &[CHECK],
        &[
            Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n"),
            Each("  R@:\n    Type: AWS::SNS::Topic\n    Properties: {TopicName: !Ref R^}\n"),
            Once("  R0:\n    Type: AWS::SNS::Topic\n    DependsOn: R1\n"),
        ],
    ),
    shape(
        "pruned",
        "yaml",
        1000,
        &[PRUNE, METRICS],
        &[
            Once("Parameters:\n"),
            Each("  P@: {Type: String, Default: x}\n"),
            Once("Conditions:\n"),
            Each("  C@: !Equals [!Ref P@, b]\n"),
            Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n    Metadata:\n"),
            Each("      - !If [C@, a, b]\n"),
        ],
    ),
    shape(
        "sub-unresolved",
        "yaml",
        1000,
        &[CHECK],
        &[Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n    Metadata: !Sub '"), Each("${Nope@}"), Once("'\n")],
    ),
];
