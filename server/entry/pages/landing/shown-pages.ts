import type { FastifyBaseLogger } from 'fastify';
import { type FrontPageSite, listFrontPageSites } from '#db/queries/public-sites.ts';
import type { App } from '#server/app.ts';
import { newestListedAccount } from '#server/features/sites/listed-from.ts';
import { batchLookup } from '#server/platform/limits/batch-lookup.ts';
import type { Translator } from '#translations/translator.ts';
import { type Html, html } from '#page/html.ts';

/** A page whose owner lets the front page show it. */
export interface ShownPage {
  url: string;
  name: string;
  title: string;
  hasAvatar: boolean;
}

const CARDS = 6;
/** A placeholder completes the last row. */
const CARDS_PER_ROW = 3;
const MAX_PAGES = 200;
/** On phones, until the visitor wants to see all. */
const FIRST_NAMES = 12;

/** Not cached, so that a page disappears as soon as its owner hides it. */
export function createShownPagesLookup({ config, pageReadDb }: Pick<App, 'config' | 'pageReadDb'>) {
  const isOpen = config.REGISTRATION === 'open';
  const lookup = batchLookup<FrontPageSite[]>(
    async ([key]) => {
      const joinedBefore = isOpen ? newestListedAccount(config) : new Date();
      const sites = await listFrontPageSites(pageReadDb, { joinedBefore, limit: MAX_PAGES });
      return new Map([[key!, sites]]);
    },
    { gate: 'pages', maxKeysPerBatch: 1 },
  );
  return async (log: FastifyBaseLogger): Promise<ShownPage[]> => {
    const sites = await lookup('front').catch((error: unknown) => {
      log.warn({ err: error }, 'the front page shows no pages of members');
      return [];
    });
    return (sites ?? []).map(({ name, display_name, has_avatar: hasAvatar }) => ({
      // Relative on the same host, so that pictures load at every address of the server.
      url: `${config.PAGES_URL ?? ''}/@${name}`,
      name,
      title: display_name?.trim() || name,
      hasAvatar,
    }));
  };
}

/** The preview picture of a page, which shows its title. */
export function renderPreview({ url, title }: ShownPage, caption: Html): Html {
  return html`<a href="${url}"
    ><img
      src="${url}/card.png"
      alt="${title}"
      width="1200"
      height="630"
      loading="lazy"
    />${caption}</a
  >`;
}

/** Preview pictures of some pages, without the featured one, and the names of all. */
export function renderShownPages(
  pages: readonly ShownPage[],
  t: Translator,
  featured?: ShownPage,
): Html {
  const others = pages.filter((page) => page !== featured);
  const cards = (others.length > 0 ? others : pages).slice(0, CARDS);
  return html`<section class="people">
    <h2>
      ${t('Pages of members')}
      ${pages.length < MAX_PAGES && html`<span class="muted">${pages.length}</span>`}
    </h2>
    <ul class="cards">
      ${cards.map((page) => html`<li>${renderPreview(page, html`<span>@${page.name}</span>`)}</li>`)}
      ${
        cards.length % CARDS_PER_ROW > 0 &&
        html`<li class="yours"><strong>${t('Your page could be here')}</strong></li>`
      }
    </ul>
    ${pages.length > CARDS && renderNames(pages, t)}
  </section>`;
}

/** On phones, the first few, and a link that shows the others. */
function renderNames(pages: readonly ShownPage[], t: Translator): Html {
  const byTitle = pages.toSorted((a, b) => a.title.localeCompare(b.title, t.locale));
  return html`<div class="card names" id="names">
    <h3>${t('All pages, from A to Z')}</h3>
    <ul>
      ${byTitle.map((page) => html`<li><a href="${page.url}">${renderName(page)}</a></li>`)}
    </ul>
    ${pages.length > FIRST_NAMES && html`<a class="all" href="#names">${t('All {count} names', { count: pages.length })}</a>`}
  </div>`;
}

function renderName({ title, name }: ShownPage): Html {
  return html`<span><strong>${title}</strong> <span class="muted">@${name}</span></span>`;
}
