import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './run.ts';

/** Packs the client as for a release. Returns the path of the tarball. */
export async function pack(client: string, folder: string): Promise<string> {
  await run('npm', ['pack', '--pack-destination', folder], client);
  const name = readdirSync(folder).find((file) => file.endsWith('.tgz'));
  if (name === undefined) throw new Error('npm pack made no file.');
  return join(folder, name);
}

/** Installs only the tarball into an empty project. */
export async function installInto(projectDir: string, tarball: string): Promise<void> {
  writeFileSync(join(projectDir, 'package.json'), '{"name":"empty","private":true}');
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], projectDir);
  const installed = readdirSync(join(projectDir, 'node_modules')).filter(
    (name) => !name.startsWith('.'),
  );
  if (installed.join() !== '@nameplate')
    throw new Error(`Installing brought more than the client: ${installed.join(', ')}.`);
}
