"""Runs queries that are written for Athena, on files as the archive has them.

Reads one JSON document: {"folder": ..., "tables": {name: {column: type}}, "queries": [{"name", "sql", "parameters"}]}. Each query is read as Athena
reads it, which refuses what is no SQL of Athena's, and written down as DuckDB has it. Prints {name: rows}.
"""

import json
import sys

import duckdb
import sqlglot

TYPES = {"string": "VARCHAR", "boolean": "BOOLEAN", "int": "INTEGER", "bigint": "BIGINT"}


def tables_from(database, folder, tables):
    for name, columns in tables.items():
        struct = ", ".join(f"'{column}': '{TYPES[kind]}'" for column, kind in columns.items())
        # As Athena does: the day comes from the folder, what is absent is null, and a file that is no gzip is an error.
        database.execute(
            f"CREATE VIEW {name} AS SELECT * FROM read_json('{folder}/{name}/*/*.jsonl.gz', format='newline_delimited',"
            f" compression='gzip', columns={{{struct}}}, hive_partitioning=true, hive_types={{'day': VARCHAR}})"
        )


def answer(database, query):
    [statement] = sqlglot.transpile(
        query["sql"], read="athena", write="duckdb", unsupported_level=sqlglot.ErrorLevel.RAISE
    )
    result = database.execute(statement, query.get("parameters", []))
    names = [column[0] for column in result.description]
    return [dict(zip(names, row)) for row in result.fetchall()]


def main():
    wish = json.load(sys.stdin)
    database = duckdb.connect()
    # As Athena: its dates are UTC's.
    database.execute("SET TimeZone = 'UTC'")
    tables_from(database, wish["folder"], wish["tables"])
    json.dump({query["name"]: answer(database, query) for query in wish["queries"]}, sys.stdout, default=float)


main()
