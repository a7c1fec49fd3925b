import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { exposedSettingsWarning } from '#server/platform/settings/start-failure.ts';
import { createTempFolder } from '../support/server-process.ts';

async function writeSettings(text: string, mode: number): Promise<string> {
  const file = join(await createTempFolder(), '.env');
  await writeFile(file, text, { mode });
  return file;
}

it('a secret in a settings file that others can read is reported', async () => {
  for (const [text, name] of [
    ['PORT=3001\nDATABASE_URL=postgres://jane:secret@127.0.0.1/x\n', 'DATABASE_URL'],
    ['  export IMPROVMX_API_KEY = "sk_secret"', 'IMPROVMX_API_KEY'],
    ['CLOUDFLARE_API_TOKEN=secret', 'CLOUDFLARE_API_TOKEN'],
  ] as const) {
    const file = await writeSettings(text, 0o640);
    expect(exposedSettingsWarning(file)).toBe(
      `Other users of this machine can read ${name} in ${file}: chmod 600 ${file}`,
    );
  }
});

it('settings without a secret, or unreadable to others, are not reported', async () => {
  const secret = 'DATABASE_URL=postgres://jane:secret@127.0.0.1/x';
  expect(exposedSettingsWarning(await writeSettings(secret, 0o600))).toBeUndefined();
  expect(
    exposedSettingsWarning(await writeSettings(`#${secret}\nPORT=3001`, 0o644)),
  ).toBeUndefined();
  expect(
    exposedSettingsWarning(await writeSettings('DATABASE_URL=\nPORT=3001\n', 0o644)),
  ).toBeUndefined();
  expect(exposedSettingsWarning(join(await createTempFolder(), '.env'))).toBeUndefined();
});
