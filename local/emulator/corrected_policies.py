"""Corrects how the emulator evaluates policies."""

import email.utils
import functools
import json


def as_if_by_tls(original):
    """Treats plain http on loopback as TLS, so that queue policies that demand TLS can stay as on AWS."""

    def pin_request_origin(source_ip, secure_transport):
        original(source_ip, True)

    return pin_request_origin


def each_policy_once(original):
    """Parses a policy once, not twice per request, which was a seventh of the request's cost."""
    parsed = functools.lru_cache(maxsize=1_024)(original)

    def parse_policy_document(doc):
        return parsed(doc) if isinstance(doc, str) else original(doc)

    return parse_policy_document


def each_wildcard_once(original):
    """Matches a name with a pattern once. The emulator matches each request's action and resource with all
    patterns of its role's policies.
    """
    return functools.lru_cache(maxsize=8_192)(original)


def batches_by_their_parts(original):
    """Allows SendMessageBatch by `sqs:SendMessage`, as IAM does. The emulator demands an action that IAM does
    not have.

    Source: Service Authorization Reference, "Actions defined by Amazon SQS".
    """

    def extract_iam_action(service, *request):
        action = original(service, *request)
        return action.removesuffix("Batch") if service == "sqs" and action else action

    return extract_iam_action


def statements_by_what_they_do(dynamodb):
    """Authorizes ExecuteStatement by what it does: PartiQLSelect allows a SELECT on a table or index.

    The emulator demands an action named after the call, on every resource. Calls with several statements stay
    uncorrected, as no role may make them.

    Source: "IAM security policies with PartiQL for DynamoDB", Amazon DynamoDB Developer Guide.
    """

    def parsed(body):
        # A cheap test first, as every DynamoDB request comes here twice. Escaping the word only leads to an
        # action that no role is granted.
        if b"Statement" not in (body or b""):
            return None
        try:
            request = json.loads(body)
            return dynamodb._parse_partiql(request["Statement"], request.get("Parameters", []))
        except (ValueError, KeyError, TypeError):
            return None

    def action(original):
        def extract_iam_action(service, method, path, headers, body, query_params):
            found = original(service, method, path, headers, body, query_params)
            statement = parsed(body) if found == "dynamodb:ExecuteStatement" else None
            return f"dynamodb:PartiQL{statement['op'].capitalize()}" if statement else found

        return extract_iam_action

    def resources(original):
        def dynamodb_resource_arns(body, region, account_id):
            statement = parsed(body)
            if statement is None:
                return original(body, region, account_id)
            index = f"/index/{statement['index']}" if statement.get("index") else ""
            return [f"arn:aws:dynamodb:{region}:{account_id}:table/{statement['table']}{index}"]

        return dynamodb_resource_arns

    def context(original):
        def dynamodb_service_context(body):
            known = original(body)
            statement = parsed(body)
            if statement is None or statement["op"] != "SELECT":
                return known
            table = dynamodb._tables.get(statement["table"]) or {}
            indexes = {index["IndexName"]: index["KeySchema"] for index in table.get("GlobalSecondaryIndexes") or []}
            keys = indexes.get(statement["index"], []) if statement.get("index") else table.get("KeySchema") or []
            partition = {key["AttributeName"] for key in keys if key["KeyType"] == "HASH"}
            named = {name for name, operator, _ in statement.get("conditions") or [] if operator.upper() in ("=", "IN")}
            return {**known, "dynamodb:FullTableScan": "false" if partition and partition <= named else "true"}

        return dynamodb_service_context

    return action, resources, context


def log_groups_as_policies_name_them(original):
    """Names a log group with `:*` at the end, as policies do for all actions but those on tags.

    Source: "LogGroup", `arn`, Amazon CloudWatch Logs API Reference.
    """

    def extract_resource_arn(service, method, path, headers, *request):
        arn = original(service, method, path, headers, *request)
        is_about_tags = "Tag" in headers.get("x-amz-target", "")
        return f"{arn}:*" if service == "logs" and ":log-group:" in arn and not is_about_tags else arn

    return extract_resource_arn


def workers_by_their_calls(original):
    """Names what is done to an event source mapping, an alias or a function's concurrency as IAM does.

    The emulator demands nothing for a call about one mapping, and takes every other one for the call that
    makes such a thing or lists them.

    Source: Service Authorization Reference, "Actions defined by AWS Lambda".
    """
    verbs = {"GET": "Get", "PUT": "Update", "DELETE": "Delete"}

    def lambda_action(method, path):
        parts = [part for part in path.split("/") if part]
        kind, verb = parts[-1] if parts else "", verbs.get(method)
        if verb and parts[-2:-1] == ["event-source-mappings"]:
            return f"{verb}EventSourceMapping"
        if verb and parts[-2:-1] == ["aliases"]:
            return f"{verb}Alias"
        if verb and kind == "concurrency":
            return "PutFunctionConcurrency" if method == "PUT" else f"{verb}FunctionConcurrency"
        return original(method, path)

    return lambda_action


def mails_by_their_sender(original):
    """Authorizes mails on the identity of their sender, as SES does. The emulator demands it on every resource.

    Source: Service Authorization Reference, "Actions defined by Amazon Simple Email Service v2".
    """

    def extract_resource_arn(service, method, path, headers, body, query_params, region, account_id):
        if service == "ses" and path.rstrip("/") == "/v2/email/outbound-emails":
            address = email.utils.parseaddr(json.loads(body or b"{}").get("FromEmailAddress", ""))[1]
            return f"arn:aws:ses:{region}:{account_id}:identity/{address}"
        return original(service, method, path, headers, body, query_params, region, account_id)

    return extract_resource_arn
