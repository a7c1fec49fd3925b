import { readFile } from 'node:fs/promises';
import { RE2JS } from 're2js';
import { check } from 'recheck';

/** Limits the analysis by steps instead of time, so that the result does not depend on the machine. */
const STEP_LIMITS = { attackTimeout: null, incubationTimeout: null, timeout: null };

/** Throws if a pattern of the document is not valid in Go and Rust, or does not match in linear time. */
export async function checkPatterns(document: URL): Promise<void> {
  const problems: string[] = [];
  for (const pattern of findPatterns(JSON.parse(await readFile(document, 'utf8')))) {
    try {
      RE2JS.compile(pattern);
    } catch (error) {
      problems.push(`${pattern}: ${String(error)}`);
    }
    const { status } = await check(pattern, 'u', STEP_LIMITS);
    if (status !== 'safe') problems.push(`${pattern}: ${status}`);
  }
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

function findPatterns(value: unknown): Set<string> {
  if (typeof value !== 'object' || value === null) return new Set();
  const ownPattern = 'pattern' in value && typeof value.pattern === 'string' ? [value.pattern] : [];
  return new Set([
    ...ownPattern,
    ...Object.values(value).flatMap((child) => [...findPatterns(child)]),
  ]);
}
