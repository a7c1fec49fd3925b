import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { checkSync } from 'recheck';

/** What this rule reads of the nodes of ESTree. */
interface Node {
  type: string;
  name?: string;
  value?: unknown;
  regex?: { pattern: string; flags: string };
  callee?: Node;
  arguments?: Node[];
  tag?: Node;
  quasi?: Node;
  quasis?: { value: { raw: string; cooked: string } }[];
}

/**
 * Limits the analysis by steps instead of time, so that the result does not depend on the machine.
 * Patterns with lookarounds are tried with generated texts; with the default of 25,000 steps for
 * each, slow ones beside many short repetitions are missed.
 */
const STEP_LIMITS = {
  attackTimeout: null,
  incubationLimit: 250_000,
  incubationTimeout: null,
  timeout: null,
};

const CACHE_FOLDER = new URL('../node_modules/.cache/', import.meta.url);
/** What a lower limit found safe is checked again. */
const CACHE_FILE = new URL(`linear-patterns-${STEP_LIMITS.incubationLimit}.json`, CACHE_FOLDER);
/** The analysis of all patterns takes longer than all other rules. */
const safePatterns = new Set<string>(
  existsSync(CACHE_FILE) ? (JSON.parse(readFileSync(CACHE_FILE, 'utf8')) as string[]) : [],
);
process.on('exit', () => {
  mkdirSync(CACHE_FOLDER, { recursive: true });
  writeFileSync(CACHE_FILE, JSON.stringify([...safePatterns]));
});

function findProblem(pattern: string, flags: string): string | undefined {
  const key = `/${pattern}/${flags}`;
  // Without unlimited repetition, every pattern is linear. The package does not know the flag `v`.
  if (!/[*+]|,\}/.test(pattern) || safePatterns.has(key)) return undefined;
  const result = checkSync(pattern, flags.replace('v', 'u'), STEP_LIMITS);
  if (result.status === 'unknown') return `This pattern cannot be checked: ${result.error.kind}`;
  if (result.status === 'vulnerable')
    return `${result.complexity.summary}, for example for ${result.attack.pattern}`;
  safePatterns.add(key);
  return undefined;
}

/** The source of a regular expression. Inserted values count as a digit, which is valid everywhere. */
function readSource(node: Node | undefined): string | undefined {
  if (typeof node?.value === 'string') return node.value;
  const kind = node?.type === 'TaggedTemplateExpression' ? 'raw' : 'cooked';
  return (node?.quasi ?? node)?.quasis?.map(({ value }) => value[kind]).join('9');
}

/** Reports regular expressions that can take more than linear time: texts come from strangers. */
const linearPatterns = {
  create(context: { report(problem: { node: Node; message: string }): void }) {
    const check = (node: Node, source = '', flags: unknown = '') => {
      const message = findProblem(source, String(flags));
      if (message !== undefined) context.report({ node, message });
    };
    const checkConstruction = (node: Node) => {
      if (node.callee?.name !== 'RegExp') return;
      check(node, readSource(node.arguments?.[0]), node.arguments?.[1]?.value);
    };
    return {
      Literal: (node: Node) => check(node, node.regex?.pattern, node.regex?.flags),
      NewExpression: checkConstruction,
      CallExpression: checkConstruction,
    };
  },
};

export default { meta: { name: 'nameplate' }, rules: { 'linear-patterns': linearPatterns } };
