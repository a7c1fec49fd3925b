import type { FastifyInstance } from 'fastify';
import { SIGN_ON } from '../../../contract/sign-on-refusals.ts';
import { originOf } from '../access/public-origin.ts';
import { type Html, html, trusted } from '../../service/site-page/html.ts';
import type { RefusalError } from '../../service/refusal.ts';
import type { Registration } from '../../service/settings/registration.ts';
import { LOGO } from './brand.ts';
import { explainError } from './error-answer.ts';
import { refusalHeaders, securityHeaders } from './headers.ts';
import { PAGE_FONT, PAGE_STYLE, type PageStyle } from './page-style.ts';

/** Policy of such a page. */
export const PAGE_POLICY = {
  'style-src': PAGE_STYLE.source,
  'font-src': "'self'",
  'form-action': "'self'",
};

/** Headers of every page. */
const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  ...securityHeaders(PAGE_POLICY),
};

/** Settings that pages show. */
export interface PageFrame {
  /** Where the server is for people; without it, where it listens. */
  publicUrl?: string | undefined;
  /** Who can create an account. */
  registration: Registration;
}

/** Gives every answer of a scope the headers of pages, and says what goes wrong there on a page. */
export function answerInPages(
  scope: FastifyInstance,
  frame: PageFrame,
  headers: Record<string, string> = PAGE_HEADERS,
): void {
  scope.setErrorHandler((error, request, reply) => {
    const explained = explainError(error, request);
    return reply
      .status(explained.status)
      .headers({ ...headers, ...refusalHeaders(explained) })
      .send(renderPage(scope, frame, errorPage(explained, frame)));
  });
  scope.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
}

/** A page of one card under a plate. */
export interface Page {
  title: string;
  text?: string;
  /** Content of the card below the text. */
  body?: Html;
  /** Text of the page's one button; pressing it posts to the page's own address. */
  button?: string;
  /** A line below the card. */
  below?: Html;
  /** The plate, where it is not that of the host: one that is missing, or hangs on one screw. */
  plate?: { state: 'off' | 'loose'; text?: string };
}

/** Renders a page of one card, under a plate that says where one is. */
export function renderPage(scope: FastifyInstance, frame: PageFrame, page: Page): string {
  const { title, text, body, button, below, plate } = page;
  const host = hostOf(originOf(scope, frame.publicUrl));
  return renderDocument(scope, frame, {
    title,
    head: trusted('<meta name="robots" content="noindex">'),
    main: html`<main id="main" class="narrow">
      <div class="card">
        <p class="${plate ? `plate ${plate.state}` : 'plate'}">
          <span>${plate?.text ?? host}</span>
        </p>
        <h1>${title}</h1>
        ${text !== undefined && html`<p>${text}</p>`} ${body}
        ${button !== undefined && html`<form method="post"><button class="primary">${button}</button></form>`}
      </div>
      ${below !== undefined && html`<p class="below">${below}</p>`}
    </main>`,
  });
}

/** A document: what is between the bar at its top and the line at its foot. */
interface PageDocument {
  title: string;
  head: Html;
  /** Further content of the bar, at its end. */
  bar?: Html;
  main: Html;
  style?: PageStyle;
}

/** Renders a whole document, with the logo above and what runs here below. */
export function renderDocument(
  scope: FastifyInstance,
  { publicUrl }: PageFrame,
  { title, head, bar, main, style = PAGE_STYLE }: PageDocument,
): string {
  const home = originOf(scope, publicUrl);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
${head.toString()}
<title>${html`${title}`.toString()}</title>
<link rel="preload" href="${PAGE_FONT}" as="font" type="font/woff2" crossorigin>
<style>${style.sheet}</style>
</head>
<body>
${html`<a class="skip button" href="#main">Skip to the content</a>
  <header class="bar"><a class="logo" href="${home}/">${trusted(LOGO)}Nameplate</a>${bar}</header>
  ${main}
  <footer class="foot">
    <p>${hostOf(home)} runs on Nameplate, free software.</p>
  </footer>`.toString()}
</body>
</html>
`;
}

/** The host of an address, as people write it. */
export function hostOf(url: string): string {
  return new URL(url).host;
}

/** Page about an error, in the words of people who look for a page. */
function errorPage({ code, status, message }: RefusalError, frame: PageFrame): Page {
  if (code === 'pageNotFound')
    return {
      title: 'No page here',
      text: 'There is no such page. Check the spelling, or ask for the address again.',
      plate: { state: 'off', text: 'Nobody here' },
      ...(frame.registration === 'open' && { body: offer(frame) }),
    };
  if (Object.hasOwn(SIGN_ON, code))
    return {
      title: 'You are not signed in',
      text: message,
      body: html`<p class="next"><a class="button" href="/dashboard/login">Back to sign in</a></p>`,
    };
  if (status === 503)
    return {
      title: 'Back in a moment',
      text: 'This server is restarting or very busy. Please try again in a minute.',
      body: html`<p class="next"><a class="button primary" href="">Try again</a></p>`,
      below: html`Error 503`,
      plate: { state: 'loose' },
    };
  if (status === 429) return { title: 'Too many requests', text: message };
  if (code === 'linkInvalid')
    return {
      title: message,
      text: 'It was used, has expired, or is not complete.',
      body: html`<p class="next"><a class="button" href="/dashboard/mail">Go to Mail</a></p>`,
    };
  return { title: message };
}

function offer({ publicUrl = '' }: PageFrame): Html {
  return html`<div class="offer">
    <div>
      <h2>Want a page of your own?</h2>
      <p class="muted">It takes about three minutes.</p>
    </div>
    <a class="button primary" href="${publicUrl}/">Claim your name</a>
  </div>`;
}
