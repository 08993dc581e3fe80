"""Times queries of an index with 3,000 messages of one subscription, with the emulator as it is and as corrected, in turns.

Usage, after `npm run local` has installed the emulator:  PYTHONPATH=local .local/venv/bin/python load/profile/emulator_queries.py
Measures CPU time: the emulator has one thread, and wall time would measure a busy machine.
"""

import functools
import json
import statistics
import time

from corrected_tables import each_expression_read_once, queries_from_their_place
from ministack.services import dynamodb

MESSAGES, TIMES = 3_000, 25
KEYS = {"message_id": "HASH"}
INDEX = {"subscription_id": "HASH", "admitted_at": "RANGE"}


def ask(call, **request):
    status, _, body = call({"TableName": "History", **request})
    assert status == 200, body
    return json.loads(body)


def schema(keys):
    return [{"AttributeName": name, "KeyType": kind} for name, kind in keys.items()]


def message(number):
    texts = {
        "message_id": f"msg_{number * 7919 % (MESSAGES + 1)}",
        "subscription_id": "sub_1",
        "admitted_at": f"2026-11-23T{number // 3600:02}:{number // 60 % 60:02}:{number % 60:02}Z",
        "state": "delivered" if number % 3 else "parked",
        "payment_id": f"pay-{number}",
    }
    return {name: {"S": text} for name, text in texts.items()}


def query(condition="#p = :p", names=(), values=(), **more):
    return {
        "IndexName": "by_subscription",
        "KeyConditionExpression": condition,
        "ExpressionAttributeNames": {"#p": "subscription_id", **dict(names)},
        "ExpressionAttributeValues": {":p": {"S": "sub_1"}, **dict(values)},
        **more,
    }


QUERIES = {
    "the latest 51": query(ScanIndexForward=False, Limit=51),
    "100 before an instant": query("#p = :p AND #a <= :a", {"#a": "admitted_at"}, {":a": {"S": "2026-11-23T00:10:00Z"}}, Limit=100),
    "a count of 1,000": query(Select="COUNT", Limit=1_000),
    "1,000, filtered": query(names={"#s": "state"}, values={":s": {"S": "parked"}}, FilterExpression="#s = :s", Limit=1_000),
}
NAMES = ("_tokenize", "_query", "_index_members", "_evaluate_condition")


def took(functions, request):
    for name, function in functions.items():
        setattr(dynamodb, name, function)
    ask(dynamodb._put_item, Item=message(1_234))
    start = time.process_time()
    ask(dynamodb._query, **request)
    return (time.process_time() - start) * 1_000


dynamodb._condition_syntax_error = functools.lru_cache(dynamodb._condition_syntax_error)
as_it_is = {name: getattr(dynamodb, name) for name in NAMES}
corrections = (each_expression_read_once, *queries_from_their_place(dynamodb))
corrected = {name: correction(as_it_is[name]) for name, correction in zip(NAMES, corrections)}
types = [{"AttributeName": name, "AttributeType": "S"} for name in (*KEYS, *INDEX)]
index = {"IndexName": "by_subscription", "KeySchema": schema(INDEX), "Projection": {"ProjectionType": "ALL"}}
ask(dynamodb._create_table, KeySchema=schema(KEYS), AttributeDefinitions=types, BillingMode="PAY_PER_REQUEST", GlobalSecondaryIndexes=[index])
for number in range(MESSAGES):
    ask(dynamodb._put_item, Item=message(number))
for name, request in QUERIES.items():
    pairs = [(took(as_it_is, request), took(corrected, request)) for _ in range(TIMES)]
    before, after = (statistics.median(times) for times in zip(*pairs))
    print(f"{name:22} {before:6.1f} ms as it is {after:6.1f} ms corrected {before / after:6.1f} times")
