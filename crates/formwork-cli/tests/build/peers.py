"""Builds one source with the workflow of `aws_lambda_builders` that SAM CLI would take.

Its only argument is a JSON object: language, manager, runtime, architecture, manifest, options, source, artifacts,
scratch. The tools are those of the PATH.
"""

import json
import os
import sys

from aws_lambda_builders.builder import LambdaBuilder

case = json.loads(sys.argv[1])
os.makedirs(case["artifacts"])
# One of the stand-ins makes an archive.
os.environ["PATH"] += os.pathsep + os.path.dirname(sys.executable)
builder = LambdaBuilder(
    language=case["language"],
    dependency_manager=case["manager"],
    application_framework=None,
    supported_workflows=["aws_lambda_builders.workflows"],
)
runtime = case["runtime"]
builder.build(
    case["source"],
    case["artifacts"],
    case["scratch"],
    os.path.join(case["source"], case["manifest"]),
    # As SAM CLI says it: the systems of own programs are one runtime, and their name comes beside it.
    runtime="provided" if runtime.startswith("provided") else runtime,
    unpatched_runtime=runtime,
    architecture=case["architecture"],
    is_building_layer=case["layer"],
    options=case["options"] or None,
)
