import { readFile, writeFile } from 'node:fs/promises';
import { EVERY_WRITE } from '../contract/request-refusals.ts';
import type { Contract } from '../contract/area.ts';
import { contract } from '../contract/index.ts';
import { ownerContract } from '../contract/owner/index.ts';
import type { Refusal } from '../contract/refusal.ts';
import { KEYED, SITE } from '../contract/surfaces.ts';
import { BELOW_ENDPOINTS, PAGE_REFUSALS } from '../server/http/refusals.ts';

const FILE = new URL('../docs/errors.md', import.meta.url);

/** Every refusal with its status, when it happens, its sentence and its code. */
function errorsPage(): string {
  return [
    '<!-- Generated from the contract: change it there and run `npm run generate`. -->',
    '# Errors',
    'For authors of programs that call the API, and for operators who read its log: every error that a server answers.',
    [
      'Each entry has the status, the name, when it happens, and the sentence, with values in place of the braces. An answer has the sentence in its body, `{ "error": "…" }`, and the name in its header `x-error-code`; the [SDK](../client/README.md#errors) has it as `error.code`, and the log as `reason` (for keys that are refused, the log has [the exact cause](operations.md#logs) instead).',
      'Sentences may change, names never do. New names may be added, so treat a name that you do not know by its status.',
    ].join('\n\n'),
    ...section('Every endpoint', [
      ...Object.entries(KEYED.requests),
      ['unauthorized', SITE.requests.unauthorized],
    ]),
    ...section('Every write', Object.entries(EVERY_WRITE)),
    ...endpointsOf(contract),
    '## The owner contract',
    'Its endpoints refuse what every endpoint does; those by which one logs in or makes an account ask nobody for a key or a session.',
    ...endpointsOf(ownerContract),
    ...section('Outside all endpoints', Object.entries(BELOW_ENDPOINTS)),
    ...section('Pages', Object.entries(PAGE_REFUSALS)),
  ].join('\n\n');
}

function endpointsOf(contracted: Contract): string[] {
  return Object.values(contracted)
    .flatMap((area) => Object.values(area))
    .flatMap(({ method, path, metadata: { refusals, shared } }) =>
      section(`\`${method} ${path}\``, [
        ...Object.entries(refusals),
        ['internalError', shared.internalError],
      ]),
    );
}

function section(title: string, refusals: readonly [string, Refusal][]): string[] {
  const lines = refusals
    .toSorted(([, a], [, b]) => a.status - b.status)
    .map(
      ([code, { status, when, sentence }]) =>
        `- **${status}** \`${code}\`. ${when} \`${sentence}\``,
    );
  return [`## ${title}`, lines.join('\n')];
}

const page = `${errorsPage()}\n`;
if (!process.argv.includes('--check')) await writeFile(FILE, page);
else if ((await readFile(FILE, 'utf8').catch(() => '')) !== page) {
  process.stderr.write('docs/errors.md is not up to date: run npm run generate.\n');
  process.exitCode = 1;
}
