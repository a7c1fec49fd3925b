import { ICONS, type IconName } from '#contract/shared/icons.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { displayUrl } from '#contract/shared/web-url.ts';
import { type Fields, flagOf, textOf, integerOf } from '../fields/fields.ts';
import { pictureOf, imageAttributes } from '../fields/picture.ts';
import { type Html, html } from '../html/html.ts';
import { linkText } from '../html/link-text.ts';
import { safeLinkUrl, safeWebUrl } from '../html/safe-url.ts';
import type { PageIcons } from '../icons/page-icons.ts';
import { serviceIcon } from '../icons/service-hosts.ts';
import type { Locale } from '../locale.ts';
import type { RenderBlock } from './block.ts';
import { type Embed, type EmbedShape, findEmbed } from './embeds.ts';

const PIXEL_RANGE = [1, LIMITS.blockPixels] as const;

export const renderImage: RenderBlock = (block, _site, { links }) => {
  const source = pictureOf(block['url']);
  if (!source) return undefined;
  const size = source.size ?? configuredSize(block);
  const picture = html`<img
    ${imageAttributes(source, 'auto, 100vw')}
    alt="${textOf(block, 'alt') ?? ''}"
    ${size && html` width="${size.width}" height="${size.height}"`}
    loading="lazy"
    decoding="async"
    referrerpolicy="no-referrer"
  />`;
  const target = safeLinkUrl(block['link']);
  const caption = textOf(block, 'caption');
  const name =
    !textOf(block, 'alt') && html` aria-label="${caption ?? displayUrl(target ?? source.src)}"`;
  return html`<figure class="image">
    ${
      target ? html`<a ${links.attributesFor(target)} ${name}>${picture}</a>` : picture
    }${caption && html`<figcaption dir="auto">${caption}</figcaption>`}
  </figure>`;
};

/** Undefined if the size of the picture is unknown, or if the page does not show it. */
export function imageRatio(block: Fields): number | undefined {
  const source = pictureOf(block['url']);
  const size = source && (source.size ?? configuredSize(block));
  return size && size.width / size.height;
}

/** Size of an external image, as the owner entered it. */
function configuredSize(block: Fields): { width: number; height: number } | undefined {
  const width = integerOf(block, 'width', PIXEL_RANGE);
  const height = integerOf(block, 'height', PIXEL_RANGE);
  return width && height ? { width, height } : undefined;
}

/**
 * Renders a player that loads when the visitor opens it. With `inline`, it is open from the start.
 * A URL without a player becomes a link card.
 */
export const renderEmbed: RenderBlock = (block, _site, { locale, icons, links, isFramed }) => {
  const target = safeWebUrl(block['url']);
  if (!target) return undefined;
  const player = findEmbed(target);
  // Players have URLs that are not readable.
  const ownTitle = textOf(block, 'title');
  const title = ownTitle ?? ((player && iconLabel(target)) || displayUrl(target));
  if (!player)
    return html`<a class="link" ${links.attributesFor(target)}
      ><span class="icon" aria-hidden="true">${icons.render(serviceIcon(target) ?? 'play')}</span
      ><span class="link-text"
        ><span class="label" dir="auto">${title}</span>
        <small>${openOn(hostOf(target), locale)}</small></span
      >${icons.render('arrow-up-right', 'arrow')}</a
    >`;
  const isOpen = flagOf(block, 'inline');
  const serviceName = (ownTitle && iconLabel(target)) ?? hostOf(target);
  const service = html`<bdi>${serviceName}</bdi>`;
  const isVideo = isFilmShape(player.shape);
  const height = FRAME_HEIGHTS[player.shape];
  const videoService = isVideo && serviceIcon(target);
  const play = html`<span class="play">${playerIcon(player, icons)}</span>`;
  return html`<details class="embed${isVideo && ' film'}" ${isOpen && ' open'}>
    <summary>
      ${storedCover(block, { play, isVideo }) ?? play}<span class="link-text"
        ><span class="label" dir="auto">${videoService && icons.render(videoService)}${title}</span>
        <small>${service}</small></span
      >
    </summary>
    ${
      // Where scripts are disabled, browsers ignore `loading=lazy`, so a preview would load the
      // player at once, and again after each change.
      !isFramed &&
      html`<iframe
        class="frame${isVideo && ` ${player.shape}`}"
        ${height && html`height="${height}"`}
        src="${player.src}"
        title="${title}"
        loading="lazy"
        referrerpolicy="strict-origin"
        allow="${isMusic(player.src) && 'autoplay; clipboard-write; '}encrypted-media; fullscreen; picture-in-picture"
        sandbox="allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox${isApple(player.src) && ' allow-forms allow-storage-access-by-user-activation'}"
      ></iframe>`
    }<a ${links.attributesFor(target)}><span>${openOn(hostOf(target), locale)}</span></a>
  </details>`;
};

/** Hosts whose snippets ask for more: to play on, to copy a link, and Apple to sign in. */
const isApple = (source: string) =>
  /^https:\/\/embed\.(?:music|podcasts)\.apple\.com\//.test(source);
const isMusic = (source: string) =>
  isApple(source) || source.startsWith('https://open.spotify.com/');

/** The service's picture of a film or sound, which the server stores, below the play button. */
function storedCover(
  block: Fields,
  { play, isVideo }: { play: Html; isVideo: boolean },
): Html | undefined {
  const cover = pictureOf(block['cover']);
  if (!cover?.size) return undefined;
  return html`<span class="art"
    ><img
      ${imageAttributes(cover, isVideo ? 'auto, 100vw' : '5.5rem')}
      alt=""
      width="${isVideo ? 1_200 : 88}"
      height="${isVideo ? 675 : 88}"
      loading="lazy"
      decoding="async"
    />${play}</span
  >`;
}

export function isFilm(block: Fields): boolean {
  const target = block['type'] === 'embed' ? safeWebUrl(block['url']) : undefined;
  const player = target && findEmbed(target);
  return player ? isFilmShape(player.shape) : false;
}

function isFilmShape(shape: EmbedShape): boolean {
  return shape === 'wide' || shape === 'upright';
}

export function frameOrigins(blocks: readonly Fields[]): string[] {
  const origins = blocks
    .filter(({ type }) => type === 'embed')
    .flatMap((block) => safeWebUrl(block['url']) ?? [])
    .flatMap((target) => findEmbed(target) ?? [])
    .map(({ src: source }) => new URL(source).origin);
  return [...new Set(origins)];
}

function iconLabel(target: string): string | undefined {
  const icon = serviceIcon(target);
  return icon && ICONS[icon];
}

function hostOf(address: string): string {
  return new URL(address).host.replace(/^www\./, '');
}

/** In CSS pixels. Videos keep the shape of their picture. */
const FRAME_HEIGHTS: Readonly<Partial<Record<EmbedShape, number>>> = {
  map: 320,
  bar: 176,
  list: 448,
  post: 512,
};

/** Shapes that get this icon instead of a play button. */
const PLAYER_ICONS: Readonly<Partial<Record<EmbedShape, IconName>>> = {
  map: 'map-pin',
  post: 'message-circle',
};

function playerIcon({ shape }: Embed, icons: PageIcons): Html {
  const playerIconName = PLAYER_ICONS[shape];
  return playerIconName ? icons.render(playerIconName) : icons.render('play', 'solid');
}

/** Isolates the host, so that its direction does not affect the sentence. */
function openOn(host: string, { t }: Locale): Html {
  return html`${t.rich('Open on <host></host>', { host: () => html`<bdi>${host}</bdi>` })}`;
}

export const renderQr: RenderBlock = (block, _site, { url, renderQrCode, links, locale }) => {
  const target = block['url'] === undefined ? url : safeLinkUrl(block['url']);
  if (!target) return undefined;
  const address = displayUrl(target);
  const title = textOf(block, 'title', 'label') ?? address;
  const [host = ''] = address.split('/');
  const picture = renderQrCode(target, `${locale.t('QR code')}: ${target}`);
  return html`<figure class="card qr${block['url'] === undefined && ' own'}">
    ${picture}
    <figcaption dir="auto">
      ${picture ? title : html`<a ${links.attributesFor(target)}>${linkText(title, target)}</a>`}${
        picture &&
        title !== address &&
        html`<small dir="ltr">${host}<wbr />${address.slice(host.length)}</small>`
      }
    </figcaption>
  </figure>`;
};
