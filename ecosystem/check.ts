import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BLOCK_TYPES } from '../contract/blocks.ts';
import { checkDashboard, checkPage } from './lighthouse.ts';
import { startNameplate } from './sdk/nameplate-server.ts';
import { writeDocumentedBodies } from './documented-bodies.ts';
import { runTool } from './run-tool.ts';

const here = import.meta.dirname;
const root = fileURLToPath(new URL('..', import.meta.url));
const publicDocument = '../openapi.json';
const DOCUMENTS = [publicDocument, '../openapi-owner.json'];

const LINTERS: Record<string, (documentFile: string) => Promise<string>> = {
  'Redocly, recommended-strict': (documentFile) =>
    runTool('redocly', [
      'lint',
      documentFile,
      '--config',
      'redocly.yaml',
      '--max-problems',
      '1000',
    ]),
  'Spectral, OpenAPI': (documentFile) =>
    runTool('spectral', [
      'lint',
      documentFile,
      '-r',
      'spectral-oas.yaml',
      '--fail-severity',
      'hint',
    ]),
  'Spectral, OWASP': (documentFile) =>
    runTool('spectral', [
      'lint',
      documentFile,
      '-r',
      'spectral-owasp.yaml',
      '--fail-severity',
      'hint',
    ]),
  'IBM validator': (documentFile) =>
    runTool('lint-openapi', [documentFile, '-r', writeIbmRules(), '-w', '0']),
  'RE2 and recheck, every pattern': async (documentFile) => {
    // A dynamic import, because this script first installs its dependencies.
    const { checkPatterns } = await import('./patterns.ts');
    return checkPatterns(new URL(documentFile, import.meta.url));
  },
};

const GENERATORS: Record<string, () => Promise<string>> = {
  'openapi-typescript': () =>
    runTool('openapi-typescript', [
      publicDocument,
      '-o',
      'generated/openapi-typescript/schema.d.ts',
    ]),
  'hey-api': () => runTool('openapi-ts', ['-i', publicDocument, '-o', 'generated/hey-api']),
  oazapfts: () => runTool('oazapfts', [publicDocument, 'generated/oazapfts/client.ts']),
  orval: () => runTool('orval', ['--config', 'orval.config.ts']),
  kubb: () => runTool('kubb', ['generate', '--config', 'kubb.config.ts']),
};

/**
 * Adds an exception for every block kind to `ibm.yaml`: blocks store times as free text, and a stored block may lack
 * any field. Returns the path of the generated file.
 */
function writeIbmRules(): string {
  const files = DOCUMENTS.flatMap((document) =>
    BLOCK_TYPES.flatMap((kind) => {
      const schema = `${kind.charAt(0).toUpperCase()}${kind.slice(1)}Block`;
      return [schema, `${schema}Update`].map((name) => `'${document}#/components/schemas/${name}'`);
    }),
  );
  const override = `
  - files: [${files.join(', ')}]
    rules:
      ibm-use-date-based-format: off
      ibm-required-array-properties-in-response: off
      ibm-required-enum-properties-in-response: off
`;
  const rules = readFileSync(join(here, 'ibm.yaml'), 'utf8').trimEnd() + override;
  // Written next to `ibm.yaml`, because the paths in the rules are relative.
  writeFileSync(join(here, 'ibm-generated.yaml'), rules);
  return 'ibm-generated.yaml';
}

async function check(title: string, step: () => Promise<string>): Promise<void> {
  const started = Date.now();
  try {
    const warning = WARNING.exec(await step());
    if (warning) throw new Error(warning[0]);
    process.stdout.write(`ok    ${title} (${Date.now() - started} ms)\n`);
  } catch (error) {
    process.stdout.write(`FAIL  ${title}\n${String(error)}\n`);
    process.exitCode = 1;
  }
}

/** Some tools print warnings and still exit with 0. Ignores npm's warnings about the machine's settings. */
const WARNING = /^(?!npm warn).*(?:⚠|\bwarnings?\b).*$/imu;

function isInstalled(): boolean {
  const installed = join(here, 'node_modules/.package-lock.json');
  const lock = join(here, 'package-lock.json');
  return existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs;
}

if (!isInstalled()) await runTool('npm', ['ci']);
for (const documentFile of DOCUMENTS)
  for (const [name, lint] of Object.entries(LINTERS))
    await check(`${name}: ${basename(documentFile)}`, () => lint(documentFile));

rmSync(join(here, 'generated'), { recursive: true, force: true });
mkdirSync(join(here, 'generated/oazapfts'), { recursive: true });
const server = await startNameplate(root);
try {
  for (const [name, generate] of Object.entries(GENERATORS))
    await check(`${name} generates`, generate);
  writeDocumentedBodies(join(here, 'generated/openapi-typescript/documented-bodies.ts'));
  await check('generated clients and documented bodies compile', () => runTool('tsc', ['-p', '.']));
  for (const name of ['openapi-typescript', 'hey-api'])
    await check(`${name} calls a running server`, () =>
      runTool('tsx', ['clients/call-server.ts', name, server.url, server.apiKey]),
    );
  await check('Lighthouse, the public page', () => checkPage(server));
  await check('Lighthouse, the dashboard', () => checkDashboard(server));
} finally {
  await server.stop();
}
