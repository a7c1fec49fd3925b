import { cpSync, mkdtempSync, rmSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MAX_CLIENT_BYTES, sizeOf } from '../../../client/size.ts';
import { check, installPackages } from '../check-step.ts';
import { compile, prepareTypes } from './compile.ts';
import { startMisbehavingServer } from './misbehaving-server.ts';
import { startNameplate } from './nameplate-server.ts';
import { run } from './run.ts';

const toolsDir = fileURLToPath(new URL('.', import.meta.url));
const repositoryRoot = fileURLToPath(new URL('../../..', import.meta.url));
const nodeModules = join(toolsDir, 'node_modules');
const node20 = join(nodeModules, 'node-20/bin/node');
const node22 = join(nodeModules, 'node-22/bin/node');
const denoArgs = ['run', '--allow-all', '--no-lock', '--node-modules-dir=manual', '--quiet'];

const RUNTIMES = {
  'Node 20, ESM': [node20, 'program.mjs'],
  'Node 20, CommonJS': [node20, 'program.cjs'],
  'Node 22, ESM': [node22, 'program.mjs'],
  'Node 22, CommonJS': [node22, 'program.cjs'],
  'Node 24, ESM': [process.execPath, 'program.mjs'],
  'Node 24, CommonJS': [process.execPath, 'program.cjs'],
  'Bun, ESM': [join(nodeModules, '.bin/bun'), 'program.mjs'],
  'Bun, CommonJS': [join(nodeModules, '.bin/bun'), 'program.cjs'],
  'Deno, ESM': [join(nodeModules, '.bin/deno'), ...denoArgs, 'program.mjs'],
  'Deno, CommonJS': [join(nodeModules, '.bin/deno'), ...denoArgs, 'program.cjs'],
} as const;

const COMPILERS = ['typescript-5.0', 'typescript-5.9', 'typescript-7'];

async function checkAll(folder: string): Promise<void> {
  const tarball = await pack(join(repositoryRoot, 'client'), folder);
  const project = mkdtempSync(join(folder, 'project-'));
  await check('npm install of the packed file in an empty project', () =>
    installInto(project, tarball),
  );
  await check('publint --strict', () =>
    run(process.execPath, [join(nodeModules, 'publint/src/cli.js'), '--strict', tarball], project),
  );
  await check('attw', () =>
    run(
      process.execPath,
      [join(nodeModules, '@arethetypeswrong/cli/dist/index.js'), tarball],
      project,
    ),
  );
  await check(`at most ${MAX_CLIENT_BYTES} bytes minified and gzipped`, async () => {
    const size = await sizeOf();
    if (size > MAX_CLIENT_BYTES) throw new Error(`It is ${size} bytes.`);
  });
  prepareTypes(toolsDir, project);
  for (const compiler of COMPILERS)
    await check(`types under ${compiler}`, () => compile(toolsDir, project, compiler));

  cpSync(join(toolsDir, 'programs'), project, { recursive: true });
  const misbehavingServer = await startMisbehavingServer();
  const server = await startNameplate();
  const settings = {
    url: server.url,
    misbehavingUrl: misbehavingServer.url,
    apiKey: server.apiKey,
  };
  try {
    for (const [title, [program, ...args]] of Object.entries(RUNTIMES))
      await check(title, () =>
        run(program, args, project, {
          SDK_CHECK_SETTINGS: JSON.stringify(settings),
          NO_COLOR: '1',
        }),
      );
    const { runInCloudflareWorker } = await import('./worker.ts');
    await check('worker (workerd)', () => runInCloudflareWorker(toolsDir, project, settings));
  } finally {
    await server.stop();
    misbehavingServer.stop();
  }
}

await installPackages(toolsDir);
const folder = mkdtempSync(join(tmpdir(), 'nameplate-sdk-check-'));
try {
  await checkAll(folder);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Packs the client as for a release. Returns the path of the tarball. */
async function pack(client: string, destination: string): Promise<string> {
  await run('npm', ['pack', '--pack-destination', destination], client);
  const name = readdirSync(destination).find((file) => file.endsWith('.tgz'));
  if (name === undefined) throw new Error('npm pack made no file.');
  return join(destination, name);
}

async function installInto(projectDir: string, tarball: string): Promise<void> {
  writeFileSync(join(projectDir, 'package.json'), '{"name":"empty","private":true}');
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], projectDir);
  const installed = readdirSync(join(projectDir, 'node_modules')).filter(
    (name) => !name.startsWith('.'),
  );
  if (installed.join() !== '@nameplate')
    throw new Error(`Installing brought more than the client: ${installed.join(', ')}.`);
}
