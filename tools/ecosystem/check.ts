import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';
import { check, installPackages } from './check-step.ts';
import { writeDocumentedBodies } from './documented-bodies.ts';
import { startNameplate } from './sdk/nameplate-server.ts';
import { run } from './sdk/run.ts';

const here = import.meta.dirname;
const generated = join(here, 'generated');
const publicDocument = '../../openapi.json';
const ownerDocument = '../../openapi-owner.json';

/** Some tools print warnings and still exit with 0. Ignores npm's warnings about the machine's settings. */
const WARNING = /^(?!npm warn).*(?:⚠|\bwarnings?\b).*$/imu;

const LINTERS: Record<string, (documentFile: string) => Promise<void>> = {
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
};

/** By package. Each writes a client of both documents into a folder of `generated`. */
const GENERATORS: Record<string, () => Promise<void>> = {
  'openapi-typescript': async () => {
    for (const [document, output] of [
      [publicDocument, 'schema.d.ts'],
      [ownerDocument, 'owner.d.ts'],
    ] as const)
      await runTool('openapi-typescript', [
        document,
        '-o',
        `generated/openapi-typescript/${output}`,
      ]);
  },
  orval: () => runTool('orval', ['--config', 'orval.config.ts']),
  '@hey-api/openapi-ts': () => runTool('openapi-ts', ['-f', 'hey-api.config.ts']),
  '@kubb/cli': () => runTool('kubb', ['generate', '--config', 'kubb.config.ts']),
  'swagger-typescript-api': async () => {
    for (const [document, output] of [
      [publicDocument, 'api.ts'],
      [ownerDocument, 'owner-api.ts'],
    ] as const)
      await runTool('swagger-typescript-api', [
        'generate',
        ...['--path', document],
        ...['--output', 'generated/swagger-typescript-api', '--name', output, '--silent'],
      ]);
  },
};

await installPackages(here);
rmSync(generated, { recursive: true, force: true });
mkdirSync(generated);
const server = await startNameplate();
try {
  for (const documentFile of [publicDocument, ownerDocument])
    for (const [name, lint] of Object.entries(LINTERS))
      await check(`${name}: ${basename(documentFile)}`, () => lint(documentFile));
  for (const [name, generate] of Object.entries(GENERATORS))
    await check(`${name} ${versionOf(name)} generates`, generate);
  writeDocumentedBodies(join(generated, 'openapi-typescript/documented-bodies.ts'));
  await check('generated clients and documented bodies compile', () => runTool('tsc', ['-p', '.']));
  await check('generated clients load', () => runTool('tsx', ['clients/load.ts']));
  await check(`openapi-to-postmanv2 ${versionOf('openapi-to-postmanv2')} imports`, () =>
    // One of its dependencies looks for `localStorage`, which makes Node print a warning.
    runTool(process.execPath, ['--disable-warning=ExperimentalWarning', 'clients/postman.ts']),
  );
  await check('generated clients call a running server', () =>
    runTool('tsx', ['clients/call-server.ts', server.url, server.apiKey]),
  );
  const programs = ['@usebruno/converters', '@scalar/openapi-parser', 'swagger-client'];
  const others = ['insomnia-importers', '@stoplight/prism-cli'];
  const names = [...programs, ...others].map((name) => `${name} ${versionOf(name)}`);
  await check(`${names.join(', ')} read the document, and call`, () =>
    runTool('tsx', ['clients/programs.ts', server.url, server.apiKey]),
  );
  await check('kin-openapi reads both documents, converted to 3.0, and calls', checkGo);
} finally {
  await server.stop();
}
// Only a note, so that a release of a generator breaks no build.
await run('npm', ['outdated', ...Object.keys(GENERATORS)], here).catch((error: unknown) =>
  process.stdout.write(`note  A generator has a newer version. ${String(error)}\n`),
);

async function checkGo(): Promise<void> {
  const files = [publicDocument, ownerDocument].map((file) => [
    file,
    `generated/go-${basename(file)}`,
  ]);
  for (const [from, to] of files) await runTool('openapi-down-convert', ['-i', from!, '-o', to!]);
  const program = [
    'clients/kin-openapi.go',
    server.url,
    server.apiKey,
    ...files.map(([, to]) => to!),
  ];
  // Debian has Go libraries as source code.
  await run('go', ['run', ...program], here, { GO111MODULE: 'off', GOPATH: '/usr/share/gocode' });
}

function versionOf(name: string): string {
  const file = readFileSync(join(here, 'node_modules', name, 'package.json'), 'utf8');
  return (JSON.parse(file) as { version: string }).version;
}

/** Runs a program from this package's dependencies. Throws if it fails or prints a warning. */
async function runTool(name: string, args: readonly string[]): Promise<void> {
  const path = [join(here, 'node_modules/.bin'), process.env.PATH].join(delimiter);
  const env = { PATH: path, REDOCLY_TELEMETRY: 'off', DO_NOT_TRACK: '1' };
  const warning = WARNING.exec(await run(name, args, here, env));
  if (warning) throw new Error(warning[0]);
}
