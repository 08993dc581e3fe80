"""Where the emulator judges requests by policies otherwise than AWS does."""

import functools
import json


def as_if_by_tls(original):
    """Queue policies that deny what does not come by TLS stay as they are deployed to AWS; here they are met by plain http on loopback."""

    def pin_request_origin(source_ip, secure_transport):
        original(source_ip, True)

    return pin_request_origin


def each_policy_once(original):
    """The text of a policy is parsed once. As it is, each request parses all policies of its role twice, a seventh of what it costs."""
    parsed = functools.lru_cache(maxsize=1_024)(original)

    def parse_policy_document(doc):
        return parsed(doc) if isinstance(doc, str) else original(doc)

    return parse_policy_document


def each_wildcard_once(original):
    """Whether a name matches a pattern is made out once: both are texts, and nothing else counts. As it is, each request compares its action and its resource
    with all that the policies of its role name.
    """
    return functools.lru_cache(maxsize=8_192)(original)


def batches_by_their_parts(original):
    """IAM has no actions for the batch calls of SQS: who may SendMessage may SendMessageBatch. The emulator asks for a grant of the latter.

    Source: Service Authorization Reference, "Actions defined by Amazon SQS".
    """

    def extract_iam_action(service, *request):
        action = original(service, *request)
        return action.removesuffix("Batch") if service == "sqs" and action else action

    return extract_iam_action


def statements_by_what_they_do(dynamodb):
    """IAM has no action for ExecuteStatement: who may PartiQLSelect on a table or an index may read it by a statement. The emulator asks for a grant of
    the call itself, on everything. Calls with several statements stay as they are: nobody is granted them.

    Source: "IAM security policies with PartiQL for DynamoDB", Amazon DynamoDB Developer Guide.
    """

    def parsed(body):
        # All requests to DynamoDB come by here, twice. Who writes the word otherwise asks for an action that nobody is granted.
        if b"Statement" not in (body or b""):
            return None
        try:
            wish = json.loads(body)
            return dynamodb._parse_partiql(wish["Statement"], wish.get("Parameters", []))
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
    """Policies name a log group with `:*` at the end, for everything but its tags; the emulator takes what a policy says for a name without.

    Source: "LogGroup", `arn`, Amazon CloudWatch Logs API Reference.
    """

    def extract_resource_arn(service, method, path, headers, *request):
        arn = original(service, method, path, headers, *request)
        is_about_tags = "Tag" in headers.get("x-amz-target", "")
        return f"{arn}:*" if service == "logs" and ":log-group:" in arn and not is_about_tags else arn

    return extract_resource_arn
