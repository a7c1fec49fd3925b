import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { loginTimeParameters } from '#server/features/sign-on/identity-provider.ts';
import { EMAIL_ADVICE } from '#server/features/sign-on/provider-email.ts';
import { createSignOn } from '#server/features/sign-on/sign-on.ts';
import { call } from '../support/call.ts';
import { openTestApp } from '../support/test-app.ts';
import { useServer } from '../support/use-server.ts';
import {
  type Forgery,
  type ForgingProvider,
  startForgingProvider,
} from './support/forging-provider.ts';
import { SignOnBrowser } from './support/sign-on-browser.ts';

type Settings = Partial<Parameters<typeof createSignOn>[0]>;

const { server } = useServer();
let provider: ForgingProvider;
beforeAll(async () => {
  provider = await startForgingProvider();
});
afterAll(() => provider.close());

/** Signs a new user in. Resolves to the age of the login, or else to the reason in the log. */
async function signOn(forgery: Forgery, settings: Settings = {}, query = '') {
  const sub = randomUUID();
  const { claims: changes, userInfo } = forgery;
  provider.forgery = {
    ...forgery,
    claims: { sub, ...changes },
    userInfo: typeof userInfo === 'object' ? { sub, ...userInfo } : userInfo,
  };
  const newSignOn = createSignOn({ ...provider.settings, ...settings })!;
  onTestFinished(() => newSignOn.close());
  const { app, log } = await openTestApp({ signOn: newSignOn }, server.database);
  const browser = new SignOnBrowser(app);
  const page = await browser.signOn('jane', query);
  const path = '/owner/sessions/get-session';
  const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ');
  const { status, body } = await call(app, { path, headers: { cookie } });
  if (page.status === 200) return { result: (body as { login_age: string }).login_age };
  expect(status).toBe(401);
  const { reason, groups, advice } = log.find(({ msg }) => msg === 'a single sign-on failed')!;
  expect(page.text).toContain(String(reason));
  const isUnverified = String(reason).includes('email_verified');
  expect(advice).toEqual(isUnverified ? EMAIL_ADVICE : undefined);
  return { result: reason, groups };
}

const now = Math.floor(Date.now() / 1_000);
const claims = (values: Record<string, unknown>): Forgery => ({ claims: values });

it.each<[title: string, Forgery, first: string, again?: string]>([
  // OpenID Connect Core 1.0, section 3.1.2.1: with `max_age`, the ID token must have `auth_time`.
  ['no auth_time', {}, 'stale', 'auth_time_missing'],
  ['auth_time', claims({ auth_time: now }), 'fresh'],
  ['an old auth_time', claims({ auth_time: now - 400 }), 'fresh', 'auth_time_not_recent'],
  ['auth_time in ms', claims({ auth_time: now * 1_000 }), 'stale', 'auth_time_not_recent'],
  ['auth_time as a string', claims({ auth_time: `${now}` }), 'auth_time_invalid'],
  ['no iat', claims({ iat: undefined }), 'iat_missing'],
  ['auth_time 60 s ahead', claims({ auth_time: now + 60 }), 'fresh'],
  ['auth_time 10 min ahead', claims({ auth_time: now + 600 }), 'stale', 'auth_time_not_recent'],
  ['auth_time 0', claims({ auth_time: 0 }), 'stale', 'auth_time_not_recent'],
  ['auth_time null', claims({ auth_time: null }), 'auth_time_invalid'],
  ['a clock 60 s ahead', { clockSeconds: 60, claims: { auth_time: now + 60 } }, 'fresh'],
  ['a clock 60 s behind', { clockSeconds: -60, claims: { auth_time: now - 60 } }, 'fresh'],
])('a provider with %s', async (_title, forgery, first, again = first) => {
  expect(await signOn(forgery)).toMatchObject({ result: first });
  expect(await signOn(forgery, {}, '?for=again')).toMatchObject({ result: again });
});

const PROMPT = { prompt: 'login' };
const GOOGLE = 'https://accounts.google.com';
const CLAIMS = { claims: '{"id_token":{"auth_time":{"essential":true}}}' };
it.each<[provider: string, issuer: string, prompts: string[] | undefined, asked: object]>([
  ['Google (developers.google.com/identity/openid-connect)', GOOGLE, undefined, CLAIMS],
  ['Entra ID (entra/identity-platform/v2-protocols-oidc)', 'https://e', undefined, PROMPT],
  ['authentik (providers/oauth2/views/authorize.py)', 'https://a', undefined, PROMPT],
  ['Pocket ID (controller/well_known_controller.go)', 'https://p', ['none', 'login'], PROMPT],
  ['a provider that lists no login', 'https://id', ['none', 'select_account'], {}],
])('Sign in again asks %s as its documents or sources say', (_title, issuer, prompts, asked) => {
  const metadata = { issuer, prompt_values_supported: prompts };
  const parameters = loginTimeParameters(metadata, { forceLogin: true });
  expect(parameters).toEqual({ max_age: '300', ...asked });
  const usual = issuer === GOOGLE ? CLAIMS : {};
  expect(loginTimeParameters(metadata, { forceLogin: false })).toEqual(usual);
});

const GROUPS = { OIDC_ALLOWED_GROUPS: ['board'] };
const DOMAINS = { OIDC_ALLOWED_DOMAINS: ['corp.example'] };
const TRUST = { ...DOMAINS, OIDC_TRUST_EMAIL: 'true' } as const;
const email = 'jane@corp.example';
const VERIFIED = { email_verified: true };
const MISSING = 'email_verified_missing';

it.each<[title: string, Forgery, Settings, result?: string, groups?: string[]]>([
  ['groups as an array', claims({ groups: ['x', 'board'] }), GROUPS],
  ['groups as a string', claims({ groups: 'board' }), GROUPS],
  ['groups with commas', claims({ groups: 'x, board' }), GROUPS],
  ['groups as paths', claims({ groups: ['/board'] }), GROUPS],
  ['a path in the settings', claims({ groups: ['a/b'] }), { OIDC_ALLOWED_GROUPS: ['/a/b'] }],
  ['groups at the UserInfo endpoint', { userInfo: { groups: ['board'] } }, GROUPS],
  ['a subgroup', claims({ groups: ['/x/board'] }), GROUPS, 'groups_not_allowed', ['x/board']],
  ['a comma in a name', claims({ groups: ['x,board'] }), GROUPS, 'groups_not_allowed', ['x,board']],
  ['no group', claims({ groups: [] }), GROUPS, 'groups_not_allowed', []],
  ['groups as an object', claims({ groups: { board: {} } }), GROUPS, 'groups_invalid'],
  ['groups as objects', claims({ groups: [{ name: 'board' }] }), GROUPS, 'groups_invalid'],
  ['nested roles', claims({ realm_access: { roles: ['board'] } }), GROUPS, 'groups_missing'],
  ['a verified address', claims({ email, email_verified: true }), DOMAINS],
  ['a verified address as a string', claims({ email, email_verified: 'true' }), DOMAINS],
  ['a trusted address', claims({ email }), TRUST],
  ['email_verified missing', claims({ email }), DOMAINS, 'email_verified_missing'],
  ['email_verified false', claims({ email, email_verified: false }), TRUST, 'email_verified_false'],
  ['"false" as text', claims({ email, email_verified: 'false' }), TRUST, 'email_verified_false'],
  ['email_verified null', claims({ email, email_verified: null }), TRUST, 'email_verified_false'],
  ['an address and its confirmation at UserInfo', { userInfo: { email, ...VERIFIED } }, DOMAINS],
  [
    'only the confirmation at UserInfo',
    { claims: { email }, userInfo: VERIFIED },
    DOMAINS,
    MISSING,
  ],
  ['only the address at UserInfo', { claims: VERIFIED, userInfo: { email } }, DOMAINS, MISSING],
  [
    'another confirmed address in the ID token',
    { claims: { email: 'a@b.example', ...VERIFIED }, userInfo: { email } },
    DOMAINS,
    'email_not_allowed',
  ],
  ['no email', {}, TRUST, 'email_missing'],
  ['several emails', claims({ email: [email] }), TRUST, 'email_invalid'],
  ['another domain', claims({ email: 'a@b.example' }), TRUST, 'email_not_allowed'],
  ['a subdomain', claims({ email: 'a@sub.corp.example' }), TRUST, 'email_not_allowed'],
  ['two @', claims({ email: 'a@evil.example@corp.example' }), TRUST, 'email_invalid'],
  ['neither', {}, { ...GROUPS, ...DOMAINS }, 'groups_missing, email_missing'],
  ['no lists', {}, {}, 'registration_invite'],
  ['UserInfo of another user', { userInfo: { sub: 'x' } }, GROUPS, 'userinfo_sub_invalid'],
  ['UserInfo that is no object', { userInfo: 'x' }, GROUPS, 'userinfo_OAUTH_INVALID_RESPONSE'],
])(
  'a first single sign-on with %s',
  async (_title, forgery, settings, result = 'stale', groups) => {
    const actual = await signOn(forgery, { ...settings, REGISTRATION: 'invite' });
    expect(actual).toMatchObject({ result, ...(groups && { groups }) });
  },
);
