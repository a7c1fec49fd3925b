import { readFile, writeFile } from 'node:fs/promises';
import { EVERY_WRITE } from '../contract/request-refusals.ts';
import type { Contract } from '../contract/area.ts';
import { contract } from '../contract/index.ts';
import { ownerContract } from '../contract/owner/index.ts';
import type { Refusal } from '../contract/refusal.ts';
import { KEYED, SITE } from '../contract/surfaces.ts';
import { BELOW_ENDPOINTS } from '../server/http/refusals.ts';

const FILE = new URL('../docs/errors.md', import.meta.url);

/** Every refusal with its status, when it happens, its sentence and its code. */
function errorsPage(): string {
  return [
    '<!-- Generated from the contract: change it there and run `npm run generate`. -->',
    '# Errors',
    'Why a request is refused or fails: the status, the name that the log has as `reason`, when it happens, and the sentence that is answered as `error`, with what stands in braces filled in. A sentence is for people and may change; a name stays.',
    ...section('Every endpoint', [
      ...Object.entries(KEYED.requests),
      ['unauthorized', SITE.requests.unauthorized],
    ]),
    ...section('Every write', Object.entries(EVERY_WRITE)),
    ...endpointsOf(contract),
    '## The owner contract',
    'Its endpoints refuse what every endpoint does; those by which one logs in or makes an account ask nobody for a key or a session.',
    ...endpointsOf(ownerContract),
    ...section('Before any endpoint', Object.entries(BELOW_ENDPOINTS)),
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
      ([code, { status, when, sentence }]) => `- **${status}** ${code}. ${when} \`${sentence}\``,
    );
  return [`## ${title}`, lines.join('\n')];
}

const page = `${errorsPage()}\n`;
if (!process.argv.includes('--check')) await writeFile(FILE, page);
else if ((await readFile(FILE, 'utf8').catch(() => '')) !== page) {
  process.stderr.write('docs/errors.md is not up to date: run npm run generate.\n');
  process.exitCode = 1;
}
