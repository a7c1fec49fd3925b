"""Prints as JSON the dates that other programs find in a calendar: title and start, in local time."""

import datetime
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import icalendar
import recurring_ical_events

request = json.load(sys.stdin)
first = datetime.date.fromisoformat(request["from"])
last = first + datetime.timedelta(days=request["days"])

with tempfile.TemporaryDirectory() as folder:
    config = Path(folder, "config")
    config.write_text(f"""[calendars]
[[page]]
path = {folder}/page
[sqlite]
path = {folder}/khal.db
[locale]
local_timezone = {request["zone"]}
default_timezone = {request["zone"]}
timeformat = %H:%M
dateformat = %Y-%m-%d
longdateformat = %Y-%m-%d
datetimeformat = %Y-%m-%d %H:%M
longdatetimeformat = %Y-%m-%d %H:%M
""")
    Path(folder, "page").mkdir()

    def khal(*arguments, text=None):
        return subprocess.run(["khal", "-c", config, *arguments], input=text, check=True,
                              capture_output=True, encoding="utf-8").stdout

    khal("import", "--batch", "-a", "page", text=request["calendar"])
    listed = khal("list", "--day-format", "", "--format", "{title} {start-long}",
                  first.isoformat(), f"{request['days']}d").splitlines()

events = recurring_ical_events.of(icalendar.Calendar.from_ical(request["calendar"]))
json.dump({
    "khal": [line for line in listed if line],
    "recurring_ical_events": [
        f"{event['summary']} {event['dtstart'].dt:%Y-%m-%d}"
        + (f" {event['dtstart'].dt:%H:%M}" if isinstance(event["dtstart"].dt, datetime.datetime) else "")
        for event in events.between(first, last)
    ],
}, sys.stdout)
