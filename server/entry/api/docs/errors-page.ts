import type { App } from '#server/app.ts';
import { ownerContract } from '#contract/owner/index.ts';
import { contract } from '#contract/index.ts';
import type { Contract, Route } from '#contract/define-endpoints.ts';
import { formatMessage } from '#contract/refusal.ts';
import { type Html, html } from '#page/html.ts';
import { type DeclaredError, listErrors } from './list-errors.ts';
import { ERRORS_PATH, REFERENCES } from './openapi-document.ts';
import { type DocsPage, renderDocsPage } from './reference-page.ts';
import { renderText } from './reference-schema.ts';

export function renderErrorsPage(app: Pick<App, 'instanceStore' | 'origin'>): DocsPage {
  const errorsByCode = [...Map.groupBy(listErrors(), ({ code }) => code)].toSorted();
  return renderDocsPage(app, {
    path: ERRORS_PATH,
    title: 'Errors',
    description: 'Every error code, and what to do about it.',
    groups: [{ title: 'Codes', links: errorsByCode.map(([code]) => ({ id: code, label: code })) }],
    main: html`<header class="head">
        <h1>Errors</h1>
        <p class="muted">
          An error is <code>{ "error": "…" }</code> with its code in the header
          <code>X-Error-Code</code>. Messages may change, codes never do. If the response has
          <code>Retry-After</code>, send the request again after that many seconds, a write with the
          same <code>Idempotency-Key</code>. Give the operator the <code>X-Request-Id</code> of a
          500 that remains.
        </p>
      </header>
      <ul class="card operations">
        ${errorsByCode.map(
          ([code, errors]) =>
            html`<li id="${code}">
              <h2><code>${code}</code></h2>
              ${errors.map(renderError)}
            </li>`,
        )}
      </ul>`,
  });
}

function renderError({ status, when, message, example, section, routes }: DeclaredError): Html {
  return html`<p><b>${String(status)}</b> ${renderText(when)}</p>
    <p><q>${formatMessage(message, example)}</q></p>
    <p class="routes muted">
      ${section !== 'Single endpoints' && section} ${routes.map(renderLink)}
    </p>`;
}

const linksOf = (areas: Contract, { path }: { path: string }): [Route, string][] =>
  Object.values(areas).flatMap((area) =>
    Object.entries(area).map(([id, route]): [Route, string] => [route, `${path}#${id}`]),
  );

const LINKS = new Map([
  ...linksOf(contract, REFERENCES[0]),
  ...linksOf(ownerContract, REFERENCES[1]),
]);

function renderLink(route: Route): Html {
  return html`<a href="${LINKS.get(route)}"><code>${route.method} ${route.path}</code></a> `;
}
