import { WRITE_REFUSALS } from '#contract/request-refusals.ts';
import type { Contract } from '#contract/define-endpoints.ts';
import { contract } from '#contract/index.ts';
import { ownerContract } from '#contract/owner/index.ts';
import type { Refusals } from '#contract/refusal.ts';
import { AUTHENTICATED_DEFAULTS } from '#contract/endpoint-defaults.ts';
import { NON_ENDPOINT_REFUSALS, PAGE_REFUSALS } from '#server/platform/http/responses/refusals.ts';
import { writeGenerated } from './generated-file.ts';

const FILE = new URL('../docs/errors.md', import.meta.url);

function renderErrorsPage(): string {
  return [
    '<!-- Generated from the contract: change it there and run `npm run generate`. -->',
    '# Errors',
    'All errors that a server can return, for developers who call the API and operators who read its log.',
    [
      'The response body contains a message, `{ "error": "…" }`, and the header `x-error-code` contains the error code. The [SDK](../client/README.md#errors) returns the code as `error.code`. The log has it as `reason`, and for refused keys it has [a more exact reason](operations.md#logs).',
      'If the error is about a field, the header `x-error-field` contains the percent-encoded path of the field in the body or the query, such as `blocks.3.url`. The SDK returns it as `error.field`.',
      'Messages may change, but codes never do. New codes may be added: handle an unknown code by its status.',
    ].join('\n\n'),
    formatSection('Every endpoint', [
      ...formatRefusals(AUTHENTICATED_DEFAULTS.requestRefusals),
      '- **500** `internalError`. The server or a service that it depends on failed.',
    ]),
    formatSection('Every write', formatRefusals(WRITE_REFUSALS)),
    formatSection('Single endpoints', formatEndpointErrors()),
    formatSection('Outside all endpoints', formatRefusals(NON_ENDPOINT_REFUSALS)),
    formatSection('Pages', formatRefusals(PAGE_REFUSALS)),
  ].join('\n\n');
}

function formatEndpointErrors(): string[] {
  const endpoints = [contract, ownerContract]
    .flatMap((apiContract: Contract) => Object.values(apiContract))
    .flatMap((area) => Object.values(area));
  return [...new Set(endpoints.flatMap(({ metadata }) => formatRefusals(metadata.refusals)))];
}

function formatRefusals(refusals: Refusals): string[] {
  return Object.entries(refusals).map(
    ([code, { status, when }]) => `- **${status}** \`${code}\`. ${when}`,
  );
}

function formatSection(title: string, entries: readonly string[]): string {
  return `## ${title}\n\n${entries.toSorted().join('\n')}`;
}

writeGenerated(FILE, `${renderErrorsPage()}\n`);
