import { html } from 'hono/html';
import { ICON_URL, LOGO } from '../http/answers/brand.ts';
import type { Bundle } from './bundle.ts';

/** Placeholder until the code runs, which shows itself when that takes long: perhaps it never comes. */
const LATE =
  '<main class="entry late"><div class="card"><h1>Nameplate</h1><p role="status">The dashboard is not here yet: the connection is slow, or the server has too much to do. Nothing is lost; a link that signs you in still does.</p><p><a class="button" href="">Try again</a></p></div></main>';

/** Head of the navigation, as the code draws it: there is something to see before it runs. */
const HEAD = `<div class="frame"><div class="side" aria-hidden="true"><span class="logo">${LOGO}Nameplate</span></div></div>`;

/** Data that the document hands to the code that it loads. */
export interface Told {
  /** The id of the account that is logged in, which no other window may change unnoticed. */
  accountId: string | undefined;
  /** Whether the service mails login links. */
  mailsLinks: boolean;
  /** Name of the single sign-on provider, if there is one. */
  signOn: string | undefined;
  /** Whether anybody can create an account. */
  isRegistrationOpen: boolean;
  /** Where pages are, if they have a host of their own. */
  pagesUrl: string | undefined;
}

/** The document of every page of the dashboard. */
export function renderShell(
  { script, style, font, imports }: Bundle['entry'],
  { accountId, mailsLinks, signOn, isRegistrationOpen, pagesUrl }: Told,
): string {
  const account = accountId === undefined ? '' : ` data-account="${accountId}"`;
  const mails = mailsLinks ? ' data-mails-links' : '';
  const provider = signOn === undefined ? '' : String(html` data-sign-on="${signOn}"`);
  const open = isRegistrationOpen ? ' data-registration-open' : '';
  const pages = pagesUrl === undefined ? '' : ` data-pages-url="${pagesUrl}"`;
  // They would be asked for only when the script is there.
  const preloads = imports.map(
    (name) => `\n<link rel="modulepreload" href="/dashboard/assets/${name}">`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="Your name, page, mail and numbers.">
<title>Nameplate</title>
<link rel="icon" href="${ICON_URL}">
<link rel="preload" href="/dashboard/assets/${font}" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="/dashboard/assets/${style}">
<script type="module" src="/dashboard/assets/${script}"></script>${preloads.join('')}
</head>
<body>
<div id="app"${account}${mails}${provider}${open}${pages}>${accountId === undefined ? '' : HEAD}${LATE}</div>
<noscript><main class="entry"><div class="card"><h1>Nameplate</h1><p>The dashboard needs JavaScript. Everything in it can also be done by <a href="/docs/">API</a>.</p></div></main></noscript>
</body>
</html>
`;
}
