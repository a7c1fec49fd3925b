import { type Event, eventOf } from '../blocks/time.ts';
import { nextDates, nextDateSince } from '../fields/event-dates.ts';
import { parsedTimeOf, textOf } from '../fields/fields.ts';
import { optionsOf } from '../fields/options.ts';
import { isoTime } from '../fields/time-zone.ts';
import { titleOf } from '../head.ts';
import { html, trustedHtml } from '../html/html.ts';
import { safeLinkUrl } from '../html/safe-url.ts';
import type { PublicSite, RenderContext } from '../public-site.ts';

/** XML 1.0 allows no other characters, not even escaped. */
const FORBIDDEN_CHARACTERS = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

interface Entry {
  id: string;
  title: string;
  url: string;
  updated: Date;
  summary: string | undefined;
}

/** A repeating event has a new date from the day after the last one on. */
function updatedAt(event: Event, changedAt: Date, now: Date): Date {
  const nextSince = nextDateSince(event, now);
  return nextSince && nextSince > changedAt ? nextSince : changedAt;
}

/** Atom feed (RFC 4287) of events and of links that appeared at a set time. */
export function renderFeed(site: PublicSite, { url, now }: RenderContext): string {
  const entries = site.blocks
    .flatMap((block): Entry[] => {
      const event = eventOf(block);
      if (event) {
        const { title, start, location } = nextDates(event, now, 1)[0];
        const time = isoTime(start.zone, start.begins);
        const summary = [start.hasTimeOfDay ? time : time.slice(0, 10), location].filter(Boolean);
        return [
          {
            id: block.id,
            title,
            url: event.url ?? url,
            updated: updatedAt(event, site.changedAt.get(block.id) ?? now, now),
            summary: summary.join(', '),
          },
        ];
      }
      const target = safeLinkUrl(block.url);
      const from = parsedTimeOf(block, 'from')?.time;
      if (block.type !== 'link' || !target || !from || from.getUTCFullYear() < 1) return [];
      const title = textOf(block, 'title', 'label', 'content') ?? target;
      return [
        { id: block.id, title, url: target, updated: from, summary: textOf(block, 'description') },
      ];
    })
    .toSorted((a, b) => b.updated.getTime() - a.updated.getTime());
  const latest = entries[0]?.updated ?? now;
  const feed = html`<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${optionsOf(site).lang}">
    <id>${url}/feed.xml</id>
    <title>${titleOf(site)}</title>
    <updated>${latest.toISOString()}</updated>
    <author><name>${titleOf(site)}</name></author>
    <link href="${url}" />
    <link rel="self" type="application/atom+xml" href="${url}/feed.xml" />
    ${entries.map(
      (entry) =>
        html`<entry>
          <id>urn:uuid:${entry.id}</id>
          <title>${entry.title}</title>
          <updated>${entry.updated.toISOString()}</updated>
          <link href="${entry.url}" />
          ${entry.summary && html`<summary>${entry.summary}</summary>`}
        </entry> `,
    )}
  </feed>`;
  return `<?xml version="1.0" encoding="utf-8"?>\n${trustedHtml(String(feed).replace(FORBIDDEN_CHARACTERS, ''))}\n`;
}
