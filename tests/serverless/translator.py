"""AWS's translator, as installed from PyPI, for comparisons: one template in, its result or its sentences out.

Where the shared suites are, `compare.py` takes their oracle; this one needs nothing but the packages `aws-sam-translator`
and `PyYAML`. No account and no network: managed policies are those of the package, and an application of the repository
has a fixed address.
"""

import contextlib
import json
import logging
import os
from unittest import mock

import yaml
from samtranslator.internal.managed_policies import get_bundled_managed_policy_map
from samtranslator.model.exceptions import InvalidDocumentException, InvalidResourceException
from samtranslator.plugins.application.serverless_app_plugin import ServerlessAppPlugin
from samtranslator.translator import arn_generator
from samtranslator.translator.transform import transform

ADDRESS = "https://awsserverlessrepo-changesets-xxx.s3.amazonaws.com/signed-url"
UNKNOWN = {"no-access", "non-existent", "invalid-semver"}
logging.getLogger("samtranslator").setLevel(logging.CRITICAL)


class Reader(yaml.SafeLoader):
    """YAML with the short tags of CloudFormation. A date is a string."""

    yaml_implicit_resolvers = {
        first: [pair for pair in pairs if not pair[0].endswith(":timestamp")]
        for first, pairs in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }

    def call(self, name, node):
        if isinstance(node, yaml.MappingNode):
            argument = self.construct_mapping(node, deep=True)
        elif isinstance(node, yaml.SequenceNode):
            argument = self.construct_sequence(node, deep=True)
        else:
            argument = self.construct_scalar(node)
            argument = argument.split(".", 1) if name == "GetAtt" else argument
        return {name if name in {"Ref", "Condition"} else f"Fn::{name}": argument}


Reader.add_multi_constructor("!", Reader.call)


def read(path):
    """The template of a file, as JSON has it."""
    with open(path, encoding="utf-8-sig") as file:
        return json.loads(json.dumps(yaml.load(file, Reader)))


def repository(_plugin, _call, logical_id, application, *_):
    """Answers in place of the repository of applications."""
    if application in UNKNOWN:
        raise InvalidResourceException(logical_id, f"Cannot access application: {application}.")
    return {"ApplicationId": application, "SemanticVersion": "1.1.1", "Status": "ACTIVE", "TemplateId": "id-xx-xx",
            "TemplateUrl": ADDRESS, "CreationTime": "x", "ExpirationTime": "x"}


class Bundled:
    """The managed policies of a partition."""

    def __init__(self, partition):
        self.partition = partition

    def load(self):
        return get_bundled_managed_policy_map(self.partition) or {}


@contextlib.contextmanager
def inside(region):
    """The surroundings of a run of the service in a Region."""
    arn_generator._get_region_from_session.cache_clear()
    with mock.patch.dict(os.environ, AWS_DEFAULT_REGION=region, AWS_REGION=region), \
            mock.patch.object(ServerlessAppPlugin, "_sar_service_call", repository):
        yield
    arn_generator._get_region_from_session.cache_clear()


def translate(template, region, partition, parameters):
    """`{"output": ...}`, `{"errors": [...]}` sorted, or `{"crash": ...}` where the translator fails itself."""
    with inside(region):
        try:
            return {"output": transform(template, dict(parameters), Bundled(partition))}
        except InvalidDocumentException as refused:
            return {"errors": sorted(cause.message for cause in refused.causes)}
        except Exception as error:
            return {"crash": f"{type(error).__name__}: {error}"}
