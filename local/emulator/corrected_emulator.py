"""Starts the pinned emulator, corrected where it differs from AWS in ways that matter here.

Refuses to start any other version.
"""

import asyncio
import functools
import gc
import importlib.metadata
import json
import os
import runpy
import sys

from corrected_policies import (
    as_if_by_tls,
    batches_by_their_parts,
    each_policy_once,
    each_wildcard_once,
    log_groups_as_policies_name_them,
    mails_by_their_sender,
    statements_by_what_they_do,
    workers_by_their_calls,
)
from corrected_queues import (
    as_many_batches_as_aws,
    as_prompt_as_long_polling,
    beside_the_queues,
    names_as_sqs_takes_them,
    naming_their_shard,
    not_for_nothing,
    pruning_once_a_second,
    whole_messages_left_alone,
)
from corrected_rules import events_kept_nowhere, patterns_read_once
from corrected_tables import each_expression_read_once, queries_from_their_place
from kept_mails import in_a_folder
from side_by_side import run_by, seats_for
from whole_answers import in_one_piece
from worker_logs import drain_stderr, read_stderr

MINISTACK_VERSION = "1.5.33"


def refuse(sentence):
    print(f"corrected_emulator.py: {sentence}", file=sys.stderr, flush=True)
    sys.exit(78)  # EX_CONFIG


def patched(module, name, replacement):
    """Replaces a function or number of the emulator; refuses to start without it, as patches do not fit."""
    original = getattr(module, name, None)
    if original is None:
        refuse(f"ministack {MINISTACK_VERSION} has no {module.__name__}.{name}, which has to be corrected")
    setattr(module, name, replacement(original))


def telling_units_of_batch_reads(dynamodb):
    """BatchGetItem returns ConsumedCapacity on request, by each started 4 KB of each item."""

    def replacement(original):
        def batch_get_item(data):
            status, headers, body = original(data)
            if status != 200 or data.get("ReturnConsumedCapacity", "NONE") == "NONE":
                return status, headers, body
            consumed = []
            for name, requested in data["RequestItems"].items():
                table = dynamodb._tables[dynamodb._normalize_table_name(name)]
                each = 1.0 if requested.get("ConsistentRead") else 0.5
                units = sum(each * max(1, -(-size_in(table, key) // 4096)) for key in requested["Keys"])
                consumed.append({"TableName": name, "CapacityUnits": units, "Table": {"CapacityUnits": units}})
            # Appended as text, because parsing a large body again is slow.
            return status, headers, body.rstrip()[:-1] + b', "ConsumedCapacity": ' + json.dumps(consumed).encode() + b"}"

        return batch_get_item

    def size_in(table, key):
        partition, sort, _ = dynamodb._resolve_table_key_values(table, key, allow_extra=False)
        item = table["items"].get(partition, {}).get(sort)
        return dynamodb._item_size_bytes(item) if item else 0

    return replacement


def each_expression_once(condition_syntax_error):
    """Checks an expression's grammar once, not again for each item of a query's partition."""
    return functools.lru_cache(maxsize=1_024)(condition_syntax_error)


def details_as_they_were_published(original):
    """Passes the detail to its target as it was published.

    The emulator rewrites it with Python's floats: 10.50 becomes 10.5, and 1e400 invalid JSON. We assume that
    AWS does not; docs/aws-checklist.md has the test.
    """

    def invoke_target(target, event, rule, view=None):
        detail = event.get("Detail")
        if target.get("InputPath") == "$.detail" and isinstance(detail, str) and detail:
            target = {**{key: value for key, value in target.items() if key != "InputPath"}, "Input": detail}
        return original(target, event, rule, view)

    return invoke_target


def by_a_server_written_in_c(_):
    """Serves HTTP with httptools on uvloop.

    Hypercorn is pure Python: per request it takes almost as much CPU as the emulator's own work, in the same
    thread.
    """

    async def serve(app, config):
        import uvicorn
        from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

        protocol = in_one_piece(HttpToolsProtocol, asyncio.get_running_loop().call_soon)
        host, port = config.bind[0].rsplit(":", 1)
        # The emulator sets date and server itself, and has its own log.
        options = {"date_header": False, "server_header": False, "access_log": False, "log_config": None, "ws": "none"}
        served = uvicorn.Config(app, host, int(port), http=protocol, lifespan="on", timeout_keep_alive=75, **options)
        await uvicorn.Server(served).serve()

    return serve


def without_long_pauses():
    """Turns off full garbage collections, which stop everything for half a second after minutes of load.

    Stored items form no cycles, so nothing leaks.
    """
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
    from ministack.core import iam_actions, iam_evaluator, lambda_runtime
    from ministack.services import dynamodb, eventbridge, lambda_svc, sqs

    patched(lambda_svc, "_sqs_esm_concurrency", as_many_batches_as_aws)
    patched(lambda_svc, "_ESM_IDLE_WAKE_GAP_SECONDS", as_prompt_as_long_polling)
    patched(lambda_svc, "_poll_dynamodb_streams", beside_the_queues)
    patched(lambda_svc, "_execute_function", naming_their_shard)
    patched(sqs, "_prune_dedup", pruning_once_a_second)
    patched(sqs, "_expire_retained", pruning_once_a_second)
    patched(sqs, "_act_send_message", names_as_sqs_takes_them(sqs))
    patched(sqs, "_HANDLERS", lambda handlers: {**handlers, "SendMessage": sqs._act_send_message})
    patched(sqs, "_ensure_msg_fields", whole_messages_left_alone)
    patched(sqs, "_receive_messages_for_esm", not_for_nothing(sqs))
    patched(lambda_runtime.Worker, "_read_stderr", lambda _: read_stderr)
    patched(lambda_runtime.Worker, "_drain_stderr_bounded", lambda _: drain_stderr)
    if names := os.environ.get("SIDE_BY_SIDE_FUNCTIONS"):
        count = int(os.environ["SIDE_BY_SIDE_INVOCATIONS"])
        patched(lambda_runtime, "_worker_class_for", seats_for(names.split(","), count, lambda_runtime))
        patched(lambda_runtime, "_detect_runtime_binary", run_by(os.environ["SIDE_BY_SIDE_RUNTIME"]))
    patched(hypercorn, "serve", by_a_server_written_in_c)
    patched(dynamodb, "_condition_syntax_error", each_expression_once)
    patched(dynamodb, "_tokenize", each_expression_read_once)
    query, index_members, evaluate_condition = queries_from_their_place(dynamodb)
    patched(dynamodb, "_query", query)
    patched(dynamodb, "_index_members", index_members)
    patched(dynamodb, "_evaluate_condition", evaluate_condition)
    patched(dynamodb, "_batch_get_item", telling_units_of_batch_reads(dynamodb))
    patched(eventbridge, "_matches_alternative", patterns_read_once)
    patched(eventbridge, "_invoke_target", details_as_they_were_published)
    patched(eventbridge, "_events_log_list", events_kept_nowhere)
    patched(app, "pin_request_origin", as_if_by_tls)
    patched(iam_evaluator, "parse_policy_document", each_policy_once)
    patched(iam_evaluator, "fnmatch_iam", each_wildcard_once)
    patched(iam_evaluator, "fnmatch_iam_cs", each_wildcard_once)
    patched(iam_actions, "extract_iam_action", batches_by_their_parts)
    statement_action, statement_resources, statement_context = statements_by_what_they_do(dynamodb)
    patched(iam_actions, "extract_iam_action", statement_action)
    patched(iam_actions, "dynamodb_resource_arns", statement_resources)
    patched(iam_actions, "dynamodb_service_context", statement_context)
    patched(iam_actions, "extract_resource_arn", log_groups_as_policies_name_them)
    patched(iam_actions, "extract_resource_arn", mails_by_their_sender)
    patched(iam_actions, "_lambda_action", workers_by_their_calls)
    if mails := os.environ.get("MAILS_FOLDER"):
        from ministack.services import ses_v2

        patched(ses_v2, "handle_request", in_a_folder(mails))
        # Nobody gets them, so nobody need have verified the sender.
        patched(ses_v2, "_message_rejection", lambda _: lambda *_: None)
    if tables_at := os.environ.get("TABLES_AT"):
        adapter = runpy.run_path(os.environ["TABLES_ADAPTER"])
        patched(dynamodb, "handle_request", adapter["items_at"](tables_at, dynamodb))
    asyncio.set_event_loop_policy(uvloop.EventLoopPolicy())
    without_long_pauses()
    sys.argv = ["ministack"]  # it parses its own arguments
    app.main()
