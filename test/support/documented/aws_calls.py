"""Reads calls of the AWS CLI as JSON, [{"at": ..., "words": [...], "isInPart": ...}], and prints what the service models do not know: operations, options, needed ones left out."""

import json
import sys

import botocore.session
from botocore import xform_name

# What the CLI has of its own, and names otherwise than the models: https://docs.aws.amazon.com/cli/latest/reference/
GLOBAL = {"query", "output", "region", "profile", "endpoint-url", "max-items", "page-size", "starting-token"}
RENAMED_SERVICES = {"deploy": "codedeploy"}
RENAMED_OPTIONS = {("sns", "subscribe", "notification-endpoint"): "endpoint"}
OF_THE_CLI = {("configure", "get"), ("s3", "ls")}

session = botocore.session.get_session()
operations = {}


def operations_of(service):
    if service not in operations:
        model = session.get_service_model(RENAMED_SERVICES.get(service, service))
        operations[service] = {xform_name(name, "-"): model.operation_model(name) for name in model.operation_names}
    return operations[service]


def faults(service, operation, words, is_in_part):
    if (service, operation) in OF_THE_CLI or operation == "wait":
        return []
    model = operations_of(service).get(operation)
    if model is None:
        return [f"{service} has no {operation}"]
    shape = model.input_shape
    known = {xform_name(name, "-") for name in shape.members} if shape else set()
    needed = {xform_name(name, "-") for name in shape.required_members} if shape else set()
    given = set()
    for word in words:
        if word.startswith("--"):
            option = word[2:].split("=")[0]
            option = RENAMED_OPTIONS.get((service, operation, option), option)
            given.add(option[3:] if option.startswith("no-") and option not in known else option)
    return [f"{service} {operation} has no --{option}" for option in given - known - GLOBAL] + [
        f"{service} {operation} needs --{option}" for option in needed - given if not is_in_part
    ]


for call in json.load(sys.stdin):
    _, service, operation, *words = call["words"]
    for fault in faults(service, operation, words, call.get("isInPart", False)):
        print(f"{call['at']}: {fault}")
