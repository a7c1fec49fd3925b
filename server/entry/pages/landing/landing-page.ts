import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { instanceLinks, legalUrls } from '#contract/shared/instance.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { type Html, html, type TemplateValue, trustedHtml } from '#page/html/html.ts';
import { PAGE_STYLE, readMinifiedCss } from '#server/entry/pages/shell/page-style.ts';
import { PAGE_POLICY } from '#server/entry/pages/shell/page.ts';
import type { Instance } from '#server/platform/instance-store.ts';
import type { Translator } from '#translations/translator.ts';
import { renderPhones, titleFrom } from './example-phones.ts';
import { type LandingPageOptions, renderHeadline, renderLead, renderOffer } from './offer.ts';
import { renderCards } from './shown-pages.ts';

const SCRIPT = readFileSync(new URL('./check-name.js', import.meta.url), 'utf8');

/** No whitespace around the script: the CSP hash covers everything between the tags. */
export const SCRIPT_ELEMENT = trustedHtml(`<script>${SCRIPT}</script>`);

export const LANDING_CSS =
  PAGE_STYLE.css + readMinifiedCss(new URL('./landing.css', import.meta.url));

export const LANDING_CSP = {
  ...PAGE_POLICY,
  'script-src': `'sha256-${hash('sha256', SCRIPT, 'base64')}'`,
  'connect-src': "'self'",
};

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

export function renderClaimPage(form: ClaimForm, options: LandingPageOptions): Html {
  const { t, provider, takesApplications } = options;
  return renderHero(form, options, [
    form.input === ''
      ? renderIntro(options)
      : html`<h1>${takesApplications ? t('Ask to join') : t('Claim your name')}</h1>`,
    renderNameForm(form, options),
    provider !== undefined &&
      html`<div class="mail" id="sign-on">
        <p class="or-divider">${t('or')}</p>
        ${signOnButton(provider, t, form.input)}
      </div>`,
  ]);
}

/** For servers where new accounts need an invitation, or where there are none. */
export function renderMembersPage(options: LandingPageOptions): Html {
  const { provider, t } = options;
  return renderHero({ input: '' }, options, [
    renderIntro(options),
    html`<div class="ways">
      ${renderWayIn(options)} ${provider !== undefined && signOnButton(provider, t)}
    </div>`,
  ]);
}

function renderIntro(options: LandingPageOptions): Html {
  const { name, line } = options.instance;
  return html`${renderHeadline(options)}
    <p class="line">${name === null && line !== null ? line : renderLead(options)}</p>`;
}

function renderHero(form: ClaimForm, options: LandingPageOptions, parts: unknown): Html {
  const { shownPages, t } = options;
  return html`<main id="main" class="front">
    <div class="hero">
      <div>${parts as TemplateValue}</div>
      ${renderPhones(form.name ?? form.input, form.isAvailable === false, t)}
    </div>
    ${form.input === '' && renderOffer(options)}
    ${form.input === '' && shownPages && renderCards(shownPages, html`<h2>${t('Newest pages')}</h2>`)}
  </main>`;
}

function renderNameForm(form: ClaimForm, options: LandingPageOptions): Html {
  const { t, pagesHost, takesApplications } = options;
  const { input, isAvailable = false } = form;
  const isInvalid = input !== '' && !isAvailable;
  return html`<form class="claim">
      <div>
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
            ${isInvalid && trustedHtml(' aria-invalid="true"')}
        /></label>
        <button class="${isAvailable ? '' : 'primary'}">
          ${isAvailable ? t('Check name') : takesApplications ? t('Ask for this name') : t('Claim this name')}
        </button>
      </div>
      <div class="name-status" id="state" role="status">${renderStatus(form, options)}</div>
    </form>
    ${isAvailable && renderEmailForm(form, options)}`;
}

function renderEmailForm(
  { input, name = input, email, emailProblem, person, text, textProblem }: ClaimForm,
  { instance, t, takesApplications }: LandingPageOptions,
): Html {
  const typedTitle = titleFrom(input);
  // One word is hardly a full name.
  const fullName = person ?? (typedTitle.includes(' ') ? typedTitle : '');
  return html`<form class="mail" method="post" action="/">
    <input type="hidden" name="name" value="${name}" />
    ${
      takesApplications &&
      html`<div class="field">
        <label for="person">${t('Full name')}</label>
        <input
          id="person"
          name="person"
          value="${fullName}"
          required
          maxlength="${LIMITS.memberName}"
          autocomplete="name"
          ${fullName === '' && 'autofocus'}
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
        ${(!takesApplications || fullName !== '') && 'autofocus'}${emailProblem !== undefined && trustedHtml(' aria-invalid="true" aria-describedby="email-problem"')}
      />
      ${emailProblem !== undefined && html`<p class="error" id="email-problem">${emailProblem}</p>`}
    </div>
    ${takesApplications && renderTextField(text, textProblem, t)}
    <button class="primary">${takesApplications ? t('Continue') : t('Send me the link')}</button>
    <p class="muted">
      ${
        takesApplications
          ? t(
              'First, we mail you a link that confirms your address. Your name is held for {days} days. If the answer is no, what you wrote is deleted.',
              { days: LIMITS.applicationDays },
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
  countsVisits,
  mailDomain,
  t,
}: Pick<LandingPageOptions, 'countsVisits' | 'mailDomain' | 't'>): string {
  if (!countsVisits)
    return mailDomain === undefined
      ? t('Your name becomes a page for your links, pictures and dates.')
      : t('Your name becomes an email address and a page for your links, pictures and dates.');
  return mailDomain === undefined
    ? t('Your name becomes a page for your links, pictures and dates, with visitor statistics.')
    : t(
        'Your name becomes an email address and a page for your links, pictures and dates, with visitor statistics.',
      );
}

function renderStatus(
  { input, name = '', isAvailable, suggestions = [], problem }: ClaimForm,
  { t, takesApplications }: LandingPageOptions,
): Html {
  if (input === '')
    return html`<span class="muted"
      >${takesApplications ? t('We read every request and reply by email.') : t('Two minutes, no password.')}</span
    >`;
  if (isAvailable) return html`<span class="good">✓ ${t('{name} is available', { name })}</span>`;
  return html`<p class="error">${problem ?? t('{name} is not available', { name })}</p>
    ${suggestions.length > 0 && html`<span class="muted">${t('How about')}</span> ${suggestions.map((suggestion) => html`<a class="button" href="?name=${suggestion}">${suggestion}</a> `)}`}`;
}

/** A name that the visitor typed is filled in again after the sign-on. */
export function signOnButton(provider: string, t: Translator, name = ''): Html {
  const label = t('Continue with {provider}', { provider });
  const home = `?${new URLSearchParams({ name }).toString()}`;
  const query = name && `?${new URLSearchParams({ to: home }).toString()}`;
  return html`<a class="button" href="/dashboard/sign-on${query}">${label}</a>`;
}

/** Whether the main part of the page has "Sign in", so that its header needs none. */
export function offersSignIn(options: LandingPageOptions): boolean {
  return !options.isForEveryone && invitationContact(options) === undefined;
}

function invitationContact({ instance, byInvitation, t }: LandingPageOptions) {
  return byInvitation
    ? instanceLinks(instance, t).find(({ name }) => name === 'contact')
    : undefined;
}

export function renderWayIn(options: LandingPageOptions): Html {
  const { byInvitation, t } = options;
  const contact = invitationContact(options);
  if (!contact)
    return html`<a class="button primary" href="/dashboard/">${t('Sign in')}</a>
      <p class="muted">
        ${
          byInvitation
            ? [t('People join by invitation.'), ' ', t('Have one? Open its link.')]
            : t('Sign-up is closed.')
        }
      </p>`;
  return html`<a class="button primary" href="${contact.url}" rel="noopener"
      >${t('Ask for an invitation')}</a
    >
    <p class="muted">${t('People join by invitation.')} ${t('Have one? Open its link.')}</p>`;
}

/** The sentence that people accept when they create an account, if operators have set links. */
function renderConsent(instance: Instance, t: Translator): Html | undefined {
  const { terms_url: terms, privacy_url: privacy } = legalUrls(instance, '');
  const paragraph = (sentence: (string | Html)[]) => html`<p class="muted">${sentence}</p>`;
  const link = (url: string) => (children: (string | Html)[]) =>
    html`<a href="${url}" target="_blank" rel="noopener">${children}</a>`;
  if (terms && privacy)
    return paragraph(
      t.rich(
        'By creating an account you accept the <terms>terms</terms> and the <privacy>privacy policy</privacy>.',
        { terms: link(terms), privacy: link(privacy) },
      ),
    );
  if (terms)
    return paragraph(
      t.rich('By creating an account you accept the <terms>terms</terms>.', { terms: link(terms) }),
    );
  if (privacy)
    return paragraph(
      t.rich('By creating an account you accept the <privacy>privacy policy</privacy>.', {
        privacy: link(privacy),
      }),
    );
  return undefined;
}
