import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

/** The largest that everything exported may be, in bytes, minified and gzipped. */
export const SIZE_LIMIT = 5_120;

/** The largest that everything exported by the entry of owners may be, in bytes, minified and gzipped. */
export const OWNER_SIZE_LIMIT = 7_168;

/** Bundles a program that imports `names`, or everything, from this package. */
export function bundle(names: readonly string[] = ['*']): Promise<string> {
  return bundleOf('index', names.includes('*') ? '*' : `{ ${names.join(', ')} }`);
}

/** Bundles any entry of the package. */
export async function bundleOf(entry: 'index' | 'owner', clause = '*'): Promise<string> {
  const file = fileURLToPath(new URL(`src/${entry}.ts`, import.meta.url));
  const { outputFiles } = await build({
    stdin: { contents: `export ${clause} from ${JSON.stringify(file)};`, resolveDir: '/' },
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
  return gzipped(await bundle(names));
}

/** The size of the entry of owners in bytes, gzipped. */
export async function ownerSize(): Promise<number> {
  return gzipped(await bundleOf('owner'));
}

function gzipped(code: string): number {
  return gzipSync(code, { level: 9 }).length;
}
