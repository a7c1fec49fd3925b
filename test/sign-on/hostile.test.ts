import { createHash, createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createSignOn } from '#server/features/sign-on/sign-on.ts';
import { logIn } from '../support/session.ts';
import { startTestApp } from '../support/test-app.ts';
import { SignOnBrowser } from './support/sign-on-browser.ts';
import { useSignOn } from './support/use-sign-on.ts';

const used = useSignOn();
const { browser, user } = used;

const EXPIRED = { status: 400, headers: { 'x-error-code': 'signOnExpired' } };
const FLOW = '__Host-nameplate-sign-on';
const SESSION = '__Host-nameplate';

/** A way back from the provider with one parameter replaced, or left out. */
function changed(back: string, name: string, value?: string): string {
  const url = new URL(back, 'https://names.example.org');
  if (value === undefined) url.searchParams.delete(name);
  else url.searchParams.set(name, value);
  return url.pathname + url.search;
}

describe("the provider's response", () => {
  it("works once, with or without the flow's cookie", async () => {
    const visitor = browser();
    const address = await visitor.leave();
    const visit = visitor.cookies.get(FLOW)!;
    const back = await visitor.prove(address, user());
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => {
        const window = browser();
        window.cookies.set(FLOW, visit);
        return window.open(back);
      }),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400, 400]);
    visitor.cookies.delete(FLOW);
    expect(await visitor.open(back)).toMatchObject(EXPIRED);
    visitor.cookies.set(FLOW, visit);
    expect(await visitor.open(back)).toMatchObject(EXPIRED);
    expect(visitor.cookies.has(SESSION)).toBe(false);
  });

  it('signs in only the browser that started the flow', async () => {
    const attacker = browser();
    const back = await attacker.prove(await attacker.leave(), user());
    const victim = browser();
    expect(await victim.open(back)).toMatchObject(EXPIRED);
    // With a visit of its own under way, too.
    await victim.leave();
    expect(await victim.open(back)).toMatchObject(EXPIRED);
    expect(victim.cookies.has(SESSION)).toBe(false);
    // The victim's flow still works.
    expect(victim.cookies.has(FLOW)).toBe(true);
  });

  it('is refused with the code of another flow', async () => {
    const [attacker, victim] = [browser(), browser()];
    const stolen = new URL(
      await victim.prove(await victim.leave(), user()),
      'https://names.example.org',
    ).searchParams.get('code')!;
    const back = await attacker.prove(await attacker.leave(), user());
    expect(await attacker.open(changed(back, 'code', stolen))).toMatchObject({
      status: 403,
      headers: { 'x-error-code': 'signOnRefused' },
    });
    expect(attacker.cookies.size).toBe(0);
  });

  it.each([
    ['another state', 'state', 'A'.repeat(43)],
    ['an empty state', 'state', ''],
    ['no state', 'state', undefined],
  ])('is refused with %s, without ending the flow', async (_title, name, value) => {
    const visitor = browser();
    const back = await visitor.prove(await visitor.leave(), user());
    expect(await visitor.open(changed(back, name, value))).toMatchObject(EXPIRED);
    expect(await visitor.open(back)).toMatchObject({ status: 200 });
  });

  it.each([
    ['of another issuer', 'iss', 'https://evil.example'],
    ['without its issuer', 'iss', undefined],
    ['with another code', 'code', 'made-up'],
    ['without a code', 'code', undefined],
    ['that is an error', 'error', 'access_denied'],
  ])('%s is refused and ends the flow', async (_title, name, value) => {
    const visitor = browser();
    const back = await visitor.prove(await visitor.leave(), user());
    const page = await visitor.open(changed(back, name, value));
    expect(page).toMatchObject({ status: 403, headers: { 'x-error-code': 'signOnRefused' } });
    expect(page.text).toContain('Example ID did not confirm your login. Start again.');
    expect(visitor.cookies.size).toBe(0);
    expect(await visitor.open(back)).toMatchObject(EXPIRED);
  });

  it('is refused with a duplicate parameter', async () => {
    const visitor = browser();
    const back = await visitor.prove(await visitor.leave(), user());
    const page = await visitor.open(`${back}&code=other`);
    expect(page).toMatchObject({ status: 403, headers: { 'x-error-code': 'signOnRefused' } });
  });

  it('is refused with a changed or forged cookie', async () => {
    const visitor = browser();
    const back = await visitor.prove(await visitor.leave(), user());
    const visit = visitor.cookies.get(FLOW)!;
    const [text = '', signature = ''] = visit.split('.');
    const flow = JSON.parse(Buffer.from(text, 'base64url').toString()) as object;
    const forged = Buffer.from(JSON.stringify({ ...flow, purpose: 'link' })).toString('base64url');
    for (const cookie of [`${forged}.${signature}`, `${text}.`, text, '.', 'x'.repeat(5_000)]) {
      visitor.cookies.set(FLOW, cookie);
      expect(await visitor.open(back)).toMatchObject(EXPIRED);
    }
    visitor.cookies.set(FLOW, visit);
    expect(await visitor.open(back)).toMatchObject({ status: 200 });
  });

  it('is accepted only by GET', async () => {
    const visitor = browser();
    const back = await visitor.prove(await visitor.leave(), user());
    for (const method of ['HEAD', 'POST'] as const)
      expect(await used.server.app.inject({ method, url: back })).toMatchObject({
        statusCode: 405,
      });
    expect(await visitor.open(back)).toMatchObject({ status: 200 });
  });
});

describe('an attacker with a copy of the database', () => {
  it('cannot link an identity to an account with an active session', async () => {
    const { db } = used.server.database;
    const account = await used.server.createAccount();
    await logIn(used.server, account.id);
    const attacker = browser();
    const address = new URL(await attacker.leave());
    const { secret } = await db
      .selectFrom('challenge_secret')
      .select('secret')
      .executeTakeFirstOrThrow();
    const session = await db
      .selectFrom('sessions')
      .select(['id', 'token_hash'])
      .where('account_id', '=', account.id)
      .executeTakeFirstOrThrow();
    const tokenHash = Buffer.from(session.token_hash);
    for (const sessionToken of [
      undefined,
      tokenHash.toString('hex'),
      tokenHash.toString('base64url'),
    ]) {
      const flow = {
        purpose: 'link',
        to: 'security',
        accountId: account.id,
        sessionId: session.id,
      };
      const stored = { ...flow, sessionToken, id: 'forged', startedAt: Date.now() };
      const text = Buffer.from(JSON.stringify(stored)).toString('base64url');
      const derive = (what: string) =>
        createHmac('sha256', secret).update(`sign-on ${what} ${text}`).digest('base64url');
      const challenge = createHash('sha256').update(derive('verifier')).digest('base64url');
      address.searchParams.set('state', derive('state'));
      address.searchParams.set('nonce', derive('nonce'));
      address.searchParams.set('code_challenge', challenge);
      const back = await attacker.prove(address.href, user());
      attacker.cookies.set(FLOW, `${text}.${derive('cookie')}`);
      expect(await attacker.open(back)).toMatchObject(EXPIRED);
      // The flow itself is valid; only the session is missing.
      expect(attacker.cookies.has(FLOW)).toBe(false);
    }
    const linked = db.selectFrom('identities').select('id').where('account_id', '=', account.id);
    expect(await linked.execute()).toEqual([]);
  });
});

describe("the flow's cookie", () => {
  it('is bound to this host and browser, and contains no secret', async () => {
    const visitor = browser();
    const { headers } = await visitor.open('/dashboard/sign-on');
    const [line] = [headers['set-cookie']].flat();
    expect(line).toMatch(/^__Host-nameplate-sign-on=/);
    for (const part of ['HttpOnly', 'Secure', 'SameSite=Lax', 'Path=/', 'Max-Age=600'])
      expect(line).toContain(part);
    const { searchParams } = new URL(String(headers['location']));
    expect(searchParams.get('code_challenge_method')).toBe('S256');
    for (const name of ['state', 'nonce', 'code_challenge'])
      expect(visitor.cookies.get(FLOW)).not.toContain(searchParams.get(name));
  });
});

describe('a server without single sign-on', () => {
  it('has none of its routes', async () => {
    const server = await startTestApp();
    const visitor = new SignOnBrowser(server.app);
    const page = await visitor.open('/dashboard/sign-on/callback?code=x&state=y');
    // Like any other dashboard URL.
    expect(page.status).toBe(200);
    expect(page.text).not.toContain('data-sign-on');
    await server.close();
  });
});

describe('a network', () => {
  it('that starts too many flows has to wait', async () => {
    const server = await startTestApp({
      signOn: createSignOn({
        ...used.provider.settings,
        OIDC_ALLOWED_GROUPS: [],
        OIDC_ALLOWED_DOMAINS: [],
        REGISTRATION: 'open',
      }),
      limits: { requestsPerMinute: 0, signOnsPerMinute: 3 },
    });
    const answers = [];
    for (let asked = 0; asked < 4; asked += 1)
      answers.push((await new SignOnBrowser(server.app).open('/dashboard/sign-on')).status);
    expect(answers).toEqual([303, 303, 303, 429]);
    await server.close();
  });
});
