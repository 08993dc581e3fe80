"""The pinned emulator, corrected where it differs from AWS in what this project relies on. Refuses to start what it was not made for."""

import asyncio
import functools
import gc
import importlib.metadata
import json
import os
import sys
import threading
import time

from worker_logs import drain_stderr, read_stderr

MINISTACK_VERSION = "1.5.33"


def refuse(sentence):
    print(f"corrected_emulator.py: {sentence}", file=sys.stderr, flush=True)
    sys.exit(78)  # EX_CONFIG


def patched(module, name, replacement):
    """Replaces a function or number of the emulator; refuses when it is not there, for then the emulator is not the one these patches were made for."""
    original = getattr(module, name, None)
    if original is None:
        refuse(f"ministack {MINISTACK_VERSION} has no {module.__name__}.{name}, which has to be corrected")
    setattr(module, name, replacement(original))


def as_many_batches_as_aws(original):
    """FIFO mappings run as many batches at a time as their ScalingConfig says, like others; the emulator holds them to one.

    Safe: its receive leaves out every group that has a message under way, so two batches never share one.
    """

    def sqs_esm_concurrency(esm, func_rec, config, queue=None):
        return original(esm, func_rec, config, None)

    return sqs_esm_concurrency


def as_prompt_as_long_polling(_):
    """Seconds before the mappings look again after a wake that found nothing. The emulator's 50 ms would be most of a webhook's time to send."""

    return 0.002


def pruning_once_a_second(original):
    """Deduplication ids are pruned at most once a second per queue. At every send, as it is, a send costs 9 ms when 75,000 ids are known.

    Ids are forgotten up to a second late: after 301 seconds instead of 300.
    """

    def prune_dedup(queue):
        now = time.monotonic()
        if now - queue.get("pruned_at", 0) >= 1:
            queue["pruned_at"] = now
            original(queue)

    return prune_dedup


def not_for_nothing(sqs):
    """A mapping that has found every group of a FIFO queue busy looks at what has come since, until a group may have become free. As it is, it goes through
    the whole queue at every event: with thousands waiting the emulator does nothing else.
    """

    def replacement(original):
        def receive_messages_for_esm(queue_url, max_number):
            queue = sqs._queues.get(queue_url)
            if queue is None or not queue["is_fifo"]:
                return original(queue_url, max_number)
            if are_all_busy(queue):
                return []
            batch = original(queue_url, max_number)
            queue.pop("busy", None)
            if not batch and queue["messages"]:
                now = time.time()
                groups = {message["group_id"] for message in queue["messages"] if message["visible_at"] > now}
                queue["busy"] = {"messages": queue["messages"], "looked_at": len(queue["messages"]), "groups": groups, "until": now + 0.05}
            return batch

        return receive_messages_for_esm

    def are_all_busy(queue):
        busy, messages = queue.get("busy"), queue["messages"]
        # Who deletes a message makes another list; a visibility that ends or is changed is seen a moment later.
        if busy is None or busy["messages"] is not messages or time.time() > busy["until"]:
            return False
        new = messages[busy["looked_at"] :]
        busy["looked_at"] = len(messages)
        return all(message["group_id"] in busy["groups"] for message in new)

    return replacement


def beside_the_queues(original):
    """Streams are read by a thread of their own, once a second, as with a batching window. The emulator reads them between two looks at the queues, at every
    write, and whoever follows a table holds up all queues.
    """
    reading = threading.Thread(target=lambda: read_again_and_again(original), daemon=True)

    def poll_dynamodb_streams():
        if not reading.is_alive():
            reading.start()
        return False

    return poll_dynamodb_streams


def read_again_and_again(read):
    while True:
        try:
            while read():
                pass
        except Exception as error:
            print(f"corrected_emulator.py: streams: {error}", file=sys.stderr, flush=True)
        time.sleep(1)


def as_if_by_tls(original):
    """Queue policies that deny what does not come by TLS stay as they are deployed to AWS; here they are met by plain http on loopback."""

    def pin_request_origin(source_ip, secure_transport):
        original(source_ip, True)

    return pin_request_origin


def batches_by_their_parts(original):
    """IAM has no actions for the batch calls of SQS: who may SendMessage may SendMessageBatch. The emulator asks for a grant of the latter.

    Source: Service Authorization Reference, "Actions defined by Amazon SQS".
    """

    def extract_iam_action(service, *request):
        action = original(service, *request)
        return action.removesuffix("Batch") if service == "sqs" and action else action

    return extract_iam_action


def telling_units_of_batch_reads(dynamodb):
    """BatchGetItem tells the units it has consumed when it is asked to, like every other call: those of each item, found or not, by started 4 KB."""

    def replacement(original):
        def batch_get_item(data):
            status, headers, body = original(data)
            if status != 200 or data.get("ReturnConsumedCapacity", "NONE") == "NONE":
                return status, headers, body
            consumed = []
            for name, wish in data["RequestItems"].items():
                table = dynamodb._tables[dynamodb._normalize_table_name(name)]
                each = 1.0 if wish.get("ConsistentRead") else 0.5
                units = sum(each * max(1, -(-size_in(table, key) // 4096)) for key in wish["Keys"])
                consumed.append({"TableName": name, "CapacityUnits": units, "Table": {"CapacityUnits": units}})
            return status, headers, json.dumps({**json.loads(body), "ConsumedCapacity": consumed}).encode()

        return batch_get_item

    def size_in(table, key):
        partition, sort, _ = dynamodb._resolve_table_key_values(table, key, allow_extra=False)
        item = table["items"].get(partition, {}).get(sort)
        return dynamodb._item_size_bytes(item) if item else 0

    return replacement


def each_expression_once(condition_syntax_error):
    """The grammar of an expression is checked once. As it is, a query checks its own anew for each item under its key: thousands behind a circuit."""
    return functools.lru_cache(maxsize=1_024)(condition_syntax_error)


def statements_by_what_they_do(dynamodb):
    """IAM has no action for ExecuteStatement: who may PartiQLSelect on a table or an index may read it by a statement. The emulator asks for a grant of
    the call itself, on everything. Calls with several statements stay as they are: nobody is granted them.

    Source: "IAM security policies with PartiQL for DynamoDB", Amazon DynamoDB Developer Guide.
    """

    def parsed(body):
        try:
            wish = json.loads(body or b"{}")
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


def leading_queue_urls_to(port):
    """URLs of queues lead to this port, where something stands before the emulator; the emulator itself listens elsewhere."""
    from ministack.services import sqs

    patched(sqs, "DEFAULT_PORT", lambda _: port)
    patched(sqs, "_CANONICAL_NETLOC", lambda _: f"{sqs.DEFAULT_HOST}:{port}")


def by_a_server_written_in_c(_):
    """Requests are read by httptools on uvloop. Hypercorn, all of it Python, costs almost as much CPU for each as what the emulator does about it, and one
    thread has to do both.
    """

    async def serve(app, config):
        import uvicorn

        host, port = config.bind[0].rsplit(":", 1)
        # The emulator tells date and server by itself, and has a log of its own.
        options = {"date_header": False, "server_header": False, "access_log": False, "log_config": None, "ws": "none"}
        served = uvicorn.Config(app, host, int(port), http="httptools", lifespan="on", timeout_keep_alive=75, **options)
        await uvicorn.Server(served).serve()

    return serve


def without_long_pauses():
    """Leaves out Python's full collections, each of which stops all of it for half a second after some minutes of load. What is stored lies in no cycles."""
    gc.set_threshold(10_000, 20, 1_000_000)


def run_emulator():
    try:
        version = importlib.metadata.version("ministack")
    except importlib.metadata.PackageNotFoundError:
        refuse("ministack is not installed in this Python environment")
    if version != MINISTACK_VERSION:
        refuse(f"ministack {version} is installed, but the patches in here were made for {MINISTACK_VERSION}")

    import uvloop
    from hypercorn import asyncio as hypercorn
    from ministack import app
    from ministack.core import iam_actions, lambda_runtime
    from ministack.services import dynamodb, lambda_svc, sqs

    patched(lambda_svc, "_sqs_esm_concurrency", as_many_batches_as_aws)
    patched(lambda_svc, "_ESM_IDLE_WAKE_GAP_SECONDS", as_prompt_as_long_polling)
    patched(lambda_svc, "_poll_dynamodb_streams", beside_the_queues)
    patched(sqs, "_prune_dedup", pruning_once_a_second)
    patched(sqs, "_receive_messages_for_esm", not_for_nothing(sqs))
    patched(lambda_runtime.Worker, "_read_stderr", lambda _: read_stderr)
    patched(lambda_runtime.Worker, "_drain_stderr_bounded", lambda _: drain_stderr)
    patched(hypercorn, "serve", by_a_server_written_in_c)
    patched(dynamodb, "_condition_syntax_error", each_expression_once)
    patched(dynamodb, "_batch_get_item", telling_units_of_batch_reads(dynamodb))
    patched(app, "pin_request_origin", as_if_by_tls)
    patched(iam_actions, "extract_iam_action", batches_by_their_parts)
    statement_action, statement_resources, statement_context = statements_by_what_they_do(dynamodb)
    patched(iam_actions, "extract_iam_action", statement_action)
    patched(iam_actions, "dynamodb_resource_arns", statement_resources)
    patched(iam_actions, "dynamodb_service_context", statement_context)
    patched(iam_actions, "extract_resource_arn", log_groups_as_policies_name_them)
    if queue_urls_port := os.environ.get("QUEUE_URLS_PORT"):
        leading_queue_urls_to(queue_urls_port)
    asyncio.set_event_loop_policy(uvloop.EventLoopPolicy())
    without_long_pauses()
    sys.argv = ["ministack"]  # it reads arguments of its own
    app.main()
