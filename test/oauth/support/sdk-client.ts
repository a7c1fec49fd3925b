import {
  auth,
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';
import type { OAuthBrowser, Page } from './oauth-browser.ts';
import { MCP } from './use-oauth.ts';

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** An AI client with the OAuth of the official SDK. */
export class SdkClient implements OAuthClientProvider {
  readonly #fetch: Fetch;
  readonly redirectUrl: string;
  readonly clientMetadata;
  readonly clientMetadataUrl?: string;
  client: Awaited<ReturnType<OAuthClientProvider['clientInformation']>>;
  granted: Awaited<ReturnType<OAuthClientProvider['tokens']>>;
  authorizationUrl = '';
  #verifier = '';

  constructor(
    fetch: Fetch,
    {
      redirectUrl = 'http://localhost:5678/callback',
      name = 'Page Pilot',
      metadataUrl,
    }: { redirectUrl?: string; name?: string; metadataUrl?: string } = {},
  ) {
    this.#fetch = fetch;
    this.redirectUrl = redirectUrl;
    this.clientMetadata = { client_name: name, redirect_uris: [redirectUrl] };
    if (metadataUrl !== undefined) this.clientMetadataUrl = metadataUrl;
  }

  clientInformation() {
    return this.client;
  }
  saveClientInformation(client: NonNullable<typeof this.client>) {
    this.client = client;
  }
  tokens() {
    return this.granted;
  }
  saveTokens(tokens: NonNullable<typeof this.granted>) {
    this.granted = tokens;
  }
  redirectToAuthorization(url: URL) {
    this.authorizationUrl = url.href;
  }
  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier;
  }
  codeVerifier() {
    return this.#verifier;
  }

  /** Discovers the server, registers, and returns the URL that the browser has to open. */
  async begin(): Promise<string> {
    await auth(this, { serverUrl: MCP, fetchFn: this.#fetch });
    return this.authorizationUrl;
  }

  async finish({ url }: Pick<Page, 'url'>): Promise<void> {
    const code = new URL(url).searchParams.get('code');
    const iss = new URL(url).searchParams.get('iss');
    if (code === null) throw new Error(`no code in ${url}`);
    await auth(this, {
      serverUrl: MCP,
      authorizationCode: code,
      ...(iss !== null && { iss }),
      fetchFn: this.#fetch,
    });
  }

  async allowIn(browser: OAuthBrowser, fields: Record<string, string> = {}): Promise<Page> {
    const question = await browser.visit(await this.begin());
    const answer = await browser.submit(question, { action: 'allow', level: 'some', ...fields });
    await this.finish(answer);
    return question;
  }

  async connect(): Promise<Client> {
    const client = new Client({ name: 'test', version: '1.0.0' });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(MCP), { authProvider: this, fetch: this.#fetch }),
    );
    onTestFinished(() => client.close());
    return client;
  }
}
