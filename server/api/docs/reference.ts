import { parentPort } from 'node:worker_threads';
import reference from '@scalar/fastify-api-reference';
import Fastify from 'fastify';
import { ICON_URL, LOGO_URL } from '#server/http/answers/brand.ts';
import { PAGE_FACE } from '#server/http/answers/page-style.ts';

/** Colours of Nameplate itself, by day and by night. */
const PALETTE = {
  light: { background: '#f6f5f1', text: '#1b1b18', muted: '#65625a', accent: '#0c6a4b' },
  dark: { background: '#121311', text: '#f0efea', muted: '#a6a59c', accent: '#62d3a3' },
} as const;

const colours = Object.entries(PALETTE).map(
  ([shade, { background, text, muted, accent }]) =>
    `.${shade}-mode{--scalar-font:Inter,system-ui,sans-serif;--scalar-color-1:${text};--scalar-color-2:${muted};--scalar-sidebar-color-2:${muted};--scalar-color-accent:${accent};--scalar-background-accent:${accent}1f;--scalar-sidebar-background-1:${background}}`,
);

/** The product's font, colours and logo in place of the package's. */
const STYLE = `${PAGE_FACE.replace('optional', 'swap')}${colours.join('')}.t-doc__sidebar::before{content:"Nameplate";padding:20px 20px 4px 60px;font:600 15px/20px Inter,system-ui,sans-serif;background:url(${LOGO_URL}) 20px 20px no-repeat}`;

/** Placeholder for an empty field for a key, as long as a real one. */
const PLACEHOLDER = 'QUxMIFlPVVIgQkFTRSBBUkUgQkVMT05HIFRPIFVT';

/** Before the page's own script: what one tries is called with the key that is entered, not as who is logged in. */
const WITHOUT_COOKIES =
  "const { fetch } = window; window.fetch = (input, init) => fetch(input, { ...init, credentials: 'omit' });";

/** The API reference as it is served. */
export interface Page {
  html: string;
  script: Uint8Array;
}

// A thread makes the page and ends: the package takes long to load, and some 40 MB.
const app = Fastify();
await app.register(reference, {
  routePrefix: '/docs',
  configuration: {
    sources: [
      { title: 'API', slug: 'api', url: '/openapi.json', default: true },
      { title: 'For owners', slug: 'owner', url: '/owner/openapi.json' },
    ],
    servers: [{ url: '/', description: 'This server' }],
    pageTitle: 'Nameplate API',
    // The page takes what follows the last dot for its type.
    favicon: `${ICON_URL}#.svg+xml`,
    theme: 'default',
    customCss: STYLE,
    // Nothing leaves this machine: neither fonts nor a proxy nor figures about use.
    withDefaultFonts: false,
    proxyUrl: '',
    telemetry: false,
    hideClientButton: true,
    // It has no name for screen readers; the page follows the system's choice.
    hideDarkModeToggle: true,
    mcp: { disabled: true },
    agent: { disabled: true },
    showDeveloperTools: 'never',
    persistAuth: false,
    authentication: { preferredSecurityScheme: 'ApiKey' },
  },
});
const html = await app.inject('/docs/');
const script = await app.inject('/docs/js/scalar.js');
const page: Page = {
  html: html.payload
    .replace('<html>', '<html lang="en">')
    .replace('<head>', `<head><script>{ ${WITHOUT_COOKIES} }</script>`),
  script: new TextEncoder().encode(script.payload.replaceAll(PLACEHOLDER, 'np_your.key')),
};
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
parentPort?.postMessage(page);
