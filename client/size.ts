import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

/** The largest that everything exported may be, in bytes, minified and gzipped. */
export const SIZE_LIMIT = 5_120;

/** What a bundler makes of a program that imports `names`, or everything, from this package. */
export async function bundle(names: readonly string[] = ['*']): Promise<string> {
  const entry = fileURLToPath(new URL('src/index.ts', import.meta.url));
  const clause = names.includes('*') ? '*' : `{ ${names.join(', ')} }`;
  const { outputFiles } = await build({
    stdin: { contents: `export ${clause} from ${JSON.stringify(entry)};`, resolveDir: '/' },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
  });
  return outputFiles[0]!.text;
}

/** The size of that program in bytes, gzipped. */
export async function sizeOf(names?: readonly string[]): Promise<number> {
  return gzipSync(await bundle(names), { level: 9 }).length;
}
