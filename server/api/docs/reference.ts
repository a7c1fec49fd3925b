import { parentPort } from 'node:worker_threads';
import reference from '@scalar/fastify-api-reference';
import Fastify from 'fastify';
import { ICON_URL } from '#server/http/responses/brand.ts';
import { PAGE_FONT_FACE } from '#server/http/responses/page-style.ts';

const PALETTE = {
  light: {
    background: '#f6f5f1',
    surface: '#fff',
    sunk: '#f1efea',
    line: '#e6e3dc',
    text: '#1b1b18',
    muted: '#65625a',
    accent: '#0c6a4b',
  },
  dark: {
    background: '#121311',
    surface: '#1a1b19',
    sunk: '#262724',
    line: '#2c2e2a',
    text: '#f0efea',
    muted: '#a6a59c',
    accent: '#62d3a3',
  },
} as const;

/** Variables of the package, without their prefix. `blue` is GET, `green` is POST. */
const colorRules = Object.entries(PALETTE).map(
  ([mode, { background, surface, sunk, line, text, muted, accent }]) => {
    const variables = {
      font: 'Inter,system-ui,sans-serif',
      'font-code': 'ui-monospace,monospace',
      'font-bold': 620,
      'heading-1': '32px',
      'heading-2': '26px',
      'page-description': '16px',
      radius: '8px',
      'radius-lg': '11px',
      'radius-xl': '16px',
      'background-1': background,
      'background-2': surface,
      'background-3': sunk,
      'background-accent': `${accent}1f`,
      'border-color': line,
      'color-1': text,
      'color-2': muted,
      'color-3': muted,
      'color-accent': accent,
      'color-blue': accent,
      'color-green': text,
      'button-1': text,
      'button-1-color': background,
      'button-1-hover': muted,
      'sidebar-background-1': background,
      'sidebar-color-2': muted,
      'sidebar-color-active': accent,
      'sidebar-item-active-background': surface,
      'sidebar-item-hover-background': sunk,
      'sidebar-search-background': surface,
    };
    const rules = Object.entries(variables).map(([name, value]) => `--scalar-${name}:${value}`);
    return `.${mode}-mode{${rules.join(';')}}`;
  },
);

/** Scalar leaves `--scalar-custom-header-height` free above its sticky elements, for our header. */
const HEADER_RULES =
  ':root{--scalar-custom-header-height:60px}.bar{position:sticky;z-index:2;top:0;display:flex;align-items:center;justify-content:space-between;gap:16px;height:60px;padding:0 24px;border-bottom:1px solid var(--scalar-border-color);background:var(--scalar-background-1)}.bar a{color:var(--scalar-color-1);font:550 15px/44px Inter,system-ui,sans-serif}.logo{display:flex;align-items:center;gap:8px;text-decoration:none}.logo rect:first-child{fill:var(--plate-1,#0f6a4c)}.logo img{display:block;max-width:160px;max-height:28px;object-fit:contain}';

const STYLE = `${PAGE_FONT_FACE.replace('optional', 'swap')}${colorRules.join('')}${HEADER_RULES}`;

/** The package shows this for an empty API key field. */
const PLACEHOLDER = 'QUxMIFlPVVIgQkFTRSBBUkUgQkVMT05HIFRPIFVT';

/** Requests from the page use only the entered key, never the session cookie. */
const OMIT_COOKIES_SCRIPT =
  "const { fetch } = window; window.fetch = (input, init) => fetch(input, { ...init, credentials: 'omit' });";

export interface ReferencePage {
  html: string;
  script: Uint8Array;
}

// Runs in a short-lived worker thread, because the package is slow to load and uses about 40 MB.
const app = Fastify();
await app.register(reference, {
  routePrefix: '/docs/reference',
  configuration: {
    sources: [
      { title: 'API', slug: 'api', url: '/openapi.json', default: true },
      { title: 'For owners', slug: 'owner', url: '/owner/openapi.json' },
    ],
    servers: [{ url: '/', description: 'This server' }],
    pageTitle: 'Nameplate API',
    // The page reads the media type from the text after the last dot.
    favicon: `${ICON_URL}#.svg+xml`,
    theme: 'default',
    customCss: STYLE,
    // The page must not send requests to other servers.
    withDefaultFonts: false,
    proxyUrl: '',
    telemetry: false,
    hideClientButton: true,
    hideModels: true,
    // The toggle has no accessible name. Without it, the page follows the color scheme of the
    // system.
    hideDarkModeToggle: true,
    mcp: { disabled: true },
    agent: { disabled: true },
    showDeveloperTools: 'never',
    persistAuth: false,
    authentication: { preferredSecurityScheme: 'ApiKey' },
  },
});
const htmlResponse = await app.inject('/docs/reference/');
const scriptResponse = await app.inject('/docs/reference/js/scalar.js');
const page: ReferencePage = {
  html: htmlResponse.payload
    .replace('<html>', '<html lang="en">')
    .replace('<head>', `<head><script>{ ${OMIT_COOKIES_SCRIPT} }</script>`),
  script: new TextEncoder().encode(scriptResponse.payload.replaceAll(PLACEHOLDER, 'np_your.key')),
};
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
parentPort?.postMessage(page);
