import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startNameplate } from './sdk/nameplate-server.ts';
import { writeDocumentedBodies } from './documented-bodies.ts';
import { runTool } from './run-tool.ts';

const here = import.meta.dirname;
const root = fileURLToPath(new URL('../..', import.meta.url));
const generated = join(here, 'generated');
const publicDocument = '../../openapi.json';
const ownerDocument = 'generated/openapi-owner.json';

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
  Spectral: (documentFile) =>
    runTool('spectral', [
      'lint',
      documentFile,
      '-r',
      'spectral-oas.yaml',
      '--fail-severity',
      'hint',
    ]),
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
  orval: () => runTool('orval', ['--config', 'orval.config.ts']),
};

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
rmSync(generated, { recursive: true, force: true });
mkdirSync(generated);
const server = await startNameplate(root);
try {
  const response = await fetch(new URL('/owner/openapi.json', server.url));
  writeFileSync(join(here, ownerDocument), await response.text());
  for (const documentFile of [publicDocument, ownerDocument])
    for (const [name, lint] of Object.entries(LINTERS))
      await check(`${name}: ${basename(documentFile)}`, () => lint(documentFile));
  for (const [name, generate] of Object.entries(GENERATORS))
    await check(`${name} generates`, generate);
  writeDocumentedBodies(join(generated, 'openapi-typescript/documented-bodies.ts'));
  await check('generated clients and documented bodies compile', () => runTool('tsc', ['-p', '.']));
  await check('openapi-typescript calls a running server', () =>
    runTool('tsx', ['clients/call-server.ts', server.url, server.apiKey]),
  );
} finally {
  await server.stop();
}
