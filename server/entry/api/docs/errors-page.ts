import { ownerContract } from '#contract/owner/index.ts';
import { contract } from '#contract/index.ts';
import type { Contract, Route } from '#contract/define-endpoints.ts';
import { formatMessage } from '#contract/refusal.ts';
import { type Html, html } from '#page/html/html.ts';
import { type DeclaredError, listErrors } from './list-errors.ts';
import { ERRORS_PATH, REFERENCES } from './references.ts';
import { type DocsPage, renderDocsPage } from './reference-page.ts';
import { renderText } from './reference-schema.ts';
import type { Core } from '#server/core.ts';

const MAX_SHOWN_ROUTES = 3;

export function renderErrorsPage(app: Pick<Core, 'instanceStore' | 'origin'>): DocsPage {
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
          <code>X-Error-Code</code>, and the path of a field at fault in <code>X-Error-Field</code>.
          Messages may change, codes never do. If the response has <code>Retry-After</code>, send
          the request again after that many seconds, a write with the same
          <code>Idempotency-Key</code>. Give the operator the <code>X-Request-Id</code> of a 500
          that remains.
        </p>
      </header>
      <ul class="card operations">
        ${errorsByCode.map(
          ([code, errors]) =>
            html`<li id="${code}" class="columns">
              <h2>
                <code>${code}</code>
                ${[...new Set(errors.map(({ status }) => status))].map(
                  (status) => html`<span class="method">${status}</span> `,
                )}
              </h2>
              <div>${mergeEqual(errors).map(renderError)}</div>
            </li>`,
        )}
      </ul>`,
  });
}

/** Endpoints that say the same in slightly different cases. */
function mergeEqual(errors: DeclaredError[]): DeclaredError[] {
  const groups = Map.groupBy(errors, ({ status, message, section }) =>
    [status, section, message].join(' '),
  );
  return [...groups.values()].map((equal) => {
    // "is missing or not valid" includes "is not valid".
    const included = new Set(
      equal
        .filter(({ when }) => when.includes('missing or '))
        .map(({ when }) => when.replace('missing or ', '')),
    );
    const whens = equal.map(({ when }) => when).filter((when) => !included.has(when));
    const routes = [...new Set(equal.flatMap((error) => error.routes))];
    return { ...equal[0]!, when: whens.join(' '), routes };
  });
}

function renderError({ when, message, example, section, routes }: DeclaredError): Html {
  const links = routes.map(renderLink);
  const text = formatMessage(message, example);
  return html`<p>${renderText(when)}</p>
    ${text !== when && html`<p class="muted"><q>${text}</q></p>`}
    <div class="routes muted">
      ${section !== 'Single endpoints' && html`<p>${section}${links.length > 0 && ', and:'}</p>`}
      ${
        links.length > MAX_SHOWN_ROUTES
          ? html`<details>
              <summary>${links.length} endpoints</summary>
              ${links}
            </details>`
          : links
      }
    </div>`;
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
