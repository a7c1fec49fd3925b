import { ownerContract } from '#contract/owner/index.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { info } from './info.ts';
import type { JsonObject } from './json.ts';

export const ownerInfo: JsonObject = {
  ...info,
  title: 'Nameplate for owners',
  summary: 'Logins, API keys, projects and everything else that account owners manage.',
  description: [
    'Account management beyond the eleven endpoints of the API. The dashboard uses these endpoints, and your scripts can, too.',
    '**Keys.** Send the API key in the header `X-API-KEY` or as `Authorization: Bearer`; if both are sent and differ, the response is 401.',
    '**Sessions.** A browser can send a session cookie instead; `POST /owner/session/create-session` starts a session. If a request has a key, cookies are ignored. A write with the cookie must come from a page of this server, otherwise the response is 403.',
    '**Names.** A field has the same name in requests and responses, so you can send back what a response contains: the `key_id` of a listed key revokes it. The `id` of a project in `GET /stats/get-projects` is the `project_id` here.',
    '**Scopes.** A key with the scope `read` can call every GET endpoint, a key with the scope `metrics` can only submit metrics, and only a key with the scope `operator` can call operator endpoints. Other calls get 403.',
    '**Errors, retries and limits.** They are the same as in the API: `{ "error": "<message>" }` with the error code in the header `X-Error-Code` and the fields in `X-Error-Field`, an `Idempotency-Key` on every POST except the login, and at most 1 MiB of JSON. Operations that delete or end something refuse unknown fields.',
  ].join('\n\n'),
  version: packageJson.version,
};

const AREAS: Record<string, [name: string, description: string]> = {
  session: ['Session', 'Log in and out, and list open sessions.'],
  keys: ['Keys', 'The API keys of the account.'],
  projects: ['Projects', 'Projects for metrics.'],
  metrics: ['Metrics', 'Read, query, export and delete metrics.'],
  alerts: ['Alerts', 'Notifications about metrics.'],
  webhooks: ['Webhooks', 'Stored webhooks for chat messages.'],
  page: ['Page', 'The page of the account: versions, preview and views.'],
  visitors: ['Visitors', 'Daily views of the page and clicks on its links.'],
  pictures: ['Pictures', 'Upload, list and delete pictures of the page.'],
  domains: ['Domains', 'Add, check and remove custom domains of the page.'],
  events: ['Events', 'The history of the account.'],
  account: ['Account', 'Export the data of the account, or delete the account.'],
  passkeys: ['Passkeys', 'Manage passkeys, and log in with one.'],
  identities: ['Identities', 'Single sign-on users linked to the account.'],
  invitations: ['Invitations', 'Create an account with an invitation.'],
  registration: ['Registration', 'Create an account, if registration is open.'],
  operator: ['Operator', 'All accounts, reports, invitations and the audit trail. For operators.'],
  forwarding: ['Forwarding', 'The state of email forwarding.'],
};

/** Areas of the owner contract, in document order. */
export const ownerTags: JsonObject[] = Object.keys(ownerContract).map((name) => {
  const texts = AREAS[name];
  if (!texts) throw new Error(`The area ${name} has no description.`);
  const [title, description] = texts;
  return { name, 'x-displayName': title, description };
});
