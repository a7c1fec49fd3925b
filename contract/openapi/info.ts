import type { contract } from '#contract/index.ts';
import packageJson from '../../package.json' with { type: 'json' };
import type { JsonObject } from './json.ts';

export const SCOPES_NOTE =
  '**Scopes.** Each operation names the scope that a key needs (`x-scope`). `read` reads everything of the account except its export, `page` only calls the operations of the owner API that read and change the page, `metrics` only submits metrics, `all` includes these and may change everything, and `operator` includes `all` and what is for operators. Other calls get 403.';

export const info: JsonObject = {
  title: 'Nameplate',
  summary: 'Display names, personal sites, email forwarding, metrics and chat webhooks.',
  description: [
    'Nameplate is a self-hosted HTTP service. With an API key you read and change the display name and personal site of an account, turn email forwarding on or off, submit project metrics, and send messages to a chat platform. The owner API does everything else that the dashboard does: `/owner/openapi.json` describes it.',
    '**Keys.** Send the API key in the header `X-API-KEY` or as `Authorization: Bearer`; if both are sent and differ, the response is 401. Without `X-API-KEY`, a bearer token that does not begin with `np_` is ignored. A missing or invalid key gets 401, the key of a suspended account 403.',
    SCOPES_NOTE,
    '**Sessions.** A browser can send a session cookie instead; `POST /owner/sessions/create-session` starts a session. If a request has a key, cookies are ignored. A write with the cookie must come from a page of this server, otherwise the response is 403.',
    '**Errors.** Every response with a status of 400 or more is `{ "error": "<message>" }`. The header `X-Error-Code` has the error code, one of the `x-error-codes` of the response; those that a response does not explain are in `BadRequest` and other shared responses. Codes never change; messages may. `X-Error-Field` has the paths of the invalid fields, if there are any; the message explains the first and names others. Malformed HTTP, unknown paths and unknown methods get error codes, too.',
    '**Retries.** Retry after no response, after 408, 429, 502, 503 (except `queryTooExpensive` and `signOnMisconfigured`, where the same request fails again) and 504, and after any error with `Retry-After`. After another 500, retry only with an `Idempotency-Key`. After `outcomeUnknown` or `requestInterrupted`, look first whether it had its effect. Wait as many seconds as `Retry-After` says, which can be hours: set a maximum. Otherwise wait 1 s, then twice as long each time, up to a minute.',
    '**Idempotency.** A POST or PATCH that lists it accepts an `Idempotency-Key`, which counts per operation. For 24 hours, a request with the same key and body gets the first response again and has no further effect; so does one after a refusal by the operation, such as 409. A 429 or 5xx is not kept: a retry runs again (for chat messages, `requestInterrupted` stays). With another body it gets 400 `idempotencyKeyReused`. While the first request runs, a retry waits for it, or gets 503.',
    '**Limits.** A request body has at most 1 MiB of JSON and at most 64 levels of nesting. Lengths are in Unicode code points. Text must not contain NUL or lone surrogates, numbers must be finite, and no key may be `__proto__`. Leave a field out instead of sending null, unless its type includes null.',
    '**Unknown fields.** Unknown fields of a request body or query are ignored, and the header `X-Ignored-Fields` names them. Operations of the owner API that delete or end something, hand out a secret, or query metrics, refuse them instead (`unknownField`). Content blocks, metric payloads and chat messages accept any field.',
    '**Signed webhooks.** A connection of the kind `webhook` gets each event that it carries as a POST, signed after Standard Webhooks (https://www.standardwebhooks.com). Check the signature with `verifyWebhook` of the SDK or any library for Standard Webhooks, and respond with 2xx within 10 seconds. `/docs/webhooks.md` has all events with their fields, also those for operators, and receivers in several languages. As schemas, those for operators are in `/owner/openapi.json`. Also respond with 2xx to types that you do not know.',
  ].join('\n\n'),
  contact: { name: 'The operator of this server' },
  license: { name: 'MIT', identifier: 'MIT' },
  version: packageJson.version,
};

/**
 * The default address of a server. When a server serves the document, it inserts its own address
 * instead.
 */
export const LOCAL_URL = 'http://127.0.0.1:3000';

export const servers: JsonObject[] = [
  {
    url: LOCAL_URL,
    description: 'A server on your own machine.',
    'x-internal': false,
  },
  {
    url: 'https://{host}',
    description: 'Your server, at its `PUBLIC_URL`.',
    'x-internal': false,
    variables: {
      host: { default: 'names.example.org', description: 'The host of your server.' },
    },
  },
];

export type AreaTexts = Record<string, [name: string, description: string]>;

export function toTags(areas: AreaTexts): JsonObject[] {
  return Object.entries(areas).map(([name, [title, description]]) => ({
    name,
    'x-displayName': title,
    description,
  }));
}

/** Areas of the contract, in document order. */
export const tags = toTags({
  account: [
    'Account',
    'The display name of the account: a unique handle, also the local part of its email address.',
  ],
  site: [
    'Site',
    'The personal site: its details, theme and content blocks, and whether it is public.',
  ],
  emailForwarding: ['Email forwarding', 'Forwarding of mail to the display-name address.'],
  stats: ['Stats', 'The projects of the account and the metrics submitted for them.'],
  hooks: ['Hooks', 'Chat messages, sent and edited through a webhook.'],
} satisfies Record<keyof typeof contract, AreaTexts[string]>);

/** Authentication methods of both contracts. */
export const securitySchemes: JsonObject = {
  ApiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-KEY',
    description:
      'An API key of the account, as `<id>.<secret>`, which is shown only when it is created. Keep it out of client-side code.',
  },
  Bearer: {
    type: 'http',
    scheme: 'bearer',
    description:
      'The same API key as `Authorization: Bearer <key>`, for tools that support bearer tokens.',
  },
  Session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-nameplate',
    description:
      'The session cookie; scripts cannot read it. Without TLS on loopback, its name is `nameplate`.',
  },
};

/** Any of the methods is enough. */
export const security: JsonObject[] = Object.keys(securitySchemes).map((name) => ({ [name]: [] }));
