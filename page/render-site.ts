import stringWidth from 'string-width';
import { initialsOf, isEmoji } from './avatar-fallback.ts';
import { renderBlocks } from './blocks/index.ts';
import { frameOrigins } from './blocks/media.ts';
import { cardVersionOf } from './card/card.ts';
import { latinSetOf } from './design/fonts.ts';
import { pageDesignOf } from './design/page-design.ts';
import type { PageColors } from './design/palette.ts';
import { styleOf } from './design/style.ts';
import { type PageOptions, optionsOf } from './fields/options.ts';
import { pictureOf, imageAttributes } from './fields/picture.ts';
import { renderHeadTags, titleOf } from './head.ts';
import { type Html, html, trustedHtml } from './html/html.ts';
import { renderIcon } from './icons/icon.ts';
import { PageIcons } from './icons/page-icons.ts';
import type { Locale } from './locale.ts';
import type { PublicSite, RenderContext } from './public-site.ts';

export interface SitePage {
  html: string;
  cspStyleSource: string;
  cspFrameSources: string[];
  /** Theme colors, adjusted so that text is readable. */
  colors: PageColors;
  /** URLs of links whose clicks are counted. */
  countedUrls: ReadonlySet<string>;
}

export interface FooterOptions {
  /** Undefined for the form of the server. Null if nobody takes reports. */
  abuseContact: string | null | undefined;
  instance?: PageInstance | undefined;
}

/** The installation, if its operators gave it a name or links. */
export interface PageInstance {
  name: string | null;
  homeUrl: string;
  imprintUrl: string | null;
  privacyUrl: string | null;
}

/**
 * Control characters and noncharacters, which HTML forbids. Matched as UTF-16 code units, because
 * Unicode property escapes take four times as long.
 */
const FORBIDDEN_CHARACTERS =
  /[^\t\n\r -~\xA0-\uFDCF\uFDF0-\uFFFD]|[\uD83F\uD87F\uD8BF\uD8FF\uD93F\uD97F\uD9BF\uD9FF\uDA3F\uDA7F\uDABF\uDAFF\uDB3F\uDB7F\uDBBF\uDBFF][\uDFFE\uDFFF]/g;

/** Code units that can be part of a forbidden character. This first check takes half the time. */
const POSSIBLY_FORBIDDEN = /[^\t\n\r -~\xA0-\uD7FF\uE000-\uFDCF\uFDF0-\uFFFD]/;

/** Longer bios are aligned to the start instead of centered. */
const MAX_CENTERED_BIO_LENGTH = 280;

/** Renders one HTML document with one style sheet and no executable scripts. */
export function renderSite(
  site: PublicSite,
  context: RenderContext,
  footer: FooterOptions,
): SitePage {
  const options = optionsOf(site);
  const { backgroundPicture } = options.appearance;
  const icons = new PageIcons();
  const blocks = renderBlocks(site, context, { locale: options.locale, icons });
  const { design, ...pageDesign } = pageDesignOf(site, options, blocks);
  const { colors } = pageDesign;
  const isEmpty =
    !context.isFramed && !blocks.social && blocks.sections.length === 0 && !site.bio?.trim();
  const isShort = blocks.isSparse || blocks.isList;
  const bodyClasses = [
    ...(blocks.isSparse ? ['sparse'] : []),
    ...(blocks.isOneLink ? ['one-link'] : []),
    ...(blocks.isList ? ['list'] : []),
  ];
  const body = html`<body
    data-theme="${design.name}"
    ${bodyClasses.length > 0 && html` class="${bodyClasses.join(' ')}"`}
  >
    ${backgroundPicture && backdrop(backgroundPicture)}
    <div class="page">
      <main class="h-card">
        ${!context.messageResponse && renderProfile(site, context, options, blocks.social)}
        ${isEmpty && renderGettingStarted(context, options.locale, footer)}
        ${blocks.sections.length > 0 && html`<div class="blocks">${blocks.sections}</div>`}
        ${blocks.isOneLink && !context.messageResponse && renderMore(context, options.locale)}
      </main>
      ${renderFooter(site, context, options.locale, {
        footer,
        decoration: design.decoration,
        action: shareLink(context, options.locale),
      })}
    </div>
    ${icons.symbols()}
  </body>`;
  const style = styleOf({
    ...pageDesign,
    latinSet: latinSetOf(body.toString()),
    blocks: [
      ...blocks.sheets,
      ...(blocks.sheets.includes('event') && !design.hasEventRows ? ['event-tiles'] : []),
      ...(isShort ? ['short'] : []),
    ],
    contentRules:
      blocks.pictureRowRules +
      backdropRules(options) +
      (pageDesign.theme.includes('default-colors') ? icons.colorRules() : ''),
    list: blocks.isList ? [design.name] : [],
    tiles: blocks.sections.length > 0 ? blocks.tileSheets : ['empty'],
  });
  const background = backgroundColors(colors);
  const siteName = footer.instance?.name ?? undefined;
  const cardVersion = cardVersionOf(site, context, siteName);
  // `expect` delays the first paint until the last element has arrived. Otherwise, parts that are
  // already painted would move.
  const document = html`<!doctype html>
    <html lang="${options.lang}" dir="${options.locale.direction}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        ${context.isFramed && html`<base target="_blank" />`}${renderHeadTags(site, context, options, background, { cardVersion, siteName })}
        ${styleElement(style.sheet)}
        <link rel="expect" href="#end" blocking="render" />
      </head>
      ${body}
    </html> `;
  return {
    html: removeForbidden(document.toString()),
    cspStyleSource: style.cspSource,
    cspFrameSources: frameOrigins(site.blocks),
    colors,
    countedUrls: blocks.countedUrls,
  };
}

export function removeForbidden(text: string): string {
  return POSSIBLY_FORBIDDEN.test(text) ? text.replace(FORBIDDEN_CHARACTERS, '') : text;
}

export function backgroundColors(colors: PageColors): { light: string; dark: string } {
  const [light, dark] =
    'single' in colors ? [colors.single, colors.single] : [colors.light, colors.dark];
  return { light: light.normal.bg, dark: dark.normal.bg };
}

export function backdrop(src: string): Html {
  return html`<img
    class="backdrop"
    src="${src}"
    alt=""
    decoding="async"
    referrerpolicy="no-referrer"
  />`;
}

export function backdropRules({ appearance: { backgroundFocus } }: PageOptions): string {
  return backgroundFocus ? `.backdrop{object-position:${backgroundFocus}}` : '';
}

/** `action` is the last link: to share the page, or to report it. */
export function renderFooter(
  site: PublicSite,
  { url }: RenderContext,
  locale: Locale,
  { footer, decoration, action }: FooterParts,
): Html {
  return html`<footer>
    ${decoration}
    <nav id="end" aria-label="${locale.t('This page')}">
      ${namePlate(site.name, url, footer.instance)}${footer.instance && legalLinks(footer.instance, locale)}
      ${action}
    </nav>
  </footer>`;
}

interface FooterParts {
  footer: FooterOptions;
  decoration: Html | undefined;
  action: Html | undefined;
}

function shareLink({ url }: RenderContext, { t }: Locale): Html {
  return html`<a class="share" href="${new URL(`${url}/share`).pathname}" rel="nofollow"
    >${renderIcon('share-2')}<span>${t('Share')}</span></a
  >`;
}

/** Signs the page, and leads to the home of the installation. */
function namePlate(name: string, url: string, instance: PageInstance | undefined): Html {
  const { host, origin } = new URL(url);
  return html`<a class="plate" href="${instance?.homeUrl ?? `${origin}/`}"
    ><span dir="ltr">@${name}<span> · ${instance?.name ?? host}</span></span></a
  >`;
}

function legalLinks({ imprintUrl, privacyUrl }: PageInstance, { t }: Locale): Html | undefined {
  const links = [
    [t('Imprint'), imprintUrl],
    [t('Privacy'), privacyUrl],
  ] as const;
  const shown = links.filter(([, url]) => url !== null);
  if (shown.length === 0) return undefined;
  return html`<span class="legal"
    >${shown.map(([label, url]) => html`<a href="${url!}">${label}</a>`)}</span
  >`;
}

function renderProfile(
  site: PublicSite,
  { url, isFramed }: RenderContext,
  options: PageOptions,
  social: Html | undefined,
): Html {
  const { settings } = options.appearance;
  const avatar = pictureOf(site.avatar_url);
  const bio = site.bio?.trim();
  const title = titleOf(site);
  return html`<header class="profile" ${isFramed && html` data-block="profile"`}>
    ${
      settings.avatar === 'none'
        ? undefined
        : avatar
          ? html`<img
              class="avatar u-photo"
              ${imageAttributes(avatar, settings.avatar === 'cover' ? '100vw' : '10rem')}
              alt=""
              data-initials="${initialsOf(title)}"
              width="320"
              height="320"
              referrerpolicy="no-referrer"
              decoding="async"
            />`
          : initialsAvatar(title)
    }
    <div class="names">
      <h1 class="p-name${titleSizeClass(title)}" dir="auto">${title}</h1>
      ${
        title !== site.name &&
        html`<p class="handle">
          <bdi dir="ltr">@<span class="p-nickname">${site.name}</span></bdi>
        </p>`
      }
      <a class="u-url u-uid" href="${url}" rel="me" hidden>${url}</a>
    </div>
    ${bio && html`<p class="bio p-note${bio.length > MAX_CENTERED_BIO_LENGTH && ' long'}" dir="auto">${bio}</p>`}
    ${renderFacts(site, options)} ${social}
    ${
      // Frames are not printed, and without scripts they would load the picture at once.
      !isFramed &&
      html`<div class="print">
        <img
          src="${new URL(`${url}/qr.svg`).pathname}"
          alt="${options.locale.t('QR code')}"
          width="132"
          height="132"
          loading="lazy"
        /><small dir="ltr">${url}</small>
      </div>`
    }
  </header>`;
}

/** Says that a page is not broken, and leads its owner to the editor. */
function renderGettingStarted(
  { url }: RenderContext,
  { t }: Locale,
  { instance }: FooterOptions,
): Html {
  return html`<div class="start">
    <p>${t('This page is just getting started.')}</p>
    <p>
      ${t('Your page?')}
      <a href="${new URL('/dashboard/page', instance?.homeUrl ?? url).href}" rel="nofollow"
        >${t('Add your first link')}</a
      >
    </p>
  </div>`;
}

/** What else a visitor of a page with one link may want. */
function renderMore({ url }: RenderContext, { t }: Locale): Html {
  const pathOf = (file: string) => new URL(`${url}/${file}`).pathname;
  const actions = [
    ['card.vcf', 'contact', t('Save to contacts')],
    ['share', 'qr-code', t('QR code')],
    ['share', 'link', t('Copy link')],
  ] as const;
  return html`<p class="more">
    ${actions.map(([file, icon, label]) => html`<a href="${pathOf(file)}" rel="nofollow">${renderIcon(icon)}${label}</a>`)}
  </p>`;
}

/** Chooses a font size based on the width of the title and its longest word. */
export function titleSizeClass(title: string): string {
  const titleWidth = stringWidth(title);
  const wordWidth = Math.max(...title.split(/\s+/).map((word) => stringWidth(word)));
  if (titleWidth > 40 || wordWidth > 20) return ' long longest';
  if (titleWidth > 18 || wordWidth > 10) return ' long';
  return wordWidth <= 6 ? ' short' : '';
}

function renderFacts(site: PublicSite, { pronouns }: PageOptions): Html | undefined {
  const location = site.location?.trim();
  const mood = site.mood?.trim();
  const facts = [
    pronouns &&
      html`<li class="p-pronouns">
        ${renderIcon('user-round')}<span dir="auto">${pronouns}</span>
      </li>`,
    location &&
      html`<li class="p-locality">${renderIcon('map-pin')}<span dir="auto">${location}</span></li>`,
    mood &&
      html`<li>${!isEmoji(mood) && renderIcon('sparkles')}<span dir="auto">${mood}</span></li>`,
  ].filter((fact) => fact !== undefined && fact !== '');
  return facts.length > 0
    ? html`<ul class="facts">
        ${facts}
      </ul>`
    : undefined;
}

export function initialsAvatar(title: string, className = 'avatar'): Html {
  return html`<svg class="${className}" viewBox="0 0 100 100" aria-hidden="true">
    <text x="50" y="52" text-anchor="middle" dominant-baseline="central">${initialsOf(title)}</text>
  </svg>`;
}

/**
 * No whitespace around the style sheet, because the CSP hash covers everything between the tags.
 */
export function styleElement(style: string): Html {
  return trustedHtml(`<style>${style}</style>`);
}
