import { html } from 'hono/html';
import type { Bundle } from './bundle.ts';

/** The enamel sign, lighter at night. */
const SVG = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'><style>rect{fill:#0f6a4c}@media(prefers-color-scheme:dark){rect{fill:#278a63}}</style><rect y='4' width='32' height='24' rx='6'/><path d='M6 16h.01M26 16h.01M13 16h6' stroke='#fff' stroke-width='4' stroke-linecap='round'/></svg>`;
const ICON = `data:image/svg+xml,${SVG.replace(/[<>#]/g, encodeURIComponent)}`;

/** Placeholder until the code runs, which shows itself when that takes long: perhaps it never comes. */
const LATE =
  '<main class="entry late"><div class="card"><h1>Nameplate</h1><p role="status">The dashboard is not here yet: the connection is slow, or the server has too much to do. Nothing is lost; a link that signs you in still does.</p><p><a class="button" href="">Try again</a></p></div></main>';

/** Head of the navigation, as the code draws it: there is something to see before it runs. */
const HEAD =
  '<div class="frame"><div class="side" aria-hidden="true"><span class="logo"><svg viewBox="0 0 30 20" width="30" height="20"><rect width="30" height="20" rx="4.5" fill="#0f6a4c"/><rect x="2" y="2" width="26" height="16" rx="2.8" fill="none" stroke="#ffffffcc"/><path d="M5.6 10h.01M24.4 10h.01M10.5 10h9" fill="none" stroke="#fff" stroke-width="2.4" stroke-linecap="round"/></svg>Nameplate</span></div></div>';

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
  { script, style, imports }: Bundle['entry'],
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
<link rel="icon" href="${ICON}">
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
