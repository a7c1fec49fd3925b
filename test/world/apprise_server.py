"""The stateless part of the Apprise API server, around the real Apprise: POST /notify with `urls`."""

import json
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import apprise


class Notify(BaseHTTPRequestHandler):
    def do_POST(self):
        content = json.loads(self.rfile.read(int(self.headers["content-length"])))
        notifier = apprise.Apprise()
        is_sent = notifier.add(content["urls"]) and notifier.notify(
            body=content["body"], title=content["title"], notify_type=content["type"],
            body_format=content["format"])
        self.send_response(200 if is_sent else 424)
        self.end_headers()


ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Notify).serve_forever()
