"""Asks an example on stdin's webhooks, one a line of tab-separated base64 (header absent: -), and answers true or false for each:
python drive.py <file> <function>"""

import base64
import runpy
import sys

file, name = sys.argv[1:]
verify = runpy.run_path(file)[name]


def text(field):
    return base64.b64decode(field).decode()


for line in sys.stdin:
    body, message_id, timestamp, signature, secret, now = line.rstrip("\n").split("\t")
    headers = {"webhook-id": message_id, "webhook-timestamp": timestamp, "webhook-signature": signature}
    present = {key: text(value) for key, value in headers.items() if value != "-"}
    instant = [] if now == "-" else [float(text(now))]
    try:
        answer = verify(base64.b64decode(body), present, text(secret), *instant)
    except Exception:
        if name != "event_of":
            raise
        answer = False
    print("true" if answer else "false")
