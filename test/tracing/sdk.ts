import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const DOCUMENTS = new URL('../../docs/', import.meta.url);

/** Installs the documented SDK next to a copy of the documented file that loads it. */
export async function installSdk() {
  const page = await readFile(new URL('monitoring.md', DOCUMENTS), 'utf8');
  const [, sdk] = /^npm install --no-save (\S+)$/m.exec(page)!;
  const folder = await mkdtemp(join(tmpdir(), 'nameplate-tracing-'));
  const file = join(folder, 'tracing.js');
  await copyFile(new URL('monitoring/tracing.js', DOCUMENTS), file);
  await promisify(execFile)(
    'npm',
    ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', sdk!],
    { shell: process.platform === 'win32' },
  );
  return { url: pathToFileURL(file).href, remove: () => rm(folder, { recursive: true }) };
}
