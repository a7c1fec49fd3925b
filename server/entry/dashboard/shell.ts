import { html } from 'hono/html';
import type { DashboardFacts } from '#contract/shared/dashboard-facts.ts';
import { legalUrls, logoPath } from '#contract/shared/instance.ts';
import type { Language } from '#contract/shared/languages.ts';
import { ICON_URL, renderLogo } from '#server/entry/pages/shell/brand.ts';
import { plateStyleLink } from '#server/entry/pages/shell/page.ts';
import type { Instance } from '#server/platform/instance-store.ts';
import { translatorFor } from '#server/platform/text/language.ts';
import type { Translator } from '#translations/translator.ts';
import type { Bundle } from './bundle.ts';

/** CSS shows the notice after a delay. */
const slowNotice = (name: string, t: Translator) =>
  `<main class="single-card late"><div class="card"><h1>${name}</h1><p role="status">${t('The dashboard is taking long to load: the connection is slow or the server is busy. Your login link stays valid.')}</p><p><a class="button" href="">${t('Try again')}</a></p></div></main>`;

/** The five screens that everyone has. Only the script knows the outline of the open one. */
const ENTRIES = '<i></i>'.repeat(5);

const navigationHeader = (instance: Instance, name: string) =>
  `<div class="frame" aria-hidden="true"><div class="side"><span class="logo">${renderLogo(instance).toString()}${name}</span><span class="button search"></span><div class="loading">${ENTRIES}</div></div></div>`;

export function renderShell(
  { script, style, font, imports }: Bundle['entry'],
  language: Language,
  instance: Instance,
  facts: Omit<DashboardFacts, 'instance'>,
): string {
  const t = translatorFor(language);
  const name = String(html`${instance.displayName}`);
  const { logo_id, dark_logo_id, contact } = instance;
  const theme_fonts = instance.theme_fonts ?? undefined;
  const shown = { name: instance.name, logo_id, dark_logo_id, contact, theme_fonts };
  const data: DashboardFacts = { ...facts, instance: { ...shown, ...legalUrls(instance, '') } };
  const assets = `/dashboard/assets/${language}`;
  // Without preloading, the browser would request these only after the script has loaded.
  const preloads = imports.map((file) => `\n<link rel="modulepreload" href="${assets}/${file}">`);
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${t('Your name, your page and your numbers.')}">
<title>${name}</title>
<link rel="icon" href="${logo_id === null ? ICON_URL : logoPath(logo_id)}">
<link rel="preload" href="${assets}/${font}" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="${assets}/${style}">${plateStyleLink(instance)}
<script type="module" src="${assets}/${script}"></script>${preloads.join('')}
</head>
<body>
<div id="app" data-facts="${String(html`${JSON.stringify(data)}`)}">${facts.accountId === undefined ? '' : navigationHeader(instance, name)}${slowNotice(name, t)}</div>
<noscript><div class="single-card"><div class="card"><h1>${name}</h1><p>${t.rich('The dashboard needs JavaScript. You can also do everything with the <docs>API</docs>.', { docs: (children) => `<a href="/docs/">${children.join('')}</a>` }).join('')}</p></div></div></noscript>
</body>
</html>
`;
}
