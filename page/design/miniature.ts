import { parseStoredPicture } from '#contract/shared/pictures.ts';
import { initialsOf } from '../avatar-fallback.ts';
import { optionsOf } from '../fields/options.ts';
import { imageAttributes, pictureOf } from '../fields/picture.ts';
import { type Html, html } from '../html/html.ts';
import type { PublicSite } from '../public-site.ts';
import { MAIN_COLORS, type DesignColors } from '../themes/main-colors.ts';
import { fontFaceRules, latinSetOf } from './fonts.ts';
import { pageDesignOf } from './page-design.ts';
import { variableRules } from './style.ts';

type Field = 'avatar_url' | 'bio' | 'theme_id' | 'custom_theme' | 'settings' | 'themeSettings';

/** A page that other pages show in small. Its variables belong to a class. */
export interface MiniatureSite extends Pick<PublicSite, Field | 'name'> {
  title: string;
  className: string;
}

/** Tiles have the variables `--tint-1` to `--tint-4` of their design. */
const TINT_COUNT = 4;
const LIST_LAYOUT = { isSparse: false, isOneLink: false, isList: true };

/** The CSS of all miniatures: their fonts, and for each class the variables of its design. */
export function miniatureRules(sites: readonly MiniatureSite[]): string {
  const designs = sites.map((site) =>
    pageDesignOf(site, optionsOf({ ...site, isNew: false }), LIST_LAYOUT),
  );
  const rules = designs.map((design, index) => {
    const selector = `.${sites[index]!.className}`;
    // The colors of the top of the page, if they differ.
    const { head: headColors } =
      (MAIN_COLORS as Readonly<Record<string, DesignColors>>)[design.design.name] ?? {};
    const headRules = headColors ? `;--bg:${headColors.bg};--ink:${headColors.text}` : '';
    const ground = `--ground:var(--tint-${(index % TINT_COUNT) + 1})`;
    return `${variableRules(selector, design)}${selector}{${ground}${headRules}}`;
  });
  const families = new Set(designs.flatMap(({ fonts }) => [fonts.body, fonts.heading]));
  // Every page of the server has Inter already.
  families.delete('Inter');
  const text = sites.map(({ title, bio }) => title + bio).join('');
  return fontFaceRules([...families].join(), latinSetOf(text)) + rules.join('');
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
