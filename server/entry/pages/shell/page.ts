import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { instanceLinks, logoPath } from '#contract/shared/instance.ts';
import { findPageStates, type PageState } from '#db/queries/public-sites.ts';
import { type Html, html, trustedHtml } from '#page/html/html.ts';
import type { Core } from '#server/core.ts';
import { preferredOf } from '#server/platform/http/responses/accept.ts';
import { sendError, logAndConvertError } from '#server/platform/http/responses/error-response.ts';
import { refusalHeaders, securityHeaders } from '#server/platform/http/responses/headers.ts';
import type { Instance, InstanceStore } from '#server/platform/instance-store.ts';
import { batchLookup } from '#server/platform/limits/batch-lookup.ts';
import { RefusalError } from '#server/platform/refusal.ts';
import type { Translator } from '#translations/translator.ts';
import { renderLogo } from './brand.ts';
import { PAGE_FONT_PATH, PAGE_STYLE, plateStylePath, type PageStyle } from './page-style.ts';

export const PAGE_POLICY = {
  'style-src': `'self' ${PAGE_STYLE.cspSource}`,
  'img-src': "'self'",
  'font-src': "'self'",
  'form-action': "'self'",
};

const DEFAULT_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  ...securityHeaders(PAGE_POLICY),
};

type ErrorPageApp = Pick<
  Core,
  'config' | 'instanceStore' | 'origin' | 'pageReadDb' | 'pagesOrigin'
> & {
  names: { isReserved: (name: string) => boolean };
  signUp: { readonly isOpen: boolean } | undefined;
};

type FindPage = (name: string) => Promise<PageState | undefined>;

const NOT_FOUND_CODES: ReadonlySet<string> = new Set(['pageNotFound', 'pathNotFound']);

type ErrorPage = Omit<CardPage, 't'>;

interface ErrorPageOptions {
  headers?: Record<string, string>;
  /** For errors that only this entry point has. */
  describeError?: (error: RefusalError, t: Translator) => ErrorPage | undefined;
}

export function sendErrorsAsPages(
  server: FastifyInstance,
  app: ErrorPageApp,
  options: ErrorPageOptions = {},
): void {
  const { headers = DEFAULT_HEADERS } = options;
  server.setErrorHandler(createPageErrorHandler(app, options));
  server.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
}

function createPageErrorHandler(
  app: ErrorPageApp,
  { headers = DEFAULT_HEADERS, describeError }: ErrorPageOptions = {},
) {
  const findPage = batchLookup((names) => findPageStates(app.pageReadDb, names), {
    gate: 'pages',
    maxKeysPerBatch: 100,
  });
  return async (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    if (expectsJson(request)) return sendError(error, request, reply);
    await app.instanceStore.refresh();
    const refusal = logAndConvertError(error, request);
    const { t } = request;
    const page =
      describeError?.(refusal, t) ?? (await errorPage(app, { request, error: refusal, findPage }));
    return reply
      .status(refusal.status)
      .headers({ ...headers, ...refusalHeaders(refusal) })
      .send(renderCardPage(app, { t, ...page }));
  };
}

/** Sends errors as JSON, except to browsers that open an unknown path. */
export function sendErrorsAsJson(server: FastifyInstance, app: ErrorPageApp): void {
  const sendErrorPage = createPageErrorHandler(app);
  server.setErrorHandler((error, request, reply) => {
    const { method } = request;
    const isUnknownPath = error instanceof RefusalError && NOT_FOUND_CODES.has(error.code);
    const isBrowser =
      (method === 'GET' || method === 'HEAD') && preferredErrorType(request) === 'text/html';
    return isUnknownPath && isBrowser
      ? sendErrorPage(error, request, reply)
      : sendError(error, request, reply);
  });
}

function preferredErrorType({ headers }: FastifyRequest) {
  return preferredOf(headers.accept, ['application/json', 'text/html']);
}

/** Files for programs, such as WebFinger. */
const DATA_PATH = /^\/\.well-known\/|\.json$/;

/** Programs get JSON. Clients that accept anything get the type of the path. */
function expectsJson(request: FastifyRequest): boolean {
  const type = preferredErrorType(request);
  return type === undefined
    ? DATA_PATH.test(request.routeOptions.url ?? '')
    : type === 'application/json';
}

/** A page with one card. The card starts with a plate (a sign), which shows the host by default. */
interface CardPage {
  t: Translator;
  /** Above the title. */
  picture?: Html;
  title: string;
  text?: string;
  body?: Html | undefined;
  /** Label of a button that posts to the page's own URL. */
  button?: string;
  footnote?: Html;
  /** `off` shows only the outline of the plate; `loose` tilts it. */
  plate?: { state: 'off' | 'loose'; text?: string };
}

export function renderCardPage(
  app: Pick<Core, 'instanceStore' | 'origin'>,
  page: CardPage,
): string {
  const { t, picture, title, text, body, button, footnote, plate } = page;
  const sign = app.instanceStore.current.name ?? hostOf(app.origin());
  return renderDocument(app, {
    t,
    title,
    head: trustedHtml('<meta name="robots" content="noindex">'),
    main: html`<main id="main" class="single-card">
      <div class="card">
        <p class="${plate ? `plate ${plate.state}` : 'plate'}">
          <span>${plate?.text ?? sign}</span>
        </p>
        ${picture}
        <h1>${title.split(/(?=@)/).map((part, index) => [index > 0 && html`<wbr />`, part])}</h1>
        ${text !== undefined && html`<p class="muted">${text}</p>`} ${body}
        ${button !== undefined && html`<form method="post"><button class="primary">${button}</button></form>`}
      </div>
      ${footnote !== undefined && html`<p class="below muted">${footnote}</p>`}
    </main>`,
  });
}

interface PageDocument {
  t: Translator;
  title: string;
  head?: Html;
  barEnd?: Html;
  main: Html;
  style?: PageStyle;
}

export function renderDocument(
  {
    origin,
    instanceStore,
  }: Pick<Core, 'origin'> & { instanceStore: Pick<InstanceStore, 'current'> },
  { t, title, head = trustedHtml(''), barEnd, main, style = PAGE_STYLE }: PageDocument,
): string {
  const home = origin();
  const instance = instanceStore.current;
  return `<!doctype html>
<html lang="${t.locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
${head.toString()}
<title>${html`${instance.name === null ? title : `${title} · ${instance.name}`}`.toString()}</title>
<link rel="preload" href="${PAGE_FONT_PATH}" as="font" type="font/woff2" crossorigin>
<style>${style.css}</style>${plateStyleLink(instance)}${logoIcon(instance)}
</head>
<body>
${html`<a class="skip" href="#main">${t('Skip to the content')}</a>
  <header class="bar">
    <a class="logo" href="${home}/">${renderLogo(instance)}${instance.displayName}</a>${barEnd}
  </header>
  ${main}
  <footer class="foot">
    <p>${t('{name} runs on Nameplate, free software.', { name: instance.name ?? hostOf(home) })}</p>
    ${renderLinks(instance, t, home)}
  </footer>`.toString()}
</body>
</html>
`;
}

/** Returns an empty string if the plate has the default colors. */
export function plateStyleLink({ plate }: Pick<Instance, 'plate'>): string {
  return plate ? `\n<link rel="stylesheet" href="${plateStylePath(plate)}">` : '';
}

/** Without a logo, browsers load `/favicon.ico`. */
function logoIcon({ logo_id }: Instance): string {
  return logo_id === null ? '' : `\n<link rel="icon" href="${logoPath(logo_id)}">`;
}

function renderLinks(instance: Instance, t: Translator, origin: string): Html | undefined {
  const links = instanceLinks(instance, t, origin);
  if (links.length === 0) return undefined;
  return html`<p class="instance-links">
    ${links.map(({ label, url }) => html`<a href="${url}" rel="noopener">${label}</a>`)}
  </p>`;
}

/** Loads the instance's name, logo and links before each request, so that renderers need not wait. */
export function refreshInstance(
  server: FastifyInstance,
  { instanceStore }: Pick<Core, 'instanceStore'>,
): void {
  server.addHook('onRequest', () => instanceStore.refresh());
}

export function hostOf(url: string): string {
  return new URL(url).host;
}

async function errorPage(
  app: ErrorPageApp,
  {
    request,
    error,
    findPage,
  }: { request: FastifyRequest; error: RefusalError; findPage: FindPage },
): Promise<ErrorPage> {
  const { t } = request;
  const { code, status } = error;
  const message = error.messageIn(t);
  if (NOT_FOUND_CODES.has(code)) {
    const suggestion = await suggestPage(app, { request, findPage });
    return {
      title: t('No page here'),
      text: suggestion
        ? t('Names start with @. Did you mean this page?')
        : t('Check the spelling, or ask for the address again.') +
          (request.domain ? '' : ` ${t('If the page is for members, sign in.')}`),
      body: html`${suggestion} ${homeLink(app, request)}
      ${app.signUp?.isOpen && signUpOffer(app, t)}`,
      plate: { state: 'off', text: '404' },
    };
  }
  const isForm = request.method === 'POST';
  if (status === 503 || (isForm && status === 500))
    return {
      title: t('Back in a moment'),
      text: isForm
        ? t(
            'This could not be sent. Go back: what you wrote is still there. Send it again in a minute.',
          )
        : t('This server is restarting or very busy. Please try again in a minute.'),
      body: isForm
        ? undefined
        : html`<p class="actions"><a class="button primary" href="">${t('Try again')}</a></p>`,
      footnote: html`${t('Error {status}', { status })}`,
      plate: { state: 'loose' },
    };
  if (code === 'featureOff') return { title: message, body: homeLink(app, request) };
  if (status === 429) return { title: t('Too many requests'), text: message };
  if (code === 'linkInvalid')
    return {
      title: message,
      text: t(
        'It was used or withdrawn, has expired, or was replaced by a newer mail. Look for the newest mail from {server}.',
        { server: app.instanceStore.current.displayName },
      ),
      // No button, because readers of group addresses may have no account.
      footnote: html`<a href="/dashboard/mail">${t('Members get a new link under Mail.')}</a>`,
    };
  return { title: message };
}

/** Suggests `/@name` if the `@` is missing and that page is visible. */
async function suggestPage(
  app: ErrorPageApp,
  { request, findPage }: { request: FastifyRequest; findPage: FindPage },
) {
  const name = /^\/([a-z\d][a-z\d-]{1,61}[a-z\d])\/?(?:\?|$)/i
    .exec(request.url)?.[1]
    ?.toLowerCase();
  if (name === undefined || request.domain || app.names.isReserved(name)) return undefined;
  // An overloaded database must not turn the 404 into a 503.
  const page = await findPage(name).catch(() => undefined);
  if (!page || page.for_members) return undefined;
  const url = `${app.pagesOrigin()}/@${name}`;
  return html`<p class="actions">
    <a class="button primary" href="${url}">${hostOf(url)}/@${name}</a>
  </p>`;
}

function homeLink(app: ErrorPageApp, request: FastifyRequest) {
  const home = request.domain ? '' : app.origin();
  // If a custom domain has no page, it has no home page either, so do not link to it.
  if (request.domain && !request.is404) return undefined;
  return html`<p class="actions">
    <a class="button" href="${home}/">${request.t('Go to the home page')}</a>
    ${
      // Also for names that do not exist: the response must not reveal pages for members.
      !request.domain && signInLink(request.t, { origin: home })
    }
  </p>`;
}

/** The referrer is where the dashboard leads after the login. */
export function signInLink(t: Translator, { origin = '', isPrimary = false } = {}): Html {
  return html`<a
    class="${isPrimary ? 'button primary' : 'button'}"
    href="${origin}/dashboard/login"
    referrerpolicy="same-origin"
    >${t('Sign in')}</a
  >`;
}

function signUpOffer({ origin }: ErrorPageApp, t: Translator): Html {
  return html`<div class="offer">
    <div>
      <h2>${t('Want a page of your own?')}</h2>
      <p class="muted">${t('It takes about three minutes.')}</p>
    </div>
    <a class="button primary" href="${origin()}/">${t('Claim your name')}</a>
  </div>`;
}
