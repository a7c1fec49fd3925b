import { readFile } from 'node:fs/promises';
import { basename, dirname, extname, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'esbuild';
import type { Contract } from '#contract/define-endpoints.ts';
import { contract } from '#contract/index.ts';
import { ownerContract } from '#contract/owner/index.ts';
import type { Language } from '#contract/shared/languages.ts';
import { ownerPath } from '#contract/shared/owner-path.ts';
import { securityHeaders } from '#server/platform/http/responses/headers.ts';
import {
  type Encoding,
  createRepresentation,
  type Representation,
} from '#server/platform/http/responses/representation.ts';
import { readTranslations, translateSource } from '#translations/texts.ts';

const TARGET = 'es2024';

const DASHBOARD_FOLDER = fileURLToPath(new URL('../../../dashboard/', import.meta.url));

/** Undefined for the style sheets of the first screen, which are one file. */
export function lazySheetLayer(
  path: string,
  folder = DASHBOARD_FOLDER,
): 'components' | 'screens' | undefined {
  const [subfolder] = relative(folder, path).split(sep);
  if (subfolder === 'components' || subfolder === 'sign-in') return 'components';
  return subfolder === 'screens' ? 'screens' : undefined;
}

/**
 * Puts the style sheet of a screen or component into its code, which applies it when it is loaded.
 */
const LAZY_SHEETS: Plugin = {
  name: 'lazy-sheets',
  setup(build) {
    build.onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const layer = lazySheetLayer(path);
      if (!layer) return undefined;
      const { outputFiles } = await build.esbuild.build({
        entryPoints: [path],
        write: false,
        bundle: true,
        minify: true,
        target: TARGET,
      });
      const rules = JSON.stringify(outputFiles[0]!.text.trim());
      return {
        contents: `import { addSheet } from '#dashboard/style/add-sheet.ts';
          addSheet('${layer}', ${rules});`,
        resolveDir: dirname(path),
      };
    });
  },
};

/** Replaces the texts of the dashboard, so that a bundle contains only one language. */
function translateTexts(language: Language): Plugin {
  const translations = readTranslations(language);
  return {
    name: 'translate-texts',
    setup(build) {
      // oxlint-disable-next-line nameplate/linear-patterns -- esbuild matches in linear time.
      build.onLoad({ filter: /\/(?:dashboard|contract)\/.*\.tsx?$/ }, async ({ path }) => ({
        contents: translateSource(await readFile(path, 'utf8'), translations),
        loader: path.endsWith('x') ? 'tsx' : 'ts',
      }));
    },
  };
}

export interface Bundle {
  entry: { script: string; style: string; font: string; imports: readonly string[] };
  /** Each screen's file and its static imports, by screen name. Small screens share `account`. */
  screens: ReadonlyMap<string, readonly string[]>;
  /** Files by their name, which contains a content hash. */
  assets: Map<string, Record<Encoding, Representation>>;
}

const ENTRY = `${DASHBOARD_FOLDER}main.tsx`;
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.woff2': 'font/woff2',
};

/** Bundles in memory. Screens are separate files that are loaded on demand. */
export async function bundleDashboard(language: Language, entry = ENTRY): Promise<Bundle> {
  const { files, importsOf, screens } = await bundleFiles(language, entry);
  const assets = await Promise.all(
    files.map(async ({ name, body }) => {
      const content = { type: CONTENT_TYPES[extname(name)]!, headers: securityHeaders(), body };
      const identity = await createRepresentation(content, 'identity');
      // Fonts are already compressed.
      if (name.endsWith('.woff2'))
        return [name, { br: identity, gzip: identity, identity }] as const;
      const [br, gzip] = await Promise.all([
        createRepresentation(content, 'br'),
        createRepresentation(content, 'gzip'),
      ]);
      return [name, { br, gzip, identity }] as const;
    }),
  );
  const findFileName = (pattern: RegExp) => files.find(({ name }) => pattern.test(name))!.name;
  const script = findFileName(/^dashboard-.*\.js$/);
  return {
    entry: {
      script,
      style: findFileName(/^dashboard-.*\.css$/),
      font: findFileName(/^inter-[A-Z0-9]+\.woff2$/),
      imports: importsOf(script),
    },
    screens: new Map(screens.map(([screen, file]) => [screen, [file, ...importsOf(file)]])),
    assets: new Map(assets),
  };
}

interface BundledFiles {
  files: { name: string; body: Buffer }[];
  importsOf: (name: string) => string[];
  screens: [screen: string, file: string][];
}

async function bundleFiles(language: Language, entry: string): Promise<BundledFiles> {
  const { build, stop } = await import('esbuild');
  try {
    const { outputFiles, metafile } = await build({
      entryPoints: { dashboard: entry },
      entryNames: '[name]-[hash]',
      chunkNames: '[name]-[hash]',
      assetNames: '[name]-[hash]',
      outdir: '/',
      write: false,
      metafile: true,
      bundle: true,
      splitting: true,
      minify: true,
      format: 'esm',
      target: TARGET,
      jsx: 'automatic',
      jsxImportSource: 'preact',
      tsconfigRaw: {},
      loader: { '.woff2': 'file' },
      define: { ROUTES: JSON.stringify(routeTable()), LANGUAGE: JSON.stringify(language) },
      // Makes every file import the app, so the app's modules form one chunk. Otherwise, each set of
      // screens that share a module would have its own.
      inject: [`${DASHBOARD_FOLDER}app.tsx`],
      plugins: [LAZY_SHEETS, translateTexts(language)],
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
      const directImports = imports.get(name) ?? [];
      return [...new Set([...directImports, ...directImports.flatMap(importsOf)])];
    };
    const files = outputFiles.map(({ path, contents }) => ({
      name: basename(path),
      body: Buffer.from(contents),
    }));
    const screens = Object.entries(metafile.outputs).flatMap(
      ([path, { entryPoint = '' }]): BundledFiles['screens'] => {
        const [, screen] = /\/screens\/(?:[a-z]+\/)?([a-z]+)\.tsx?$/.exec(entryPoint) ?? [];
        return screen === undefined ? [] : [[screen, basename(path)]];
      },
    );
    return { files, importsOf, screens };
  } finally {
    // Stop the esbuild process to free its memory.
    await stop();
  }
}

/** Without the paths of the owner API, which follow from the names. */
function routeTable(): [name: string, method: string, path?: string][] {
  return [contract, ownerContract].flatMap((areas: Contract) =>
    Object.entries(areas).flatMap(([area, endpoints]) =>
      Object.entries(endpoints).map(([operation, { method, path }]) => {
        const name = `${area}.${operation}`;
        return path === ownerPath(name) ? [name, method] : [name, method, path];
      }),
    ),
  );
}
