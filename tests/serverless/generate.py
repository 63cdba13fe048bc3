#!/usr/bin/env python3
"""Serverless templates at random, the same for the same seed.

    generate.py SEED [COUNT]    prints COUNT templates, one JSON object per line

Every type and event source occurs, with Globals, conditions, and intrinsic functions in any property. One template in
four has mistakes: combinations that are refused, a value of another kind, a property or resource that is missing.
"""

import json
import random
import sys

from resources import EVENTS, TYPES
from values import Values

PARAMETERS = {
    "Text": {"Type": "String", "Default": "text"},
    "Stage": {"Type": "String", "Default": "prod"},
    "Number": {"Type": "Number", "Default": 128},
    "Items": {"Type": "CommaDelimitedList", "Default": "a,b"},
    "Flag": {"Type": "String", "Default": "true"},
    "NoDefault": {"Type": "String"},
    "Secure": {"Type": "AWS::SSM::Parameter::Value<String>", "Default": "/a/b"},
}
MAPPINGS = {"Map": {"us-east-1": {"Value": "mapped", "Size": 256}, "prod": {"Value": "production", "Size": 512}}}
CONDITIONS = {
    "IsProd": {"Fn::Equals": [{"Ref": "Stage"}, "prod"]},
    "IsOther": {"Fn::Not": [{"Condition": "IsProd"}]},
    "Never": {"Fn::Equals": ["a", "b"]},
}
PLAIN = {
    "Queue": {"Type": "AWS::SQS::Queue"},
    "Topic": {"Type": "AWS::SNS::Topic"},
    "Bucket": {"Type": "AWS::S3::Bucket"},
    "Table": {"Type": "AWS::DynamoDB::Table", "Properties": {"BillingMode": "PAY_PER_REQUEST"}},
    "Pool": {"Type": "AWS::Cognito::UserPool"},
    "Bus": {"Type": "AWS::Events::EventBus", "Properties": {"Name": "bus"}},
    "OtherRole": {"Type": "AWS::IAM::Role", "Properties": {"AssumeRolePolicyDocument": {}}},
    "Rule": {"Type": "AWS::Events::Rule", "Properties": {"EventPattern": {"source": ["a"]}}},
}
# Properties that Globals may have, as far as the generator makes them.
SHARED = {
    "Function": "Handler Runtime DeadLetterQueue Description MemorySize Timeout VpcConfig Environment Tags PropagateTags Tracing KmsKeyArn AutoPublishAlias Layers DeploymentPreference RolePath PermissionsBoundary ReservedConcurrentExecutions ProvisionedConcurrencyConfig AssumeRolePolicyDocument EventInvokeConfig FileSystemConfigs CodeSigningConfigArn Architectures SnapStart EphemeralStorage FunctionUrlConfig RuntimeManagementConfig LoggingConfig RecursiveLoop SourceKMSKeyArn".split(),
    "Api": "Auth Name DefinitionUri CacheClusterEnabled CacheClusterSize MergeDefinitions Variables EndpointConfiguration MethodSettings BinaryMediaTypes MinimumCompressionSize Cors GatewayResponses AccessLogSetting CanarySetting TracingEnabled OpenApiVersion Domain AlwaysDeploy PropagateTags SecurityPolicy EndpointAccessMode".split(),
    "HttpApi": "Auth AccessLogSettings StageVariables Tags CorsConfiguration DefaultRouteSettings Domain RouteSettings FailOnWarnings PropagateTags".split(),
    "SimpleTable": ["SSESpecification"],
    "StateMachine": ["PropagateTags"],
    "LayerVersion": ["PublishLambdaVersion"],
}
TYPE_NAMES = sorted(TYPES)
WEIGHTS = {"Function": 8, "Api": 4, "HttpApi": 3, "StateMachine": 3, "Connector": 3}
ATTRIBUTES = ["Version", "Alias", "Arn", "Stage", "Deployment", "Role", "DomainName", "Name"]


class Template:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.values = Values(self.random)
        self.resources = {}

    def build(self):
        pick = self.random
        count = len(PLAIN) if self.values.is_careful else pick.randint(1, len(PLAIN))
        for name in pick.sample(sorted(PLAIN), count):
            self.resources[name] = json.loads(json.dumps(PLAIN[name]))
        weights = [WEIGHTS.get(name, 1) for name in TYPE_NAMES]
        kinds = pick.choices(TYPE_NAMES, weights, k=pick.choice([1, 1, 2, 3, 4, 6]))
        names = ["%s%d" % (kind, number) for number, kind in enumerate(kinds)]
        self.values.know(names, sorted(self.resources))
        for name, kind in zip(names, kinds):
            self.resources[name] = self.resource(name, kind)
        template = {"Transform": "AWS::Serverless-2016-10-31", "Parameters": PARAMETERS, "Mappings": MAPPINGS,
                    "Conditions": CONDITIONS, "Resources": self.resources}
        if pick.random() < 0.4:
            template["Globals"] = self.globals()
        if pick.random() < 0.4:
            template["Outputs"] = self.outputs()
        if not self.values.is_careful:
            self.mistake(template)
        return json.loads(json.dumps(template))

    def resource(self, name, kind):
        pick = self.random
        resource = {"Type": "AWS::Serverless::" + kind}
        for key, value in [("Condition", pick.choice(sorted(CONDITIONS))), ("DependsOn", pick.choice(sorted(PLAIN))),
                           ("DeletionPolicy", pick.choice(["Retain", "Delete"])), ("UpdateReplacePolicy", "Retain"),
                           ("Metadata", {"note": ["a", 1]}), ("DependsOn", ["Queue", "Topic"])]:
            if pick.random() < 0.07:
                resource[key] = value
        if kind == "Function" and pick.random() < 0.1:
            resource["Connectors"] = self.connectors()
        resource["Properties"] = TYPES[kind](self.values, name)
        return resource

    def connectors(self):
        names = self.values.names + self.values.plain
        target = {"Id": self.random.choice(names)}
        return {"Link": {"Properties": {"Destination": target, "Permissions": ["Read", "Write"]}}}

    def globals(self):
        """Properties of an own random resource of the type: some of them are not allowed in Globals."""
        sections = {}
        for kind in self.random.sample(["Function", "Api", "HttpApi", "SimpleTable", "StateMachine", "LayerVersion"], 2):
            properties = TYPES[kind](self.values, "Globals")
            for name in ["Events", "CodeUri", "Policies", "Definition", "DefinitionBody", "StageName", "Role", "Routes"]:
                if self.random.random() < 0.97:
                    properties.pop(name, None)
            if self.values.is_careful:
                properties = {name: value for name, value in properties.items() if name in SHARED[kind]}
            chosen = self.random.sample(sorted(properties), min(len(properties), self.random.randint(0, 4)))
            sections[kind] = {name: properties[name] for name in chosen}
        return sections

    def outputs(self):
        pick = self.random
        outputs = {}
        for number in range(pick.randint(1, 3)):
            name, attribute = pick.choice(self.values.names), pick.choice(ATTRIBUTES)
            value = pick.choice([
                {"Ref": "%s.%s" % (name, attribute)}, {"Fn::GetAtt": [name, attribute]}, {"Ref": name},
                {"Fn::GetAtt": ["%s.%s" % (name, attribute), "Arn"]}, {"Fn::Sub": "${%s.%s}-${Text}" % (name, attribute)},
                {"Fn::Sub": ["${A}${%s.%s}" % (name, attribute), {"A": {"Ref": name}}]},
                {"Fn::Sub": "${ServerlessRestApi}-${ServerlessHttpApi}"}, {"Ref": "ServerlessRestApiProdStage"},
            ])
            outputs["Out%d" % number] = {"Value": value}
        return outputs

    def mistake(self, template):
        """Replaces or removes one value somewhere below a serverless resource."""
        pick = self.random
        name = pick.choice(self.values.names)
        holder, key = self.resources, name
        for _ in range(pick.randint(1, 6)):
            inner = holder[key]
            keys = sorted(inner) if isinstance(inner, dict) else range(len(inner)) if isinstance(inner, list) else []
            if not keys:
                break
            holder, key = inner, pick.choice(list(keys))
        if holder is self.resources or key == "Type":
            return
        if pick.random() < 0.4:
            del holder[key]
        else:
            holder[key] = pick.choice([[], {}, "word", 7, True, None, ["a"], {"a": "b"}, {"Ref": "Nowhere"},
                                       {"Fn::GetAtt": ["Nowhere", "Arn"]}, {"Ref": "AWS::NoValue"}, ""])


def template(seed):
    return Template(seed).build()


def covered():
    """The names that every run must reach."""
    return TYPE_NAMES, EVENTS


if __name__ == "__main__":
    first = int(sys.argv[1])
    for seed in range(first, first + int(sys.argv[2] if len(sys.argv) > 2 else 1)):
        print(json.dumps(template(seed)))
