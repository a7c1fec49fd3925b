import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'esbuild';
import { PALETTE_CSS } from '../../contract/palette.ts';
import { securityHeaders } from '../http/answers/headers.ts';
import { type Encoding, type Representation, represent } from '../http/answers/representation.ts';
import { routeTable } from './route-table.ts';

/** Makes the palette a style sheet that others import. */
const PALETTE_SHEET: Plugin = {
  name: 'palette',
  setup(bundling) {
    bundling.onResolve({ filter: /^palette$/ }, ({ path }) => ({ path, namespace: 'palette' }));
    bundling.onLoad({ filter: /^palette$/, namespace: 'palette' }, () => ({
      contents: `:root{${PALETTE_CSS}}`,
      loader: 'css',
    }));
  },
};

/** The code of the dashboard as browsers load it. */
export interface Bundle {
  /** Files that the document names: the first of its files, and what its script cannot run without. */
  entry: { script: string; style: string; imports: readonly string[] };
  /** Every file by its name, which is of what is in it. */
  assets: Map<string, Record<Encoding, Representation>>;
}

const ENTRY = fileURLToPath(new URL('../../dashboard/main.tsx', import.meta.url));
/** Takes a moment once, and saves bytes at every first visit. */
const BEST = 11;

/** Bundles the dashboard in memory, with a file for each of its pages, which is loaded when the page is opened. */
export async function bundleDashboard(entry = ENTRY): Promise<Bundle> {
  const { files, importsOf } = await bundleFiles(entry);
  const assets = await Promise.all(
    files.map(async ({ name, text }) => {
      const type = name.endsWith('.css') ? 'text/css' : 'text/javascript';
      const content = { type: `${type}; charset=utf-8`, headers: securityHeaders(), body: text };
      const [br, gzip, identity] = await Promise.all([
        represent(content, 'br', BEST),
        represent(content, 'gzip'),
        represent(content, 'identity'),
      ]);
      return [name, { br, gzip, identity }] as const;
    }),
  );
  const find = (pattern: RegExp) => files.find(({ name }) => pattern.test(name))!.name;
  const script = find(/^dashboard-.*\.js$/);
  return {
    entry: { script, style: find(/^dashboard-.*\.css$/), imports: importsOf(script) },
    assets: new Map(assets),
  };
}

interface BundledFiles {
  files: { name: string; text: string }[];
  /** Files that a file imports before it runs, directly or not. */
  importsOf: (name: string) => string[];
}

async function bundleFiles(entry: string): Promise<BundledFiles> {
  const { build, stop } = await import('esbuild');
  try {
    const { outputFiles, metafile } = await build({
      entryPoints: { dashboard: entry },
      entryNames: '[name]-[hash]',
      chunkNames: '[name]-[hash]',
      outdir: '/',
      write: false,
      metafile: true,
      bundle: true,
      splitting: true,
      minify: true,
      format: 'esm',
      target: 'es2024',
      jsx: 'automatic',
      jsxImportSource: 'preact',
      tsconfigRaw: {},
      define: { ROUTES: JSON.stringify(routeTable()) },
      plugins: [PALETTE_SHEET],
      logLevel: 'silent',
    });
    const imports = new Map(
      Object.entries(metafile.outputs).map(([path, output]) => [
        basename(path),
        output.imports
          .filter(({ kind }) => kind === 'import-statement')
          .map((imported) => basename(imported.path)),
      ]),
    );
    const importsOf = (name: string): string[] => {
      const direct = imports.get(name) ?? [];
      return [...new Set([...direct, ...direct.flatMap(importsOf)])];
    };
    const files = outputFiles.map(({ path, text }) => ({ name: basename(path), text }));
    return { files, importsOf };
  } finally {
    // Its process takes memory, and nobody needs it again.
    await stop();
  }
}
