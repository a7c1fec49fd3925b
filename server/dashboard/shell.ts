import { html } from 'hono/html';
import { ICON_URL, LOGO } from '../http/responses/brand.ts';
import type { Bundle } from './bundle.ts';

/** CSS shows the notice after a delay. */
const SLOW_NOTICE =
  '<main class="single-card late"><div class="card"><h1>Nameplate</h1><p role="status">The dashboard is taking long to load: the connection is slow or the server is busy. Your login link stays valid.</p><p><a class="button" href="">Try again</a></p></div></main>';

const NAVIGATION_HEADER = `<div class="frame"><div class="side" aria-hidden="true"><span class="logo">${LOGO}Nameplate</span></div></div>`;

export interface ShellData {
  /** Lets the dashboard notice a login to another account in another window. */
  accountId: string | undefined;
  canMailLinks: boolean;
  signOnName: string | undefined;
  isSignUpOpen: boolean;
  /** Set if public pages have a separate host. */
  pagesUrl: string | undefined;
}

export function renderShell(
  { script, style, font, imports }: Bundle['entry'],
  { accountId, canMailLinks, signOnName, isSignUpOpen, pagesUrl }: ShellData,
): string {
  const accountAttribute = accountId === undefined ? '' : ` data-account="${accountId}"`;
  const mailLinksAttribute = canMailLinks ? ' data-mails-links' : '';
  const signOnAttribute =
    signOnName === undefined ? '' : String(html` data-sign-on="${signOnName}"`);
  const signUpAttribute = isSignUpOpen ? ' data-registration-open' : '';
  const pagesUrlAttribute = pagesUrl === undefined ? '' : ` data-pages-url="${pagesUrl}"`;
  // Without preloading, the browser would request these only after the script has loaded.
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
<link rel="manifest" href="/dashboard/manifest.webmanifest">
<link rel="preload" href="/dashboard/assets/${font}" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="/dashboard/assets/${style}">
<script type="module" src="/dashboard/assets/${script}"></script>${preloads.join('')}
</head>
<body>
<div id="app"${accountAttribute}${mailLinksAttribute}${signOnAttribute}${signUpAttribute}${pagesUrlAttribute}>${accountId === undefined ? '' : NAVIGATION_HEADER}${SLOW_NOTICE}</div>
<noscript><main class="single-card"><div class="card"><h1>Nameplate</h1><p>The dashboard needs JavaScript. You can also do everything with the <a href="/docs/">API</a>.</p></div></main></noscript>
</body>
</html>
`;
}
