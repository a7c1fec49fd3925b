"""Prints as JSON what other programs read in our files, which are JSON on the standard input."""

import csv
import io
import json
import sys
from html.parser import HTMLParser

import feedparser
import gi
import icalendar
import vobject

gi.require_version("EBookContacts", "1.2")
from gi.repository.EBookContacts import Contact, ContactField  # noqa: E402

files = json.load(sys.stdin)
feed = feedparser.parse(files["feed.xml"])
calendars = [icalendar.Calendar.from_ical(text)
             for name, text in files.items() if name.endswith(".ics")]


class OpenGraph(HTMLParser):
    def __init__(self, page):
        super().__init__()
        self.values = {}
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        attribute = dict(attributes)
        if tag == "meta" and attribute.get("property", "").startswith("og:"):
            self.values[attribute["property"]] = attribute["content"]


def with_vobject(card):
    return {
        "version": card.version.value,
        "name": card.fn.value,
        "given": card.n.value.given,
        "note": card.note.value,
        "photo": card.photo.value,
        "urls": [line.value for line in card.contents["url"]],
        "phones": [line.value for line in card.contents["tel"]],
        "emails": [line.value for line in card.contents["email"]],
        "addresses": [[line.value.street, line.value.city] for line in card.contents["adr"]],
    }


def with_gnome(contact):
    def values(field):
        return [attribute.get_values() for attribute in contact.get_attributes(field)]
    return {
        "name": contact.get_property("full-name"),
        "given": contact.get_property("given-name"),
        "note": contact.get_property("note"),
        "photo": contact.get_property("photo").get_uri(),
        "urls": [value for value, in values(ContactField.HOMEPAGE_URL)],
        "phones": [value for value, in values(ContactField.TEL)],
        "emails": [value for value, in values(ContactField.EMAIL)],
        "addresses": [value[2:4] for value in values(ContactField.ADDRESS)],
    }


def people_of(text):
    cards = [part + "END:VCARD\r\n" for part in text.split("END:VCARD\r\n")[:-1]]
    contacts = [Contact.new_from_vcard(card) for card in cards]
    return {
        "vobject": [[card.fn.value, card.n.value.given, card.email.value]
                    for card in vobject.readComponents(text)],
        "GNOME": [[contact.get_property("full-name"), contact.get_property("given-name"),
                   contact.get_attributes(ContactField.EMAIL)[0].get_values()[0]]
                  for contact in contacts],
    }


json.dump({
    "people": people_of(files["people"]),
    "cards": [{
        "vobject": with_vobject(vobject.readOne(text)),
        "GNOME": with_gnome(Contact.new_from_vcard(text)),
    } for name, text in files.items() if name.startswith("card.vcf")],
    "events": [{
        "uid": event["uid"],
        "stamp": event["dtstamp"].dt.isoformat(),
        "title": event["summary"],
        "place": event["location"],
        "starts": event["dtstart"].dt.isoformat(),
        "ends": event["dtend"].dt.isoformat(),
    } for calendar in calendars for event in calendar.walk("VEVENT")],
    "openGraph": OpenGraph(files[""]).values,
    "webFinger": json.loads(files["webfinger"])["aliases"],
    "feedError": str(feed.get("bozo_exception", "")),
    "feed": feed.feed.title,
    "entries": [{key: entry[key] for key in ("id", "title", "link", "updated")}
                for entry in feed.entries],
    "tables": [list(csv.reader(io.StringIO(text, newline=""), strict=True))
               for text in files["tables"]],
}, sys.stdout)
