import { type DeclaredError, listErrors } from '#server/entry/api/docs/list-errors.ts';
import { writeGenerated } from './generated-file.ts';

const FILE = new URL('../docs/errors.md', import.meta.url);

function renderErrorsPage(): string {
  return [
    '<!-- Generated from the contract: change it there and run `npm run generate`. -->',
    '# Errors',
    [
      'Every error that a server can return. The body contains a message, `{ "error": "…" }`, and the header `x-error-code` the code: `error.code` in the [SDK](../client/README.md#errors), `reason` in the [log](operations.md#logs). On a server, `/docs/errors` explains each code with its endpoints; the header `Link` of an error leads there.',
      'If the error is about a field, the header `x-error-field` contains its percent-encoded path in the body or the query, such as `blocks.3.url` (`error.field` in the SDK).',
      'Messages may change, but codes never do. New codes may be added: handle an unknown code by its status.',
    ].join('\n\n'),
    ...[...Map.groupBy(listErrors(), ({ section }) => section)].map(formatSection),
  ].join('\n\n');
}

/** Sentences that only repeat what the code says. `/docs/errors` on a server has them. */
const SHORT_FORMS: readonly [RegExp, string][] = [
  [
    /^(?:The [\w ]+|`\w+`|It) (?:is|are) (?:missing or )?(?:missing|not valid|not a boolean)\.$/,
    'The field that the code names is missing or not valid.',
  ],
  [
    /^The account has no (?!event)[\w ]+ with this (?:id|URL)\.$/,
    'The account has nothing with this id or URL.',
  ],
];

const shorten = (when: string) => SHORT_FORMS.find(([form]) => form.test(when))?.[1] ?? when;

function formatSection([title, errors]: [string, DeclaredError[]]): string {
  const byStatus = Map.groupBy(errors, ({ status }) => status);
  const parts = [...byStatus]
    .toSorted(([first], [second]) => first - second)
    .map(([status, list]) => `### ${status}\n\n${formatErrors(list)}`);
  return [`## ${title}`, ...parts].join('\n\n');
}

function formatErrors(errors: readonly DeclaredError[]): string {
  const groups = Map.groupBy(errors, ({ when }) => shorten(when));
  const lines = [...groups].map(([sentence, group]) => {
    const codes = new Set(group.map(({ code }) => `\`${code}\``));
    return `- ${[...codes].toSorted().join(', ')}. ${sentence}`;
  });
  return lines.toSorted().join('\n');
}

writeGenerated(FILE, `${renderErrorsPage()}\n`);
