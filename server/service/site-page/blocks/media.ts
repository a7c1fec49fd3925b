import { LIMITS } from '../../../../contract/limits.ts';
import { type Fields, flagOf, textOf, wholeNumberOf } from '../fields.ts';
import { html } from '../html.ts';
import { icon } from '../icons.ts';
import { linkText } from '../link-text.ts';
import { linkTarget, OUTSIDE, pictureTarget, webTarget } from '../target.ts';
import type { RenderBlock } from './block.ts';
import { shortAddress } from './links.ts';

const PIXELS = [1, LIMITS.blockPixels] as const;

/** Where players are embedded from, only if the owner asks for it. */
const PLAYERS = new Map([
  ['www.youtube-nocookie.com', '/embed/'],
  ['player.vimeo.com', '/video/'],
  ['open.spotify.com', '/embed/'],
  ['bandcamp.com', '/EmbeddedPlayer/'],
  ['w.soundcloud.com', '/player/'],
]);

export const image: RenderBlock = (block) => {
  const source = pictureTarget(block['url']);
  if (!source) return undefined;
  const [width, height] = [
    wholeNumberOf(block, 'width', PIXELS),
    wholeNumberOf(block, 'height', PIXELS),
  ];
  const size = width && height && html` width="${width}" height="${height}"`;
  const picture = html`<img
    src="${source}"
    alt="${textOf(block, 'alt') ?? ''}"
    ${size}
    loading="lazy"
    decoding="async"
    referrerpolicy="no-referrer"
  />`;
  const [target, caption] = [linkTarget(block['link']), textOf(block, 'caption')];
  const name =
    !textOf(block, 'alt') && html` aria-label="${caption ?? shortAddress(target ?? source)}"`;
  return html`<figure class="image">
    ${
      target ? html`<a href="${target}" rel="${OUTSIDE}" ${name}>${picture}</a>` : picture
    }${caption && html`<figcaption dir="auto">${caption}</figcaption>`}
  </figure>`;
};

/** A card that leads to what would be embedded; a frame only by the owner's wish. */
export const embed: RenderBlock = (block, _site, { locale }) => {
  const target = webTarget(block['url']);
  if (!target) return undefined;
  const title = textOf(block, 'title') ?? shortAddress(target);
  if (flagOf(block, 'inline') && isPlayer(target))
    return html`<iframe
      class="frame"
      src="${target}"
      title="${title}"
      loading="lazy"
      referrerpolicy="no-referrer"
      sandbox="allow-scripts allow-same-origin allow-popups"
    ></iframe>`;
  const [before, after] = locale.words.openOn.split('{host}');
  return html`<a class="link" href="${target}" rel="${OUTSIDE}"
    ><span class="play">${icon('play')}</span
    ><span class="what"
      ><span class="label" dir="auto">${title}</span
      ><small>${before}<bdi>${new URL(target).host}</bdi>${after}</small></span
    >${icon('arrow', 'go')}</a
  >`;
};

/** Where the frames among some blocks come from. */
export function framesOf(blocks: readonly Fields[]): string[] {
  const hosts = blocks
    .filter(({ type }) => type === 'embed')
    .flatMap((block) => webTarget(block['url']) ?? [])
    .filter(isPlayer)
    .map((target) => new URL(target).origin);
  return [...new Set(hosts)];
}

function isPlayer(target: string): boolean {
  const { protocol, host, pathname } = new URL(target);
  const path = PLAYERS.get(host);
  return protocol === 'https:' && path !== undefined && pathname.startsWith(path);
}

export const qr: RenderBlock = (block, _site, { url, code, locale }) => {
  const target = block['url'] === undefined ? url : linkTarget(block['url']);
  if (!target) return undefined;
  const title = textOf(block, 'title', 'label') ?? shortAddress(target);
  const picture = code(target, `${locale.words.qrCode}: ${target}`);
  return html`<figure class="card qr">
    ${picture}
    <figcaption dir="auto">
      ${picture ? title : html`<a href="${target}" rel="${OUTSIDE}">${linkText(title, target)}</a>`}
    </figcaption>
  </figure>`;
};
