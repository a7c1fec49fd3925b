import { negotiate } from '@fastify/accept-negotiator';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { SIGN_ON_REFUSALS } from '#contract/sign-on-refusals.ts';
import { originOf } from '../access/public-origin.ts';
import { type Html, html, trusted } from '#page/html.ts';
import { RefusalError } from '#server/refusal.ts';
import type { Registration } from '#server/settings/registration.ts';
import { LOGO } from './brand.ts';
import { answerError, explainError } from './error-answer.ts';
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
  /** Origin of public pages; by default, where the server listens. */
  pagesUrl?: string | undefined;
  isReserved: (name: string) => boolean;
  /** Who can create an account. */
  registration: Registration;
}

/** Refusals that browsers show as "No page here". */
const NOT_FOUND: ReadonlySet<string> = new Set(['pageNotFound', 'pathNotFound']);

/** Gives every answer of a scope the headers of pages, and says what goes wrong there on a page. */
export function answerInPages(
  scope: FastifyInstance,
  frame: PageFrame,
  headers: Record<string, string> = PAGE_HEADERS,
): void {
  scope.setErrorHandler(pageErrorHandler(scope, frame, headers));
  scope.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
}

function pageErrorHandler(
  scope: FastifyInstance,
  frame: PageFrame,
  headers: Record<string, string>,
) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const explained = explainError(error, request);
    return reply
      .status(explained.status)
      .headers({ ...headers, ...refusalHeaders(explained) })
      .send(renderPage(scope, frame, errorPage(scope, frame, { request, error: explained })));
  };
}

/** Sends errors as JSON, but as an HTML page to browsers that open an unknown path. */
export function answerInJson(scope: FastifyInstance, frame: PageFrame): void {
  const answerWithPage = pageErrorHandler(scope, frame, PAGE_HEADERS);
  scope.setErrorHandler((error, request, reply) => {
    const { method, headers } = request;
    const isUnknownPath = error instanceof RefusalError && NOT_FOUND.has(error.code);
    const isBrowser =
      (method === 'GET' || method === 'HEAD') &&
      negotiate(headers.accept ?? '', ['application/json', 'text/html']) === 'text/html';
    return isUnknownPath && isBrowser
      ? answerWithPage(error, request, reply)
      : answerError(error, request, reply);
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
function errorPage(
  scope: FastifyInstance,
  frame: PageFrame,
  { request, error }: { request: FastifyRequest; error: RefusalError },
): Page {
  const { code, status, message } = error;
  if (NOT_FOUND.has(code))
    return {
      title: 'No page here',
      text: 'There is no such page. Check the spelling, or ask for the address again.',
      body: html`${suggestion(scope, frame, request)} ${homeLink(scope, frame, request)}
      ${frame.registration === 'open' && offer(frame)}`,
      plate: { state: 'off', text: 'Nobody here' },
    };
  if (Object.hasOwn(SIGN_ON_REFUSALS, code))
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

/** A link to `/@name` for an address that lacks the `@`. */
function suggestion(scope: FastifyInstance, frame: PageFrame, request: FastifyRequest) {
  const name = /^\/([a-z\d][a-z\d-]{1,61}[a-z\d])\/?(?:\?|$)/i
    .exec(request.url)?.[1]
    ?.toLowerCase();
  if (name === undefined || request.domain || frame.isReserved(name)) return undefined;
  const url = `${originOf(scope, frame.pagesUrl)}/@${name}`;
  return html`<p class="below">Did you mean <a href="${url}">${hostOf(url)}/@${name}</a>?</p>`;
}

function homeLink(scope: FastifyInstance, frame: PageFrame, request: FastifyRequest) {
  const home = request.domain ? '' : originOf(scope, frame.publicUrl);
  // At a custom domain, the home page is the page that was not found.
  if (request.domain && !request.is404) return undefined;
  return html`<p class="next"><a class="button" href="${home}/">Go to the home page</a></p>`;
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
