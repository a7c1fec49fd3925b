import type { FastifyBaseLogger } from 'fastify';
import { LRUCache } from 'lru-cache';
import { DAY_MS, MINUTE_MS } from '#contract/shared/durations.ts';
import {
  countFrontPageSites,
  findOurPage,
  type FrontPageEvent,
  type FrontPageSite,
  listFrontPageEvents,
  listFrontPageSites,
  type OurPage,
} from '#db/queries/public-sites.ts';
import { resolveClubTheme } from '#page/design/club-theme.ts';
import type { ZonedTime } from '#page/fields/event-dates.ts';
import { type Html, html } from '#page/html/html.ts';
import type { Core } from '#server/core.ts';
import { newestListedAccount } from '#server/features/sites/listed-from.ts';
import type { Instance } from '#server/platform/instance-store.ts';
import { batchLookup } from '#server/platform/limits/batch-lookup.ts';

type ShownSite = FrontPageSite & { title: string };

export interface ShownDate {
  title: string;
  start: ZonedTime;
  /** Where it is, if the club's page has it; otherwise, whose it is. */
  note: string | undefined;
  url: string;
}

/** What the front page shows of members who allow it. */
export interface ShownPages {
  /** Number of members. */
  total: number;
  /** The newest ones, by their title. */
  faces: readonly ShownSite[];
  /** The newest pages. */
  cards: readonly { url: string; card: Html }[];
  css: string;
  /** Upcoming dates, of the club's page if it has any. */
  dates: readonly ShownDate[];
  /** The page of the club, while its owner shows it here. */
  ourPage: { url: string; links: OurPage['links'] } | undefined;
}

const MAX_CARDS = 6;
const MAX_FACES = 60;
const MAX_DATES = 3;
const MAX_LINKS = 6;
/** Of which the next ones are shown, each on its next date. */
const MAX_EVENTS = 500;

interface StoredPages {
  sites: FrontPageSite[];
  events: FrontPageEvent[];
  ourPage: OurPage | undefined;
  ourEvents: FrontPageEvent[];
  total: number;
}

/**
 * Not cached, so that a page disappears as soon as its owner hides it. Only the number of members,
 * if it is larger than that of the faces, may be a minute old: counting them reads all.
 */
export function createShownPagesLookup({
  config,
  pageReadDb,
}: Pick<Core, 'config' | 'pageReadDb'>) {
  const isOpen = config.REGISTRATION === 'open';
  const totals = new LRUCache<string, number, Date>({
    max: 1,
    ttl: MINUTE_MS,
    fetchMethod: (_key, _stale, { context }) => countFrontPageSites(pageReadDb, context),
  });
  const lookup = batchLookup<StoredPages>(
    async ([key]) => {
      const joinedBefore = isOpen ? newestListedAccount(config) : new Date();
      // It may still be yesterday in the zone of an event.
      const from = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10);
      const range = { from, limit: MAX_EVENTS };
      // An operator chose this page, so its account may be new.
      const ours = { ...range, joinedBefore: new Date(), accountId: key };
      const [sites, events, ourPage, ourEvents] = await Promise.all([
        listFrontPageSites(pageReadDb, { joinedBefore, limit: MAX_FACES }),
        listFrontPageEvents(pageReadDb, { ...range, joinedBefore }),
        key ? findOurPage(pageReadDb, { accountId: key }) : undefined,
        key ? listFrontPageEvents(pageReadDb, ours) : [],
      ]);
      const total =
        sites.length < MAX_FACES
          ? sites.length
          : await totals.forceFetch('', { context: joinedBefore });
      return new Map([[key!, { sites, events, ourPage, ourEvents, total }]]);
    },
    { gate: 'pages', maxKeysPerBatch: 1 },
  );
  return async (log: FastifyBaseLogger, instance: Instance): Promise<ShownPages | undefined> => {
    const stored = await lookup(instance.our_page_id ?? '').catch((error: unknown) => {
      log.warn({ err: error }, 'the front page shows no pages of members');
      return undefined;
    });
    return stored && (stored.ourPage || stored.sites.length > 0)
      ? drawPages(stored, instance, config.PAGES_URL ?? '')
      : undefined;
  };
}

async function drawPages(
  { sites, events, ourPage, ourEvents, total }: StoredPages,
  instance: Instance,
  origin: string,
): Promise<ShownPages> {
  const { activeBlocks } = await import('#page/blocks/index.ts');
  const { miniatureRules, renderMiniature } = await import('#page/design/miniature.ts');
  const shown = sites.map((site) => ({
    ...site,
    ...resolveClubTheme(site, instance),
    title: site.display_name?.trim() || site.name,
  }));
  const pages = shown
    .slice(0, MAX_CARDS)
    .map((site, index) => ({ ...site, className: `page-${index}` }));
  const ourDates = await findDates(ourEvents, origin, true);
  return {
    total,
    faces: shown.toSorted((a, b) => a.title.localeCompare(b.title)),
    cards: pages.map((page) => ({ url: `${origin}/@${page.name}`, card: renderMiniature(page) })),
    css: miniatureRules(pages),
    dates: ourDates.length > 0 ? ourDates : await findDates(events, origin),
    ourPage: ourPage && {
      url: `${origin}/@${ourPage.name}`,
      links: activeBlocks(ourPage.links, new Date()).slice(0, MAX_LINKS),
    },
  };
}

async function findDates(
  events: readonly FrontPageEvent[],
  origin: string,
  isOurs = false,
): Promise<ShownDate[]> {
  if (events.length === 0) return [];
  const [{ eventOf }, { firstWallClock, nextDates }] = await Promise.all([
    import('#page/blocks/time.ts'),
    import('#page/fields/event-dates.ts'),
  ]);
  const now = new Date();
  return events
    .flatMap(({ name, display_name, block }): ShownDate[] => {
      const event = eventOf(block);
      if (!event) return [];
      const owner = display_name?.trim() || name;
      return nextDates(event, now, 1)
        .filter((date) => date.start.wallClock >= firstWallClock(date, now))
        .map(({ title, start, location }) => ({
          ...{ title, start, note: isOurs ? location : owner },
          url: `${origin}/@${name}`,
        }));
    })
    .toSorted((a, b) => a.start.begins.getTime() - b.start.begins.getTime())
    .slice(0, MAX_DATES);
}

export function renderCards({ cards }: ShownPages, heading: Html): Html | '' {
  if (cards.length === 0) return '';
  return html`<section class="people">
    ${heading}
    <ul class="cards">
      ${cards.map(({ url, card }) => html`<li><a href="${url}">${card}</a></li>`)}
    </ul>
  </section>`;
}
