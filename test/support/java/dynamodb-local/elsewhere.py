"""Lets DynamoDB Local keep the items of the emulator's tables.

The emulator still decides who may do what, makes the tables and describes them. It knows nothing of the items,
so its streams stay empty.
"""

import asyncio
import json

import urllib3

ABOUT_ITEMS = frozenset(
    ("GetItem", "PutItem", "UpdateItem", "DeleteItem", "Query", "Scan", "BatchGetItem", "BatchWriteItem")
    + ("TransactGetItems", "TransactWriteItems", "ExecuteStatement")
)

# Their tables are named only inside statements, which nothing here reads: the emulator would answer from tables without items.
REFUSED = frozenset(("BatchExecuteStatement", "ExecuteTransaction"))

# It wants one, and does not verify it.
AUTHORIZATION = "AWS4-HMAC-SHA256 Credential=local/20260101/eu-west-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0"
JSON = "application/x-amz-json-1.0"


def items_at(endpoint, dynamodb):
    """Returns a replacement for `handle_request`."""
    pool = urllib3.PoolManager(maxsize=32)

    def call(action, body):
        headers = {"x-amz-target": f"DynamoDB_20120810.{action}", "content-type": JSON, "authorization": AUTHORIZATION}
        answer = pool.request("POST", endpoint, body=body, headers=headers, retries=False)
        kept = {name: value for name, value in answer.headers.items() if name.lower() in ("content-type", "x-amz-crc32", "x-amzn-requestid")}
        return answer.status, kept, answer.data

    def make_table(name):
        definition = json.loads(dynamodb._describe_table({"TableName": name})[2])["Table"]
        wanted = {key: definition[key] for key in ("TableName", "KeySchema", "AttributeDefinitions")}
        indexes = definition.get("GlobalSecondaryIndexes") or []
        if indexes:
            wanted["GlobalSecondaryIndexes"] = [{key: index[key] for key in ("IndexName", "KeySchema", "Projection")} for index in indexes]
        status, _, said = call("CreateTable", json.dumps({**wanted, "BillingMode": "PAY_PER_REQUEST"}))
        # Another request may have made it.
        if status != 200 and b"ResourceInUseException" not in said:
            raise RuntimeError(f"DynamoDB Local could not make {name}: {status} {said.decode()}")

    made = set()

    def answer(action, body):
        for name in tables_in(json.loads(body)):
            if name not in made and dynamodb._normalize_table_name(name) in dynamodb._tables:
                make_table(name)
                made.add(name)
        return call(action, body)

    def replacement(original):
        async def handle_request(method, path, headers, body, query_params):
            action = headers.get("x-amz-target", "").split(".")[-1]
            if action in REFUSED:
                raise NotImplementedError(f"{action} is not taken to DynamoDB Local, which keeps the items: add it to elsewhere.py")
            if action not in ABOUT_ITEMS:
                return await original(method, path, headers, body, query_params)
            return await asyncio.to_thread(answer, action, body)

        return handle_request

    return replacement


def tables_in(request):
    """The names of the tables in a request, wherever they are."""
    found = set(request.get("RequestItems") or {})
    for action in [request, *(one for item in request.get("TransactItems") or [] for one in item.values())]:
        if "TableName" in action:
            found.add(action["TableName"])
    return found
