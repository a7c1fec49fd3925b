import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Translator } from '#translations/translator.ts';
import { instanceLinks } from '#contract/shared/instance.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import type { Instance } from '#server/features/instance/instance-store.ts';
import { PAGE_POLICY, renderConsent } from '#server/platform/http/responses/page.ts';
import {
  PAGE_STYLE,
  readMinifiedCss,
  createPageStyle,
} from '#server/platform/http/responses/page-style.ts';
import { type Html, html, type TemplateValue, trustedHtml } from '#page/html.ts';

const SCRIPT = readFileSync(new URL('./check-name.js', import.meta.url), 'utf8');

/** No whitespace around the script: the CSP hash covers everything between the tags. */
const SCRIPT_ELEMENT = trustedHtml(`<script>${SCRIPT}</script>`);

export const LANDING_STYLE = createPageStyle(
  PAGE_STYLE.css + readMinifiedCss(new URL('./landing.css', import.meta.url)),
);

export const LANDING_CSP = {
  ...PAGE_POLICY,
  'style-src': `'self' ${LANDING_STYLE.cspSource}`,
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
}

export interface LandingPageOptions {
  t: Translator;
  pagesHost: string;
  /** Undefined if the server forwards no mail. */
  mailDomain: string | undefined;
  provider?: string | undefined;
  instance: Instance;
}

export function renderClaimPage(form: ClaimForm, options: LandingPageOptions): Html {
  const { input, name, isAvailable = false, email, emailProblem } = form;
  const { t } = options;
  const isInvalid = input !== '' && !isAvailable;
  return html`<main id="main">
      <div class="front">
        <div>
          <h1>${t('Claim your name')}</h1>
          ${renderLead(options)}
          <form class="claim">
            <label class="prefixed"
              ><span>${options.pagesHost}/@</span
              ><input
                id="name"
                name="name"
                value="${input}"
                placeholder="${t('name')}"
                aria-label="${t('Your name')}"
                required
                minlength="${LIMITS.displayNameMin}"
                maxlength="${LIMITS.displayNameMax}"
                autocomplete="off"
                autocapitalize="none"
                spellcheck="false"
                aria-describedby="state"
                ${isInvalid && trustedHtml(' aria-invalid="true"')} /></label
            ><button class="${isAvailable ? '' : 'primary'}">
              ${isAvailable ? t('Check name') : t('Claim name')}
            </button>
          </form>
          <div class="name-status" id="state" role="status">${renderStatus(form, t)}</div>
          ${
            name !== undefined &&
            isAvailable &&
            html`<form class="mail" method="post">
              <input type="hidden" name="name" value="${name}" />
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
                  autofocus${emailProblem !== undefined && trustedHtml(' aria-invalid="true" aria-describedby="email-problem"')}
                />
                ${emailProblem !== undefined && html`<p class="error" id="email-problem">${emailProblem}</p>`}
              </div>
              <button class="primary">${t('Send me the link')}</button>
              <p class="muted">${t('The link creates your account. There is no password.')}</p>
              ${renderConsent(options.instance, t)}
            </form>`
          }
          ${
            options.provider !== undefined &&
            html`<div class="mail" id="sign-on">
              <p class="or-divider">${t('or')}</p>
              ${signOnButton(options.provider, t, input)}
            </div>`
          }
        </div>
        <div class="wall">${renderClaimedPlate(form, options)}</div>
      </div>
      ${renderWelcome(options.instance) ?? renderThemes(t)} ${renderFeatures(options)}
    </main>
    ${SCRIPT_ELEMENT}`;
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

function renderLead(options: LandingPageOptions): Html {
  const { line } = options.instance;
  return html`<p class="lead">
    ${line !== null && html`<strong>${line}</strong><br />`}${describeMembership(options)}
  </p>`;
}

function renderStatus(
  { input, name = '', isAvailable, suggestions = [], problem }: ClaimForm,
  t: Translator,
): Html {
  if (input === '') return html`<span class="muted">${t('Letters, digits and hyphens.')}</span>`;
  if (isAvailable) return html`<span class="good">${t('{name} is available', { name })}</span>`;
  return html`<p class="error">${problem ?? t('{name} is not available', { name })}</p>
    ${suggestions.length > 0 && html`<span class="muted">${t('How about')}</span> ${suggestions.map((suggestion) => html`<a class="button" href="?name=${suggestion}">${suggestion}</a> `)}`}`;
}

/** Dashed until the visitor types a name. */
function renderClaimedPlate({ name, isAvailable }: ClaimForm, options: LandingPageOptions): Html {
  const { t } = options;
  if (name === undefined) return renderPlate(t('your-name'), options, ' off');
  return renderPlate(name, options, isAvailable ? '' : ' taken');
}

function renderPlate(name: string, options: LandingPageOptions, state = ''): Html {
  const size = name.length > 24 ? ' longest' : name.length > 12 ? ' long' : '';
  return html`<p class="plate${state}${size}"><span>@${name}</span></p>
    ${renderAddresses(name, options)}`;
}

function renderAddresses(
  name: string,
  { pagesHost, mailDomain, t }: Pick<LandingPageOptions, 'pagesHost' | 'mailDomain' | 't'>,
): Html {
  return html`<dl>
    <dt>${t('Page')}</dt>
    <dd>${pagesHost}/@${name}</dd>
    ${
      mailDomain !== undefined &&
      html`<dt>${t('Mail')}</dt>
        <dd>${name}@${mailDomain}</dd>`
    }
  </dl>`;
}

/** A name that the visitor typed is filled in again after the sign-on. */
function signOnButton(provider: string, t: Translator, name = ''): Html {
  const label = t('Continue with {provider}', { provider });
  const home = `?${new URLSearchParams({ name }).toString()}`;
  const query = name && `?${new URLSearchParams({ to: home }).toString()}`;
  return html`<a class="button" href="/dashboard/sign-on${query}">${label}</a>`;
}

/** `shownPages` is undefined if sign-up is closed. */
export function renderClosedPage(
  options: LandingPageOptions,
  shownPages: readonly ShownPage[] | undefined,
): Html {
  const { provider, instance, t } = options;
  const [first] = shownPages ?? [];
  return html`<main id="main">
    <div class="front">
      <div>
        <h1>${instance.name ?? t('Names live here')}</h1>
        ${renderLead(options)}
        ${provider !== undefined && html`<p class="actions">${signOnButton(provider, t)}</p>`}
        ${shownPages ? renderWayIn(instance, t) : html`<h2>${t('Sign-up is closed.')}</h2>`}
      </div>
      <div class="wall">
        ${
          first
            ? renderPlate(first.name, { ...options, mailDomain: undefined })
            : renderPlate(t('your-name'), options)
        }
      </div>
    </div>
    ${renderWelcome(instance) ?? (!first && renderThemes(t))}
    ${shownPages && first && renderShownPages(shownPages, t)} ${renderFeatures(options)}
  </main>`;
}

function renderWayIn(instance: Instance, t: Translator): Html {
  const contact = instanceLinks(instance, t).find(({ name }) => name === 'contact');
  return html`<h2>${t('People join by invitation.')}</h2>
    <p class="muted">
      ${t('Have one? Open its link. Otherwise, ask the people who run this site.')}
    </p>
    ${contact && html`<p class="actions"><a class="button primary" href="${contact.url}" rel="noopener">${t('Ask for an invitation')}</a></p>`}`;
}

/** A page whose owner lets the front page show it. */
export interface ShownPage {
  url: string;
  name: string;
  title: string;
}

/** Pages per row on wide screens. A placeholder completes the last row. */
const PAGES_PER_ROW = 3;

/** Shows the preview picture of each page, which has the colors and the type of the page. */
function renderShownPages(pages: readonly ShownPage[], t: Translator): Html {
  return html`<section class="people">
    <h2>${t('Pages of members')}</h2>
    <ul>
      ${pages.map(
        ({ url, name, title }) =>
          html`<li>
            <a href="${url}">
              <img src="${url}/card.png" alt="" width="1200" height="630" loading="lazy" />
              <span><strong>${title}</strong> <span class="muted">@${name}</span></span>
            </a>
          </li>`,
      )}
      ${
        pages.length % PAGES_PER_ROW > 0 &&
        html`<li class="yours"><strong>${t('Your page could be here')}</strong></li>`
      }
    </ul>
  </section>`;
}

function renderWelcome({ welcomeHtml }: Instance): Html | undefined {
  return welcomeHtml && html`<section class="welcome">${welcomeHtml}</section>`;
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
