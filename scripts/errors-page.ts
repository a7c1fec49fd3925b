import { readFile, writeFile } from 'node:fs/promises';
import { WRITE_REFUSALS } from '#contract/request-refusals.ts';
import type { Contract } from '#contract/define-endpoints.ts';
import { contract } from '#contract/index.ts';
import { ownerContract } from '#contract/owner/index.ts';
import type { Refusals } from '#contract/refusal.ts';
import { AUTHENTICATED_DEFAULTS } from '#contract/endpoint-defaults.ts';
import { NON_ENDPOINT_REFUSALS, PAGE_REFUSALS } from '#server/http/responses/refusals.ts';

const FILE = new URL('../docs/errors.md', import.meta.url);

function errorsPage(): string {
  return [
    '<!-- Generated from the contract: change it there and run `npm run generate`. -->',
    '# Errors',
    'All errors that a server can return, for developers who call the API and operators who read its log.',
    [
      'The response body contains a message, `{ "error": "…" }`, and the header `x-error-code` contains the error code. The [SDK](../client/README.md#errors) returns the code as `error.code`. The log has it as `reason`, and for refused keys it has [a more exact reason](operations.md#logs).',
      'If the error is about a field, the header `x-error-field` contains the percent-encoded path of the field in the body or the query, such as `blocks.3.url`. The SDK returns it as `error.field`.',
      'Messages may change, but codes never do. New codes may be added: handle an unknown code by its status.',
    ].join('\n\n'),
    section('Every endpoint', [
      ...lines(AUTHENTICATED_DEFAULTS.requestRefusals),
      '- **500** `internalError`. The server or a service that it depends on failed.',
    ]),
    section('Every write', lines(WRITE_REFUSALS)),
    section('Single endpoints', singleEndpointErrors()),
    section('Outside all endpoints', lines(NON_ENDPOINT_REFUSALS)),
    section('Pages', lines(PAGE_REFUSALS)),
  ].join('\n\n');
}

function singleEndpointErrors(): string[] {
  const endpoints = [contract, ownerContract]
    .flatMap((apiContract: Contract) => Object.values(apiContract))
    .flatMap((area) => Object.values(area));
  return [...new Set(endpoints.flatMap(({ metadata }) => lines(metadata.refusals)))];
}

function lines(refusals: Refusals): string[] {
  return Object.entries(refusals).map(
    ([code, { status, when }]) => `- **${status}** \`${code}\`. ${when}`,
  );
}

function section(title: string, entries: readonly string[]): string {
  return `## ${title}\n\n${entries.toSorted().join('\n')}`;
}

const page = `${errorsPage()}\n`;
if (!process.argv.includes('--check')) await writeFile(FILE, page);
else if ((await readFile(FILE, 'utf8').catch(() => '')) !== page) {
  process.stderr.write('docs/errors.md is not up to date: run npm run generate.\n');
  process.exitCode = 1;
}
