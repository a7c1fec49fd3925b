import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compareSpecs } from '@useoptic/openapi-utilities';
import { RuleRunner } from '@useoptic/rulesets-base';
import { BreakingChangesRuleset } from '@useoptic/standard-rulesets';

type Document = Parameters<typeof compareSpecs>[0]['jsonLike'];

/**
 * Breaking changes that the changelog announces, as this check prints them. Empty the list after the
 * release.
 */
const ACCEPTED: ReadonlySet<string> = new Set();

const repositoryRoot = fileURLToPath(new URL('..', import.meta.url));

/** Returns the newest release tag before the current commit, if there is one. */
export function findReleaseTag(root = repositoryRoot): string | undefined {
  try {
    return git(root, 'describe', '--tags', '--abbrev=0', '--match', 'v*').trim();
  } catch {
    return undefined;
  }
}

/** Throws if clients of the release `tag` could not use the current API. */
export async function checkBreakingChanges(
  documentName: string,
  tag: string,
  root = repositoryRoot,
): Promise<string> {
  const released = JSON.parse(git(root, 'show', `${tag}:${documentName}`)) as Document;
  const current = JSON.parse(readFileSync(join(root, documentName), 'utf8')) as Document;
  const { results } = await compareSpecs(
    toSpec(released),
    toSpec(current),
    new RuleRunner([new BreakingChangesRuleset()]),
    {},
  );
  const problems = results
    .filter(({ passed }) => !passed)
    .map(({ where, error }) => `${where}: ${error}`)
    .filter((problem) => !ACCEPTED.has(problem));
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return '';
}

function git(root: string, ...args: string[]): string {
  return execFileSync('git', ['-C', root, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 2 ** 26,
  });
}

function toSpec(document: Document) {
  return {
    jsonLike: inlineReferences(document, document) as Document,
    sourcemap: { rootFilePath: '', files: [], refMappings: {} },
    isEmptySpec: false,
  };
}

/** Replaces references with their targets, because the rules do not follow references. */
function inlineReferences(value: unknown, document: Document): unknown {
  if (Array.isArray(value)) return value.map((item) => inlineReferences(item, document));
  if (typeof value !== 'object' || value === null) return value;
  if ('$ref' in value && typeof value.$ref === 'string') {
    const path = value.$ref.slice('#/'.length).split('/');
    const target = path.reduce<unknown>(
      (parent, key) => (parent as Record<string, unknown>)[key],
      document,
    );
    return inlineReferences(target, document);
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [key, inlineReferences(child, document)]),
  );
}
