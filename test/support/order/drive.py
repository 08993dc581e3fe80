"""Asks an example about stdin's webhooks, one JSON line each, and prints a verdict for each:  python drive.py <file>"""

import json
import runpy
import sys

example = runpy.run_path(sys.argv[1])
check, states = example["check"], {}
for line in sys.stdin:
    received = json.loads(line)
    state = states.get(received["of"], example["NOTHING"])
    verdict, states[received["of"]] = check(state, received["webhook"])
    print(verdict)
