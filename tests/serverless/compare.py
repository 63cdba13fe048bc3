#!/usr/bin/env python3
"""Compares our serverless transform with AWS's translator.

    VENV/bin/python compare.py --program target/debug/examples/translate [--seeds 0:2000] [--type Connector] [FILE...]

The oracle, `serverless/oracle.py` of the shared suites or else `translator.py`, runs in this process; our program reads
templates as JSON lines. Templates are generated ones by seed, and files. Each runs in three partitions. Prints each class
of difference with its count and one template that has it; the status is 1 if there are differences. With `--record FILE`
the classes are written, and with `--except FILE` those in the file do not count: what another version of the translator
differs in.
"""

import argparse
import collections
import json
import os
import re
import subprocess
import sys
import time

import generate
import pushes

PARTITIONS = [("aws", "us-east-1"), ("aws-cn", "cn-north-1"), ("aws-us-gov", "us-gov-west-1")]
VALUES = {"NoDefault": "passed"}


def oracle():
    root = os.environ.get("FORMWORK_CONFORMANCE", os.path.join(os.path.dirname(__file__), "../../../shared/conformance"))
    sys.path.insert(0, os.path.join(root, "serverless"))
    try:
        import oracle as module
    except ModuleNotFoundError:
        import translator as module
    return module


def hasten():
    """Does once what the translator does for each template: reading its policies, making a session of boto3."""
    import botocore.session
    from samtranslator.policy_template_processor.processor import PolicyTemplatesProcessor

    session = botocore.session.get_session()
    botocore.session.get_session = lambda *_: session
    PolicyTemplatesProcessor._is_valid_templates_dict = staticmethod(lambda *_: True)


def templates(options, module):
    for path in options.files:
        try:
            yield path, module.read(path), {}
        except Exception as error:  # not a template of the oracle
            print("%s: %s" % (path, error), file=sys.stderr)
    if options.seeds:
        first, last = options.seeds.split(":")
        for seed in range(int(first), int(last)):
            template = pushes.template(seed) if options.pushes else generate.template(seed)
            if options.only:
                template = reduced(template, options.only)
            if template and options.events:
                keep_events(template, options.events)
            for resource in (template or {}).get("Resources", {}).values() if options.drop else []:
                for name in options.drop:
                    if isinstance(resource, dict) and isinstance(resource.get("Properties"), dict):
                        resource["Properties"].pop(name, None)
            if template:
                yield "seed %d" % seed, template, VALUES


def reduced(template, only):
    """The template with serverless resources of some types alone, or nothing."""
    kept = {}
    for name, resource in template["Resources"].items():
        kind = resource.get("Type", "") if isinstance(resource, dict) else ""
        if not str(kind).startswith("AWS::Serverless::") or kind[17:] in only:
            kept[name] = resource
    has_one = any(str(resource.get("Type")).startswith("AWS::Serverless::") for resource in kept.values() if isinstance(resource, dict))
    return {**template, "Resources": kept} if has_one else None


def keep_events(template, kinds):
    """Removes the events of other types."""
    for resource in template["Resources"].values():
        properties = resource.get("Properties") if isinstance(resource, dict) else None
        events = properties.get("Events") if isinstance(properties, dict) else None
        if isinstance(events, dict):
            other = [name for name, event in events.items() if isinstance(event, dict) and event.get("Type") not in kinds]
            for name in other:
                del events[name]


def normal(text):
    """A name without the digits of digests and numbers, so that like differences are one class."""
    return re.sub(r"\d+", "N", re.sub(r"[0-9a-f]{10,40}", "#", text))


def differences(path, theirs, ours, found):
    if type(theirs) is not type(ours):
        found.append("%s: %s, ours is %s" % (path, short(theirs), short(ours)))
    elif isinstance(theirs, dict):
        for key in sorted(set(theirs) | set(ours)):
            below = "%s/%s" % (path, normal(key))
            if key not in ours:
                found.append("%s: missing" % below)
            elif key not in theirs:
                found.append("%s: only ours" % below)
            else:
                differences(below, theirs[key], ours[key], found)
    elif isinstance(theirs, list):
        if len(theirs) != len(ours):
            found.append("%s: %d items, ours has %d" % (path, len(theirs), len(ours)))
        for one, other in zip(theirs, ours):
            differences(path + "/*", one, other, found)
    elif theirs != ours:
        found.append("%s: %s, ours is %s" % (path, short(theirs), short(ours)))


def short(value):
    return normal(json.dumps(value))[:100]


def by_type(output):
    """Resources below their types, so that the same difference of two resources is one class."""
    grouped = {key: value for key, value in output.items() if key != "Resources"}
    for name, resource in output.get("Resources", {}).items():
        kind = resource.get("Type", "?") if isinstance(resource, dict) else "?"
        grouped.setdefault("Resources", {}).setdefault(str(kind), {})[name] = resource
    return grouped


def in_order(answer):
    """Sorts what the translator makes of a set, in another order each time: the dependencies of buckets, and the
    condition of a shared usage plan."""
    output = answer.get("output")
    resources = output.get("Resources") if isinstance(output, dict) else None
    shared = (output.get("Conditions") or {}).get("SharedUsagePlanCondition") if isinstance(output, dict) else None
    if isinstance(shared, dict) and isinstance(shared.get("Fn::Or"), list):
        shared["Fn::Or"].sort(key=str)
    for resource in resources.values() if isinstance(resources, dict) else []:
        if isinstance(resource, dict) and resource.get("Type") == "AWS::S3::Bucket" and isinstance(resource.get("DependsOn"), list):
            resource["DependsOn"].sort(key=str)


def leave_out_repository(theirs, ours):
    """Removes applications of the repository: they stay where nothing is called, and their transform with them."""
    theirs, ours = (answer.get("output", {}).get("Resources", {}) if "output" in answer else {} for answer in (theirs, ours))
    if not isinstance(theirs, dict) or not isinstance(ours, dict):
        return False
    kept = [name for name, one in ours.items() if isinstance(one, dict) and one.get("Type") == "AWS::Serverless::Application"]
    for name in kept:
        if isinstance(theirs.get(name), dict) and theirs[name].get("Type") == "AWS::CloudFormation::Stack":
            del theirs[name], ours[name]
    return bool(kept)


def compare(theirs, ours):
    """The classes of difference between two answers; nothing if they are equal."""
    if "crash" in theirs:
        return [] if "errors" in ours else ["the translator crashes (%s), ours has a result" % normal(theirs["crash"])[:90]]
    if "errors" in theirs:
        if "errors" not in ours:
            return ["no error: %s" % normal(sentence) for sentence in theirs["errors"]]
        missing = collections.Counter(theirs["errors"]) - collections.Counter(ours["errors"])
        extra = collections.Counter(ours["errors"]) - collections.Counter(theirs["errors"])
        return ["no error: %s" % normal(text) for text in missing] + ["wrong error: %s" % normal(text) for text in extra]
    if "errors" in ours:
        return ["wrong error: %s" % normal(text) for text in ours["errors"]]
    found = []
    if "output" not in ours:
        return ["no answer: %s" % short(ours)]
    if theirs["output"] != ours["output"]:
        differences("", by_type(theirs["output"]), by_type(ours["output"]), found)
    return found


def refused_parts(template):
    """The template; and again without the resources that the translator refused, while there are some.

    The caller sets `errors` of what it was handed to the translator's sentences.
    """
    for _ in range(5):
        copy = json.loads(json.dumps(template))
        yield copy
        errors = copy.pop("errors", None) or []
        names = {name for text in errors for name in re.findall(r"esource with id \[(\w+)\]", text)}
        resources = template.get("Resources")
        if not isinstance(resources, dict):
            return
        kept = {name: resource for name, resource in resources.items() if not any(one.startswith(name) for one in names)}
        if any("Globals" in text for text in errors):
            template = {key: value for key, value in template.items() if key != "Globals"}
        elif not kept or len(kept) == len(resources):
            return
        template = {**template, "Resources": kept}


class Program:
    """Our program, which answers a line with a line."""

    def __init__(self, path):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def answer(self, request):
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        return json.loads(line) if line else None


def run(options):
    module = oracle()
    hasten()
    program = Program(options.program)
    classes, first, counts = collections.Counter(), {}, collections.Counter()
    theirs_time = ours_time = 0.0
    for name, template, values in templates(options, module):
        for partition, region in PARTITIONS[: options.partitions]:
            for rest in refused_parts(template):
                started = time.time()
                theirs = module.translate(json.loads(json.dumps(rest)), region, partition, values)
                theirs = json.loads(json.dumps(theirs))
                middle = time.time()
                ours = program.answer({"template": rest, "region": region, "partition": partition, "parameters": values})
                if ours is None:
                    print("our program ended at %s (%s)" % (name, partition))
                    return 1
                theirs_time, ours_time = theirs_time + middle - started, ours_time + time.time() - middle
                in_order(theirs)
                in_order(ours)
                if leave_out_repository(theirs, ours):
                    ours["output"].pop("Transform", None)
                found = compare(theirs, ours)
                counts[next(iter(theirs))] += 1
                counts["different" if found else "equal"] += 1
                for text in set(found):
                    classes[text] += 1
                    first.setdefault(text, "%s, %s" % (name, partition))
                rest["errors"] = theirs.get("errors")
    if options.record:
        with open(options.record, "w") as file:
            json.dump(sorted(classes), file)
    if options.known:
        with open(options.known) as file:
            for text in json.load(file):
                counts["known"] += classes.pop(text, 0)
    for text, count in classes.most_common(options.most):
        print("%5d  %s  [%s]" % (count, text, first[text]))
    print("%s; translator %.1f s, ours %.1f s; %d classes" % (dict(counts), theirs_time, ours_time, len(classes)))
    return 1 if classes else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", required=True)
    parser.add_argument("--seeds", help="FIRST:LAST")
    parser.add_argument("--type", dest="only", action="append", help="keep serverless resources of this type alone")
    parser.add_argument("--event", dest="events", action="append", help="keep events of this type alone")
    parser.add_argument("--pushes", action="store_true", help="templates of events that push, with odd values")
    parser.add_argument("--drop", action="append", help="drop this property of all resources")
    parser.add_argument("--partitions", type=int, default=3, help="how many of aws, aws-cn, aws-us-gov")
    parser.add_argument("--record", metavar="FILE", help="write the classes of difference")
    parser.add_argument("--except", dest="known", metavar="FILE", help="classes that do not count")
    parser.add_argument("--most", type=int, default=40, help="print at most this many classes")
    parser.add_argument("files", nargs="*")
    sys.exit(run(parser.parse_args()))
