import type { Bundle } from './bundle.ts';

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect y='3' width='16' height='10' rx='2' fill='%231d4ed8'/%3E%3Cpath d='M3 7h10M3 10h6' stroke='%23fff'/%3E%3C/svg%3E";

/** The document of every page of the dashboard, with the id of the account that is logged in. */
export function renderShell({ script, style }: Bundle['entry'], accountId?: string): string {
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
<script type="module" src="/dashboard/assets/${script}"></script>
</head>
<body>
<div id="app"${accountId === undefined ? '' : ` data-account="${accountId}"`}></div>
<noscript><main class="entry"><h1>Nameplate</h1><p>The dashboard needs JavaScript. Everything in it can also be done by <a href="/docs/">API</a>.</p></main></noscript>
</body>
</html>
`;
}
