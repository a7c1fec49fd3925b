"""Stores a metric every second, also while the server restarts. Python 3.9, standard library.

NAMEPLATE_API_KEY=np_… PROJECT=… python3 metrics.py. A key with the scope metrics is enough.
"""

import http.client
import itertools
import json
import os
import sys
import time
import urllib.error
import urllib.request
import uuid

BASE_URL = os.environ.get("NAMEPLATE_BASE_URL", "http://127.0.0.1:3000")


def store(payload):
    """Repeats a request while that can help. Raises an error if it is refused, or fails for half a minute."""
    metric = {"projectId": os.environ["PROJECT"], "payload": payload}
    request = urllib.request.Request(BASE_URL + "/stats/ingest-metrics", json.dumps(metric).encode())
    request.add_header("X-API-KEY", os.environ["NAMEPLATE_API_KEY"])
    request.add_header("Content-Type", "application/json")
    # The same for every attempt, so the server stores the metric once.
    request.add_header("Idempotency-Key", str(uuid.uuid4()))
    failures = 0
    while True:
        wait = 1
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                response.read()
                return
        except urllib.error.HTTPError as error:
            reason = f"{error.code} {error.headers['X-Error-Code']}: {error.read().decode()}"
            if retry_after := error.headers["Retry-After"]:
                wait = int(retry_after)
            elif error.code == 500:
                failures += 1
                wait = 2 ** failures
            if error.code < 500 and error.code != 429 or failures == 5:
                raise RuntimeError(f"{reason}, request {error.headers['X-Request-Id']}") from None
            print(f"Trying again: {reason}", file=sys.stderr)
        except (OSError, http.client.HTTPException) as error:
            print(f"Trying again: {error}", file=sys.stderr)
        time.sleep(wait)


def main():
    for name in ("NAMEPLATE_API_KEY", "PROJECT"):
        if not os.environ.get(name):
            sys.exit(f"{name} is not set.")
    for number in itertools.count():
        metric = {"number": number, "load": os.getloadavg()[0]}
        store(metric)
        print("Stored", metric, flush=True)
        time.sleep(1)


main()
