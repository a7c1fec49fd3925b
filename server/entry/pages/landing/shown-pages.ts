import type { FastifyBaseLogger } from 'fastify';
import { type FrontPageSite, listFrontPageSites } from '#db/queries/public-sites.ts';
import { newestListedAccount } from '#server/features/sites/listed-from.ts';
import { batchLookup } from '#server/platform/limits/batch-lookup.ts';
import type { Translator } from '#translations/translator.ts';
import { type Html, html } from '#page/html/html.ts';
import type { SignUpService } from '#server/features/sign-up/sign-up-service.ts';
import type { Core } from '#server/core.ts';

/** A page whose owner lets the front page show it. */
interface ShownPage extends FrontPageSite {
  url: string;
  title: string;
}

interface DrawnPage extends ShownPage {
  card: Html;
}

export interface ShownPages {
  /** Beside the title. */
  featured: ShownPage | undefined;
  cards: readonly DrawnPage[];
  css: string;
}

const CARDS = 6;
/** A placeholder completes the last row. */
const CARDS_PER_ROW = 3;
const MAX_PAGES = 200;
/** The longest name that fits on one line of a plate. */
const MAX_PLATE_LENGTH = 16;

/** Not cached, so that a page disappears as soon as its owner hides it. */
export function createShownPagesLookup({
  config,
  pageReadDb,
  signUps,
}: Pick<Core, 'config' | 'pageReadDb'> & { signUps: SignUpService }) {
  const isOpen = config.REGISTRATION === 'open';
  const lookup = batchLookup<FrontPageSite[]>(
    async ([key]) => {
      const joinedBefore = isOpen ? newestListedAccount(config) : new Date();
      const sites = await listFrontPageSites(pageReadDb, { joinedBefore, limit: MAX_PAGES });
      return new Map([[key!, sites]]);
    },
    { gate: 'pages', maxKeysPerBatch: 1 },
  );
  return async (log: FastifyBaseLogger): Promise<ShownPages | undefined> => {
    const sites = await lookup('front').catch((error: unknown) => {
      log.warn({ err: error }, 'the front page shows no pages of members');
      return [];
    });
    if (!sites || sites.length === 0) return undefined;
    const byCompleteness = sites.toSorted((a, b) => choicesOf(b) - choicesOf(a));
    const pages = byCompleteness.map((site) => ({
      ...site,
      url: `${config.PAGES_URL ?? ''}/@${site.name}`,
      title: site.display_name?.trim() || site.name,
    }));
    return drawPages(pages, { hasFeatured: !signUps.isForEveryone });
  };
}

/** Pages with a picture, a text, a design of their own and blocks come first. */
function choicesOf(site: FrontPageSite): number {
  const design = site.theme_id ?? site.custom_theme ?? site.settings;
  return [site.avatar_url, site.bio, design, site.has_blocks].filter(Boolean).length;
}

async function drawPages(
  pages: readonly ShownPage[],
  { hasFeatured }: { hasFeatured: boolean },
): Promise<ShownPages> {
  const { miniatureRules, renderMiniature } = await import('#page/design/miniature.ts');
  const featured = hasFeatured
    ? (pages.find(({ name, avatar_url }) => avatar_url && name.length <= MAX_PLATE_LENGTH) ??
      pages[0])
    : undefined;
  const others = pages.filter((page) => page !== featured);
  const sites = others
    .slice(0, CARDS)
    .map((page, index) => ({ ...page, className: `page-${index}` }));
  return {
    featured,
    cards: sites.map((site) => ({ ...site, card: renderMiniature(site) })),
    css: miniatureRules(sites),
  };
}

export function renderShownPages({ cards }: ShownPages, t: Translator): Html {
  return html`<section class="people">
    <h2>${t('Pages of members')}</h2>
    <ul class="cards">
      ${cards.map(({ url, card }) => html`<li><a href="${url}">${card}</a></li>`)}
      ${
        cards.length % CARDS_PER_ROW > 0 &&
        html`<li class="yours"><strong>${t('Your page could be here')}</strong></li>`
      }
    </ul>
  </section>`;
}
