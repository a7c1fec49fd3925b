import { ICONS, type IconName } from '#contract/icons.ts';
import { LIMITS } from '#contract/limits.ts';
import { type Fields, flagOf, textOf, wholeNumberOf } from '../fields.ts';
import { type Html, html } from '../html.ts';
import { iconOfTarget } from '../icons/hosts.ts';
import type { PageIcons } from '../icons/page-icons.ts';
import { linkText } from '../link-text.ts';
import { pictureOf, sourceOf } from '../picture.ts';
import { linkTarget, webTarget } from '../target.ts';
import type { RenderBlock } from './block.ts';
import { shortAddress } from './links.ts';
import { type Player, type PlayerForm, playerOf } from './players.ts';

const PIXELS = [1, LIMITS.blockPixels] as const;

export const image: RenderBlock = (block, _site, { links }) => {
  const source = pictureOf(block['url']);
  if (!source) return undefined;
  const size = source.size ?? statedSize(block);
  const picture = html`<img
    ${sourceOf(source, 'auto, 100vw')}
    alt="${textOf(block, 'alt') ?? ''}"
    ${size && html` width="${size.width}" height="${size.height}"`}
    loading="lazy"
    decoding="async"
    referrerpolicy="no-referrer"
  />`;
  const [target, caption] = [linkTarget(block['link']), textOf(block, 'caption')];
  const name =
    !textOf(block, 'alt') && html` aria-label="${caption ?? shortAddress(target ?? source.src)}"`;
  return html`<figure class="image">
    ${
      target ? html`<a ${links.to(target)} ${name}>${picture}</a>` : picture
    }${caption && html`<figcaption dir="auto">${caption}</figcaption>`}
  </figure>`;
};

/** The size that an owner states of an image elsewhere. */
function statedSize(block: Fields): { width: number; height: number } | undefined {
  const [width, height] = [
    wholeNumberOf(block, 'width', PIXELS),
    wholeNumberOf(block, 'height', PIXELS),
  ];
  return width && height ? { width, height } : undefined;
}

/**
 * A player that is loaded when a visitor opens it; an address without one is a card that leads there. It
 * is open from the start if its owner wants that.
 */
export const embed: RenderBlock = (block, _site, { locale, icons, links, isFramed }) => {
  const target = webTarget(block['url']);
  if (!target) return undefined;
  const player = playerOf(target);
  const title = textOf(block, 'title') ?? defaultTitle(target, player !== undefined);
  if (!player)
    return html`<a class="link" ${links.to(target)}
      ><span class="icon" aria-hidden="true">${icons.draw(iconOfTarget(target) ?? 'play')}</span
      ><span class="what"
        ><span class="label" dir="auto">${title}</span>
        <small>${withHost(locale.words.openOn, hostOf(target))}</small></span
      >${icons.draw('arrow-up-right', 'go')}</a
    >`;
  return html`<details
    class="embed${isFilm(player) && ' film'}"
    ${flagOf(block, 'inline') && ' open'}
  >
    <summary>
      <span class="play">${signOf(player, icons)}</span
      ><span class="what"
        ><span class="label" dir="auto">${title}</span>
        <small
          >${withHost(locale.words.loadsFrom, serviceOf(target) ?? hostOf(player.source))}</small
        ></span
      >
    </summary>
    ${
      // A frame without scripts would load it at once, and again with each change.
      !isFramed &&
      html`<iframe
        class="frame ${player.form}"
        src="${player.source}"
        title="${title}"
        loading="lazy"
        referrerpolicy="strict-origin"
        allow="encrypted-media; fullscreen; picture-in-picture"
        sandbox="allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox"
      ></iframe>`
    }<a ${links.to(target)}><span>${withHost(locale.words.openOn, hostOf(target))}</span></a>
  </details>`;
};

/** Where the frames among some blocks come from. */
export function framesOf(blocks: readonly Fields[]): string[] {
  const hosts = blocks
    .filter(({ type }) => type === 'embed')
    .flatMap((block) => webTarget(block['url']) ?? [])
    .flatMap((target) => playerOf(target) ?? [])
    .map(({ source }) => new URL(source).origin);
  return [...new Set(hosts)];
}

/** The name of a service that plays, where the address says nothing to people. */
function defaultTitle(target: string, plays: boolean): string {
  return (plays && serviceOf(target)) || shortAddress(target);
}

function serviceOf(target: string): string | undefined {
  const icon = iconOfTarget(target);
  return icon && ICONS[icon];
}

function hostOf(address: string): string {
  return new URL(address).host.replace(/^www\./, '');
}

/** Icons of players that do not play. */
const SIGNS: Readonly<Partial<Record<PlayerForm, IconName>>> = {
  map: 'map-pin',
  post: 'message-circle',
};

function signOf({ form }: Player, icons: PageIcons): Html {
  const sign = SIGNS[form];
  return sign ? icons.draw(sign) : icons.draw('play', 'solid');
}

/** Whether a player shows moving pictures, for which themes have posters. */
function isFilm({ form }: Player): boolean {
  return form === 'wide' || form === 'upright';
}

/** Replaces `{host}` in a sentence with a host or the name of its service. */
function withHost(sentence: string, host: string): Html {
  const [before, after] = sentence.split('{host}');
  return html`${before}<bdi>${host}</bdi>${after}`;
}

export const qr: RenderBlock = (block, _site, { url, code, links, locale }) => {
  const target = block['url'] === undefined ? url : linkTarget(block['url']);
  if (!target) return undefined;
  const title = textOf(block, 'title', 'label') ?? shortAddress(target);
  const picture = code(target, `${locale.words.qrCode}: ${target}`);
  return html`<figure class="card qr">
    ${picture}
    <figcaption dir="auto">
      ${picture ? title : html`<a ${links.to(target)}>${linkText(title, target)}</a>`}
    </figcaption>
  </figure>`;
};
