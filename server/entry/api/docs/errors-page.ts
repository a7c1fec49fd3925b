import type { App } from '#server/app.ts';
import { ownerContract } from '#contract/owner/index.ts';
import { listRoutes, type Route } from '#contract/define-endpoints.ts';
import { formatMessage } from '#contract/refusal.ts';
import { type Html, html } from '#page/html.ts';
import { renderDocument } from '#server/platform/http/responses/page.ts';
import { translatorFor } from '#server/platform/text/language.ts';
import { type DeclaredError, listErrors } from './list-errors.ts';
import { ERRORS_PATH, REFERENCES } from './openapi-document.ts';
import { REFERENCE_STYLE, renderDocumentLinks } from './reference-page.ts';
import { renderText } from './reference-schema.ts';

/** In English, like the API reference. */
export function renderErrorsPage(app: Pick<App, 'instanceStore' | 'origin'>): string {
  const errorsByCode = [...Map.groupBy(listErrors(), ({ code }) => code)].toSorted();
  return renderDocument(app, {
    t: translatorFor('en'),
    title: 'Errors',
    barEnd: html`<a href="/docs/">Your first call</a>`,
    main: html`<div class="docs reference">
      <nav class="areas" aria-label="Errors">
        ${renderDocumentLinks(ERRORS_PATH)}
        <details open>
          <summary>Codes</summary>
          <ul>
            ${errorsByCode.map(([code]) => html`<li><a href="#${code}">${code}</a></li>`)}
          </ul>
        </details>
      </nav>
      <main id="main">
        <h1>Errors</h1>
        <p>
          An error is <code>{ "error": "…" }</code> with its code in the header
          <code>X-Error-Code</code>. Messages may change, codes never do. If the response has
          <code>Retry-After</code>, send the request again after that many seconds, a write with the
          same <code>Idempotency-Key</code>. Give the operator the <code>X-Request-Id</code> of a
          500 that remains.
        </p>
        <ul class="endpoints">
          ${errorsByCode.map(
            ([code, errors]) =>
              html`<li id="${code}">
                <h2><code>${code}</code></h2>
                ${errors.map(renderError)}
              </li>`,
          )}
        </ul>
      </main>
    </div>`,
    style: REFERENCE_STYLE,
  });
}

function renderError({ status, when, message, example, section, routes }: DeclaredError): Html {
  return html`<p><b>${String(status)}</b> ${renderText(when)}</p>
    <p><q>${formatMessage(message, example)}</q></p>
    <p class="muted">${section !== 'Single endpoints' && section} ${routes.map(renderLink)}</p>`;
}

const OWNER_ROUTES = new Set(listRoutes(ownerContract));

function renderLink(route: Route): Html {
  const reference = REFERENCES[OWNER_ROUTES.has(route) ? 1 : 0];
  const href = `${reference.path}#${route.method.toLowerCase()}${route.path}`;
  return html`<a href="${href}"><code>${route.method} ${route.path}</code></a
    ><br />`;
}
