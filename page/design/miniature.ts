import { parseStoredPicture } from '#contract/shared/pictures.ts';
import { initialsOf } from '../avatar-fallback.ts';
import { fontFaceRules, usesExtendedLatin } from './fonts.ts';
import { type Html, html } from '../html/html.ts';
import { optionsOf } from '../fields/options.ts';
import { pageDesignOf } from './page-design.ts';
import { imageAttributes, pictureOf } from '../fields/picture.ts';
import type { PublicSite } from '../public-site.ts';
import { variableRules } from './style.ts';
import { MAIN_COLORS, type DesignColors } from '../themes/main-colors.ts';

type Field = 'avatar_url' | 'bio' | 'theme_id' | 'custom_theme' | 'settings';

/** A page that other pages show in small. Its variables belong to a class. */
export interface MiniatureSite extends Pick<PublicSite, Field | 'name'> {
  title: string;
  className: string;
}

/** Colors of tiles that a design can have. */
const TINTS = 4;
const SHAPE = { isSparse: false, isOneLink: false, isList: true };

/** Fonts, and the variables of each design, with the colors of the top of the page. */
export function miniatureRules(sites: readonly MiniatureSite[]): string {
  const pages = sites.map((site) =>
    pageDesignOf(site, optionsOf({ ...site, isNew: false }), SHAPE),
  );
  const rules = pages.map((page, index) => {
    const selector = `.${sites[index]!.className}`;
    const { head } =
      (MAIN_COLORS as Readonly<Record<string, DesignColors>>)[page.design.name] ?? {};
    const ground = `--ground:var(--tint-${(index % TINTS) + 1})`;
    return `${variableRules(selector, page)}${selector}{${ground}${head ? `;--bg:${head.bg};--ink:${head.text}` : ''}}`;
  });
  const families = new Set(pages.flatMap(({ fonts }) => [fonts.body, fonts.heading]));
  // Every page of the server has Inter already.
  families.delete('Inter');
  const text = sites.map(({ title, bio }) => title + bio).join('');
  return fontFaceRules([...families].join(), usesExtendedLatin(text)) + rules.join('');
}

export function renderMiniature(site: MiniatureSite): Html {
  const { locale } = optionsOf({ ...site, isNew: false });
  return html`<span class="mini ${site.className}" dir="${locale.direction}"
    >${renderFace(site)}<b dir="auto">${site.title}</b
    ><span>@${site.name}</span
    >${site.bio?.trim() && html`<small dir="auto">${site.bio.trim()}</small>`}</span
  >`;
}

/** The avatar if the service stores it, otherwise initials. */
function renderFace(site: MiniatureSite): Html | undefined {
  const { appearance } = optionsOf({ ...site, isNew: false });
  if (appearance.settings.avatar === 'none') return undefined;
  const picture = parseStoredPicture(site.avatar_url) && pictureOf(site.avatar_url);
  return picture
    ? html`<img
        class="face ${site.className}"
        ${imageAttributes(picture, '64px')}
        alt=""
        width="64"
        height="64"
        loading="lazy"
      />`
    : html`<i class="face ${site.className}" aria-hidden="true">${initialsOf(site.title)}</i>`;
}
