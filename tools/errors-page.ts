import { type DeclaredError, listErrors } from '#server/entry/api/docs/list-errors.ts';
import { writeGenerated } from './generated-file.ts';

const FILE = new URL('../docs/errors.md', import.meta.url);

function renderErrorsPage(): string {
  return [
    '<!-- Generated from the contract: change it there and run `npm run generate`. -->',
    '# Errors',
    'All errors that a server can return, for developers who call the API and operators who read its log.',
    [
      'The response body contains a message, `{ "error": "…" }`, and the header `x-error-code` contains the error code. The [SDK](../client/README.md#errors) returns the code as `error.code`. On a server, `/docs/errors` explains each code; every error links to its entry with the header `Link`. The log has the code as `reason`, and for refused keys it has [a more exact reason](operations.md#logs).',
      'If the error is about a field, the header `x-error-field` contains the percent-encoded path of the field in the body or the query, such as `blocks.3.url`. The SDK returns it as `error.field`.',
      'Messages may change, but codes never do. New codes may be added: handle an unknown code by its status.',
    ].join('\n\n'),
    ...[...listErrors()].map(([title, errors]) => formatSection(title, errors)),
  ].join('\n\n');
}

function formatSection(title: string, errors: readonly DeclaredError[]): string {
  const lines = errors.map(({ code, status, when }) => `- **${status}** \`${code}\`. ${when}`);
  return `## ${title}\n\n${lines.toSorted().join('\n')}`;
}

writeGenerated(FILE, `${renderErrorsPage()}\n`);
