import { LOOKS } from '#contract/shared/looks.ts';
import { PAGE_LANGUAGES } from '#contract/shared/page-languages.ts';
import { THEMES } from '#contract/themes.ts';
import { type Html, html } from '#page/html/html.ts';
import type { Instance } from '#server/platform/instance-store.ts';
import type { Translator } from '#translations/translator.ts';
import { renderDesigns } from './example-phones.ts';
import type { ShownPages } from './shown-pages.ts';

/** The themes, the looks, and Default. */
const DESIGN_COUNT = THEMES.length + Object.keys(LOOKS).length + 1;

const EXAMPLE_NAME = 'mira';

export interface LandingPageOptions {
  /** Of members. Undefined if there are none. */
  shownPages: ShownPages | undefined;
  t: Translator;
  pagesHost: string;
  pagesUrl: string;
  /** Undefined if the server forwards no mail. */
  mailDomain: string | undefined;
  countsVisits: boolean;
  provider: string | undefined;
  isForEveryone: boolean;
  byInvitation: boolean;
  takesApplications: boolean;
  /** For this visitor. */
  isDirectoryVisible: boolean;
  instance: Instance;
}

/** What a member gets, in one short sentence each. */
export function renderHeadline({ t, mailDomain }: LandingPageOptions): Html {
  const sentences = [t('Your name.'), t('Your page.')];
  if (mailDomain !== undefined) sentences.push(t('Your address.'));
  return html`<h1>${sentences.map((sentence) => html`<span>${sentence}</span> `)}</h1>`;
}

export function renderLead({ t, ...options }: LandingPageOptions): (string | Html)[] {
  const { isForEveryone, pagesHost, mailDomain } = options;
  const strong = (text: string) => () => html`<b><bdi dir="ltr">${text}</bdi></b>`;
  const page = strong(`${pagesHost}/@${EXAMPLE_NAME}`);
  const mail = strong(`${EXAMPLE_NAME}@${mailDomain}`);
  if (isForEveryone)
    return mailDomain === undefined
      ? t.rich('Pick a name, and you get a page like <page></page>.', { page })
      : t.rich('Pick a name, and you get a page like <page></page> and mail at <mail></mail>.', {
          page,
          mail,
        });
  return mailDomain === undefined
    ? t.rich('Every member gets a page like <page></page>.', { page })
    : t.rich('Every member gets a page like <page></page> and mail at <mail></mail>.', {
        page,
        mail,
      });
}

/** What each of the three things is, and what we promise. */
export function renderOffer({ t, pagesHost, mailDomain, countsVisits }: LandingPageOptions): Html {
  const cards = [
    offerCard(
      html`<p class="plate"><span>@${EXAMPLE_NAME}</span></p>`,
      t('A name that is yours'),
      t('Short, easy to say, and at home on {host}.', { host: pagesHost }),
    ),
    offerCard(
      renderDesigns(),
      t('A page in {designs} designs', { designs: DESIGN_COUNT }),
      t('Links, photos, dates and a contact form. Light and dark, in {languages} languages.', {
        languages: PAGE_LANGUAGES.length,
      }),
    ),
  ];
  if (mailDomain !== undefined)
    cards.push(
      offerCard(
        html`<span class="route"><b>${EXAMPLE_NAME}@</b><i></i>${t('your inbox')}</span>`,
        t('Mail that finds you'),
        t('Give out {address}. It arrives in the inbox you already read.', {
          address: `${EXAMPLE_NAME}@${mailDomain}`,
        }),
      ),
    );
  else if (countsVisits)
    cards.push(
      offerCard(
        html`<svg class="days" viewBox="0 0 180 72" preserveAspectRatio="none">
          <path d="M8 72V50m27 22V38m27 34V46m27 26V28m27 44V36m27 36V18" />
          <path d="M170 72V4" />
        </svg>`,
        t('Visitors, not profiles'),
        t('See how many came and what they opened. Nobody is followed.'),
      ),
    );
  const strong = { b: (children: (string | Html)[]) => html`<b>${children}</b>` };
  const promises: (string | Html)[][] = [
    t.rich('<b>No cookies</b>, no scripts, no tracking', strong),
    t.rich('<b>4 to 10 KB</b> a page', strong),
    t.rich('<b>Export everything</b> in one file, any time', strong),
    t.rich('<b>Free software</b>, with an <link>open API</link>', {
      ...strong,
      link: (children) => html`<a href="/docs/">${children}</a>`,
    }),
  ];
  return html`<ul class="gains">
      ${cards}
    </ul>
    <ul class="promises">
      ${promises.map((promise) => html`<li>${promise}</li>`)}
    </ul>`;
}

function offerCard(picture: Html, title: string, text: string): Html {
  return html`<li class="card">
    <div class="sketch" aria-hidden="true">${picture}</div>
    <h2>${title}</h2>
    <p class="muted">${text}</p>
  </li>`;
}
