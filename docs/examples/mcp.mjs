// Connects to /mcp with OAuth, and prints its tools and the page: see docs/mcp.md.
import { createServer } from 'node:http';
import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';

const { NAMEPLATE_BASE_URL = 'http://127.0.0.1:3000', CALLBACK_PORT = '8765' } = process.env;
const redirectUrl = `http://127.0.0.1:${CALLBACK_PORT}/callback`;

/** Keep it in a file that only you can read, so that the program asks only once. */
let saved = {};

/** @type {import('@modelcontextprotocol/client').OAuthClientProvider} */
const authProvider = {
  redirectUrl,
  clientMetadata: { client_name: 'My program', redirect_uris: [redirectUrl] },
  redirectToAuthorization: (url) => console.log(`Open ${url.href}`),
  clientInformation: () => saved.client,
  saveClientInformation: (client) => void (saved.client = client),
  tokens: () => saved.tokens,
  saveTokens: (tokens) => void (saved.tokens = tokens),
  codeVerifier: () => saved.verifier,
  saveCodeVerifier: (verifier) => void (saved.verifier = verifier),
  discoveryState: () => saved.discovery,
  saveDiscoveryState: (discovery) => void (saved.discovery = discovery),
  invalidateCredentials(scope) {
    if (scope === 'all') saved = {};
    else delete saved[scope];
  },
};

/** Waits until the browser comes back. */
function waitForCallback() {
  return new Promise((resolve) => {
    const server = createServer((request, response) => {
      server.close();
      const { searchParams } = new URL(request.url, redirectUrl);
      const what = searchParams.has('error') ? 'Not connected.' : 'Allowed.';
      response.end(`${what} You can close this page.`);
      resolve(searchParams);
    }).listen(Number(CALLBACK_PORT), '127.0.0.1');
  });
}

async function connect() {
  const client = new Client({ name: 'my-program', version: '1.0.0' });
  const url = new URL('/mcp', NAMEPLATE_BASE_URL);
  const transport = new StreamableHTTPClientTransport(url, { authProvider });
  try {
    await client.connect(transport);
    return client;
  } catch (error) {
    if (!(error instanceof UnauthorizedError)) throw error;
    const answer = await waitForCallback();
    if (answer.has('error')) {
      console.error(`Not connected. ${answer.get('error_description') ?? answer.get('error')}`);
      process.exit(1);
    }
    await transport.finishAuth(answer);
    // With a new transport: this one is used up.
    return connect();
  }
}

const client = await connect();
const { tools } = await client.listTools();
console.log(tools.map(({ name }) => name).join('\n'));
const page = await client.callTool({ name: 'page_getPageVersion', arguments: {} });
console.log(page.structuredContent);
await client.close();
