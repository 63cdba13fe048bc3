//! Templates without errors.

use super::Part::{Each, Once};
use super::{ALL, CHECK, EXPAND, JSON, MODULE, RESOLVE, RULES, Shape, beside, shape};

/// Those shapes.
pub(super) const SHAPES: &[Shape] = &[
    shape(
        "resources",
        "yaml",
        2000,
        &[JSON, EXPAND, CHECK],
        &[
            Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n"),
            Each("  R@:\n    Type: AWS::SNS::Topic\n    Properties:\n      TopicName: t@\n"),
        ],
    ),
    shape(
        "parameters",
        "yaml",
        1000,
        &[JSON, EXPAND, CHECK],
        &[
            Once("Parameters:\n"),
            Each("  P@:\n    Type: String\n    Default: d@\n"),
            Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n    Properties:\n      Tags:\n"),
            Each("        - {Key: k@, Value: !Ref P@}\n"),
        ],
    ),
    shape(
        "conditions-chain",
        "yaml",
        1000,
        &[JSON, EXPAND, CHECK],
        &[
            Once("Parameters:\n  P:\n    Type: String\nConditions:\n  C0: !Equals [!Ref P, x]\n"),
            Each("  C@: !Not [!Condition C^]\n"),
            Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n    Condition: C1\n"),
        ],
    ),
    shape(
        "conditions-wide",
        "yaml",
        1000,
        &[JSON, EXPAND, CHECK],
        &[
            Once("Parameters:\n  P:\n    Type: String\nConditions:\n"),
            Each("  C@: !Equals [!Ref P, x@]\n"),
            Once("Resources:\n"),
            Once("  B:\n    Type: AWS::S3::Bucket\n"),
            Each("  R@:\n    Type: AWS::SNS::Topic\n    Condition: C@\n"),
        ],
    ),
    shape(
        "mapping-keys",
        "yaml",
        2000,
        &[ALL, EXPAND, CHECK],
        &[
            Once("Mappings:\n  M:\n"),
            Each("    k@: {v: x@}\n"),
            Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n    Properties:\n      Tags:\n"),
            Each("        - {Key: k@, Value: !FindInMap [M, k@, v]}\n"),
        ],
    ),
    shape(
        "mapping-inner",
        "yaml",
        2000,
        &[ALL, CHECK],
        &[
            Once("Mappings:\n  M:\n    a:\n"),
            Each("      k@: x@\n"),
            Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n    Properties:\n      Tags:\n"),
            Each("        - {Key: k@, Value: !FindInMap [M, a, k@]}\n"),
        ],
    ),
    shape(
        "mappings",
        "yaml",
        1000,
        &[ALL, CHECK],
        &[
            Once("Mappings:\n"),
            Each("  M@:\n    a: {v: x@}\n"),
            Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n    Properties:\n      Tags:\n"),
            Each("        - {Key: k@, Value: !FindInMap [M@, a, v]}\n"),
        ],
    ),
    shape(
        "outputs",
        "yaml",
        1000,
        &[JSON, EXPAND, CHECK],
        &[
            Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\nOutputs:\n"),
            Each("  O@:\n    Value: !GetAtt B.Arn\n    Export: {Name: e@}\n"),
        ],
    ),
    shape(
        "sub-vars",
        "yaml",
        1000,
        &[ALL, CHECK],
        &[
            Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n    Properties:\n      BucketName: !Sub\n        - "),
            Each("${V@}"),
            Once("\n        -\n"),
            Each("          V@: v@\n"),
        ],
    ),
    shape(
        "sub-refs",
        "yaml",
        1000,
        &[ALL, CHECK],
        &[
            Once("Parameters:\n"),
            Each("  P@:\n    Type: String\n    Default: d@\n"),
            Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n    Properties:\n      BucketName: !Sub '"),
            Each("${P@}"),
            Once("'\n"),
        ],
    ),
    shape(
        "sub-each",
        "yaml",
        2000,
        &[ALL, CHECK],
        &[
            Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n    Properties:\n      Tags:\n"),
            Each("        - {Key: k@, Value: !Sub 'a-${AWS::Region}-@'}\n"),
        ],
    ),
    shape(
        "aliases",
        "yaml",
        2000,
        &[JSON, EXPAND, CHECK],
        &[
            Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n    Metadata:\n      A: &a {x: 1}\n      L:\n"),
            Each("        - *a\n"),
        ],
    ),
    shape(
        "anchors",
        "yaml",
        2000,
        &[JSON, EXPAND, CHECK],
        &[
            Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n    Metadata:\n      A:\n"),
            Each("        - &a@ {x: @}\n"),
            Once("      L:\n"),
            Each("        - *a@\n"),
        ],
    ),
    shape(
        "merge-keys",
        "yaml",
        1000,
        &[JSON, EXPAND, CHECK],
        &[
            Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n    Metadata:\n      A: &a {x: 1}\n      L:\n"),
            Each("        - <<: *a\n          y: @\n"),
        ],
    ),
    shape(
        "loops",
        "yaml",
        200,
        &[JSON, EXPAND, CHECK],
        &[
            Once("Transform: AWS::LanguageExtensions\nResources:\n  B:\n    Type: AWS::S3::Bucket\n"),
            Each("  Fn::ForEach::L@:\n    - V\n    - [a@]\n    - R${V}:\n        Type: AWS::SNS::Topic\n"),
        ],
    ),
    shape(
        "loop-items",
        "yaml",
        2000,
        &[JSON, EXPAND, CHECK],
        &[
            Once(
                "Transform: AWS::LanguageExtensions\nResources:\n  B:\n    Type: AWS::S3::Bucket\n  Fn::ForEach::L:\n    - V\n    - [",
            ),
            Each("a@,"),
            Once("z]\n    - R${V}:\n        Type: AWS::SNS::Topic\n        Properties: {TopicName: !Ref V}\n"),
        ],
    ),
    shape(
        "loop-map",
        "yaml",
        1000,
        &[ALL],
        &[
            Once("Transform: AWS::LanguageExtensions\nMappings:\n  M:\n"),
            Each("    k@: {v: x@}\n"),
            Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n  Fn::ForEach::L:\n    - V\n    - ["),
            Each("k@,"),
            Once(
                "k1]\n    - R${V}:\n        Type: AWS::SNS::Topic\n        Properties: {TopicName: !FindInMap [M, !Ref V, v]}\n",
            ),
        ],
    ),
    shape(
        "loop-bodies",
        "yaml",
        500,
        &[JSON, EXPAND, CHECK],
        &[
            Once(
                "Transform: AWS::LanguageExtensions\nResources:\n  B:\n    Type: AWS::S3::Bucket\n  Fn::ForEach::L:\n    - V\n    - [a, b]\n    -\n",
            ),
            Each("      R${V}@:\n        Type: AWS::SNS::Topic\n        Properties: {TopicName: !Ref V}\n"),
        ],
    ),
    shape(
        "fn-map",
        "yaml",
        1000,
        &[JSON, CHECK],
        &[
            Once(
                "Resources:\n  B:\n    Type: AWS::S3::Bucket\n    Properties:\n      Tags:\n        Fn::Map:\n          - V\n          - [",
            ),
            Each("a@,"),
            Once("z]\n          - {Key: !Ref V, Value: x}\n"),
        ],
    ),
    shape(
        "fn-map-names",
        "yaml",
        1000,
        &[JSON, CHECK],
        &[
            Once("Resources:\n  Fn::Map:\n    Value: V\n    Collection: ["),
            Each("a@,"),
            Once(
                "z]\n    Key: T${V}\n    Fragment:\n      Type: AWS::SNS::Topic\n      Properties:\n        TopicName: !Ref V\n        Tags: [{Key: Owner, Value: !Sub '${AWS::StackName}-${V}'}]\n",
            ),
            Once("Outputs:\n  Fn::Merge:\n    - Fn::Map:\n        Value: V\n        Collection: ["),
            Each("a@,"),
            Once("z]\n        Key: !Sub '${V}Name'\n        Fragment: {Value: !GetAtt [!Sub 'T${V}', TopicName]}\n"),
        ],
    ),
    shape(
        "fn-map-objects",
        "yaml",
        500,
        &[JSON, EXPAND, CHECK],
        &[
            Once(
                "Resources:\n  B:\n    Type: AWS::S3::Bucket\n  Fn::Merge:\n    - Fn::Map:\n        Value: V\n        Collection:\n",
            ),
            Each("          - {Name: a@, Tags: {Stage: s@}}\n"),
            Once(
                "        Key: !Sub 'Q${V.Name}'\n        Fragment:\n          Type: AWS::SQS::Queue\n          Properties: {QueueName: !GetAtt V.Name, Tags: [{Key: Stage, Value: !Sub '${V.Tags.Stage}'}]}\n",
            ),
        ],
    ),
    shape(
        "fn-merge",
        "yaml",
        1000,
        &[JSON, CHECK],
        &[
            Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n    Metadata:\n      Fn::Merge:\n"),
            Each("        - {a@: @}\n"),
        ],
    ),
    shape(
        "refs-chain",
        "yaml",
        1000,
        &[JSON, CHECK, RESOLVE],
        &[
            Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n"),
            Each("  R@:\n    Type: AWS::SNS::Topic\n    Properties: {TopicName: !Ref R^}\n"),
            Once("  R0:\n    Type: AWS::SNS::Topic\n"),
        ],
    ),
    shape(
        "long-line",
        "json",
        2000,
        &[JSON, CHECK, EXPAND],
        &[
            Once("{\"Resources\": {\"B\": {\"Type\": \"AWS::S3::Bucket\", \"Metadata\": ["),
            Each("~{\"x\": @}"),
            Once("]}}}"),
        ],
    ),
    shape(
        "yaml-flow-line",
        "yaml",
        2000,
        &[JSON, EXPAND, CHECK],
        &[Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n    Metadata: ["), Each("{x: @},"), Once("]\n")],
    ),
    shape(
        "long-string",
        "yaml",
        20000,
        &[JSON, EXPAND, CHECK],
        &[Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n    Metadata: '"), Each("abc d@ "), Once("'\n")],
    ),
    shape(
        "long-sub",
        "yaml",
        5000,
        &[JSON, EXPAND, CHECK],
        &[
            Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n    Metadata: !Sub '"),
            Each("abc ${AWS::Region} @ "),
            Once("'\n"),
        ],
    ),
    shape(
        "long-comment",
        "yaml",
        5000,
        &[JSON, EXPAND, CHECK],
        &[
            Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n# "),
            Each("comment @"),
            Once(" \n  R:\n    Type: AWS::SNS::Topic\n"),
        ],
    ),
    shape(
        "join",
        "yaml",
        3000,
        &[JSON, EXPAND, CHECK],
        &[
            Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n    Metadata: !Join\n      - ','\n      -\n"),
            Each("        - a@\n"),
        ],
    ),
    beside(
        shape(
            "include-same",
            "yaml",
            500,
            &[JSON, CHECK],
            &[
                Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n    Metadata:\n"),
                Each("      - Fn::Transform: {Name: AWS::Include, Parameters: {Location: inc.yaml}}\n"),
            ],
        ),
        "inc.yaml",
        &[Once("a: 1\n")],
    ),
    beside(
        shape(
            "modules",
            "yaml",
            200,
            &[JSON, EXPAND, CHECK],
            &[
                Once("Modules:\n"),
                Each("  M@:\n    Source: m.yaml\n    Properties: {N: n@}\n"),
                Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n"),
            ],
        ),
        "m.yaml",
        MODULE,
    ),
    beside(
        shape(
            "modules-out",
            "yaml",
            200,
            &[JSON, CHECK],
            &[
                Once("Modules:\n"),
                Each("  M@:\n    Source: m.yaml\n    Properties: {N: n@}\n"),
                Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\nOutputs:\n"),
                Each("  O@:\n    Value: !GetAtt M@.Arn\n"),
            ],
        ),
        "m.yaml",
        MODULE,
    ),
    beside(
        shape(
            "module-params",
            "yaml",
            500,
            &[JSON, CHECK],
            &[
                Once("Modules:\n  M:\n    Source: m.yaml\n    Properties:\n"),
                Each("      P@: v@\n"),
                Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n"),
            ],
        ),
        "m.yaml",
        &[
            Once("Parameters:\n"),
            Each("  P@:\n    Type: String\n"),
            Once("Resources:\n"),
            Each("  R@:\n    Type: AWS::SNS::Topic\n    Properties: {TopicName: !Ref P@}\n"),
        ],
    ),
    beside(
        shape(
            "module-overrides",
            "yaml",
            500,
            &[JSON, CHECK],
            &[
                Once("Modules:\n  M:\n    Source: m.yaml\n    Overrides:\n"),
                Each("      R@:\n        Properties: {DisplayName: x@}\n"),
                Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n"),
            ],
        ),
        "m.yaml",
        &[Once("Resources:\n"), Each("  R@:\n    Type: AWS::SNS::Topic\n    Properties: {TopicName: x}\n")],
    ),
    shape(
        "constants",
        "yaml",
        500,
        &[JSON, CHECK],
        &[
            Once("Constants:\n"),
            Each("  K@: v@\n"),
            Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n    Properties:\n      Tags:\n"),
            Each("        - {Key: k@, Value: !Sub '${Const::K@}'}\n"),
        ],
    ),
    shape(
        "rules",
        "yaml",
        300,
        &[CHECK, RULES],
        &[
            Once("Parameters:\n  P:\n    Type: String\n    Default: x\nRules:\n"),
            Each("  R@:\n    Assertions:\n      - Assert: !Equals [!Ref P, y@]\n        AssertDescription: d@\n"),
            Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n"),
        ],
    ),
    shape(
        "wide-json",
        "json",
        2000,
        &[JSON, EXPAND, CHECK],
        &[
            Once("{\"Resources\": {"),
            Each("~\n\"R@\": {\"Type\": \"AWS::SNS::Topic\", \"Properties\": {\"TopicName\": \"t@\"}}"),
            Once("}}"),
        ],
    ),
];
