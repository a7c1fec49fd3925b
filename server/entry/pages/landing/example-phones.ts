import { THEMES } from '#contract/themes.ts';
import { initialsOf } from '#page/avatar-fallback.ts';
import { type Html, html } from '#page/html/html.ts';
import type { Translator } from '#translations/translator.ts';

/** Also the paths of the files. */
export const EXAMPLE_PICTURES = ['cleo', 'jonas', 'layla'].flatMap((name) => [
  `/examples/${name}.svg`,
  `/examples/${name}-picture.svg`,
]);

const NO_DESIGN = { avatar_url: null, bio: null, custom_theme: null, settings: null };

const EXAMPLES = [
  { name: 'cleo', title: 'Cleo Marques', theme: 'Paper' },
  { name: 'jonas', title: 'Jonas Weber', theme: 'Ember' },
  { name: 'layla', title: 'Layla Haddad', theme: 'Daylight' },
] as const;

const SITES = EXAMPLES.map(({ name, title, theme }) => ({
  ...NO_DESIGN,
  ...{ name, title, className: name, theme_id: THEMES.find((one) => one.name === theme)!.id },
}));

/** The designs of the phones. */
export async function examplePhoneRules(): Promise<string> {
  const { miniatureRules } = await import('#page/design/miniature.ts');
  return miniatureRules(SITES);
}

/**
 * Three members, whose pages become those of the visitor with a name. Screen readers skip them,
 * because the form says the same.
 */
export function renderPhones(name: string, isTaken: boolean, t: Translator): Html {
  const texts = {
    cleo: [t('Violin, and an archive since 1894.'), t('Concerts'), t('The archive')],
    jonas: [t('Photographs after dark. Prints on request.'), t('Prints'), t('Walks in December')],
    layla: [t('I teach lettering and draw signs for shops.'), t('Workshops'), t('Shop signs')],
  };
  const yours = [t('Your links'), t('Your dates'), t('Write to me')];
  const title = titleFrom(name);
  return html`<div class="wall stage${name && ' typed'}" aria-hidden="true">
    ${EXAMPLES.map((example) => {
      const [bio, ...links] = [...texts[example.name], t('Write to me')];
      const url = `/examples/${example.name}`;
      return html`<div class="phone ${example.name}">
        <span class="face ${example.name}"
          ><img class="example" src="${url}.svg" alt="" /><b class="initials"
            >${initialsOf(title)}</b
          ></span
        >
        <strong class="example">${example.title}</strong><strong class="title">${title}</strong>
        <small class="example">@${example.name}</small><small class="handle">@${name}</small>
        <p class="example">${bio}</p>
        <i></i>
        <img class="shot" src="${url}-picture.svg" alt="" />
        ${links.map((link, index) => html`<span class="row"><span class="example">${link}</span><span class="yours">${yours[index]}</span></span>`)}
      </div>`;
    })}
    <p class="plate${isTaken && ' off'}"><span class="handle">@${name}</span></p>
  </div>`;
}

/** The tops of the same pages. */
export function renderDesigns(): Html {
  return html`<span class="designs"
    >${EXAMPLES.map(
      ({ name, title }) =>
        html`<span class="${name}"
          ><img class="face ${name}" src="/examples/${name}.svg" alt="" /><b
            >${title.split(' ')[0]}</b
          ><i></i><i></i
        ></span>`,
    )}</span
  >`;
}

/** As in `check-name.js`. */
export function titleFrom(name: string): string {
  return name
    .replace(/-+/g, ' ')
    .replace(/(?<!\S)\S/g, (letter) => letter.toUpperCase())
    .trim();
}
