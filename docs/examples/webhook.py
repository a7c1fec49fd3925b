"""Receives webhooks: WEBHOOK_SECRET=whsec_… python3 webhook.py. Python 3.9, standard library.

WEBHOOK_PORT is the port, 4000 unless set.
"""

import base64
import hashlib
import hmac
import json
import os
import re
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = base64.b64decode(os.environ.get("WEBHOOK_SECRET", "").removeprefix("whsec_"))
PORT = int(os.environ.get("WEBHOOK_PORT", 4000))
TOLERANCE_SECONDS = 300
MAX_BODY_BYTES = 65_536


def is_authentic(headers, body):
    """Checks the signature and the time of a request, whose body is still as it was received."""
    message_id, sent_at, signatures = (
        headers.get(f"webhook-{name}", "") for name in ("id", "timestamp", "signature"))
    # Python cannot read a number of more than 4,300 digits.
    if not re.fullmatch("[0-9]{1,11}", sent_at):
        return False
    if abs(time.time() - int(sent_at)) > TOLERANCE_SECONDS:
        return False
    signed = f"{message_id}.{sent_at}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.digest(SECRET, signed, hashlib.sha256))
    # There are two after a new secret was created.
    return any(hmac.compare_digest(expected, signature.encode())
               for signature in signatures.split(" "))


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        length = int(self.headers.get("content-length", 0))
        body = self.rfile.read(length) if length <= MAX_BODY_BYTES else b""
        if not is_authentic(self.headers, body):
            self.send_error(400)
            return
        event = json.loads(body)
        # An event can arrive twice: store the id, and skip one that you know.
        print(self.headers["webhook-id"], event["type"], event["data"], flush=True)
        self.send_response(204)
        self.end_headers()


if __name__ == "__main__":
    if not SECRET:
        sys.exit("WEBHOOK_SECRET is not set.")
    server = ThreadingHTTPServer(("127.0.0.1", PORT), Receiver)
    print(f"Waiting for webhooks at http://127.0.0.1:{PORT}", flush=True)
    server.serve_forever()
