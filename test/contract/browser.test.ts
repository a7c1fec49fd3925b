import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

const CONTRACT = fileURLToPath(new URL('../../contract/index.ts', import.meta.url));

/** Browser globals that the contract needs. They are not part of ECMAScript. */
const BROWSER_GLOBALS = { TextEncoder, URL };

it('the contract runs in a browser, without Node.js modules or globals', async () => {
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
  const externalImports = Object.values(metafile.inputs).flatMap(({ imports }) =>
    imports.filter(({ external }) => external),
  );
  expect(externalImports).toEqual([]);

  const context = createContext({ ...BROWSER_GLOBALS });
  runInContext(outputFiles[0]!.text, context);
  // `avatar_url` needs URL. The size limit for unknown fields needs TextEncoder.
  const isAccepted = (note: string): unknown =>
    runInContext(
      `nameplate.contract.site.updateSiteConfiguration.body.safeParse({
        avatar_url: 'https://example.com/jane.png',
        blocks: [{ type: 'note', note: ${JSON.stringify(note)} }],
      }).success`,
      context,
    );
  expect(isAccepted('ü'.repeat(8_000))).toBe(true);
  expect(isAccepted('ü'.repeat(9_000))).toBe(false);
});
