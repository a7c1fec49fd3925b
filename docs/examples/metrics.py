"""Stores a metric every second, also while the server restarts. Python 3.9, standard library.

NAMEPLATE_API_KEY=np_… PROJECT=… python3 metrics.py. A key with the scope metrics is enough.
NAMEPLATE_BASE_URL is the address of the server, http://127.0.0.1:3000 unless set.
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
MAX_WAIT_SECONDS = 120


def send(request):
    """Makes one attempt, and returns the status, headers and body of the response."""
    try:
        response = urllib.request.urlopen(request, timeout=30)
    except urllib.error.HTTPError as error:
        response = error
    with response:
        return response.code, response.headers, response.read().decode(errors="replace")


def store(payload):
    """Repeats a request while that can help. Raises an error if it is refused, or has to wait too long."""
    metric = {"projectId": os.environ["PROJECT"], "payload": payload}
    request = urllib.request.Request(BASE_URL + "/stats/ingest-metrics", json.dumps(metric).encode())
    request.add_header("X-API-KEY", os.environ["NAMEPLATE_API_KEY"])
    request.add_header("Content-Type", "application/json")
    # The same for every attempt, so the server stores the metric once.
    request.add_header("Idempotency-Key", str(uuid.uuid4()))
    waited = 0
    for attempt in itertools.count():
        wait = 2**attempt
        try:
            status, headers, body = send(request)
        except (OSError, http.client.HTTPException) as error:
            reason = str(error)
        else:
            if status == 200:
                return
            reason = f"{status} {headers['X-Error-Code']}: {body}, request {headers['X-Request-Id']}"
            retry_after = headers["Retry-After"] or ""
            if status < 500 and status not in (408, 429) and not retry_after:
                raise RuntimeError(reason)
            # Hours, if the account has reached its daily limit. A proxy can send a date instead.
            if retry_after.isdecimal():
                wait = int(retry_after)
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


if __name__ == "__main__":
    main()
