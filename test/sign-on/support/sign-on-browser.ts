import type { FastifyInstance } from 'fastify';

export interface PageResponse {
  status: number;
  headers: Record<string, unknown>;
  text: string;
}

/** A minimal browser that keeps cookies of the server and of the identity provider. */
export class SignOnBrowser {
  readonly #app: FastifyInstance;
  readonly cookies = new Map<string, string>();
  readonly #providerCookies = new Map<string, string>();

  constructor(app: FastifyInstance) {
    this.#app = app;
  }

  /** Requests a page of the server. */
  async open(url: string, headers: Record<string, string> = {}): Promise<PageResponse> {
    const cookie = cookieHeader(this.cookies);
    const response = await this.#app.inject({
      url,
      headers: { ...(cookie && { cookie }), ...headers },
    });
    const setCookies = [response.headers['set-cookie'] ?? []].flat().map(String);
    storeCookies(this.cookies, setCookies);
    return { status: response.statusCode, headers: response.headers, text: response.payload };
  }

  /** Starts a flow and returns the provider's URL. */
  async startSignOn(query = ''): Promise<string> {
    const response = await this.open(`/dashboard/sign-on${query}`);
    if (response.status !== 303) throw new Error(`the server responded with ${response.status}`);
    return String(response.headers['location']);
  }

  /**
   * Follows the provider's redirects, logging in if necessary. Returns the path and query of the
   * callback.
   */
  async logInAtProvider(authorizationUrl: string, user: string): Promise<string> {
    const { origin } = new URL(authorizationUrl);
    let url = authorizationUrl;
    for (let steps = 0; steps < 8; steps += 1) {
      const isLoginForm = url.startsWith(`${origin}/interaction/`);
      const response = await fetch(url, {
        redirect: 'manual',
        headers: { cookie: cookieHeader(this.#providerCookies) },
        ...(isLoginForm && { method: 'POST', body: new URLSearchParams({ user }) }),
      });
      storeCookies(this.#providerCookies, response.headers.getSetCookie());
      const location = response.headers.get('location');
      if (location === null)
        throw new Error(`the provider responded with ${await response.text()}`);
      const next = new URL(location, url);
      if (next.origin !== origin) return next.pathname + next.search;
      url = next.href;
    }
    throw new Error('the provider redirects endlessly');
  }

  logOutAtProvider(): void {
    this.#providerCookies.clear();
  }

  /** Unlike `logOutAtProvider`, the provider knows about it, and tells its clients. */
  async endProviderSession(issuer: string): Promise<void> {
    const headers = { cookie: cookieHeader(this.#providerCookies) };
    const page = await fetch(`${issuer}/session/end`, { headers });
    const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(await page.text()) ?? [];
    const body = new URLSearchParams({ xsrf, logout: 'yes' });
    const url = `${issuer}/session/end/confirm`;
    const response = await fetch(url, { method: 'POST', redirect: 'manual', headers, body });
    if (response.status !== 303) throw new Error(await response.text());
  }

  async signOn(user: string, query = ''): Promise<PageResponse> {
    return this.open(await this.logInAtProvider(await this.startSignOn(query), user));
  }
}

function cookieHeader(cookies: Map<string, string>): string {
  return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
}

function storeCookies(cookies: Map<string, string>, setCookies: readonly string[]): void {
  for (const line of setCookies) {
    const [pair = ''] = line.split(';');
    const name = pair.slice(0, pair.indexOf('='));
    const value = pair.slice(name.length + 1);
    if (value === '' || /max-age=0/i.test(line)) cookies.delete(name);
    else cookies.set(name, value);
  }
}
