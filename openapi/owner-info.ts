import { ownerContract } from '#contract/owner/index.ts';
import packageJson from '../package.json' with { type: 'json' };
import { info } from './info.ts';
import type { JsonObject } from './json.ts';

export const ownerInfo: JsonObject = {
  ...info,
  title: 'Nameplate for owners',
  summary: 'Logins, keys, projects and all else that the owner of an account sees to.',
  description: [
    'What the owner of an account does beside the eleven endpoints of the API: the dashboard is made of it, and scripts may use it.',
    '**Authentication.** A request carries the key in the header `X-API-KEY` (or as `Authorization: Bearer`), or from a browser the cookie of a session, which `POST /owner/session/create-session` begins. A request with a key never looks at cookies. One with the cookie that changes something is answered 403 unless it is from a page of this server.',
    '**Scopes.** A key with the scope `read` may send every GET, one with the scope `metrics` only submits metrics, and only one with the scope `operator` may call the endpoints of operators; beyond that it is answered 403.',
    '**Errors, retries and limits** are those of the API: `{ "error": "<one sentence>" }` with the name of the error in the header `X-Error-Code` and its field in `X-Error-Field`, `Idempotency-Key` on every POST but the login, at most 1 MiB of JSON.',
  ].join('\n\n'),
  version: packageJson.version,
};

const AREAS: Record<string, [name: string, description: string]> = {
  session: ['Session', 'Logging in and out, and the sessions that are open.'],
  keys: ['Keys', 'The API keys of the account.'],
  projects: ['Projects', 'The projects that metrics are submitted for.'],
  metrics: ['Metrics', 'What was submitted: read, computed, exported and deleted.'],
  alerts: ['Alerts', 'What the account is told about its metrics.'],
  webhooks: ['Webhooks', 'Webhooks of a chat platform, stored to send messages through.'],
  page: ['Page', 'The page of the account: its versions, its preview and its views.'],
  visitors: ['Visitors', 'Views of the page and clicks on its links, as sums of days.'],
  pictures: ['Pictures', 'The pictures of the page: uploaded, listed and deleted.'],
  domains: ['Domains', 'Custom domains of the page: claimed, checked and removed.'],
  events: ['Events', 'What happened to the account.'],
  account: ['Account', 'The account itself: all its data, and its end.'],
  passkeys: ['Passkeys', 'The passkeys of the account, and logging in with one.'],
  identities: ['Identities', 'Users of single sign-on that are linked to the account.'],
  invitations: ['Invitations', 'How one gets an account by an invitation.'],
  registration: ['Registration', 'How anybody gets an account, where registration is open.'],
  operator: ['Operator', 'All accounts, reports, invitations and the audit trail, for operators.'],
  forwarding: ['Forwarding', 'What became of the forwarding of mail.'],
};

/** The areas of the owner contract, in the order of the document. */
export const ownerTags: JsonObject[] = Object.keys(ownerContract).map((name) => {
  const words = AREAS[name];
  if (!words) throw new Error(`The area ${name} has no words.`);
  const [shown, description] = words;
  return { name, 'x-displayName': shown, description };
});
