import stringWidth from 'string-width';
import { contactUrl } from '#contract/shared/web-url.ts';
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
        ${blocks.sections.length > 0 && html`<div class="blocks">${blocks.sections}</div>`}
      </main>
      ${renderFooter(site, context, options, { footer, decoration: design.decoration })}
    </div>
    ${icons.symbols()}
  </body>`;
  const style = styleOf({
    ...pageDesign,
    latinSet: latinSetOf(body.toString()),
    blocks: [...blocks.sheets, ...(isShort ? ['short'] : [])],
    contentRules:
      blocks.pictureRowRules +
      (pageDesign.theme.includes('default-colors') ? icons.colorRules() : ''),
    list: blocks.isList ? [design.name] : [],
    tiles: blocks.sections.length > 0 ? blocks.tileSheets : ['empty'],
  });
  const background = backgroundColors(colors);
  const siteName = footer.instance?.name ?? undefined;
  const cardVersion = cardVersionOf(site, context, siteName);
  // `expect` delays the first paint until the share sheet, the last element, has arrived. Otherwise,
  // parts that are already painted would move.
  const document = html`<!doctype html>
    <html lang="${options.lang}" dir="${options.locale.direction}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        ${context.isFramed && html`<base target="_blank" />`}${renderHeadTags(site, context, options, background, { cardVersion, siteName })}
        ${styleElement(style.sheet)}
        <link rel="expect" href="#share" blocking="render" />
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

function removeForbidden(text: string): string {
  return POSSIBLY_FORBIDDEN.test(text) ? text.replace(FORBIDDEN_CHARACTERS, '') : text;
}

function backgroundColors(colors: PageColors): { light: string; dark: string } {
  const [light, dark] =
    'single' in colors ? [colors.single, colors.single] : [colors.light, colors.dark];
  return { light: light.normal.bg, dark: dark.normal.bg };
}

function backdrop(src: string): Html {
  return html`<img
    class="backdrop"
    src="${src}"
    alt=""
    decoding="async"
    referrerpolicy="no-referrer"
  />`;
}

function renderFooter(
  site: PublicSite,
  context: RenderContext,
  { locale, appearance }: PageOptions,
  { footer, decoration }: { footer: FooterOptions; decoration: Html | undefined },
): Html {
  return html`<footer>
    ${decoration}
    <nav aria-label="${locale.t('This page')}">
      ${namePlate(site.name, context.url, footer.instance)}${footer.instance && legalLinks(footer.instance, locale)}
      <button popovertarget="share">
        ${renderIcon('share-2')}<span>${locale.t('Share')}</span>
      </button>
    </nav>
    ${shareSheet(site, context, {
      locale,
      reportUrl: reportUrlOf(footer.abuseContact, context.url),
      hasAvatar: appearance.settings.avatar !== 'none',
    })}
  </footer>`;
}

/** Signs the page, and leads to the home of the installation. */
function namePlate(name: string, url: string, instance: PageInstance | undefined): Html {
  const { host, origin } = new URL(url);
  return html`<a class="plate" href="${instance?.homeUrl ?? `${origin}/`}"
    ><span dir="ltr">@${name}<span> · ${instance?.name ?? host}</span></span></a
  >`;
}

function legalLinks({ imprintUrl, privacyUrl }: PageInstance, { t }: Locale): Html[] {
  const links = [
    [t('Imprint'), imprintUrl],
    [t('Privacy'), privacyUrl],
  ] as const;
  return links.flatMap(([label, url]) =>
    url === null ? [] : [html`<a href="${url}">${label}</a>`],
  );
}

/**
 * A popover with the URL of the page, ways to send it, and its contact card. Pages have no script,
 * so nothing copies: a click selects the URL. The QR code loads when the popover opens.
 */
function shareSheet(
  site: PublicSite,
  { url, isFramed }: RenderContext,
  {
    locale: { t },
    reportUrl,
    hasAvatar,
  }: { locale: Locale; reportUrl: string | undefined; hasAvatar: boolean },
): Html {
  const avatar = hasAvatar && pictureOf(site.avatar_url);
  const title = titleOf(site);
  const text = encodeURIComponent(url);
  const qrUrl = new URL(`${url}/qr.svg`).pathname;
  return html`<div id="share" popover role="dialog" aria-label="${t('Share')}">
    <div class="id">
      ${
        avatar &&
        html`<img
          class="face"
          ${imageAttributes(avatar, '4rem')}
          alt=""
          width="64"
          height="64"
          loading="lazy"
          referrerpolicy="no-referrer"
        />`
      }
      <div>
        <div class="who" dir="auto">${title}</div>
        ${title !== site.name && html`<small><bdi dir="ltr">@${site.name}</bdi></small>`}
      </div>
      <button
        class="close"
        popovertarget="share"
        popovertargetaction="hide"
        aria-label="${t('Close')}"
      >
        ${renderIcon('plus')}
      </button>
    </div>
    <div>
      <code dir="ltr" tabindex="0">${url.replace(/^https?:\/\//, '')}</code>
      <small>${t('Select it to copy, or send it:')}</small>
    </div>
    <div class="ways">
      <a href="mailto:?body=${text}">${renderIcon('mail')}${t('Mail')}</a>
      <a href="https://wa.me/?text=${text}" rel="noreferrer"
        >${renderIcon('message-circle')}WhatsApp</a
      >
      <a class="phone" href="sms:?&body=${text}">${renderIcon('send')}SMS</a>
      ${!isFramed && html`<button class="phone" popovertarget="scan">${renderIcon('qr-code')}${t('QR code')}</button>`}
      <a class="save" href="${url}/card.vcf">${renderIcon('contact')}${t('Save to contacts')}</a>
    </div>
    ${
      // Where scripts are disabled, browsers ignore `loading=lazy`, so a frame would load the
      // picture at once. Phones show this as a second sheet above the first one.
      !isFramed &&
      html`<div id="scan" popover>
        <button class="phone" popovertarget="scan">‹ ${t('Share')}</button>
        <img src="${qrUrl}" alt="${t('QR code')}" width="160" height="160" loading="lazy" />
        <small>${t('Scan it to open the page on a phone.')}</small>
        <a href="${qrUrl}" download="${site.name}.svg">${t('Save')} (SVG)</a>
      </div>`
    }
    ${reportUrl !== undefined && html`<a class="report" href="${reportUrl}" rel="nofollow">${t('Report this page')}</a>`}
  </div>`;
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

/** Chooses a font size based on the width of the title and its longest word. */
function titleSizeClass(title: string): string {
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

function initialsAvatar(title: string): Html {
  return html`<svg class="avatar" viewBox="0 0 100 100" aria-hidden="true">
    <text x="50" y="52" text-anchor="middle" dominant-baseline="central">${initialsOf(title)}</text>
  </svg>`;
}

/**
 * No whitespace around the style sheet, because the CSP hash covers everything between the tags.
 */
function styleElement(style: string): Html {
  return trustedHtml(`<style>${style}</style>`);
}

/** The operator's abuse contact if there is one, otherwise the built-in form. */
function reportUrlOf(contact: string | null | undefined, url: string): string | undefined {
  if (contact === undefined) return `${url}/report`;
  if (contact === null) return undefined;
  const target = contactUrl(contact);
  if (!target.startsWith('mailto:')) return target;
  return `${target}?subject=${encodeURIComponent(`Report of ${url}`)}`;
}
