//! Templates with many errors.

use super::Part::{Each, Once};
use super::{ALL, CHECK, CHECK_JSON, CHECK_SHORT, CHECK_VALUES, JSON, MODULE, Shape, beside, shape};

/// Those shapes.
pub(super) const SHAPES: &[Shape] = &[
    shape(
        "mapping-missing",
        "yaml",
        1000,
        &[ALL, CHECK],
        &[
            Once("Mappings:\n  M:\n"),
            Each("    k@: {v: x@}\n"),
            Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n    Properties:\n      Tags:\n"),
            Each("        - {Key: k@, Value: !FindInMap [M, z@, v]}\n"),
        ],
    ),
    shape(
        "duplicate-keys",
        "yaml",
        1000,
        &[JSON, CHECK],
        &[Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n    Metadata:\n"), Each("      a: @\n")],
    ),
    shape(
        "duplicate-keys-pairs",
        "yaml",
        500,
        &[JSON, CHECK],
        &[
            Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n    Metadata:\n"),
            Each("      a@: 1\n      b: @\n"),
            Each("      a@ : 2\n"),
        ],
    ),
    shape(
        "dup-json-line",
        "json",
        1000,
        &[JSON, CHECK],
        &[
            Once("{\"Resources\": {\"B\": {\"Type\": \"AWS::S3::Bucket\", \"Metadata\": {"),
            Each("~\"a\": @"),
            Once("}}}}"),
        ],
    ),
    shape(
        "unresolved",
        "yaml",
        500,
        &[CHECK, CHECK_JSON, CHECK_SHORT],
        &[
            Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n    Properties:\n      Tags:\n"),
            Each("        - {Key: k@, Value: !Ref Nope@}\n"),
            Each("  R@:\n    Type: AWS::SNS::Topic\n"),
        ],
    ),
    shape(
        "unresolved-getatt",
        "yaml",
        500,
        &[CHECK],
        &[
            Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n    Properties:\n      Tags:\n"),
            Each("        - {Key: k@, Value: !GetAtt Nope@.Arn}\n"),
            Each("  R@:\n    Type: AWS::SNS::Topic\n"),
        ],
    ),
    shape(
        "unresolved-cond",
        "yaml",
        500,
        &[CHECK, JSON],
        &[
            Once("Parameters:\n  P:\n    Type: String\nConditions:\n"),
            Each("  C@: !Equals [!Ref P, x@]\n"),
            Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n"),
            Each("  R@:\n    Type: AWS::SNS::Topic\n    Condition: D@\n"),
        ],
    ),
    shape(
        "unresolved-if",
        "yaml",
        500,
        &[CHECK, JSON],
        &[
            Once("Parameters:\n  P:\n    Type: String\nConditions:\n"),
            Each("  C@: !Equals [!Ref P, x@]\n"),
            Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n    Properties:\n      Tags:\n"),
            Each("        - !If [D@, {Key: a, Value: b}, !Ref AWS::NoValue]\n"),
        ],
    ),
    shape(
        "unknown-fn",
        "yaml",
        500,
        &[CHECK, JSON],
        &[
            Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n    Properties:\n      Tags:\n"),
            Each("        - {Key: k@, Value: {'Fn::Refs@': a}}\n"),
        ],
    ),
    shape(
        "unknown-attr",
        "yaml",
        500,
        &[CHECK],
        &[
            Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n"),
            Each("  R@:\n    Type: AWS::SNS::Topic\n    Propertis: {}\n"),
        ],
    ),
    shape(
        "bad-names",
        "yaml",
        500,
        &[CHECK],
        &[Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n"), Each("  R-@:\n    Type: AWS::SNS::Topic\n")],
    ),
    beside(
        shape(
            "undeclared-params",
            "yaml",
            500,
            &[CHECK_VALUES],
            &[
                Once("Parameters:\n"),
                Each("  P@:\n    Type: String\n    Default: x\n"),
                Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n"),
            ],
        ),
        "values.json",
        &[Once("{"), Each("~\n\"Q@\": \"x\""), Once("}")],
    ),
    shape(
        "params-missing",
        "yaml",
        500,
        &[CHECK],
        &[
            Once("Parameters:\n"),
            Each("  P@:\n    Type: String\n    AllowedValues: [a, b]\n    Default: c\n"),
            Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n"),
        ],
    ),
    shape(
        "bodies-unindented",
        "yaml",
        500,
        &[CHECK],
        &[Once("Resources:\n"), Each("  R@:\n  Type: AWS::SNS::Topic\n")],
    ),
    shape(
        "depends-on-types",
        "yaml",
        500,
        &[CHECK],
        &[Once("Resources:\n"), Each("  R@:\n    Type: AWS::SNS::Topic\n    DependsOn: AWS::S3::Bucket\n")],
    ),
    shape(
        "many-errors-select",
        "yaml",
        500,
        &[CHECK, ALL],
        &[
            Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n    Properties:\n      Tags:\n"),
            Each("        - {Key: k@, Value: !Select [5, [a]]}\n"),
        ],
    ),
    shape(
        "loop-items-error",
        "yaml",
        500,
        &[JSON, CHECK],
        &[
            Once(
                "Transform: AWS::LanguageExtensions\nResources:\n  B:\n    Type: AWS::S3::Bucket\n  Fn::ForEach::L:\n    - V\n    - [",
            ),
            Each("a@,"),
            Once(
                "z]\n    - R${V}:\n        Type: AWS::SNS::Topic\n        Properties: {TopicName: !Ref 'Nope${V}', X: !GetAtt 'Nope${V}.Arn'}\n",
            ),
        ],
    ),
    shape(
        "loop-items-dup",
        "yaml",
        500,
        &[JSON, CHECK],
        &[
            Once(
                "Transform: AWS::LanguageExtensions\nResources:\n  B:\n    Type: AWS::S3::Bucket\n  Fn::ForEach::L:\n    - V\n    - [",
            ),
            Each("a@,"),
            Once("z]\n    - R:\n        Type: AWS::SNS::Topic\n"),
        ],
    ),
    shape(
        "cycles",
        "yaml",
        500,
        &[CHECK],
        &[
            Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n"),
            Each("  R@:\n    Type: AWS::SNS::Topic\n    Properties: {TopicName: !Ref S@}\n"),
            Each("  S@:\n    Type: AWS::SNS::Topic\n    Properties: {TopicName: !Ref R@}\n"),
        ],
    ),
    shape(
        "json-line-errors",
        "json",
        300,
        &[CHECK, CHECK_JSON, JSON],
        &[
            Once("{\"Resources\": {"),
            Each("~\"R@\": {\"Type\": \"AWS::SNS::Topic\", \"Properties\": {\"TopicName\": {\"Ref\": \"Nope\"}}}"),
            Once("}}"),
        ],
    ),
    shape(
        "broken-alias",
        "yaml",
        500,
        &[JSON, CHECK],
        &[Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n    Metadata:\n"), Each("      a@: *x@\n")],
    ),
    shape(
        "broken-json",
        "json",
        500,
        &[JSON, CHECK],
        &[Once("{\"Resources\": {"), Each("~\n\"R@\": {\"Type\": \"AWS::SNS::Topic\" \"Properties\": {}}"), Once("}}")],
    ),
    beside(
        shape(
            "module-errors",
            "yaml",
            200,
            &[CHECK],
            &[
                Once("Modules:\n"),
                Each("  M@:\n    Source: m.yaml\n    Properties: {Q: n@}\n"),
                Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n"),
            ],
        ),
        "m.yaml",
        MODULE,
    ),
    shape(
        "noecho",
        "yaml",
        500,
        &[CHECK, ALL],
        &[
            Once("Parameters:\n"),
            Each("  P@:\n    Type: String\n    NoEcho: true\n    Default: sec@\n"),
            Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n    Properties:\n      Tags:\n"),
            Each("        - {Key: k@, Value: !Ref Nope@}\n"),
        ],
    ),
    beside(
        shape(
            "local-nested-outs",
            "yaml",
            50,
            &[CHECK],
            &[
                Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n"),
                Each(
                    "  N@:\n    Type: AWS::CloudFormation::Stack\n    Properties: {TemplateURL: child.yaml, Parameters: {N: x@}}\n",
                ),
                Once("Outputs:\n"),
                Each("  O@:\n    Value: !GetAtt N@.Outputs.Nope@\n"),
            ],
        ),
        "child.yaml",
        &[Once(
            "Parameters:\n  N:\n    Type: String\nResources:\n  T:\n    Type: AWS::SNS::Topic\n    Properties: {TopicName: !Ref N}\nOutputs:\n  Arn:\n    Value: !Ref T\n",
        )],
    ),
];
