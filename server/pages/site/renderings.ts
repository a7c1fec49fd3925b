import { securityHeaders } from '../../http/headers.ts';
import { renderBadge } from '../../service/site-page/badge.ts';
import { cardOf } from '../../service/site-page/card/card.ts';
import { drawCard } from '../../service/site-page/card/drawing.ts';
import { optionsOf } from '../../service/site-page/options.ts';
import { pageJson } from '../../service/site-page/page-json.ts';
import { qrCode } from '../../service/site-page/qr-code.ts';
import { type Representation, compressed, uncompressed } from '../../http/representation.ts';
import { renderSite } from '../../service/site-page/site-page.ts';
import type { PublicSite, Showing } from '../../service/site-page/public-site.ts';
import { vcardOf } from '../../service/site-page/vcard.ts';
import { webfinger } from '../../service/site-page/webfinger.ts';

/** What there is of a site. */
export type PageFile = SiteFile | BadgeFile;

type SiteFile = 'page' | 'card.png' | 'qr.svg' | 'card.vcf' | 'page.json' | 'webfinger';
/** The number of a block, by the id of the block. */
export type BadgeFile = `metric/${string}.svg`;

/** What a file is made of. */
interface Shown extends Showing {
  site: PublicSite;
}

type Make = (shown: Shown) => Promise<Representation>;

/** Others may show it: pages, feeds, other people's READMEs. */
const CROSS_ORIGIN = { 'cross-origin-resource-policy': 'cross-origin' };
const FOR_OTHERS = { ...securityHeaders(), ...CROSS_ORIGIN };

/** The badge of a block of the site; undefined if it is none with a number. */
export async function badgeOf(
  site: PublicSite,
  file: BadgeFile,
): Promise<Representation | undefined> {
  const block = site.blocks.find(
    ({ id, type }) => type === 'metric' && file === `metric/${id}.svg`,
  );
  if (!block) return undefined;
  const { svg, styleSource } = renderBadge(site, block);
  const headers = { ...securityHeaders({ 'style-src': styleSource }), ...CROSS_ORIGIN };
  return compressed('image/svg+xml', svg, headers);
}

/** The page itself, and the files below it. */
export function renderings(abuseContact: string | undefined): Record<SiteFile, Make> {
  return {
    page: async ({ site, url, now }) => {
      const { html, styleSource, frames } = renderSite(site, { url, now }, { abuseContact });
      const headers = {
        ...securityHeaders({
          'style-src': styleSource,
          'img-src': "'self' https: data:",
          'font-src': "'self'",
          'connect-src': "'self'",
          ...(frames.length > 0 && { 'frame-src': frames.join(' ') }),
        }),
        ...(!optionsOf(site).indexing && { 'x-robots-tag': 'noindex' }),
      };
      return compressed('text/html; charset=utf-8', html, headers);
    },
    'card.png': async ({ site, url, now }) =>
      uncompressed('image/png', await drawCard(cardOf(site, { url, now })), FOR_OTHERS),
    'qr.svg': ({ url }) =>
      compressed('image/svg+xml', String(qrCode(url, `QR code of ${url}`)), FOR_OTHERS),
    'card.vcf': ({ site, url, now }) =>
      compressed('text/vcard; charset=utf-8', vcardOf(site, { url, now }), {
        ...FOR_OTHERS,
        'content-disposition': `attachment; filename="${site.name}.vcf"`,
      }),
    'page.json': ({ site, url, now }) =>
      compressed('application/json; charset=utf-8', pageJson(site, { url, now }), {
        ...FOR_OTHERS,
        'access-control-allow-origin': '*',
      }),
    webfinger: ({ site, url, now }) =>
      compressed('application/jrd+json', webfinger(site, { url, now }), {
        ...FOR_OTHERS,
        'access-control-allow-origin': '*',
      }),
  };
}
