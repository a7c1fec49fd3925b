import { renderBlocks } from './blocks/index.ts';
import { framesOf } from './blocks/media.ts';
import { headOf, titleOf } from './head.ts';
import { type Html, html, trusted } from './html.ts';
import { type PageOptions, optionsOf } from './options.ts';
import { type PageColours, coloursOf } from './palette.ts';
import type { PublicSite, Showing } from './public-site.ts';
import { initialsOf } from './sign.ts';
import { styleOf } from './style.ts';
import { contactTarget, pictureTarget } from './target.ts';

/** A page as it is sent. */
export interface SitePage {
  html: string;
  /** Styles that its policy has to allow: the hash of its one style sheet, as a source. */
  styleSource: string;
  /** Hosts of the frames in it, as sources. */
  frames: string[];
  /** Colours of its theme, adjusted so that it can be read. */
  colours: PageColours;
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
  const colours = coloursOf({ theme_id: site.themeId, custom_theme: site.customTheme });
  const fontFamily = site.themeId === null ? site.customTheme?.font_family : undefined;
  const body = bodyOf(site, showing, { options, footer });
  const style = styleOf(colours, fontFamily);
  const background =
    'every' in colours
      ? { light: colours.every.usual.background, dark: colours.every.usual.background }
      : { light: colours.light.usual.background, dark: colours.dark.usual.background };
  const document = html`<!doctype html>
    <html lang="${options.lang}" dir="${options.locale.direction}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        ${showing.isFramed && html`<base target="_blank" />`}${headOf(site, showing, options, background)}
        ${styleElement(style.sheet)}
      </head>
      ${body}
    </html> `;
  return {
    html: withoutForbidden(document.toString()),
    styleSource: style.source,
    frames: framesOf(site.blocks),
    colours,
  };
}

function withoutForbidden(text: string): string {
  return SUSPECT.test(text) ? text.replace(FORBIDDEN, '') : text;
}

function bodyOf(
  site: PublicSite,
  showing: Showing,
  { options, footer }: { options: PageOptions; footer: SiteFooter },
): Html {
  const { words } = options.locale;
  return html`<body>
    <main class="h-card">
      ${aboutOf(site, showing, options)} ${renderBlocks(site, showing, options.locale)}
    </main>
    <footer>
      <nav aria-label="${words.thisPage}">
        <a href="${showing.url}/qr.svg">${words.qrCode}</a
        ><a href="${showing.url}/card.vcf">${words.contactCard}</a>${
          footer.abuseContact &&
          html`<a href="${reportTarget(footer.abuseContact, showing.url)}" rel="nofollow"
            >${words.report}</a
          >`
        }
      </nav>
    </footer>
  </body>`;
}

function aboutOf(
  site: PublicSite,
  { url, isFramed }: Showing,
  { pronouns, locale }: PageOptions,
): Html {
  const [avatar, bio, mood, location] = [
    pictureTarget(site.avatarUrl),
    site.bio?.trim(),
    site.mood?.trim(),
    site.location?.trim(),
  ];
  const title = titleOf(site);
  const facts = [
    title !== site.name && html`<li dir="ltr">@<span class="p-nickname">${site.name}</span></li>`,
    pronouns && html`<li class="p-pronouns" dir="auto">${pronouns}</li>`,
    location && html`<li class="p-locality" dir="auto">${location}</li>`,
    mood && html`<li dir="auto">${mood}</li>`,
  ].filter((fact) => fact !== false && fact !== undefined && fact !== '');
  return html`<header class="about">
    ${
      avatar
        ? html`<img
            class="photo u-photo"
            src="${avatar}"
            alt=""
            data-initials="${initialsOf(title)}"
            width="112"
            height="112"
            referrerpolicy="no-referrer"
            decoding="async"
          />`
        : initials(title)
    }
    <h1 class="p-name" dir="auto">${title}</h1>
    <a class="u-url u-uid" href="${url}" rel="me" hidden>${url}</a>
    ${
      facts.length > 0 &&
      html`<ul class="facts">
        ${facts}
      </ul>`
    }
    ${bio && html`<p class="bio p-note${bio.length > CENTRED && ' long'}" dir="auto">${bio}</p>`}
    ${
      // Nobody prints a frame, and one without scripts would load the picture at once.
      !isFramed &&
      html`<div class="print">
        <img
          src="${new URL(url).pathname}/qr.svg"
          alt="${locale.words.qrCode}"
          width="132"
          height="132"
          loading="lazy"
        /><small dir="ltr">${url}</small>
      </div>`
    }
  </header>`;
}

/** A picture for who has none. */
function initials(title: string): Html {
  return html`<svg class="photo" viewBox="0 0 100 100" aria-hidden="true">
    <text
      x="50"
      y="52"
      font-size="36"
      fill="currentColor"
      text-anchor="middle"
      dominant-baseline="central"
    >
      ${initialsOf(title)}
    </text>
  </svg>`;
}

/** Nothing stands between its tags and the sheet: the hash is of all that does. */
function styleElement(style: string): Html {
  return trusted(`<style>${style}</style>`);
}

function reportTarget(contact: string, url: string): string {
  const target = contactTarget(contact);
  if (!target.startsWith('mailto:')) return target;
  return `${target}?subject=${encodeURIComponent(`Report of ${url}`)}`;
}
