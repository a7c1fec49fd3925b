import type { TestApp } from '#test/support/test-app.ts';

interface Cookie {
  name: string;
  value: string;
  path: string;
  isStrict: boolean;
}

export interface Page {
  status: number;
  url: string;
  text: string;
  headers: Record<string, unknown>;
}

export const ISSUER = 'https://nameplate.example';

/** Keeps cookies as browsers do: by path, and `SameSite=Strict` not after a link on another site. */
export class OAuthBrowser {
  /** The one that gets the next request. */
  server: Pick<TestApp, 'app'>;
  #cookies: Cookie[] = [];
  /** Each page and redirect. */
  readonly pages: Page[] = [];

  constructor(server: Pick<TestApp, 'app'>) {
    this.server = server;
  }

  setCookie(header: string): void {
    const [pair = '', ...attributes] = header.split(/; */);
    const [name = '', value = ''] = pair.split(/=(.*)/s);
    const find = (key: string) =>
      attributes.find((text) => text.toLowerCase().startsWith(`${key}=`))?.slice(key.length + 1);
    const path = find('path') ?? '/';
    this.#cookies = this.#cookies.filter((other) => other.name !== name || other.path !== path);
    const isGone = find('max-age') === '0' || /1970/.test(find('expires') ?? '');
    const isStrict = find('samesite')?.toLowerCase() === 'strict';
    if (!isGone) this.#cookies.push({ name, value, path, isStrict });
  }

  get cookieNames(): string[] {
    return this.#cookies.map(({ name }) => name);
  }

  get sessionCookie(): string | undefined {
    return this.#cookies.find(({ name }) => name === '__Host-nameplate')?.value;
  }

  /** A link on another site leads to `url`. Returns the first page that needs a person, or the URL of the other site. */
  async visit(url: string): Promise<Page> {
    return this.#follow(await this.#send(url, { site: 'cross-site' }));
  }

  /** Reloads or opens a page from one of the server. */
  async open(url: string): Promise<Page> {
    return this.#follow(await this.#send(url, { site: 'same-origin' }));
  }

  async submit(
    { url }: Pick<Page, 'url'>,
    fields: Record<string, string>,
    site = 'same-origin',
  ): Promise<Page> {
    return this.#follow(await this.#send(url, { site, fields }));
  }

  async #follow(page: Page): Promise<Page> {
    let current = page;
    for (let steps = 0; steps < 10; steps += 1) {
      const { location, refresh } = current.headers as Record<string, string | undefined>;
      const target = location ?? refresh?.replace(/^0; url=/, '');
      if (target === undefined) return current;
      const next = new URL(target, current.url);
      if (next.origin !== ISSUER)
        return { status: 0, url: next.href, text: '', headers: current.headers };
      current = await this.#send(next.href, { site: 'same-origin' });
    }
    throw new Error(`endless redirects at ${current.url}`);
  }

  async #send(
    address: string,
    { site, fields }: { site: string; fields?: Record<string, string> },
  ): Promise<Page> {
    const url = new URL(address, ISSUER);
    const cookies = this.#cookies.filter(
      ({ path, isStrict }) =>
        (site !== 'cross-site' || !isStrict) &&
        (path === '/' || url.pathname === path || url.pathname.startsWith(`${path}/`)),
    );
    const response = await this.server.app.inject({
      method: fields ? 'POST' : 'GET',
      url: url.pathname + url.search,
      headers: {
        host: url.host,
        accept: 'text/html',
        'sec-fetch-site': site,
        'sec-fetch-mode': 'navigate',
        ...(site !== 'same-origin' && { origin: 'https://other.example' }),
        ...(cookies.length > 0 && {
          cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
        }),
        ...(fields && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(fields && { payload: new URLSearchParams(fields).toString() }),
    });
    for (const header of [response.headers['set-cookie'] ?? []].flat()) this.setCookie(header);
    const page = {
      status: response.statusCode,
      url: url.href,
      text: response.payload,
      headers: response.headers,
    };
    this.pages.push(page);
    return page;
  }
}
