import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { contract } from '#contract/index.ts';
import { type Html, html, type TemplateValue, trustedHtml } from '#page/html.ts';
import type { App } from '#server/app.ts';
import { securityHeaders } from '#server/platform/http/responses/headers.ts';
import { hostOf, PAGE_POLICY, renderDocument } from '#server/platform/http/responses/page.ts';
import {
  PAGE_STYLE,
  createPageStyle,
  readMinifiedCss,
} from '#server/platform/http/responses/page-style.ts';
import type { Translator } from '#translations/translator.ts';

const SCRIPT = readFileSync(new URL('./first-call.js', import.meta.url), 'utf8');
export const FIRST_CALL_STYLE = createPageStyle(
  PAGE_STYLE.css + readMinifiedCss(new URL('./first-call.css', import.meta.url)),
);
/** The key must not end up in a URL, so the browser may submit no form. */
export const FIRST_CALL_HEADERS = securityHeaders({
  ...PAGE_POLICY,
  'style-src': `'self' ${FIRST_CALL_STYLE.cspSource}`,
  'form-action': "'none'",
  'script-src': `'sha256-${hash('sha256', SCRIPT, 'base64')}'`,
  'connect-src': "'self'",
});

const PLACEHOLDER = 'np_your.key';
const JSON_HEADER = '-H "Content-Type: application/json"';
const RESPONSE = JSON.stringify({ display_name: '…' }, null, 2);
const PATH = contract.account.getDisplayName.path;

export function renderFirstCallPage(
  app: Pick<App, 'origin' | 'instanceStore'>,
  t: Translator,
): string {
  const origin = app.origin();
  const auth = html`-H "X-API-KEY: <span class="shown-key">${PLACEHOLDER}</span>"`;
  return renderDocument(app, {
    t,
    title: 'API',
    head: html`<meta
      name="description"
      content="${t('Your scripts can do everything that the dashboard can.')}"
    />`,
    barEnd: html`<a class="button" href="/dashboard/">${t('Dashboard')}</a>`,
    main: html`<main id="main" class="docs">
        <h1>${t('Your first call in 30 seconds')}</h1>
        <p class="lead">${t('Your scripts can do everything that the dashboard can.')}</p>
        ${renderCall({ origin, auth, t })}
        <h2>${t('Three recipes')}</h2>
        <div class="recipes">
          ${renderRecipe(
            t('Put a link on your page'),
            t('Adds it below your other blocks. Needs jq.'),
            [
              `curl -s ${origin}${contract.site.getSiteConfiguration.path}`,
              html`${auth} |`,
              `jq '{blocks: (.blocks + [{type: "link", title: "My shop", url: "https://shop.example"}])}' |`,
              `curl ${origin}${contract.site.updateSiteConfiguration.path}`,
              auth,
              `${JSON_HEADER} -d @-`,
            ],
            t,
          )}
          ${renderRecipe(
            t('Send a metric'),
            t('The dashboard shows the id of your project, and charts what you send.'),
            [
              `curl ${origin}${contract.stats.ingestMetrics.path}`,
              auth,
              JSON_HEADER,
              `-d '{"projectId": "your-project-id", "payload": {"visitors": 42}}'`,
            ],
            t,
          )}
          ${renderRecipe(
            t('Read your visitors'),
            t('The views of your page, day by day.'),
            [`curl "${origin}/owner/page/get-views?days=30"`, auth],
            t,
          )}
        </div>
        <div class="heading">
          <h2>${t('Reference')}</h2>
          <a href="/docs/reference/owner/">${t('For owners')}</a>
          <a href="/openapi.json">${t('OpenAPI file')}</a>
        </div>
        ${renderEndpoints()}
      </main>
      ${trustedHtml(`<script>${SCRIPT}</script>`)}`,
    style: FIRST_CALL_STYLE,
  });
}

function renderCall({ origin, auth, t }: { origin: string; auth: Html; t: Translator }): Html {
  return html`<form id="call" class="call" data-path="${PATH}">
    <div class="steps">
      <div>
        <label for="key">${t('Your key')}</label>
        <div class="key">
          <input
            id="key"
            placeholder="${PLACEHOLDER}"
            pattern="np_[A-Za-z0-9]+.[A-Za-z0-9_]+"
            title="${t('A key looks like np_your.key.')}"
            required
            maxlength="200"
            autocomplete="off"
            autocapitalize="none"
            spellcheck="false"
            aria-describedby="key-hint"
          /><a class="button" href="/dashboard/keys">${t('Create a key')}</a>
        </div>
        <p class="hint" id="key-hint">
          ${t('It is not stored, and goes only to {host}.', { host: hostOf(origin) })}
        </p>
      </div>
      <div>
        <p class="label">${t('Read your name')}</p>
        ${renderCommand([`curl ${origin}${PATH}`, auth], t)}
        <button id="run" class="primary" hidden>${t('Run it')}</button>
      </div>
    </div>
    <div class="answer" role="status">
      <p class="label">${t('Response')} <span id="status"></span></p>
      <pre id="response"></pre>
      <pre class="muted" data-when="empty invalid ready">${RESPONSE}</pre>
      <p data-when="empty">${t('Paste your key to see the response.')}</p>
      <p data-when="invalid" hidden>
        ${t('This is not a whole key. A key looks like np_your.key.')}
      </p>
      <p data-when="ready" hidden>${t('Ready. Run it here, or copy the line into a terminal.')}</p>
      <p data-when="busy" hidden>${t('One moment …')}</p>
      <p data-when="answered" hidden>${t('It works. Every call looks like this.')}</p>
      <p data-when="refused" hidden>${t('Refused. The response says why.')}</p>
      <p data-when="unreachable" hidden>
        ${t('No response. Check your connection, then try again.')}
      </p>
    </div>
  </form>`;
}

function renderRecipe(
  title: string,
  text: string,
  lines: readonly TemplateValue[],
  t: Translator,
): Html {
  return html`<section class="recipe">
    <h3>${title}</h3>
    <p class="muted">${text}</p>
    ${renderCommand(lines, t)}
  </section>`;
}

function renderCommand(lines: readonly TemplateValue[], t: Translator): Html {
  const command = lines.flatMap((line, index) => (index === 0 ? [line] : [' \\\n  ', line]));
  return html`<div class="command">
    <pre tabindex="0"><code>${command}</code></pre>
    <button type="button" data-copied="${t('Copied')}" hidden>${t('Copy')}</button>
  </div>`;
}

/** The summaries are English, like the reference. */
function renderEndpoints(): Html {
  return html`<ul class="endpoints" lang="en">
    ${Object.values(contract).flatMap((endpoints) =>
      Object.values(endpoints).map(
        ({ method, path, summary }) =>
          html`<li>
            <a href="/docs/reference/#${method.toLowerCase()}${path}"
              ><span class="method ${method.toLowerCase()}">${method}</span><code>${path}</code
              ><span class="muted">${summary}</span></a
            >
          </li>`,
      ),
    )}
  </ul>`;
}
