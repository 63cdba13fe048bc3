"""Templates of events that push, with odd values in them: `compare.py --pushes`.

Functions and state machines have little else; half of the templates have one value below `Events` that is replaced or
removed, and buckets and pools have own notifications, triggers, tags and attributes.
"""

import json
import random

import events
import generate
from values import Values

OF_FUNCTIONS = "S3 SNS Cognito Schedule ScheduleV2 CloudWatchEvent EventBridgeRule IoTRule AlexaSkill CloudWatchLogs".split()
OF_MACHINES = "Schedule ScheduleV2 CloudWatchEvent EventBridgeRule".split()
ODD = [[], {}, "word", "", "a-b", "SQS", "Queue", 7, 0, 1.5, True, False, None, ["a"], [1], [["a"]], [{"a": "b"}], {"a": "b"}, {"a": "b", "c": "d"},
       {"Ref": "Nowhere"}, {"Ref": "Text"}, {"Ref": "Bucket"}, {"Ref": "Queue"}, {"Ref": "AWS::NoValue"}, {"Fn::GetAtt": ["Nowhere", "Arn"]}, {"Fn::Sub": "${Text}"},
       {"Fn::If": ["IsProd", True, False]}, {"Fn::If": ["IsProd", {"a": "b"}, {"Ref": "AWS::NoValue"}]}]
OWN = {
    "Bucket": {"Tags": [{"Key": "a", "Value": "b"}], "NotificationConfiguration": {"LambdaConfigurations": [{"Event": "z", "Function": "y"}]}, "BucketName": "b"},
    "Pool": {"LambdaConfig": {"PostConfirmation": "x"}, "UserPoolName": "n"},
}
ATTRIBUTES = {"DependsOn": ["Queue", ["Queue", "Topic"], [], "", None, {"a": "b"}], "Condition": ["IsProd", "", "Never"], "Metadata": [{}, {"a": "b"}],
              "Other": [1], "DeletionPolicy": ["Retain"], "Properties": [None, [], "x"]}
OF_OWNERS = {"Condition": ["IsProd", "IsOther"], "DeletionPolicy": ["Retain"], "DependsOn": ["Queue"], "Metadata": [{"a": "b"}]}


def template(seed):
    pick = random.Random("pushes %d" % seed)
    values = Values(pick)
    values.is_careful = pick.random() < 0.3
    values.know(["F0", "F1", "S0"], ["Queue", "Topic", "Bucket", "Pool"])
    resources = json.loads(json.dumps(generate.PLAIN))
    for name, own in OWN.items():
        changed(pick, resources[name], own)
    for number in range(pick.choice([1, 1, 2])):
        properties = {"InlineCode": "x", "Handler": "h", "Runtime": "r", **values.choose(0.35, AutoPublishAlias="live")}
        resources["F%d" % number] = owner(values, "Function", properties, OF_FUNCTIONS, events.EVENTS)
    if pick.random() < 0.5:
        properties = {"Definition": {"a": "b"}, **values.choose(0.3, PermissionsBoundary=lambda: values.text("pb"), AutoPublishAlias="live")}
        if "AutoPublishAlias" in properties:
            properties["UseAliasAsEventTarget"] = pick.choice([True, False])
        resources["S0"] = owner(values, "StateMachine", properties, OF_MACHINES, events.STEP_EVENTS)
    made = {"Transform": "AWS::Serverless-2016-10-31", "Parameters": generate.PARAMETERS, "Mappings": generate.MAPPINGS, "Conditions": generate.CONDITIONS, "Resources": resources}
    return json.loads(json.dumps(made))


def changed(pick, resource, own):
    """Adds own properties and attributes to a resource that events change."""
    if pick.random() < 0.5:
        properties = resource["Properties"] = {key: value for key, value in own.items() if pick.random() < 0.5}
        if pick.random() < 0.3:
            properties[pick.choice(sorted(own))] = pick.choice(ODD)
    for name, values in ATTRIBUTES.items():
        if pick.random() < 0.05:
            resource[name] = pick.choice(values)


def owner(values, kind, properties, names, sources):
    pick = values.random
    properties.update(values.choose(0.4, Role="r", Tags={"t": "u"}, PropagateTags=lambda: pick.choice([True, True, False])))
    chosen = pick.choices(names, k=pick.choice([1, 1, 2, 4]))
    made = properties["Events"] = {name + str(number): {"Type": name, "Properties": sources[name](values)} for number, name in enumerate(chosen)}
    if pick.random() < 0.5:
        mistake(pick, made[pick.choice(sorted(made))])
    resource = {"Type": "AWS::Serverless::" + kind, "Properties": properties}
    for name, choices in OF_OWNERS.items():
        if pick.random() < 0.15:
            resource[name] = pick.choice(choices)
    return resource


def mistake(pick, event):
    """Replaces or removes one value of an event."""
    holder, key = event, "Properties"
    for _ in range(pick.choice([1, 1, 1, 2, 3])):
        inner = holder[key]
        keys = sorted(inner) if isinstance(inner, dict) else list(range(len(inner))) if isinstance(inner, list) else []
        if not keys:
            break
        holder, key = inner, pick.choice(keys)
    if pick.random() < 0.25:
        del holder[key]
    else:
        holder[key] = pick.choice(ODD)
