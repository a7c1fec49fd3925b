import type { Block } from '#contract/block.ts';
import { addPageSettingsBlock } from '#contract/shared/page-settings-block.ts';
import { pickSiteFields } from '#contract/shared/site-fields.ts';
import { hasContactForm } from '#page/blocks/contact-form.ts';
import { publicBlock } from '#page/blocks/index.ts';
import { cardOf } from '#page/card/card.ts';
import { optionsOf } from '#page/fields/options.ts';
import { renderBadge } from '#page/files/badge.ts';
import { renderCalendar, renderCalendarEvent } from '#page/files/calendar.ts';
import { renderFeed } from '#page/files/feed.ts';
import { qrPng } from '#page/files/qr-png.ts';
import { renderVcard } from '#page/files/vcard.ts';
import { titleOf } from '#page/head.ts';
import { safeWebUrl } from '#page/html/safe-url.ts';
import type { PublicSite, RenderContext } from '#page/public-site.ts';
import { qrCode } from '#page/qr-code.ts';
import { renderShare } from '#page/render-share.ts';
import { type FooterOptions, renderSite } from '#page/render-site.ts';
import { securityHeaders } from '#server/platform/http/responses/headers.ts';
import type { Content } from '#server/platform/http/responses/representation.ts';
import { drawCard } from './draw-card.ts';
import type { PAGE_FILE_NAMES } from './page-file-names.ts';

export type PageFile = SiteFile | BlockFile;

type SiteFile =
  | 'page'
  | (typeof PAGE_FILE_NAMES)[number]
  | 'card.vcf?version=4'
  | 'webfinger'
  | 'atproto-did';
/** Folders are kinds of blocks, names are block ids. */
export type BlockFile = `metric/${string}.svg` | `event/${string}.ics`;

interface RenderInput extends RenderContext {
  site: PublicSite;
}

interface PageContent extends Content {
  countedUrls?: ReadonlySet<string>;
}

type RenderFile = (input: RenderInput) => PageContent | undefined | Promise<PageContent>;

/** Other websites can embed these files, for example in a README. */
const CROSS_ORIGIN = { 'cross-origin-resource-policy': 'cross-origin' };
const EMBEDDABLE_HEADERS = { ...securityHeaders(), ...CROSS_ORIGIN };
const CORS_HEADERS = { ...EMBEDDABLE_HEADERS, 'access-control-allow-origin': '*' };

export function renderBlockFile(
  { site, ...context }: RenderInput,
  file: BlockFile,
): PageContent | undefined {
  const [kind, blockId] = file.split(/[/.]/);
  const block = site.blocks.find(({ id, type }) => type === kind && id === blockId);
  if (!block) return undefined;
  if (kind === 'metric') return renderBadgeFile(block, site);
  const body = renderCalendarEvent(block, site, context);
  return body === undefined ? undefined : calendarContent(site, body);
}

function calendarContent(site: PublicSite, body: string): PageContent {
  return {
    type: 'text/calendar; charset=utf-8',
    headers: {
      ...CORS_HEADERS,
      ...robotsHeader(site),
      'content-disposition': `inline; filename="${site.name}.ics"`,
    },
    body,
  };
}

function vcardContent(site: PublicSite, body: string): PageContent {
  return {
    type: 'text/vcard; charset=utf-8',
    headers: {
      ...EMBEDDABLE_HEADERS,
      ...robotsHeader(site),
      'content-disposition': `attachment; filename="${site.name}.vcf"`,
    },
    body,
  };
}

function renderBadgeFile(block: Block, site: PublicSite): PageContent {
  const { svg, cspStyleSource } = renderBadge(site, block);
  const headers = { ...securityHeaders({ 'style-src': cspStyleSource }), ...CROSS_ORIGIN };
  return { type: 'image/svg+xml', headers, body: svg };
}

interface RendererOptions {
  /** The footer of pages at the time of the call. */
  footer: () => FooterOptions;
  /** Of the front page. */
  findAvatar: (address: string | null) => Promise<Buffer | undefined>;
}

export function createRenderers({
  footer,
  findAvatar,
}: RendererOptions): Record<SiteFile, RenderFile> {
  return {
    page: (input) => renderPage(input, footer()),
    share: (input) => renderSharePage(input, footer()),
    'card.png': async ({ site, url, now }) => {
      const avatar = await findAvatar(site.avatar_url);
      const instance = footer().instance?.name ?? undefined;
      return {
        type: 'image/png',
        headers: EMBEDDABLE_HEADERS,
        body: await drawCard(cardOf(site, { url, now }, { avatar, instance })),
      };
    },
    ...TEXT_FILES,
  };
}

const TEXT_FILES = {
  'qr.svg': ({ site, url }) => ({
    type: 'image/svg+xml',
    headers: EMBEDDABLE_HEADERS,
    body: String(qrCode(url, `${optionsOf(site).locale.t('QR code')}: ${url}`)),
  }),
  'qr.png': ({ url }) => ({
    type: 'image/png',
    headers: EMBEDDABLE_HEADERS,
    body: qrPng(url),
  }),
  'card.vcf': ({ site, ...context }) => vcardContent(site, renderVcard(site, context)),
  'card.vcf?version=4': ({ site, ...context }) =>
    vcardContent(site, renderVcard(site, context, '4.0')),
  'page.json': ({ site, url, now }) => ({
    type: 'application/json; charset=utf-8',
    headers: { ...CORS_HEADERS, ...robotsHeader(site) },
    body: renderJson(site, { url, now }),
  }),
  'events.ics': ({ site, ...context }) => calendarContent(site, renderCalendar(site, context)),
  'feed.xml': ({ site, url, now }) => ({
    type: 'application/atom+xml; charset=utf-8',
    headers: { ...CORS_HEADERS, ...robotsHeader(site) },
    body: renderFeed(site, { url, now }),
  }),
  'atproto-did': ({ site }) => {
    const { bluesky } = optionsOf(site);
    if (bluesky === undefined) return undefined;
    return { type: 'text/plain; charset=utf-8', headers: CORS_HEADERS, body: bluesky };
  },
  webfinger: ({ site, url, now }) => ({
    type: 'application/jrd+json',
    headers: CORS_HEADERS,
    body: renderWebfinger(site, { url, now }),
  }),
} satisfies Partial<Record<SiteFile, RenderFile>>;

function renderPage({ site, ...context }: RenderInput, footer: FooterOptions): PageContent {
  const { html, cspStyleSource, cspFrameSources, countedUrls } = renderSite(site, context, footer);
  const headers = {
    ...securityHeaders({
      'style-src': cspStyleSource,
      'img-src': "'self' https: data:",
      'font-src': "'self'",
      ...(countedUrls.size > 0 && { 'connect-src': "'self'" }),
      ...(hasContactForm(site) && { 'form-action': "'self'" }),
      ...(cspFrameSources.length > 0 && { 'frame-src': cspFrameSources.join(' ') }),
    }),
    ...robotsHeader(site),
  };
  return { type: 'text/html; charset=utf-8', headers, body: html, countedUrls };
}

/** The form for a Mastodon server is sent here and redirected there. */
function renderSharePage({ site, ...context }: RenderInput, footer: FooterOptions): PageContent {
  const { html, cspStyleSource, cspScriptSource } = renderShare(site, context, footer);
  const headers = {
    ...securityHeaders({
      'style-src': cspStyleSource,
      'script-src': cspScriptSource,
      'img-src': "'self' https: data:",
      'font-src': "'self'",
      'form-action': "'self' https:",
    }),
    'x-robots-tag': 'noindex',
  };
  return { type: 'text/html; charset=utf-8', headers, body: html };
}

/** Only for files with text: search engines may always list pictures. */
function robotsHeader(site: PublicSite): Record<string, string> {
  return optionsOf(site).isIndexable ? {} : { 'x-robots-tag': 'noindex' };
}

function renderJson(site: PublicSite, { url }: RenderContext): string {
  const {
    display_name: _title,
    theme_id: _id,
    custom_theme: _theme,
    ...details
  } = pickSiteFields(site);
  return JSON.stringify({
    name: site.name,
    url,
    title: titleOf(site),
    ...details,
    blocks: addPageSettingsBlock(site).map((block) => ({
      ...publicBlock(block),
      ...site.pageMetrics.get(block.id),
    })),
  });
}

/** WebFinger document (RFC 7033). */
function renderWebfinger(site: PublicSite, { url }: RenderContext): string {
  const { fediverse } = optionsOf(site);
  const avatar = safeWebUrl(site.avatar_url);
  return JSON.stringify({
    subject: `acct:${site.name}@${new URL(url).host}`,
    aliases: [url],
    links: [
      { rel: 'http://webfinger.net/rel/profile-page', type: 'text/html', href: url },
      ...(avatar ? [{ rel: 'http://webfinger.net/rel/avatar', href: avatar }] : []),
      ...(fediverse
        ? [
            {
              rel: 'self',
              type: 'application/activity+json',
              href: `https://${fediverse.host}/users/${encodeURIComponent(fediverse.user)}`,
            },
          ]
        : []),
    ],
  });
}
