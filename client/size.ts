import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

/** Maximum size of the main entry point, in bytes, minified and gzipped. */
export const MAX_CLIENT_BYTES = 6_144;

/** Bundles a program that exports some names of an entry point, such as `{ VERSION }`, or all (`*`). */
export async function bundle(
  exportClause = '*',
  entry: 'index' | 'owner' | 'webhooks' = 'index',
): Promise<string> {
  const file = fileURLToPath(new URL(`src/${entry}.ts`, import.meta.url));
  const { outputFiles } = await build({
    stdin: { contents: `export ${exportClause} from ${JSON.stringify(file)};`, resolveDir: '/' },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
  });
  return outputFiles[0]!.text;
}

/** Size of the bundled program in bytes, minified and gzipped. */
export async function sizeOf(...program: Parameters<typeof bundle>): Promise<number> {
  return gzipSync(await bundle(...program), { level: 9 }).length;
}
