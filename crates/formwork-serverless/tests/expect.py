#!/usr/bin/env python3
"""Writes what AWS's translator makes of the cases in `cases/*.yaml` into `cases/*.json`.

    VENV/bin/python expect.py ORACLE [--print] [AREA...]

ORACLE is `oracle.py` of the conformance suite `serverless`, VENV has aws-sam-translator and PyYAML. A case begins
behind a line `# ===== NAME [region=R] [partition=P] [PARAMETER=VALUE ...]`. With `--print`, nothing is written, and each
area is one line of JSON: the test compares it with the stored answers.
"""
import importlib.util
import json
import pathlib
import sys

CASES = pathlib.Path(__file__).parent / "cases"


def load(path):
    spec = importlib.util.spec_from_file_location("oracle", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def cases(text):
    name, words, lines = None, [], []
    for line in text.splitlines(keepends=True):
        if line.startswith("# ===== "):
            if name:
                yield name, words, "".join(lines)
            name, *words = line[len("# ===== "):].split()
            lines = []
        else:
            lines.append(line)
    if name:
        yield name, words, "".join(lines)


def answers(oracle, yaml, path):
    found = {}
    for name, words, text in cases(path.read_text()):
        options = dict(word.split("=", 1) for word in words)
        template = json.loads(json.dumps(yaml.load(text, oracle.Loader)))
        region, partition = options.pop("region", "us-east-1"), options.pop("partition", "aws")
        answer = oracle.translate(template, region, partition, options)
        answer.get("output", {}).pop("Transform", None)
        for resource in answer.get("output", {}).get("Resources", {}).values():
            # The dependencies of a bucket are in the order of a set.
            if resource.get("Type") == "AWS::S3::Bucket" and isinstance(resource.get("DependsOn"), list):
                resource["DependsOn"].sort()
        found[name] = answer
    return found


def main():
    import yaml

    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    oracle = load(words[0])
    for path in sorted(CASES.glob("*.yaml")):
        if words[1:] and path.stem not in words[1:]:
            continue
        found = answers(oracle, yaml, path)
        if "--print" in sys.argv:
            print(json.dumps({path.stem: found}))
        else:
            path.with_suffix(".json").write_text(json.dumps(found, indent=1) + "\n")


main()
