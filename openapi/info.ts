import packageJson from '../package.json' with { type: 'json' };
import type { JsonObject } from './json.ts';

export const info: JsonObject = {
  title: 'Nameplate',
  summary: 'Display names, personal sites, email forwarding, metrics and chat webhooks.',
  description: [
    'Nameplate is a self-hosted HTTP service. The owner of an API key reads and changes the account’s display name and personal site, turns email forwarding on or off, submits project metrics and relays messages to a chat platform.',
    '**Authentication.** Every request carries the key in the header `X-API-KEY` (or as `Authorization: Bearer`; if both are sent and differ, the answer is 401), or from a browser the cookie of a session, which a login at `/owner/session/create-session` begins. A request with a key never looks at cookies; one with the cookie that changes something is answered 403 unless it is from a page of this server. A missing or invalid key is answered 401, the key of an account that the operator has suspended 403.',
    '**Errors.** Every answer with a status of 400 or more is `{ "error": "<one sentence>" }`. The header `X-Error-Code` names the error: sentences may change, names never do. `X-Error-Field` has the path of the field that it is about, if any. What is refused before it reaches an operation (a request that is not HTTP, an unknown path or method) has a name too; `docs/errors.md` lists all of them.',
    '**Retries.** Every POST and PATCH takes an `Idempotency-Key`: for 24 hours a repeat with the same key and body gets the first answer again and does nothing twice. Wait as long as `Retry-After` says where it is sent.',
    '**Limits.** A request body holds at most 1 MiB of JSON, nested at most 64 levels deep. Lengths are counted in Unicode code points. Text must not hold NUL or lone surrogates, numbers must be finite and no key may be `__proto__`.',
    '**Unknown keys** in a request body are ignored, except in content blocks, metric payloads and chat messages, which are open by nature.',
  ].join('\n\n'),
  contact: { name: 'The operator of this server' },
  license: { name: 'MIT', identifier: 'MIT' },
  version: packageJson.version,
};

/** Where a server is as it comes; one that serves the document puts its own address there. */
export const LOCAL = 'http://127.0.0.1:3000';

export const servers: JsonObject[] = [
  {
    url: LOCAL,
    description: 'Local server',
    'x-internal': false,
  },
  {
    url: 'https://{host}',
    description: 'Production server',
    'x-internal': false,
    variables: {
      host: {
        default: 'nameplate.example.com',
      },
    },
  },
];

/** The areas of the contract, in the order of the document. */
export const tags: JsonObject[] = [
  {
    name: 'account',
    'x-displayName': 'Account',
    description:
      'The display name of the account: a unique handle, also the local part of its email address.',
  },
  {
    name: 'site',
    'x-displayName': 'Site',
    description:
      'The personal site: its details, theme and content blocks, and whether it is public.',
  },
  {
    name: 'emailForwarding',
    'x-displayName': 'Email forwarding',
    description: 'Forwarding of the mail that is sent to the display-name address.',
  },
  {
    name: 'stats',
    'x-displayName': 'Stats',
    description: 'The projects of the account and the metrics submitted for them.',
  },
  {
    name: 'hooks',
    'x-displayName': 'Hooks',
    description: "Messages that are sent and edited through a chat platform's webhook.",
  },
];

/** How one is let in at both contracts. */
export const securitySchemes = {
  ApiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-KEY',
    description:
      'An API key of the account, of the form `<id>.<secret>`. It is shown once, when it is made. Keep it confidential and out of client-side code.',
  },
  Bearer: {
    type: 'http',
    scheme: 'bearer',
    description:
      'The same API key as `Authorization: Bearer <key>`, for tools that have a field for it.',
  },
  Session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-nameplate',
    description:
      'The cookie of a session, which no script can read. A server on loopback without TLS names it `nameplate`.',
  },
} satisfies Record<string, JsonObject>;
