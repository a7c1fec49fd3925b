import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { securityHeaders } from '../http/headers.ts';
import { type Encoding, type Representation, represent } from '../http/representation.ts';
import { routeTable } from './route-table.ts';

/** The code of the dashboard as browsers load it. */
export interface Bundle {
  /** What the document names: the first of its files. */
  entry: { script: string; style: string };
  /** Every file by its name, which is of what is in it. */
  assets: Map<string, Record<Encoding, Representation>>;
}

const ENTRY = fileURLToPath(new URL('../../dashboard/main.tsx', import.meta.url));
/** Takes a moment once, and saves bytes at every first visit. */
const BEST = 11;

/** Bundles the dashboard in memory, with a file for each of its pages, which is loaded when the page is opened. */
export async function bundleDashboard(entry = ENTRY): Promise<Bundle> {
  const files = await bundleFiles(entry);
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
  return {
    entry: { script: find(/^dashboard-.*\.js$/), style: find(/^dashboard-.*\.css$/) },
    assets: new Map(assets),
  };
}

async function bundleFiles(entry: string): Promise<{ name: string; text: string }[]> {
  const { build, stop } = await import('esbuild');
  try {
    const { outputFiles } = await build({
      entryPoints: { dashboard: entry },
      entryNames: '[name]-[hash]',
      chunkNames: '[name]-[hash]',
      outdir: '/',
      write: false,
      bundle: true,
      splitting: true,
      minify: true,
      format: 'esm',
      target: 'es2024',
      jsx: 'automatic',
      jsxImportSource: 'preact',
      tsconfigRaw: {},
      define: { ROUTES: JSON.stringify(routeTable()) },
      logLevel: 'silent',
    });
    return outputFiles.map(({ path, text }) => ({ name: basename(path), text }));
  } finally {
    // Its process takes memory, and nobody needs it again.
    await stop();
  }
}
