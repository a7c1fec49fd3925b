import { insertPageSettings } from '#contract/page-settings-block.ts';
import { securityHeaders } from '#server/http/answers/headers.ts';
import { renderBadge } from '#page/badge.ts';
import { publicBlock } from '#page/blocks/index.ts';
import { cardOf } from '#page/card/card.ts';
import { drawCard } from './card-drawing.ts';
import { titleOf } from '#page/head.ts';
import { optionsOf } from '#page/options.ts';
import { qrCode } from '#page/qr-code.ts';
import type { Content } from '#server/http/answers/representation.ts';
import { renderSite } from '#page/render-site.ts';
import type { PublicSite, RenderContext } from '#page/public-site.ts';
import { safeWebUrl } from '#page/safe-url.ts';
import { renderVcard } from '#page/vcard.ts';

/** File of a site. */
export type PageFile = SiteFile | BadgeFile;

type SiteFile = 'page' | 'card.png' | 'qr.svg' | 'card.vcf' | 'page.json' | 'webfinger';
/** The number of a block, by the id of the block. */
export type BadgeFile = `metric/${string}.svg`;

/** Data that a file is made of. */
interface Shown extends RenderContext {
  site: PublicSite;
}

/** Content of a file, with the addresses of links whose clicks are counted. */
interface PageContent extends Content {
  links?: ReadonlySet<string>;
}

type Make = (shown: Shown) => PageContent | Promise<PageContent>;

/** Others may show it: pages, feeds, other people's READMEs. */
const CROSS_ORIGIN = { 'cross-origin-resource-policy': 'cross-origin' };
const FOR_OTHERS = { ...securityHeaders(), ...CROSS_ORIGIN };
const FOR_PROGRAMS = { ...FOR_OTHERS, 'access-control-allow-origin': '*' };

/** The badge of a block of the site; undefined if it is none with a number. */
export function badgeOf(site: PublicSite, file: BadgeFile): PageContent | undefined {
  const block = site.blocks.find(
    ({ id, type }) => type === 'metric' && file === `metric/${id}.svg`,
  );
  if (!block) return undefined;
  const { svg, cspStyleSource: styleSource } = renderBadge(site, block);
  const headers = { ...securityHeaders({ 'style-src': styleSource }), ...CROSS_ORIGIN };
  return { type: 'image/svg+xml', headers, body: svg };
}

interface RenderingOptions {
  abuseContact: string | undefined;
  /** Finds the file of an avatar that is stored here. */
  findAvatar: (address: string | null) => Promise<Buffer | undefined>;
}

/** The page itself, and the files below it. */
export function renderings({ abuseContact, findAvatar }: RenderingOptions): Record<SiteFile, Make> {
  return {
    page: ({ site, url, now, clickPath: clicks }) => {
      const {
        html,
        cspStyleSource: styleSource,
        cspFrameSources: frames,
        countedUrls: links,
      } = renderSite(site, { url, now, clickPath: clicks }, { abuseContact });
      const headers = {
        ...securityHeaders({
          'style-src': styleSource,
          'img-src': "'self' https: data:",
          'font-src': "'self'",
          // Where clicks on links are sent.
          ...(links.size > 0 && { 'connect-src': "'self'" }),
          ...(frames.length > 0 && { 'frame-src': frames.join(' ') }),
        }),
        ...robots(site),
      };
      return { type: 'text/html; charset=utf-8', headers, body: html, links };
    },
    'card.png': async ({ site, url, now }) => ({
      type: 'image/png',
      headers: FOR_OTHERS,
      body: await drawCard(cardOf(site, { url, now }, await findAvatar(site.avatarUrl))),
    }),
    'qr.svg': ({ site, url }) => ({
      type: 'image/svg+xml',
      headers: FOR_OTHERS,
      body: String(qrCode(url, `${optionsOf(site).locale.translations.qrCode}: ${url}`)),
    }),
    'card.vcf': ({ site, url, now }) => ({
      type: 'text/vcard; charset=utf-8',
      headers: {
        ...FOR_OTHERS,
        ...robots(site),
        'content-disposition': `attachment; filename="${site.name}.vcf"`,
      },
      body: renderVcard(site, { url, now }),
    }),
    'page.json': ({ site, url, now }) => ({
      type: 'application/json; charset=utf-8',
      headers: { ...FOR_PROGRAMS, ...robots(site) },
      body: pageJson(site, { url, now }),
    }),
    webfinger: ({ site, url, now }) => ({
      type: 'application/jrd+json',
      headers: FOR_PROGRAMS,
      body: webfinger(site, { url, now }),
    }),
  };
}

/** Asks search engines to leave out what is in words. */
function robots(site: PublicSite): Record<string, string> {
  return optionsOf(site).indexing ? {} : { 'x-robots-tag': 'noindex' };
}

/** Page as JSON: nothing that the page does not show. */
function pageJson(site: PublicSite, { url }: RenderContext): string {
  const { name, bio, avatarUrl, location, mood, pageNumbers: figures } = site;
  return JSON.stringify({
    name,
    url,
    title: titleOf(site),
    bio,
    avatar_url: avatarUrl,
    location,
    mood,
    blocks: insertPageSettings(site).map((block) => ({
      ...publicBlock(block),
      ...figures.get(block.id),
    })),
  });
}

/** WebFinger document (RFC 7033) of the account that a site belongs to. */
function webfinger(site: PublicSite, { url }: RenderContext): string {
  const { fediverse } = optionsOf(site);
  const avatar = safeWebUrl(site.avatarUrl);
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
