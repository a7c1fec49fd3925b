import type { FastifyInstance } from 'fastify';

export interface PageAnswer {
  status: number;
  headers: Record<string, unknown>;
  text: string;
}

/** A fake browser with the cookies of a server and of its identity provider. */
export class SignOnBrowser {
  readonly #app: FastifyInstance;
  readonly cookies = new Map<string, string>();
  readonly #there = new Map<string, string>();

  constructor(app: FastifyInstance) {
    this.#app = app;
  }

  /** Requests a page of the server. */
  async open(url: string, headers: Record<string, string> = {}): Promise<PageAnswer> {
    const cookie = headerOf(this.cookies);
    const answer = await this.#app.inject({
      url,
      headers: { ...(cookie && { cookie }), ...headers },
    });
    const set = [answer.headers['set-cookie'] ?? []].flat().map(String);
    keep(this.cookies, set);
    return { status: answer.statusCode, headers: answer.headers, text: answer.payload };
  }

  /** Starts a flow and returns the provider's URL. */
  async leave(query = ''): Promise<string> {
    const answer = await this.open(`/dashboard/sign-on${query}`);
    if (answer.status !== 303) throw new Error(`the server answered ${answer.status}`);
    return String(answer.headers['location']);
  }

  /** Logs in at the provider if necessary; returns path and query of the callback. */
  async prove(address: string, user: string): Promise<string> {
    const { origin } = new URL(address);
    let at = address;
    for (let steps = 0; steps < 8; steps += 1) {
      const isAsked = at.startsWith(`${origin}/interaction/`);
      const response = await fetch(at, {
        redirect: 'manual',
        headers: { cookie: headerOf(this.#there) },
        ...(isAsked && { method: 'POST', body: new URLSearchParams({ user }) }),
      });
      keep(this.#there, response.headers.getSetCookie());
      const location = response.headers.get('location');
      if (location === null) throw new Error(`the provider answered ${await response.text()}`);
      const next = new URL(location, at);
      if (next.origin !== origin) return next.pathname + next.search;
      at = next.href;
    }
    throw new Error('the provider redirects for ever');
  }

  /** Logs out at the provider, so that another user can log in there. */
  leaveProvider(): void {
    this.#there.clear();
  }

  /** Signs in as a user of the provider and returns the last page. */
  async signOn(user: string, query = ''): Promise<PageAnswer> {
    return this.open(await this.prove(await this.leave(query), user));
  }
}

function headerOf(cookies: Map<string, string>): string {
  return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
}

function keep(cookies: Map<string, string>, set: readonly string[]): void {
  for (const line of set) {
    const [pair = ''] = line.split(';');
    const name = pair.slice(0, pair.indexOf('='));
    const value = pair.slice(name.length + 1);
    if (value === '' || /max-age=0/i.test(line)) cookies.delete(name);
    else cookies.set(name, value);
  }
}
