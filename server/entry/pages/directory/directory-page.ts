import { picturePath, parseStoredPicture } from '#contract/shared/pictures.ts';
import type { DirectoryEntry, LetterCount } from '#db/queries/directory.ts';
import { initialsOf } from '#page/avatar-fallback.ts';
import { type Html, html, trustedHtml } from '#page/html/html.ts';
import type { Core } from '#server/core.ts';
import {
  createPageStyle,
  PAGE_STYLE,
  readMinifiedCss,
} from '#server/entry/pages/shell/page-style.ts';
import { renderCardPage, renderDocument, signInLink } from '#server/entry/pages/shell/page.ts';
import type { SignUpService } from '#server/features/sign-up/sign-up-service.ts';
import type { Translator } from '#translations/translator.ts';

interface DirectoryGroup {
  slug: string;
  name: string;
}

export interface DirectoryPage {
  entries: DirectoryEntry[];
  /** In the order of the list. */
  letters: LetterCount[];
  /** Those that operators show. */
  groups: readonly DirectoryGroup[];
  group: DirectoryGroup | undefined;
  search: string;
  page: number;
  perPage: number;
  isIndexable: boolean;
  isMember: boolean;
}

type PageApp = Pick<Core, 'instanceStore' | 'origin' | 'pagesOrigin'>;

export const DIRECTORY_STYLE = createPageStyle(
  PAGE_STYLE.css + readMinifiedCss(new URL('directory.css', import.meta.url)),
);

/** A shorter list is seen at a glance. Each of its members has a card. */
const MIN_MEMBERS_FOR_LETTERS = 30;
const MIN_MEMBERS_FOR_SEARCH = 12;

const ALPHABET = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const NOINDEX = trustedHtml('<meta name="robots" content="noindex">');

export function renderDirectory(app: PageApp, t: Translator, options: DirectoryPage): string {
  const { entries, letters, groups, group, search, page, perPage, isIndexable, isMember } = options;
  const counted = letters.reduce((sum, { count }) => sum + count, 0);
  const last = entries.length === 0 ? 0 : (page - 1) * perPage + entries.length;
  // Members may have joined the list since they were counted.
  const total = Math.max(counted, last);
  const main = html`<main id="main" class="directory">
    <div class="directory-head">
      <h1>${t('Members')} ${search === '' && html`<span class="muted">${total}</span>`}</h1>
      ${
        (search !== '' || total >= MIN_MEMBERS_FOR_SEARCH) &&
        html`<form class="find" action="/members">
          <input
            name="q"
            type="search"
            value="${search}"
            placeholder="${t('Name')}"
            aria-label="${t('Search members')}"
          />
          ${group && html`<input type="hidden" name="group" value="${group.slug}" />`}
          <button>${t('Search')}</button>
        </form>`
      }
    </div>
    ${groups.length > 0 && renderGroups(groups, group, t)}
    ${total === 0 ? renderEmpty(search, t) : renderList(app, t, { ...options, total })}
  </main>`;
  return renderDocument(app, {
    t,
    title: t('Members'),
    head: isIndexable ? trustedHtml('') : NOINDEX,
    barEnd: isMember
      ? html`<a class="button" href="/dashboard/">${t('Dashboard')}</a>`
      : signInLink(t),
    main,
    style: DIRECTORY_STYLE,
  });
}

export function renderMembersOnly(
  app: PageApp,
  t: Translator,
  signUp: Pick<SignUpService, 'isForEveryone' | 'takesApplications'> | undefined,
): string {
  const joinLabel = signUp?.takesApplications
    ? t('Ask to join')
    : signUp?.isForEveryone
      ? t('Claim your name')
      : t('Go to the home page');
  return renderCardPage(app, {
    t,
    title: t('The list is for members'),
    text: t('Sign in to see it.'),
    body: html`<p class="actions">
      ${signInLink(t, { isPrimary: true })} <a class="button" href="/">${joinLabel}</a>
    </p>`,
  });
}

function renderGroups(
  groups: readonly DirectoryGroup[],
  chosen: DirectoryGroup | undefined,
  t: Translator,
): Html {
  const link = (href: string, name: string, isChosen: boolean) =>
    html`<a
      class="button"
      href="${href}"
      ${isChosen && trustedHtml(' aria-current="page"')}
      dir="auto"
      >${name}</a
    >`;
  return html`<nav class="groups" aria-label="${t('Groups')}">
    ${link('/members', t('All'), !chosen)}
    ${groups.map((group) => link(`/members?group=${group.slug}`, group.name, group === chosen))}
  </nav>`;
}

function renderEmpty(search: string, t: Translator): Html {
  if (search === '') return html`<p>${t('Nobody is listed yet.')}</p>`;
  return html`<h2>${t('Nobody here is called “{search}”', { search })}</h2>
    <p>
      ${t('The search looks in names and the line under the name. Some members are not listed.')}
    </p>
    <p class="actions"><a class="button" href="/members">${t('Show all members')}</a></p>`;
}

function renderList(app: PageApp, t: Translator, options: DirectoryPage & { total: number }): Html {
  const { entries, letters, group, page, perPage, search, total } = options;
  const hrefOf = (number: number) => {
    const query = new URLSearchParams({
      ...(group && { group: group.slug }),
      ...(search !== '' && { q: search }),
      ...(number > 1 && { page: String(number) }),
    }).toString();
    return query === '' ? '/members' : `/members?${query}`;
  };
  const first = (page - 1) * perPage + 1;
  const last = first + entries.length - 1;
  const hasLetters = total >= MIN_MEMBERS_FOR_LETTERS;
  return html`${
      search !== '' &&
      html`<p class="actions">
        <span>${t('{count, plural, one {# result} other {# results}}', { count: total })}</span>
        <a class="button" href="/members">${t('Show all members')}</a>
      </p>`
    }
    ${hasLetters && renderLetters(letters, t, (index) => hrefOf(Math.floor(index / perPage) + 1))}
    <ul class="members${!hasLetters && ' few'}">
      ${entries.map(
        (entry, index) =>
          html`${
            hasLetters &&
            entry.letter !== entries[index - 1]?.letter &&
            html`<li class="letter" id="letter-${entry.letter}">${entry.letter}</li>`
          }
          ${renderEntry(entry, app.pagesOrigin())}`,
      )}
    </ul>
    ${
      total > perPage &&
      html`<nav class="pages" aria-label="${t('Pages of the list')}">
        ${entries.length > 0 && html`<span class="muted">${t('{first, number} to {last, number} of {total, number}', { first, last, total })}</span>`}
        ${page > 1 && html`<a class="button" href="${hrefOf(page - 1)}">${t('Back')}</a>`}
        ${last < total && entries.length > 0 && html`<a class="button" href="${hrefOf(page + 1)}">${t('Next {count, number}', { count: Math.min(perPage, total - last) })}</a>`}
      </nav>`
    }`;
}

/** Other letters and digits follow the alphabet. */
function renderLetters(
  letters: readonly LetterCount[],
  t: Translator,
  hrefOf: (index: number) => string,
): Html {
  const starts = new Map<string, number>();
  let index = 0;
  for (const { letter, count } of letters) {
    starts.set(letter, index);
    index += count;
  }
  const others = letters.map(({ letter }) => letter).filter((letter) => !ALPHABET.includes(letter));
  return html`<nav class="letters" aria-label="${t('Letters')}">
    ${[...ALPHABET, ...others].map((letter) => {
      const start = starts.get(letter);
      return start === undefined
        ? html`<span aria-hidden="true">${letter}</span>`
        : html`<a href="${hrefOf(start)}#letter-${letter}">${letter}</a>`;
    })}
  </nav>`;
}

function renderEntry({ name, title, avatar_url, bio }: DirectoryEntry, origin: string): Html {
  const picture = parseStoredPicture(avatar_url);
  return html`<li>
    <a href="${origin}/@${name}">
      ${
        picture
          ? html`<img
              class="tile round tinted face"
              src="${picturePath(picture.id, 96)}"
              alt=""
              width="48"
              height="48"
              loading="lazy"
            />`
          : html`<span class="tile round tinted face" aria-hidden="true"
              >${initialsOf(title)}</span
            >`
      }
      <span
        ><strong dir="auto">${title}</strong>
        <small dir="auto">${bio?.trim() || `@${name}`}</small></span
      >
    </a>
  </li>`;
}
