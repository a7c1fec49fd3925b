import type { ownerContract } from '#contract/owner/index.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { type AreaTexts, info, SCOPES_NOTE, toTags } from './info.ts';
import type { JsonObject } from './json.ts';

export const ownerInfo: JsonObject = {
  ...info,
  title: 'Nameplate for owners',
  summary: 'Logins, API keys, projects and everything else that account owners manage.',
  description: [
    'Account management beyond the eleven endpoints of the API. The dashboard uses these endpoints, and your scripts can, too.',
    '**Keys.** Send the API key in the header `X-API-KEY` or as `Authorization: Bearer`; if both are sent and differ, the response is 401.',
    '**Sessions.** A browser can send a session cookie instead; `POST /owner/sessions/create-session` starts a session. If a request has a key, cookies are ignored. A write with the cookie must come from a page of this server, otherwise the response is 403.',
    '**Keepers.** A session can act for an account that its member keeps: send the id in the header `Nameplate-Account`. The response for any other account is 403. What concerns its keepers, its login, its export and its deletion is for its owner. A key acts for its own account only; a key that a keeper made can do what the keeper can.',
    '**Lists.** Lists that can be long come in batches of at most `limit`: send `next` as `after` for the next one, until it is null.',
    '**Names.** The id of a thing is its `id`; elsewhere it is named after the thing: the `id` of a listed key is the `key_id` that revokes it. Other fields have the same name in requests and responses.',
    SCOPES_NOTE,
    '**Errors, retries and limits.** They are the same as in the API: `{ "error": "<message>" }` with the error code in the header `X-Error-Code` and the fields in `X-Error-Field`, an `Idempotency-Key` on every POST that lists the header (uploads, checks, logins and sign-up do not), and at most 1 MiB of JSON. Operations that delete or end something, hand out a secret, or query metrics, refuse unknown fields.',
  ].join('\n\n'),
  version: packageJson.version,
};

/** Areas of the owner contract, in document order. */
export const ownerTags = toTags({
  sessions: ['Sessions', 'Log in and out, and list open sessions.'],
  keys: ['Keys', 'The API keys of the account.'],
  projects: ['Projects', 'Projects for metrics.'],
  page: ['Page', 'The page of the account: versions, preview and views.'],
  visitors: ['Visitors', 'Daily views of the page and clicks on its links.'],
  metrics: ['Metrics', 'Read, query, export and delete metrics.'],
  alerts: ['Alerts', 'Notifications about metrics.'],
  connections: ['Connections', 'Where alerts and other events are sent to.'],
  events: ['Events', 'The history of the account.'],
  forwarding: ['Forwarding', 'The state of email forwarding.'],
  account: ['Account', 'Create the account or apply for it, export its data, or delete it.'],
  passkeys: ['Passkeys', 'Manage passkeys, and log in with one.'],
  identities: ['Identities', 'Single sign-on users linked to the account.'],
  grants: ['Grants', 'Websites and apps that the account is connected to.'],
  accounts: ['Accounts', 'The accounts that you can act for.'],
  keepers: ['Keepers', 'Members who look after the account together.'],
  pictures: ['Pictures', 'Upload, list and delete pictures of the page, and covers of its links.'],
  domains: ['Domains', 'Create, check and delete custom domains of the page.'],
  members: ['Members', 'All accounts of the server. For operators.'],
  groups: ['Groups', 'Groups of members. For operators.'],
  addresses: ['Addresses', 'Group addresses such as board@. For operators.'],
  invitations: ['Invitations', 'Invite people (for operators), and accept an invitation.'],
  clients: ['Clients', 'Websites that members sign in to with this server. For operators.'],
  messages: ['Messages', 'Messages to members. For operators.'],
  reports: ['Reports', 'Reports of pages. For operators.'],
  server: ['Server', 'Its state, backups, appearance and audit trail. For operators.'],
} satisfies Record<keyof typeof ownerContract, AreaTexts[string]>);
