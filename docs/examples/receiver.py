"""Keeps webhooks in a file, answers, and works them off:  SECRET=whsec_... python receiver.py"""

import json
import os
import sqlite3
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from verify.verify import is_genuine

SECRET = os.environ["SECRET"]
INBOX = os.environ.get("INBOX", "inbox.sqlite")
arrived = threading.Event()


def inbox(sql, *values):
    with sqlite3.connect(INBOX) as connection:
        return connection.execute(sql, values).fetchall()


def handle(event):
    """Your work. What it does twice must do no harm: the process may end before it is done."""
    print(event["event_type"], event["resource_id"], flush=True)


def work_off():
    while True:
        arrived.clear()
        for message_id, body in inbox("SELECT id, body FROM webhooks WHERE is_done = 0 ORDER BY rowid"):
            handle(json.loads(body))
            inbox("UPDATE webhooks SET is_done = 1 WHERE id = ?", message_id)
        arrived.wait()


class Receiver(BaseHTTPRequestHandler):
    timeout = 10

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        genuine = is_genuine(body, self.headers, SECRET)
        if genuine:
            # One with an id that is there already is a repeat: nothing is kept, and the answer is the same.
            inbox("INSERT OR IGNORE INTO webhooks (id, body) VALUES (?, ?)", self.headers["webhook-id"], body.decode())
        self.send_response(204 if genuine else 401)
        self.end_headers()
        arrived.set()


inbox("CREATE TABLE IF NOT EXISTS webhooks (id TEXT PRIMARY KEY, body TEXT, is_done INTEGER DEFAULT 0)")
server = ThreadingHTTPServer(("", int(os.environ.get("PORT", "8080"))), Receiver)
print(f"listening on port {server.server_port}", flush=True)
threading.Thread(target=work_off, daemon=True).start()
server.serve_forever()
