import { createContext, runInContext } from 'node:vm';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

const CONTRACT = fileURLToPath(new URL('../../contract/index.ts', import.meta.url));

/** Browser globals that the contract uses and that are not part of ECMAScript. */
const BROWSER = { TextEncoder, URL };

it('the contract runs in a browser: it needs no modules or globals of Node.js', async () => {
  const { outputFiles, metafile } = await build({
    stdin: {
      contents: `export * from ${JSON.stringify(CONTRACT)};`,
      resolveDir: '/',
    },
    bundle: true,
    platform: 'browser',
    format: 'iife',
    globalName: 'nameplate',
    metafile: true,
    write: false,
    logLevel: 'silent',
  });
  const foreign = Object.values(metafile.inputs).flatMap(({ imports }) =>
    imports.filter(({ external }) => external),
  );
  expect(foreign).toEqual([]);

  const page = createContext({ ...BROWSER });
  runInContext(outputFiles[0]!.text, page);
  // Uses the browser globals: a URL, and the size of extra fields.
  const parse = (note: string): unknown =>
    runInContext(
      `nameplate.contract.site.updateSiteConfiguration.body.safeParse({
        avatar_url: 'https://example.com/jane.png',
        blocks: [{ type: 'note', note: ${JSON.stringify(note)} }],
      }).success`,
      page,
    );
  expect(parse('ü'.repeat(8_000))).toBe(true);
  expect(parse('ü'.repeat(9_000))).toBe(false);
});
