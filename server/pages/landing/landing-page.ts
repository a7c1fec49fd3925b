import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { LIMITS } from '#contract/limits.ts';
import { PAGE_POLICY } from '#server/http/answers/page.ts';
import { PAGE_STYLE, sheetAt, styleOf } from '#server/http/answers/page-style.ts';
import { type Html, html, trusted } from '#page/html.ts';

const SCRIPT = readFileSync(new URL('./live.js', import.meta.url), 'utf8');

/** The script as the hash in the policy is of it: with nothing around it, white space included. */
const SCRIPT_ELEMENT = trusted(`<script>${SCRIPT}</script>`);

/** The style of the landing page. */
export const LANDING_STYLE = styleOf(
  PAGE_STYLE.sheet + sheetAt(new URL('./landing.css', import.meta.url)),
);

/** Policy of the landing page: its one script, which asks this server alone. */
export const LANDING_POLICY = {
  ...PAGE_POLICY,
  'style-src': LANDING_STYLE.source,
  'script-src': `'sha256-${hash('sha256', SCRIPT, 'base64')}'`,
  'connect-src': "'self'",
  'img-src': "'self'",
};

/** Pages that the landing page shows, by the names of their pictures. */
export const EXAMPLES = {
  paper: 'A page in Paper: cream, serif type, thin lines',
  ember: 'A page in Ember: black, large type, hard orange shadows',
  daylight: 'A page in Daylight: sky, soft white cards',
} as const;

/** Address of such a picture. */
export function exampleAddress(name: string): string {
  return `/examples/${name}.webp`;
}

/** State of a name that somebody claims, as the page shows it. */
export interface Claim {
  /** The name as it was typed; empty if none was. */
  typed: string;
  /** The name as it would be, if it is one. */
  name?: string;
  isAvailable?: boolean;
  suggestions?: readonly string[];
  /** Why there can be no such name. */
  problem?: string;
  /** The address that was typed, and why no mail is sent there. */
  email?: string;
  emailProblem?: string | undefined;
}

/** Where names are found. */
export interface Hosts {
  host: string;
  pagesHost: string;
  mailDomain: string;
  /** Name of the single sign-on provider, if there is one. */
  provider?: string | undefined;
}

/** The page where anybody claims a name. */
export function claimPage(claim: Claim, hosts: Hosts): Html {
  const { typed, name, isAvailable = false, email, emailProblem } = claim;
  const isWrong = typed !== '' && !isAvailable;
  return html`<main id="main">
      <div class="front">
        <div>
          <h1>Claim your name</h1>
          <p class="lead">
            Everybody at ${hosts.host} gets a name, and with it a page, a mail address, metrics and
            an API.
          </p>
          <form class="claim">
            <label class="name"
              ><span>${hosts.pagesHost}/@</span
              ><input
                id="name"
                name="name"
                value="${typed}"
                placeholder="name"
                aria-label="Your name"
                required
                minlength="${LIMITS.displayNameMin}"
                maxlength="${LIMITS.displayNameMax}"
                autocomplete="off"
                autocapitalize="none"
                spellcheck="false"
                aria-describedby="state"
                ${isWrong && trusted(' aria-invalid="true"')} /></label
            ><button class="${isAvailable ? '' : 'primary'}">Claim name</button>
          </form>
          <div class="status" id="state" role="status">${state(claim)}</div>
          ${
            name !== undefined &&
            isAvailable &&
            html`<form class="mail" method="post">
              <input type="hidden" name="name" value="${name}" />
              <label
                >Email address<input
                  type="email"
                  name="email"
                  value="${email}"
                  required
                  maxlength="${LIMITS.email}"
                  autocomplete="email"
                  autofocus${emailProblem !== undefined && trusted(' aria-invalid="true" aria-describedby="email-problem"')}
              /></label>
              ${emailProblem !== undefined && html`<p class="wrong" id="email-problem">${emailProblem}</p>`}
              <button class="primary">Send me the link</button>
              <p class="muted">The link creates your account. There is no password.</p>
            </form>`
          }
          ${
            hosts.provider !== undefined &&
            html`<div class="mail">
              <p class="or">or</p>
              ${continueAt(hosts.provider)}
            </div>`
          }
        </div>
        <div class="wall">${plate(claim, hosts)}</div>
      </div>
      ${LOOKS} ${POINTS}
    </main>
    ${SCRIPT_ELEMENT}`;
}

function state({ typed, name, isAvailable, suggestions = [], problem }: Claim): Html {
  if (typed === '') return html`<span class="muted">Letters, digits and hyphens.</span>`;
  if (name === undefined) return html`<span class="wrong">${problem}</span>`;
  if (isAvailable) return html`<span class="good">${name} is available</span>`;
  return html`<span class="wrong">${name} is not available</span>
    ${suggestions.length > 0 && html`<span class="muted">How about</span> ${suggestions.map((each) => html`<a class="button" href="?name=${each}">${each}</a> `)}`}`;
}

function plate({ name, isAvailable }: Claim, { pagesHost, mailDomain }: Hosts): Html {
  if (name === undefined)
    return html`<p class="plate off"><span>@name</span></p>
      ${addresses('name', pagesHost, mailDomain)}`;
  if (!isAvailable)
    return html`<p class="plate taken${long(name)}"><span>@${name}</span></p>
      <p class="hold">Not available.</p>`;
  return html`<p class="plate${long(name)}"><span>@${name}</span></p>
    ${addresses(name, pagesHost, mailDomain)}`;
}

function addresses(name: string, pagesHost: string, mailDomain: string): Html {
  return html`<dl>
    <dt>Page</dt>
    <dd>${pagesHost}/@${name}</dd>
    <dt>Mail</dt>
    <dd>${name}@${mailDomain}</dd>
  </dl>`;
}

function continueAt(provider: string): Html {
  return html`<a class="button" href="/dashboard/sign-on">Continue with ${provider}</a>`;
}

/** Class of a plate whose name is set smaller, so that it fits. */
function long(name: string): string {
  return name.length > 24 ? ' longest' : name.length > 12 ? ' long' : '';
}

/** The page of a server where one needs an invitation, or is no stranger. */
export function quietPage(
  { host, provider }: Pick<Hosts, 'host' | 'provider'>,
  takesInvitations: boolean,
): Html {
  return html`<main id="main">
    <div class="front">
      <div>
        <h1>Names live here</h1>
        <p class="lead">
          Everybody at ${host} has a name, and with it a page, a mail address, metrics and an API.
          ${takesInvitations ? 'New accounts need an invitation.' : 'Registration is closed.'}
        </p>
        <p class="ways">
          <a class="button primary" href="/dashboard/">Sign in</a>
          ${provider !== undefined && continueAt(provider)}
        </p>
      </div>
      <div class="wall">
        <p class="plate"><span>${host}</span></p>
        <p class="hold">For programs there is the <a href="/docs/">API</a>.</p>
      </div>
    </div>
    ${LOOKS} ${POINTS}
  </main>`;
}

const LOOKS = html`<section class="looks">
  <div>
    <h2>One page, many looks</h2>
    <p>The same words and links in Paper, Ember and Daylight. Switch any time.</p>
  </div>
  <div class="phones" role="group" aria-label="Example pages" tabindex="0">
    ${Object.entries(EXAMPLES).map(
      ([name, words]) =>
        html`<img
          src="${exampleAddress(name)}"
          alt="${words}"
          width="224"
          height="485"
          loading="lazy"
        />`,
    )}
  </div>
</section>`;

function point(lines: string, title: string, text: string): Html {
  return html`<li>
    <span class="tile"
      ><svg class="icon" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
        <path d="${lines}" /></svg
    ></span>
    <h2>${title}</h2>
    <p>${text}</p>
  </li>`;
}

const POINTS = html`<ul class="points">
  ${[
    point(
      'M4 3h16v7H4zM4 14h8v7H4zM16 14h4v7h-4z',
      'A page',
      'Your links, pictures and dates at one short address.',
    ),
    point('M2 5h20v14H2zM22 7l-10 6L2 7', 'A mail address', 'It forwards to your usual inbox.'),
    point(
      'M3 3v16a2 2 0 0 0 2 2h16M18 17V9M13 17V5M8 17v-3',
      'Metrics',
      'Send a number, get a chart. Visitors are counted without cookies.',
    ),
    point(
      'm16 18 6-6-6-6M8 6l-6 6 6 6',
      'An API',
      'Whatever you can click, your scripts can do too.',
    ),
  ]}
</ul>`;
