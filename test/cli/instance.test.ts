import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { createImage } from '../support/pictures.ts';
import { createTempFolder } from '../support/server-process.ts';
import { useServer } from '../support/use-server.ts';
import { runCommand, runJson } from './support/command-line.ts';

const { server } = useServer();

it('instance set changes the identity, an empty text resets a field, and instance show prints it', async () => {
  const settings = { DATABASE_URL: server.database.url };
  const folder = await createTempFolder();
  const [logo, welcome] = [join(folder, 'logo.png'), join(folder, 'welcome.md')];
  await writeFile(logo, await createImage({ width: 800, height: 400 }).png().toBuffer());
  await writeFile(welcome, '**Welcome**\n');
  const instance = {
    ...{ name: 'Club', line: null, color: '#4f9bd6', contact: 'office@example.com' },
    ...{ imprint_url: 'https://example.com/imprint', privacy_url: null, terms_url: null },
    ...{ welcome: '**Welcome**', logo: expect.stringMatching(/^\/instance\/.{22}-800x400\.webp$/) },
    dark_logo: null,
  };
  expect(
    await runJson(
      settings,
      ...['instance', 'set', '--name', 'Club', '--color', '#4F9BD6', '--logo', logo],
      ...['--contact', 'office@example.com', '--imprint', 'https://example.com/imprint'],
      ...['--welcome', welcome],
    ),
  ).toEqual(instance);
  const shown = (await runJson(settings, 'instance', 'show')) as { logo: string };
  expect(shown).toEqual(instance);
  const { rawPayload } = await server.app.inject(shown.logo);
  expect(await sharp(rawPayload).metadata()).toMatchObject({ format: 'webp', width: 512 });
  expect(
    await runJson(settings, 'instance', 'set', '--logo', '', '--welcome', '', '--name', ''),
  ).toEqual({ ...instance, logo: null, welcome: null, name: null });
});

it.each([
  [['--color', 'red'], 2, 'color must be a hex color'],
  [['--imprint', 'http://example.com'], 2, 'imprint_url must be an https URL'],
  [['--logo', '/no/such/file'], 1, '/no/such/file could not be read'],
  [['--logo', 'package.json'], 1, 'The body must be a JPEG, PNG, WebP, GIF or AVIF picture.'],
  [[], 2, 'nothing to change'],
])('instance set %j is refused', async (args, code, message) => {
  const result = await runCommand(
    { DATABASE_URL: server.database.url },
    ...['instance', 'set', ...args],
  );
  expect(result).toMatchObject({ code, stdout: '' });
  expect(result.stderr).toContain(message);
});
