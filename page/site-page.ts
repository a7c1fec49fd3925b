import stringWidth from 'string-width';
import { renderBlocks } from './blocks/index.ts';
import { framesOf } from './blocks/media.ts';
import { fontsOf } from './fonts.ts';
import { backgroundOf, hasOwnColours, coloursOf, type PageColours } from './palette.ts';
import { headOf, titleOf } from './head.ts';
import { type Html, html, trusted } from './html.ts';
import { icon } from './icons/icon.ts';
import { PageIcons } from './icons/page-icons.ts';
import type { Locale } from './locale.ts';
import { type PageOptions, lookStyles, optionsOf } from './options.ts';
import { pictureOf, sourceOf } from './picture.ts';
import type { PublicSite, Showing } from './public-site.ts';
import { initialsOf, isEmoji } from './sign.ts';
import { styleOf } from './style.ts';
import { contactTarget } from './target.ts';
import { designOf } from './themes/index.ts';

/** A page as it is sent. */
export interface SitePage {
  html: string;
  /** Styles that its policy has to allow: the hash of its one style sheet, as a source. */
  styleSource: string;
  /** Hosts of the frames in it, as sources. */
  frames: string[];
  /** Colours of its theme, adjusted so that it can be read. */
  colours: PageColours;
  /** Addresses of links whose clicks are counted. */
  links: ReadonlySet<string>;
}

/** Where visitors report a page; nothing if there is no such place. */
export interface SiteFooter {
  abuseContact: string | undefined;
}

/**
 * Characters that no HTML document may have: control characters and noncharacters. They are found in
 * code units, since to look for their properties in a long page takes four times as long.
 */
const FORBIDDEN =
  /[^\t\n\r -~\xA0-\uFDCF\uFDF0-\uFFFD]|[\uD83F\uD87F\uD8BF\uD8FF\uD93F\uD97F\uD9BF\uD9FF\uDA3F\uDA7F\uDABF\uDAFF\uDB3F\uDB7F\uDBBF\uDBFF][\uDFFE\uDFFF]/g;

/** All that they are made of; to find that there are none takes half the time. */
const SUSPECT = /[^\t\n\r -~\xA0-\uD7FF\uE000-\uFDCF\uFDF0-\uFFFD]/;

/** Characters of a bio that is centred as its name is; a longer one begins each line at the same place. */
const CENTRED = 280;

/** Renders a site: one document with one style sheet, and nothing that runs. */
export function renderSite(site: PublicSite, showing: Showing, footer: SiteFooter): SitePage {
  const options = optionsOf(site);
  const { chosen, picture } = options.look;
  const colours = coloursOf({
    theme_id: site.themeId,
    custom_theme: site.customTheme,
    background: backgroundOf(chosen),
  });
  const design = designOf(site.themeId);
  const icons = new PageIcons();
  const blocks = renderBlocks(site, showing, { locale: options.locale, icons });
  const style = styleOf({
    colours,
    fonts: fontsOf(site, options.look),
    blocks: blocks.parts.length > 0 ? blocks.styles : [...blocks.styles, 'none'],
    theme: hasOwnColours(site) ? design.sheets : [...design.sheets, ...design.tints],
    settings: lookStyles(options.look),
  });
  const background =
    'every' in colours
      ? { light: colours.every.usual.bg, dark: colours.every.usual.bg }
      : { light: colours.light.usual.bg, dark: colours.dark.usual.bg };
  const document = html`<!doctype html>
    <html lang="${options.lang}" dir="${options.locale.direction}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        ${showing.isFramed && html`<base target="_blank" />`}${headOf(site, showing, options, background)}
        ${styleElement(style.sheet)}
      </head>
      <body data-theme="${design.name}" ${blocks.isFew && html` class="few"`}>
        ${picture && backdrop(picture)}
        <div class="page">
          <main class="h-card">
            ${profileOf(site, showing, options, blocks.social)}
            ${blocks.parts.length > 0 && html`<div class="blocks">${blocks.parts}</div>`}
          </main>
          ${footerOf(showing, options, { footer, decoration: design.decoration })}
        </div>
        ${icons.sheet()}
      </body>
    </html> `;
  return {
    html: withoutForbidden(document.toString()),
    styleSource: style.source,
    frames: framesOf(site.blocks),
    colours,
    links: blocks.counted,
  };
}

function withoutForbidden(text: string): string {
  return SUSPECT.test(text) ? text.replace(FORBIDDEN, '') : text;
}

/** A picture behind the whole page. */
function backdrop(source: string): Html {
  return html`<img
    class="backdrop"
    src="${source}"
    alt=""
    decoding="async"
    referrerpolicy="no-referrer"
  />`;
}

function footerOf(
  showing: Showing,
  { locale }: PageOptions,
  { footer, decoration }: { footer: SiteFooter; decoration: Html | undefined },
): Html {
  return html`<footer>
    ${decoration}
    <nav aria-label="${locale.words.thisPage}">
      ${shareMenu(showing, locale)}<a
        href="${reportTarget(footer.abuseContact, showing.url)}"
        rel="nofollow"
        >${icon('flag')}<span>${locale.words.report}</span></a
      >
    </nav>
  </footer>`;
}

/**
 * A small menu to pass a page on: its address, which one click selects, its QR code and its contact card.
 * The code is loaded when the menu is opened.
 */
function shareMenu({ url, isFramed }: Showing, { words }: Locale): Html {
  return html`<details class="share">
    <summary>${icon('share-2')}<span>${words.share}</span></summary>
    <div>
      <code dir="ltr">${url}</code>
      ${
        // A frame without scripts would load the picture at once.
        !isFramed &&
        html`<a href="${url}/qr.svg"
          ><img
            src="${new URL(`${url}/qr.svg`).pathname}"
            alt="${words.qrCode}"
            width="160"
            height="160"
            loading="lazy"
        /></a>`
      }
      <a href="${url}/card.vcf">${icon('contact')}<span>${words.contactCard}</span></a>
    </div>
  </details>`;
}

function profileOf(
  site: PublicSite,
  { url, isFramed }: Showing,
  options: PageOptions,
  social: Html | undefined,
): Html {
  const { chosen } = options.look;
  const [avatar, bio, title] = [pictureOf(site.avatarUrl), site.bio?.trim(), titleOf(site)];
  return html`<header class="profile" ${isFramed && html` data-block="profile"`}>
    ${
      chosen.avatar === 'none'
        ? undefined
        : avatar
          ? html`<img
              class="avatar u-photo"
              ${sourceOf(avatar, chosen.avatar === 'cover' ? '100vw' : '10rem')}
              alt=""
              data-initials="${initialsOf(title)}"
              width="320"
              height="320"
              referrerpolicy="no-referrer"
              decoding="async"
            />`
          : initials(title)
    }
    <div class="who">
      <h1 class="p-name${titleClass(title)}" dir="auto">${title}</h1>
      ${
        title !== site.name &&
        html`<p class="handle">
          <bdi dir="ltr">@<span class="p-nickname">${site.name}</span></bdi>
        </p>`
      }
      <a class="u-url u-uid" href="${url}" rel="me" hidden>${url}</a>
    </div>
    ${bio && html`<p class="bio p-note${bio.length > CENTRED && ' long'}" dir="auto">${bio}</p>`}
    ${factsOf(site, options)} ${social}
    ${
      // Nobody prints a frame, and one without scripts would load the picture at once.
      !isFramed &&
      html`<div class="print">
        <img
          src="${new URL(`${url}/qr.svg`).pathname}"
          alt="${options.locale.words.qrCode}"
          width="132"
          height="132"
          loading="lazy"
        /><small dir="ltr">${url}</small>
      </div>`
    }
  </header>`;
}

/** Classes by the room that a title takes, in letters: of the title, and of its longest word. */
function titleClass(title: string): string {
  const [all, word] = [
    stringWidth(title),
    Math.max(...title.split(/\s+/).map((one) => stringWidth(one))),
  ];
  if (all > 40 || word > 20) return ' long longest';
  if (all > 18 || word > 10) return ' long';
  return word <= 6 ? ' short' : '';
}

/** Pronouns, place and mood, each with its icon. */
function factsOf(site: PublicSite, { pronouns }: PageOptions): Html | undefined {
  const [location, mood] = [site.location?.trim(), site.mood?.trim()];
  const facts = [
    pronouns &&
      html`<li class="p-pronouns">${icon('user-round')}<span dir="auto">${pronouns}</span></li>`,
    location &&
      html`<li class="p-locality">${icon('map-pin')}<span dir="auto">${location}</span></li>`,
    mood && html`<li>${!isEmoji(mood) && icon('sparkles')}<span dir="auto">${mood}</span></li>`,
  ].filter((fact) => fact !== undefined && fact !== '');
  return facts.length > 0
    ? html`<ul class="facts">
        ${facts}
      </ul>`
    : undefined;
}

/** A picture for who has none. */
function initials(title: string): Html {
  return html`<svg class="avatar" viewBox="0 0 100 100" aria-hidden="true">
    <text x="50" y="52" text-anchor="middle" dominant-baseline="central">${initialsOf(title)}</text>
  </svg>`;
}

/** Nothing stands between its tags and the sheet: the hash is of all that does. */
function styleElement(style: string): Html {
  return trusted(`<style>${style}</style>`);
}

/** Where a page is reported: at the contact of who runs the service, or by the form. */
function reportTarget(contact: string | undefined, url: string): string {
  if (contact === undefined) return `${url}/report`;
  const target = contactTarget(contact);
  if (!target.startsWith('mailto:')) return target;
  return `${target}?subject=${encodeURIComponent(`Report of ${url}`)}`;
}
