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
MAX_WAIT_SECONDS = 60


def store(payload):
    """Repeats a request while that can help. Raises an error if it is refused, or has to wait too long."""
    metric = {"projectId": os.environ["PROJECT"], "payload": payload}
    request = urllib.request.Request(BASE_URL + "/stats/ingest-metrics", json.dumps(metric).encode())
    request.add_header("X-API-KEY", os.environ["NAMEPLATE_API_KEY"])
    request.add_header("Content-Type", "application/json")
    # The same for every attempt, so the server stores the metric once.
    request.add_header("Idempotency-Key", str(uuid.uuid4()))
    waited = 0
    while True:
        wait = 1
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                response.read()
                return
        except urllib.error.HTTPError as error:
            code, request_id = error.headers["X-Error-Code"], error.headers["X-Request-Id"]
            reason = f"{error.code} {code}: {error.read().decode()}, request {request_id}"
            if error.code < 500 and error.code != 429:
                raise RuntimeError(reason) from None
            # Hours, if the account has reached its daily limit.
            wait = int(error.headers["Retry-After"] or wait)
        except (OSError, http.client.HTTPException) as error:
            reason = str(error)
        waited += wait
        if waited > MAX_WAIT_SECONDS:
            raise RuntimeError(f"{reason}. Gave up: waiting {waited} s is too long")
        print(f"Trying again in {wait} s: {reason}", file=sys.stderr)
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
