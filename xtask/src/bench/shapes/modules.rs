//! Templates of modules. Each has one thing n times: copies and references to them, names, keys, values, calls.

use super::Part::{Each, Once};
use super::{CHECK, JSON, MODULE, Shape, beside, shape};

/// A template without files beside it.
const fn alone(name: &'static str, n: u32, parts: &'static [super::Part]) -> Shape {
    shape(name, "yaml", n, &[JSON, CHECK], parts)
}

/// A template with a module beside it.
const fn with(name: &'static str, n: u32, parts: &'static [super::Part], module: &'static [super::Part]) -> Shape {
    beside(alone(name, n, parts), "m.yaml", module)
}

/// Those shapes.
pub(super) const SHAPES: &[Shape] = &[
    with(
        "module-foreach-key",
        200,
        &[
            Once("Modules:\n  M:\n    Source: m.yaml\n    Properties: {N: $Identifier}\n    ForEach:\n"),
            Each("      - k@\n"),
            Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\nOutputs:\n"),
            Each("  O@:\n    Value: !GetAtt 'M[k@].Arn'\n"),
        ],
        MODULE,
    ),
    with(
        "module-foreach-index",
        200,
        &[
            Once("Modules:\n  M:\n    Source: m.yaml\n    Properties: {N: $Identifier}\n    ForEach:\n"),
            Each("      - k@\n"),
            Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\nOutputs:\n"),
            Each("  O@:\n    Value: !GetAtt 'M[^].Arn'\n"),
        ],
        MODULE,
    ),
    with(
        "module-foreach-name",
        200,
        &[
            Once("Modules:\n  M:\n    Source: m.yaml\n    Properties: {N: $Identifier}\n    ForEach:\n"),
            Each("      - k@\n"),
            Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\nOutputs:\n"),
            Each("  O@:\n    Value: !GetAtt M^.Arn\n"),
        ],
        MODULE,
    ),
    with(
        "module-foreach-all",
        200,
        &[
            Once("Modules:\n  M:\n    Source: m.yaml\n    Properties: {N: $Identifier}\n    ForEach:\n"),
            Each("      - k@\n"),
            Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n    Metadata: {All: !GetAtt 'M[*].Arn'}\n"),
        ],
        MODULE,
    ),
    with(
        "module-foreach-values",
        200,
        &[
            Once("Modules:\n  M:\n    Source: m.yaml\n    Properties: {N: $Value.V}\n    ForEach:\n"),
            Each("      k@: {V: v@}\n"),
            Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n"),
        ],
        MODULE,
    ),
    with(
        "module-loop-key",
        200,
        &[
            Once("Transform: AWS::LanguageExtensions\nModules:\n  Fn::ForEach::L:\n    - X\n    -\n"),
            Each("      - k@\n"),
            Once(
                "    - M${X}: {Source: m.yaml, Properties: {N: !Ref X}}\nResources:\n  B:\n    Type: AWS::S3::Bucket\nOutputs:\n",
            ),
            Each("  O@:\n    Value: !GetAtt 'L[k@].Arn'\n"),
        ],
        MODULE,
    ),
    alone(
        "resource-foreach-key",
        200,
        &[
            Once(
                "Resources:\n  B:\n    Type: AWS::S3::Bucket\n  T:\n    Type: AWS::SNS::Topic\n    Properties: {TopicName: $Identifier}\n    ForEach:\n",
            ),
            Each("      - k@\n"),
            Once("Outputs:\n"),
            Each("  O@:\n    Value: !Ref 'T[k@]'\n"),
        ],
    ),
    with(
        "module-depends-on",
        200,
        &[
            Once("Modules:\n"),
            Each("  M@: {Source: m.yaml, Properties: {N: n@}}\n"),
            Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n    DependsOn:\n"),
            Each("      - M@\n"),
        ],
        MODULE,
    ),
    with(
        "module-override-keys",
        1000,
        &[
            Once("Modules:\n  M:\n    Source: m.yaml\n    Overrides:\n      R:\n        Metadata:\n"),
            Each("          K@: x@\n"),
            Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n"),
        ],
        &[Once("Resources:\n  R:\n    Type: AWS::SNS::Topic\n    Metadata:\n"), Each("      K@: y@\n")],
    ),
    with(
        "module-override-list",
        500,
        &[
            Once(
                "Modules:\n  M:\n    Source: m.yaml\n    Overrides:\n      R:\n        Properties:\n          Tags:\n",
            ),
            Each("            - {Key: x@, Value: a}\n"),
            Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n"),
        ],
        &[
            Once("Resources:\n  R:\n    Type: AWS::SNS::Topic\n    Properties:\n      Tags:\n"),
            Each("        - {Key: y@, Value: b}\n"),
        ],
    ),
    with(
        "module-value-paths",
        500,
        &[
            Once("Modules:\n  M:\n    Source: m.yaml\n    Properties:\n      N:\n"),
            Each("        k@: {A: v@}\n"),
            Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n"),
        ],
        &[
            Once("Parameters: {N: {Type: String}}\nResources:\n  R:\n    Type: AWS::SNS::Topic\n    Metadata:\n"),
            Each("      K@: [!GetAtt N.k@.A, !Sub '${N.k@.A}x']\n"),
        ],
    ),
    with(
        "module-value-uses",
        500,
        &[Once(
            "Modules:\n  M:\n    Source: m.yaml\n    Properties: {N: {A: {B: c}}}\nResources:\n  B:\n    Type: AWS::S3::Bucket\n",
        )],
        &[
            Once("Parameters: {N: {Type: String}}\nResources:\n  R:\n    Type: AWS::SNS::Topic\n    Metadata:\n"),
            Each("      K@: !Ref N\n"),
        ],
    ),
    with(
        "module-schema",
        500,
        &[
            Once("Modules:\n  M:\n    Source: m.yaml\n    Properties:\n      N:\n"),
            Each("        k@: v@\n"),
            Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n"),
        ],
        &[
            Once("Parameters: {N: {Type: String}}\nParameterSchema:\n  N:\n    Type: Object\n    Properties:\n"),
            Each("      k@: {Type: String, MinLength: 1}\n"),
            Once("Resources:\n  R:\n    Type: AWS::SNS::Topic\n    Metadata: !Ref N\n"),
        ],
    ),
    with(
        "module-conditions",
        200,
        &[Once(
            "Parameters: {E: {Type: String}}\nModules:\n  M:\n    Source: m.yaml\n    Properties: {N: !Ref E}\nResources:\n  B:\n    Type: AWS::S3::Bucket\n",
        )],
        &[
            Once("Parameters: {N: {Type: String}}\nConditions:\n"),
            Each("  C@: !Equals [!Ref N, v@]\n"),
            Once("Resources:\n"),
            Each("  R@:\n    Type: AWS::SNS::Topic\n    Condition: C@\n"),
        ],
    ),
    with(
        "module-mappings",
        200,
        &[Once(
            "Parameters: {E: {Type: String}}\nModules:\n  M:\n    Source: m.yaml\n    Properties: {N: !Ref E}\nResources:\n  B:\n    Type: AWS::S3::Bucket\n",
        )],
        &[
            Once("Parameters: {N: {Type: String}}\nMappings:\n"),
            Each("  A@: {x: {y: z@}}\n"),
            Once("Resources:\n"),
            Each("  R@:\n    Type: AWS::SNS::Topic\n    Properties: {TopicName: !FindInMap [A@, !Ref N, y]}\n"),
        ],
    ),
    with(
        "module-foreach-inside",
        200,
        &[Once("Modules:\n  M:\n    Source: m.yaml\nResources:\n  B:\n    Type: AWS::S3::Bucket\n")],
        &[
            Once(
                "Resources:\n  T:\n    Type: AWS::SNS::Topic\n    Properties: {TopicName: $Identifier}\n    ForEach:\n",
            ),
            Each("      - k@\n"),
            Once("  S:\n    Type: AWS::SNS::Topic\n    Metadata:\n"),
            Each("      K@: !Ref 'T[k@]'\n"),
        ],
    ),
    with(
        "module-invoke",
        500,
        &[
            Once(
                "Modules:\n  M:\n    Source: m.yaml\n    Properties: {N: a}\nResources:\n  B:\n    Type: AWS::S3::Bucket\n    Metadata:\n",
            ),
            Each("      K@: !Invoke [M, {N: n@}, V]\n"),
        ],
        &[Once("Parameters: {N: {Type: String}}\nResources: {}\nOutputs:\n  V: {Value: !Sub 'x-${N}'}\n")],
    ),
    alone(
        "flatten",
        500,
        &[
            Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n    Metadata:\n      K: !Flatten\n"),
            Each("        - [a@, [b@]]\n"),
        ],
    ),
    alone(
        "constants-of-constants",
        500,
        &[
            Once("Constants:\n  K0: v\n"),
            Each("  K@: !Sub '${Const::K^}'\n"),
            Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n    Metadata:\n"),
            Each("      K@: !Ref Const::K@\n"),
        ],
    ),
    with(
        "packages",
        200,
        &[
            Once("Packages:\n"),
            Each("  P@: {Source: .}\n"),
            Once("Modules:\n"),
            Each("  M@: {Source: $P@/m.yaml, Properties: {N: n@}}\n"),
            Once("Resources:\n  B:\n    Type: AWS::S3::Bucket\n"),
        ],
        MODULE,
    ),
];
