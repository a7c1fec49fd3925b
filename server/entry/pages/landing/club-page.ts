import { instanceLinks, logoPath, parseLogoSize } from '#contract/shared/instance.ts';
import { dateTimeFormat, numberFormat } from '#contract/shared/intl-formats.ts';
import { parseStoredPicture, picturePath } from '#contract/shared/pictures.ts';
import { displayUrl } from '#contract/shared/web-url.ts';
import { initialsOf } from '#page/avatar-fallback.ts';
import { textOf } from '#page/fields/fields.ts';
import { type Html, html } from '#page/html/html.ts';
import { linkText } from '#page/html/link-text.ts';
import { safeLinkUrl } from '#page/html/safe-url.ts';
import { renderLogo } from '#server/entry/pages/shell/brand.ts';
import type { Instance } from '#server/platform/instance-store.ts';
import type { Translator } from '#translations/translator.ts';
import { renderWayIn, signOnButton } from './landing-page.ts';
import type { LandingPageOptions } from './offer.ts';
import { renderCards, type ShownDate, type ShownPages } from './shown-pages.ts';

/** With fewer members, their cards are enough. */
const MIN_FACES = 7;

/** Whether the operators have said more than a line about who they are. */
export function hasIdentity({ name, cover_id, welcome }: Instance): boolean {
  return (name ?? cover_id ?? welcome) !== null;
}

export function renderClubPage(options: LandingPageOptions): Html {
  const { instance, shownPages, t } = options;
  const { cover_id, line, welcomeHtml, displayName } = instance;
  const ourPage = shownPages?.ourPage && renderOurPage(shownPages.ourPage, t);
  const dates = shownPages?.dates ?? [];
  const isSparse = cover_id === null && !welcomeHtml && dates.length === 0;
  // The sign takes the place of the cover, unless nothing would stand beside the dates.
  const hasSign = cover_id === null && (isSparse || line !== null || welcomeHtml !== undefined);
  const lineHtml = line !== null && html`<p class="line">${line}</p>`;
  return html`<main id="main" class="front">
    ${cover_id !== null && renderCover(cover_id, instance)}
    ${
      hasSign &&
      html`<div class="wall sign">
        <h1 class="plate"><span>${displayName}</span></h1>
        ${isSparse && html`${lineHtml}${renderWays(options)}${ourPage}`}
      </div>`
    }
    ${
      !isSparse &&
      html`<div class="two">
        <div class="head">
          ${!hasSign && html`<h1>${displayName}</h1>`} ${lineHtml}
          ${welcomeHtml && html`<div class="welcome">${welcomeHtml}</div>`} ${ourPage}
        </div>
        <aside class="card on">
          ${renderWays(options)} ${dates.length > 0 && renderDates(dates, t)}
        </aside>
      </div>`
    }
    ${shownPages && renderMembers(shownPages, options)}
  </main>`;
}

function renderCover(id: string, instance: Instance): Html {
  const { width, height } = parseLogoSize(id);
  return html`<img
      class="cover"
      src="${logoPath(id)}"
      alt="${instance.cover_description ?? ''}"
      width="${width}"
      height="${height}"
    />${instance.logo_id !== null && html`<p class="crest">${renderLogo(instance)}</p>`}`;
}

function renderWays(options: LandingPageOptions): Html {
  const { t, instance, isForEveryone, takesApplications, provider } = options;
  const contact = instanceLinks(instance, t).find(({ name }) => name === 'contact');
  return html`<div class="ways">
    ${
      isForEveryone
        ? html`<a class="button primary" href="/?name="
            >${takesApplications ? t('Ask to join') : t('Claim your name')}</a
          >`
        : renderWayIn(options)
    }
    ${provider !== undefined && signOnButton(provider, t)}
    ${
      contact &&
      html`<p class="muted">
        ${t.rich('Questions? <link>Write to us</link>', { link: (children) => html`<a href="${contact.url}" rel="noopener">${children}</a>` })}
      </p>`
    }
  </div>`;
}

function renderOurPage({ url, links }: NonNullable<ShownPages['ourPage']>, t: Translator): Html {
  return html`<ul class="ours">
    <li><a class="button" href="${url}">${t('Our page')}</a></li>
    ${links.map((link) => {
      const target = safeLinkUrl(link['url']);
      const title = textOf(link, 'title', 'label', 'content');
      return (
        target &&
        html`<li>
          <a class="button" href="${target}" rel="noopener" dir="auto"
            >${title === undefined ? displayUrl(target) : linkText(title, target)}</a
          >
        </li>`
      );
    })}
  </ul>`;
}

function renderDates(dates: readonly ShownDate[], t: Translator): Html {
  const locale = t.locale === 'en' ? 'en-GB' : t.locale;
  return html`<h2>${t('Coming up')}</h2>
    <ul class="dates">
      ${dates.map(({ title, start, note, url }) => {
        const { begins, zone: timeZone, hasTimeOfDay } = start;
        const format = (options: Intl.DateTimeFormatOptions) =>
          dateTimeFormat(locale, { ...options, timeZone }).format(begins);
        const time = hasTimeOfDay && format({ hour: '2-digit', minute: '2-digit' });
        const day = [format({ weekday: 'short' }), time].filter(Boolean).join(' ');
        return html`<li>
          <a href="${url}">
            <span class="date"
              ><small>${format({ month: 'short' })}</small
              ><b>${format({ day: 'numeric' })}</b></span
            >
            <span
              ><strong dir="auto">${title}</strong
              ><small>${day}${note !== undefined && html` · <bdi>${note}</bdi>`}</small></span
            >
          </a>
        </li>`;
      })}
    </ul>`;
}

function renderMembers(pages: ShownPages, { t, isDirectoryVisible, pagesUrl }: LandingPageOptions) {
  const { faces, total } = pages;
  const members = html`<h2>
    ${t('Members')} <span class="muted">${numberFormat(t.locale).format(total)}</span>
  </h2>`;
  if (total < MIN_FACES) return renderCards(pages, members);
  return html`<section class="people">
      ${members}
      <ul class="faces">
        ${faces.map(({ name, title, avatar_url }) => {
          const picture = parseStoredPicture(avatar_url);
          return html`<li>
            <a href="${pagesUrl}/@${name}" title="${title}" aria-label="${title}"
              >${picture ? html`<img src="${picturePath(picture.id, 96)}" alt="" width="56" height="56" loading="lazy" />` : html`<span aria-hidden="true">${initialsOf(title)}</span>`}</a
            >
          </li>`;
        })}
        ${
          isDirectoryVisible &&
          html`<li class="all">
            <a href="/members"><span>${t('All members, A to Z')}</span></a>
          </li>`
        }
      </ul>
    </section>
    ${renderCards(pages, html`<h2>${t('Newest pages')}</h2>`)}`;
}
