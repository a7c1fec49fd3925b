"""Stores a metric every second, also while the server restarts. Python 3.9, standard library."""

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


def call(path, body=None):
    """Repeats a request until the server answers it. Raises an error if it is refused."""
    request = urllib.request.Request(BASE_URL + path)
    request.add_header("X-API-KEY", os.environ["NAMEPLATE_API_KEY"])
    if body is not None:
        request.data = json.dumps(body).encode()
        request.add_header("Content-Type", "application/json")
        # The same for every attempt, so the server stores the metric once.
        request.add_header("Idempotency-Key", str(uuid.uuid4()))
    while True:
        wait = 1
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            if error.code < 500 and error.code != 429:
                raise RuntimeError(json.load(error)["error"]) from error
            print(f"Trying again: {error}", file=sys.stderr)
            wait = int(error.headers.get("Retry-After", wait))
        except (OSError, http.client.HTTPException) as error:
            print(f"Trying again: {error}", file=sys.stderr)
        time.sleep(wait)


def main():
    name = call("/account/get-display-name")["display_name"]
    print(f"This account is called {name or '(nothing yet)'}.", flush=True)
    project_id = call("/stats/get-projects")["projects"][0]["id"]
    for number in itertools.count():
        payload = {"number": number, "load": os.getloadavg()[0]}
        call("/stats/ingest-metrics", {"projectId": project_id, "payload": payload})
        time.sleep(1)


main()
