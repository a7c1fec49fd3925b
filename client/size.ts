import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

/** Maximum size of the main entry point, in bytes, minified and gzipped. */
export const MAX_CLIENT_BYTES = 5_632;

/** Maximum size of the entry point `owner`, in bytes, minified and gzipped. */
export const MAX_OWNER_BYTES = 7_168;

/** Bundles a program that imports some exports of this package, or all of them (`*`). */
export function bundle(exportNames: readonly string[] = ['*']): Promise<string> {
  return bundleEntryPoint(
    'index',
    exportNames.includes('*') ? '*' : `{ ${exportNames.join(', ')} }`,
  );
}

export async function bundleEntryPoint(
  entry: 'index' | 'owner',
  importClause = '*',
): Promise<string> {
  const file = fileURLToPath(new URL(`src/${entry}.ts`, import.meta.url));
  const { outputFiles } = await build({
    stdin: { contents: `export ${importClause} from ${JSON.stringify(file)};`, resolveDir: '/' },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
  });
  return outputFiles[0]!.text;
}

/** Size of the bundled program in bytes, minified and gzipped. */
export async function sizeOf(names?: readonly string[]): Promise<number> {
  return gzippedSize(await bundle(names));
}

/** Size of the entry point `owner` in bytes, minified and gzipped. */
export async function ownerSize(): Promise<number> {
  return gzippedSize(await bundleEntryPoint('owner'));
}

function gzippedSize(code: string): number {
  return gzipSync(code, { level: 9 }).length;
}
