import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Translator } from '#translations/translator.ts';
import { instanceLinks } from '#contract/shared/instance.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import type { Instance } from '#server/platform/instance-store.ts';
import { PAGE_POLICY, renderConsent } from '#server/platform/http/responses/page.ts';
import {
  createPageStyle,
  PAGE_STYLE,
  type PageStyle,
  readMinifiedCss,
} from '#server/platform/http/responses/page-style.ts';
import { type Html, html, type TemplateValue, trustedHtml } from '#page/html/html.ts';
import { renderShownPages, type ShownPages } from './shown-pages.ts';

const SCRIPT = readFileSync(new URL('./check-name.js', import.meta.url), 'utf8');

/** No whitespace around the script: the CSP hash covers everything between the tags. */
export const SCRIPT_ELEMENT = trustedHtml(`<script>${SCRIPT}</script>`);

const LANDING_CSS = PAGE_STYLE.css + readMinifiedCss(new URL('./landing.css', import.meta.url));

const LANDING_STYLE = createPageStyle(LANDING_CSS);

export function landingStyle(shownPages: ShownPages | undefined): PageStyle {
  return shownPages ? createPageStyle(LANDING_CSS + shownPages.css) : LANDING_STYLE;
}

export const LANDING_CSP = {
  ...PAGE_POLICY,
  'script-src': `'sha256-${hash('sha256', SCRIPT, 'base64')}'`,
  'connect-src': "'self'",
};

export const EXAMPLES = ['paper', 'ember', 'daylight'] as const;

/** Also the path of the picture's file. */
export function exampleUrl(name: string, language: string): string {
  return `/examples/${name}-${language}.webp`;
}

export interface ClaimForm {
  input: string;
  name?: string;
  isAvailable?: boolean;
  suggestions?: readonly string[];
  problem?: string;
  email?: string;
  emailProblem?: string | undefined;
  /** Of an application, like the text. */
  person?: string;
  text?: string;
  textProblem?: string | undefined;
}

export interface LandingPageOptions {
  /** Of members. Undefined if there are none. */
  shownPages: ShownPages | undefined;
  t: Translator;
  pagesHost: string;
  /** Undefined if the server forwards no mail. */
  mailDomain: string | undefined;
  provider?: string | undefined;
  takesApplications: boolean;
  instance: Instance;
}

export function renderClaimPage(form: ClaimForm, options: LandingPageOptions): Html {
  const { t, instance, provider, takesApplications } = options;
  const ask = takesApplications ? t('Ask to join') : t('Claim your name');
  const hasTitle = instance.name !== null;
  return html`<main id="main">
    <div class="front">
      <div>
        ${renderTitle(ask, options)} ${hasTitle && html`<h2 class="ask">${ask}</h2>`}
        ${takesApplications && form.input === '' && html`<p class="muted">${t('Choose a name, then write a few sentences. The people who run {server} read them and answer by mail.', { server: instance.name ?? options.pagesHost })}</p>`}
        ${renderNameForm(form, options)}
        ${
          provider !== undefined &&
          html`<div class="mail" id="sign-on">
            <p class="or-divider">${t('or')}</p>
            ${signOnButton(provider, t, form.input)}
          </div>`
        }
        ${(hasTitle || instance.line !== null) && html`<p class="muted say">${describeMembership(options)}</p>`}
      </div>
      <div class="wall">${renderClaimedPlate(form, options)}</div>
    </div>
    ${renderWelcome(instance, t)} ${form.input === '' && renderMore(options)}
  </main>`;
}

function renderNameForm(form: ClaimForm, options: LandingPageOptions): Html {
  const { t, pagesHost, takesApplications } = options;
  const { input, isAvailable = false } = form;
  const isInvalid = input !== '' && !isAvailable;
  return html`<form class="claim">
      <label class="prefixed"
        ><span>${pagesHost}/@</span
        ><input
          id="name"
          name="name"
          value="${input}"
          placeholder="${t('name')}"
          aria-label="${t('Your name')}"
          required
          autocomplete="off"
          autocapitalize="none"
          spellcheck="false"
          aria-describedby="state"
          ${isInvalid && trustedHtml(' aria-invalid="true"')} /></label
      ><button class="${isAvailable ? '' : 'primary'}">
        ${isAvailable || takesApplications ? t('Check name') : t('Claim name')}
      </button>
    </form>
    <div class="name-status" id="state" role="status">${renderStatus(form, t)}</div>
    ${isAvailable && renderEmailForm(form, options)}`;
}

function renderEmailForm(
  { name, email, emailProblem, person, text, textProblem }: ClaimForm,
  { instance, t, takesApplications }: LandingPageOptions,
): Html {
  return html`<form class="mail" method="post" action="/">
    <input type="hidden" name="name" value="${name}" />
    ${
      takesApplications &&
      html`<div class="field">
        <label for="person">${t('Full name')}</label>
        <input
          id="person"
          name="person"
          value="${person}"
          required
          maxlength="${LIMITS.memberName}"
          autocomplete="name"
          autofocus
        />
      </div>`
    }
    <div class="field">
      <label for="email">${t('Email address')}</label>
      <input
        id="email"
        type="email"
        name="email"
        value="${email}"
        required
        maxlength="${LIMITS.email}"
        autocomplete="email"
        ${!takesApplications && 'autofocus'}${emailProblem !== undefined && trustedHtml(' aria-invalid="true" aria-describedby="email-problem"')}
      />
      ${emailProblem !== undefined && html`<p class="error" id="email-problem">${emailProblem}</p>`}
    </div>
    ${takesApplications && renderTextField(text, textProblem, t)}
    <button class="primary">
      ${takesApplications ? t('Send application') : t('Send me the link')}
    </button>
    <p class="muted">
      ${
        takesApplications
          ? t(
              'First, we mail you a link that confirms your address. Your name is held for {days} days. If the answer is no, what you wrote is deleted after {deletedAfter} days.',
              { days: LIMITS.applicationDays, deletedAfter: LIMITS.decidedApplicationDays },
            )
          : t('The link creates your account. There is no password.')
      }
    </p>
    ${renderConsent(instance, t)}
  </form>`;
}

function renderTextField(text: string | undefined, problem: string | undefined, t: Translator) {
  return html`<div class="field">
    <label for="text">${t('Why would you like to join?')}</label>
    <textarea
      id="text"
      name="text"
      rows="5"
      maxlength="${LIMITS.applicationText}"
      aria-describedby="text-hint"
      ${problem !== undefined && trustedHtml(' aria-invalid="true"')}
    >
${text}</textarea>
    <p class="${problem === undefined ? 'muted' : 'error'}" id="text-hint">
      ${problem ?? t('The operators read this. At most {max} characters.', { max: LIMITS.applicationText })}
    </p>
  </div>`;
}

/** What a member gets, in one sentence. */
export function describeMembership({
  mailDomain,
  t,
}: Pick<LandingPageOptions, 'mailDomain' | 't'>): string {
  return mailDomain === undefined
    ? t('Your name becomes a page for your links, pictures and dates, with visitor statistics.')
    : t(
        'Your name becomes an email address and a page for your links, pictures and dates, with visitor statistics.',
      );
}

function renderTitle(defaultTitle: string, options: LandingPageOptions): Html {
  const { name, line } = options.instance;
  const text = line ?? (name === null ? describeMembership(options) : undefined);
  return html`<h1>${name ?? defaultTitle}</h1>
    ${text !== undefined && html`<p class="line">${text}</p>`}`;
}

function renderStatus(
  { input, name = '', isAvailable, suggestions = [], problem }: ClaimForm,
  t: Translator,
): Html {
  if (input === '') {
    const limits = { min: LIMITS.displayNameMin, max: LIMITS.displayNameMax };
    return html`<span class="muted"
      >${t('{min} to {max} letters, digits and hyphens.', limits)}</span
    >`;
  }
  if (isAvailable) return html`<span class="good">${t('{name} is available', { name })}</span>`;
  return html`<p class="error">${problem ?? t('{name} is not available', { name })}</p>
    ${suggestions.length > 0 && html`<span class="muted">${t('How about')}</span> ${suggestions.map((suggestion) => html`<a class="button" href="?name=${suggestion}">${suggestion}</a> `)}`}`;
}

/** Dashed if the name is not available. */
function renderClaimedPlate({ name, isAvailable }: ClaimForm, options: LandingPageOptions): Html {
  if (name === undefined) return renderPlate(options.t('your-name'), options);
  return renderPlate(name, options, isAvailable ? '' : ' off');
}

function renderPlate(name: string, options: LandingPageOptions, state = ''): Html {
  const { pagesHost, mailDomain, t } = options;
  return html`${renderSign(name, state)}
    <dl>
      <dt>${t('Page')}</dt>
      <dd><span>${pagesHost}/</span><span>@${name}</span></dd>
      ${
        mailDomain !== undefined &&
        html`<dt>${t('Mail')}</dt>
          <dd><span>${name}</span><span>@${mailDomain}</span></dd>`
      }
    </dl>`;
}

function renderSign(name: string, state = ''): Html {
  const size = name.length > 24 ? ' longest' : name.length > 12 ? ' long' : '';
  return html`<p class="plate${state}${size}"><span>@${name}</span></p>`;
}

/** A name that the visitor typed is filled in again after the sign-on. */
function signOnButton(provider: string, t: Translator, name = ''): Html {
  const label = t('Continue with {provider}', { provider });
  const home = `?${new URLSearchParams({ name }).toString()}`;
  const query = name && `?${new URLSearchParams({ to: home }).toString()}`;
  return html`<a class="button" href="/dashboard/sign-on${query}">${label}</a>`;
}

/** For servers where new accounts need an invitation, or where there are none. */
export function renderMembersPage(
  options: LandingPageOptions,
  { byInvitation }: { byInvitation: boolean },
): Html {
  const { instance, provider, shownPages, t } = options;
  const member = shownPages?.featured;
  return html`<main id="main">
    <div class="front">
      <div>
        ${renderTitle(t('Names live here'), options)}
        ${isShort(instance) && html`<div class="welcome">${instance.welcomeHtml}</div>`}
        ${byInvitation ? renderWayIn(options) : html`<h2>${t('Sign-up is closed.')}</h2>`}
        ${provider !== undefined && html`<p class="actions">${signOnButton(provider, t)}</p>`}
      </div>
      ${
        member
          ? html`<div class="wall hosts">
              <a href="${member.url}"
                ><small>${t('A member’s page')}</small>${renderSign(member.name)}</a
              >
              <p class="phone">
                <iframe
                  src="${member.url}/preview.html"
                  title="${member.title}"
                  loading="lazy"
                  inert
                ></iframe>
              </p>
            </div>`
          : html`<div class="wall">${renderPlate(t('your-name'), options)}</div>`
      }
    </div>
    ${!isShort(instance) && renderWelcome(instance, t)} ${renderMore(options)}
  </main>`;
}

function renderWayIn({ instance, t }: LandingPageOptions): Html {
  const contact = instanceLinks(instance, t).find(({ name }) => name === 'contact');
  return html`${
      contact &&
      html`<p class="actions">
        <a class="button primary" href="${contact.url}" rel="noopener"
          >${t('Ask for an invitation')}</a
        >
      </p>`
    }
    <p class="muted">
      ${t('People join by invitation.')} ${t('Have one? Open its link.')}
      ${!contact && t('Otherwise, ask the people who run this site.')}
    </p>`;
}

/** Short enough for the top of the page, beside the plate. */
function isShort({ welcomeHtml }: Instance): boolean {
  return welcomeHtml !== undefined && String(welcomeHtml).length < 500;
}

/** Below the form. Without shown pages, visitors see what a page can look like. */
function renderMore(options: LandingPageOptions): Html {
  const { instance, shownPages, t } = options;
  return html`${shownPages ? renderShownPages(shownPages, t) : renderThemes(t)}
  ${instance.directory !== 'off' && html`<p class="all-members"><a class="button" href="/members">${t('All members, from A to Z')}</a></p>`}
  ${instance.name === null && renderFeatures(options)}`;
}

function renderWelcome(instance: Instance, t: Translator): Html | undefined {
  const { welcomeHtml } = instance;
  if (!welcomeHtml) return undefined;
  const contact = instanceLinks(instance, t).find(({ name }) => name === 'contact');
  return html`<section class="hello">
    <div class="welcome">${welcomeHtml}</div>
    ${contact && html`<p><a class="button" href="${contact.url}" rel="noopener">${t('Write to us')}</a></p>`}
  </section>`;
}

function renderThemes(t: Translator): Html {
  const labels: Record<(typeof EXAMPLES)[number], string> = {
    paper: t('A page in Paper: cream, serif type, thin lines'),
    ember: t('A page in Ember: black, large type, hard orange shadows'),
    daylight: t('A page in Daylight: sky, soft white cards'),
  };
  return html`<section class="wall looks">
    <div>
      <h2>${t('One page, many themes')}</h2>
      <p class="muted">
        ${t('The same page in the themes Paper, Ember and Daylight. Switch any time.')}
      </p>
    </div>
    <div class="phones" role="group" aria-label="${t('Example pages')}" tabindex="0">
      ${EXAMPLES.map(
        (name) =>
          html`<img
            src="${exampleUrl(name, t.locale)}"
            alt="${labels[name]}"
            width="224"
            height="485"
            loading="lazy"
          />`,
      )}
    </div>
  </section>`;
}

function renderFeature(lines: string, title: string, text: TemplateValue): Html {
  return html`<li>
    <span class="tile tinted"
      ><svg class="icon" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
        <path d="${lines}" /></svg
    ></span>
    <h2>${title}</h2>
    <p class="muted">${text}</p>
  </li>`;
}

function renderFeatures({ mailDomain, t }: LandingPageOptions): Html {
  return html`<ul class="points">
    ${[
      renderFeature(
        'M4 3h16v7H4zM4 14h8v7H4zM16 14h4v7h-4z',
        t('A page of your own'),
        t('Start with a template, choose a theme, and publish when you like.'),
      ),
      mailDomain !== undefined &&
        renderFeature(
          'M2 5h20v14H2zM22 7l-10 6L2 7',
          t('An email address'),
          t('Forwards to your usual inbox.'),
        ),
      renderFeature(
        'M3 3v16a2 2 0 0 0 2 2h16M18 17V9M13 17V5M8 17v-3',
        t('Visitors'),
        t('See how many people come and what they open, without cookies.'),
      ),
    ]}
  </ul>`;
}
