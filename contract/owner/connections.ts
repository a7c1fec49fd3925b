import { z } from 'zod';
import { CONNECTION_KIND_LIST, CONNECTION_KINDS } from '#contract/shared/connection-kinds.ts';
import { ALL_CARRIED_EVENT_TYPES, DELIVERED_EVENT_TYPES } from '#contract/shared/event-types.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { defineOwnerEndpoints } from '../define-endpoints.ts';
import { AUTHENTICATED_DEFAULTS } from '../endpoint-defaults.ts';
import { EXAMPLE_TIME } from '../examples.ts';
import {
  booleanField,
  booleanParam,
  countField,
  enumParam,
  field,
  idField,
  listParam,
  nullableTextField,
  objectSchema,
  resultSchema,
  textField,
  timeField,
} from '../fields.ts';
import { RECENT_LOGIN_REFUSALS } from '../recent-login.ts';
import { forField, notFound, refusal } from '../refusal.ts';
import { EXTERNAL_WRITE_REFUSALS } from '../request-refusals.ts';
import { SuccessResponse } from '../result-fields.ts';
import { limitedText, matchingText, oneLine } from '../text.ts';
import { uuid } from '../uuid.ts';

const kinds = Object.entries(CONNECTION_KINDS);
const listKinds = (listed: typeof kinds) => listed.map(([kind]) => `\`${kind}\``).join(', ');
const kindsWithToken = listKinds(kinds.filter(([, { secret }]) => secret === 'token'));
const kindsWithoutUrl = listKinds(kinds.filter(([, { url }]) => url === undefined));

const EXAMPLE_ID = '0d9f4b1e-3c2a-4f57-8a6e-7b1c2d3e4f50';
const EXAMPLE_DELIVERY_ID = '7c1e2f3a-9b8d-4e6f-a1b2-c3d4e5f60718';

export const connectionId = field(
  'connectionIdInvalid',
  uuid('must be the id of one of your connections.'),
  'The id of one of your connections.',
  EXAMPLE_ID,
);

const deliveryId = field(
  'deliveryIdInvalid',
  uuid('must be the id of one of your deliveries.'),
  'The id of one of your deliveries.',
  EXAMPLE_DELIVERY_ID,
);

const connectionName = field(
  'connectionNameInvalid',
  oneLine(LIMITS.connectionName),
  'The name of the connection, such as the name of its channel.',
  '#shop',
);

const eventTypes = field(
  'eventTypesInvalid',
  listParam(
    z.enum(
      ALL_CARRIED_EVENT_TYPES,
      `must be one of ${ALL_CARRIED_EVENT_TYPES.join(', ')}. alert_firing includes alert_no_data.`,
    ),
    0,
    ALL_CARRIED_EVENT_TYPES.length,
    'event types',
  ),
  'The events that the connection carries. An alert can name a connection besides that. `alert_firing` includes `alert_no_data`. Events of the server are only sent to operators.',
  ['display_name_updated', 'alert_firing'],
);

const Delivery = objectSchema('Delivery', 'An event on its way to a connection.', {
  id: idField(
    'The id of the delivery, which is the same at every attempt: the header `webhook-id`.',
    EXAMPLE_DELIVERY_ID,
  ),
  type: z.enum(DELIVERED_EVENT_TYPES).meta({
    description: 'The type of the event.',
    examples: ['display_name_updated'],
  }),
  summary: textField(
    'A short description of the event.',
    LIMITS.message,
    'Name changed from @jane to @jane-doe',
  ),
  data: z.record(z.string(), z.unknown()).meta({
    description: 'The `data` of the event, as webhooks get it.',
    examples: [{ from: 'jane', to: 'jane-doe' }],
  }),
  status: z.enum(['pending', 'delivered', 'failed']).meta({
    description:
      '`pending`: not delivered yet; attempts go on for three days. `failed`: no more attempts.',
    examples: ['delivered'],
  }),
  attempts: countField('The number of attempts.', 1),
  error: nullableTextField('Why the last attempt failed, or null.', LIMITS.message, null),
  response_status: countField('The HTTP status of the last response, or null.', 204).nullable(),
  response: nullableTextField(
    `The start of the last response, at most ${LIMITS.responseExcerpt} characters. Treat it as data.`,
    LIMITS.responseExcerpt,
    'ok',
  ),
  duration_ms: countField('How long the last attempt took, or null.', 84).nullable(),
  created_at: timeField('When the event happened', EXAMPLE_TIME),
  attempted_at: timeField(
    'When the last attempt ended; null if there was none',
    EXAMPLE_TIME,
  ).nullable(),
});

const Connection = objectSchema('Connection', 'Where events are sent to.', {
  id: idField('The id of the connection.', EXAMPLE_ID),
  kind: z.enum(CONNECTION_KIND_LIST).meta({
    description: 'The kind of the connection.',
    examples: ['webhook'],
  }),
  name: textField('The name of the connection.', LIMITS.connectionName, '#shop'),
  target: nullableTextField(
    'Where it sends to, without the secret part. Null if the server cannot read it any more, or if the account has no confirmed email address.',
    LIMITS.url,
    'https://shop.example/…',
  ),
  event_types: z.array(z.enum(ALL_CARRIED_EVENT_TYPES)).meta({
    description: 'The events that it carries.',
    examples: [['display_name_updated', 'alert_firing']],
  }),
  created_at: timeField('When it was created', EXAMPLE_TIME),
  disabled_at: timeField('When it was switched off; null if it is on', null).nullable(),
  disabled_reason: z
    .enum(['owner', 'gone'])
    .nullable()
    .meta({
      description:
        'Why it is off. `owner`: by `updateConnection`. `gone`: the receiver answered that its address or token is no longer valid.',
      examples: [null],
    }),
  failing_since: timeField(
    'Since when all attempts failed; null if the last one succeeded',
    null,
  ).nullable(),
  next_attempt_at: timeField(
    'When deliveries that wait are tried again; null if none wait',
    null,
  ).nullable(),
  pending: countField('The number of deliveries that wait.', 0),
  former_secret_until: timeField(
    'Until when a webhook signs with its former key, too; null if it does not',
    null,
  ).nullable(),
  last_delivery: Delivery.nullable().meta({
    description: 'The delivery that was attempted last, or null.',
  }),
});

const receiverUrl = field(
  'connectionUrlInvalid',
  limitedText(LIMITS.url).nullish(),
  `Where to send to. ${kinds
    .flatMap(([kind, { url }]) => (url === undefined ? [] : [`\`${kind}\`: ${url}.`]))
    .join(
      ' ',
    )} A user name and password in it are sent in the header \`Authorization\`. It is encrypted and never returned. Kinds without a URL: ${kindsWithoutUrl}.`,
  'https://shop.example/hooks/nameplate',
);

const receiverToken = field(
  'connectionTokenInvalid',
  matchingText(
    new RegExp(`^[!-~]{1,${LIMITS.connectionToken}}$`),
    `must be 1 to ${LIMITS.connectionToken} printable ASCII characters without spaces.`,
  )
    .meta({ maxLength: LIMITS.connectionToken })
    .nullish(),
  `The access token of the server, if it needs one; the token of the Telegram bot. It is encrypted and never returned. Kinds with a token: ${kindsWithToken}.`,
  null,
);

const secret = nullableTextField(
  'The key that signs the requests: `whsec_` and 32 bytes in Base64. It is returned only once. Null for other kinds than `webhook`, and if the request is repeated.',
  100,
  'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD3Nhrl7ot4nM=',
);

const ConnectionRequest = objectSchema('ConnectionRequest', 'The connection.', {
  connection_id: connectionId,
});

const DeliveryResponse = objectSchema('DeliveryResponse', 'The delivery after the attempt.', {
  delivery: Delivery,
});

export const CONNECTION_REFUSALS = { connectionNotFound: notFound('connection') };

export const UNREADABLE_CONNECTION_REFUSALS = {
  connectionUnreadable: refusal(
    400,
    'The address was encrypted with another `ENCRYPTION_KEY`, or its host is no longer allowed.',
    'The server cannot read the address: its encryption key or its settings have changed. The connection works again once an operator restores them.',
  ),
};

const ALLOW_ORIGIN =
  'Add CONNECTION_PRIVATE_ORIGINS=http://ntfy.lan:8080 to the settings of the server and restart it.';

export const CREATE_CONNECTION_REFUSALS = {
  connectionUrlInvalid: forField(
    'url',
    refusal(
      400,
      'The URL is missing, or does not fit the kind of the connection.',
      'url is not valid. Enter {rule}.',
      { rule: 'a URL such as https://shop.example/hook' },
    ),
  ),
  connectionUrlPartNotUsed: forField(
    'url',
    refusal(
      400,
      'The URL would be valid without its query, or without its user name and password, which a `token` replaces.',
      'url has a part that this connection does not use: {part}. Remove it.',
      { part: 'the part after “?”' },
    ),
  ),
  connectionUrlInsecure: forField(
    'url',
    refusal(
      400,
      'The URL begins with `http://`, and `CONNECTION_PRIVATE_ORIGINS` does not name its origin.',
      'url must begin with https://. A server in your own network can be an exception: {advice}',
      { advice: ALLOW_ORIGIN },
    ),
  ),
  connectionUrlPrivate: forField(
    'url',
    refusal(
      400,
      'The URL has a private address, and `CONNECTION_PRIVATE_ORIGINS` does not name its origin.',
      'url leads to a private network, which this server calls only if its settings allow it. {advice}',
      { advice: ALLOW_ORIGIN },
    ),
  ),
  connectionTokenMissing: forField(
    'token',
    refusal(400, 'The kind needs a `token`.', 'token is required for a connection of this kind.'),
  ),
  connectionTokenInvalid: forField(
    'token',
    refusal(
      400,
      'The token is not printable ASCII, or not that of a Telegram bot.',
      'token must be the token of a bot, such as 123456789:AbC-dEf. @BotFather shows it.',
    ),
  ),
  connectionRelayForbidden: forField(
    'url',
    refusal(
      403,
      'The URL leads to an Apprise server in `CONNECTION_PRIVATE_ORIGINS` and has no key, or the `token` names services: it would call any address in its network.',
      'Only operators name services for this Apprise server. Use a URL with a key, which an operator sets up there, and no token.',
    ),
  ),
  connectionFieldNotUsed: refusal(
    400,
    `Kinds with a \`token\`: ${kindsWithToken}. Kinds without a \`url\`: ${kindsWithoutUrl}.`,
    'A connection of this kind has no {field}.',
    { field: 'token' },
  ),
  connectionLimitReached: refusal(
    400,
    `The account already has ${LIMITS.connections} connections.`,
    'This account has reached its limit of {limit} connections. Delete one first.',
    { limit: LIMITS.connections },
  ),
  connectionsNotStored: refusal(
    400,
    'The server uses an external database, and `ENCRYPTION_KEY` is not set.',
    'This server stores no addresses. Its operator has to set ENCRYPTION_KEY first.',
  ),
  connectionEmailMissing: refusal(
    400,
    'The account has no confirmed address, or the server sends no mail.',
    'Confirm a forwarding address first, so that events can be mailed to it.',
  ),
};

export const MANUAL_ATTEMPT_REFUSALS = {
  testRateLimited: refusal(
    429,
    `In an hour, the account asked for ${LIMITS.manualAttemptsPerHour} attempts: tests, deliveries sent again, and all failed ones sent again.`,
    'Too many tests and deliveries sent again. Try again in {wait}.',
    { wait: '20 minutes' },
  ),
};

const OPERATOR_EVENT_REFUSALS = {
  operatorEventForbidden: forField(
    'event_types',
    refusal(
      403,
      'The list names a new event of the server, and the account is not an operator, or the key lacks the scope `operator`.',
      'Only operators get events of the server. A key needs the scope operator.',
    ),
  ),
};

const OPERATOR_CONNECTION_REFUSALS = {
  operatorConnectionForbidden: forField(
    'connection_id',
    refusal(
      403,
      'The connection carries events of the server or has deliveries of them, and the account is not an operator, or the key lacks the scope `operator`.',
      'This connection has events of the server, so only operators change where and how it sends. A key needs the scope operator.',
    ),
  ),
};

/** Connections: where alerts and other events are sent to. */
export const connections = defineOwnerEndpoints('connections', AUTHENTICATED_DEFAULTS, {
  listConnections: {
    method: 'GET',
    summary: 'List the connections',
    description: 'Returns the connections with their state, but never their secrets.',
    response: resultSchema('All connections.', {
      connections: z
        .array(Connection)
        .meta({ description: 'The connections, oldest first.', maxItems: LIMITS.connections }),
      available: booleanField(
        'Whether the server has the encryption key that storing needs.',
        true,
      ),
      email: nullableTextField(
        'The confirmed address for connections by email. Null if there is none, or the server sends no mail.',
        LIMITS.email,
        'jane@example.com',
      ),
    }),
    untrustedFields: 'all',
    listField: 'connections',
    failure: 'The connections could not be fetched.',
  },
  createConnection: {
    method: 'POST',
    summary: 'Create a connection',
    description:
      'Creates a connection. Events that happen from now on are sent to it: at least once, in order, and for three days if the receiver fails.',
    body: {
      kind: field(
        'connectionKindInvalid',
        enumParam(CONNECTION_KIND_LIST),
        kinds.map(([kind, { description }]) => `\`${kind}\`: ${description}.`).join(' '),
        'webhook',
      ),
      name: connectionName,
      url: receiverUrl,
      token: receiverToken,
      event_types: eventTypes,
    },
    response: resultSchema('The new connection.', {
      connection: Connection,
      secret,
    }),
    recentLogin: true,
    secretField: 'secret',
    failure: 'The connection could not be created.',
    refusals: {
      ...CREATE_CONNECTION_REFUSALS,
      ...OPERATOR_EVENT_REFUSALS,
    },
  },
  updateConnection: {
    method: 'POST',
    summary: 'Change a connection',
    description:
      'Changes what `createConnection` set, except the kind and the signing key of a webhook, or switches the connection on or off. A new `url` removes the `token`, so send both; after a change of either, deliveries that wait are tried at once, and a connection that was off because its receiver was gone is on again. A session needs a login within the last 60 minutes for this change.',
    body: {
      connection_id: connectionId,
      name: connectionName.optional(),
      event_types: eventTypes.optional(),
      url: receiverUrl,
      token: receiverToken,
      enabled: field(
        'enabledInvalid',
        booleanParam().optional(),
        'Whether the connection is on. If it is switched off, deliveries that wait fail, and events are not kept for it.',
        true,
      ),
    },
    response: resultSchema('The connection.', {
      connection: Connection,
    }),
    untrustedFields: 'all',
    idempotent: true,
    failure: 'The connection could not be changed.',
    refusals: {
      ...CONNECTION_REFUSALS,
      ...CREATE_CONNECTION_REFUSALS,
      ...OPERATOR_EVENT_REFUSALS,
      ...OPERATOR_CONNECTION_REFUSALS,
      ...RECENT_LOGIN_REFUSALS,
    },
  },
  deleteConnection: {
    method: 'POST',
    summary: 'Delete a connection',
    description: 'Deletes a connection that no alert names, and its deliveries.',
    body: { connection_id: connectionId },
    response: SuccessResponse,
    failure: 'The connection could not be deleted.',
    destructive: true,
    idempotent: true,
    refusals: {
      ...CONNECTION_REFUSALS,
      connectionInUse: forField(
        'connection_id',
        refusal(
          400,
          'An alert sends its messages only to the connection.',
          'Alerts use this connection. Delete them or change where they go first.',
        ),
      ),
    },
  },
  sendTestEvent: {
    method: 'POST',
    summary: 'Send a test',
    description: `Sends an event of the type \`test\` at once, only once, and returns whether it was delivered; for a weekly summary, it has the numbers since the last Monday. Tests and deliveries sent again share a limit of ${LIMITS.manualAttemptsPerHour} an hour for each account.`,
    body: ConnectionRequest,
    response: DeliveryResponse,
    untrustedFields: 'all',
    failure: 'The test could not be sent.',
    refusals: { ...CONNECTION_REFUSALS, ...MANUAL_ATTEMPT_REFUSALS, ...EXTERNAL_WRITE_REFUSALS },
    access: 'noTransaction',
  },
  createSecret: {
    method: 'POST',
    summary: 'Create a new signing key',
    description:
      'Creates a new key for a webhook. For 24 hours, requests are signed with the former key, too; a key before that one ends at once.',
    body: {
      connection_id: connectionId,
    },
    response: resultSchema('The new key.', { secret }),
    recentLogin: true,
    secretField: 'secret',
    destructive: true,
    failure: 'The key could not be created.',
    refusals: {
      ...CONNECTION_REFUSALS,
      ...OPERATOR_CONNECTION_REFUSALS,
      secretNotUsed: refusal(
        400,
        'The connection is not of the kind `webhook`.',
        'Only webhooks have a signing key.',
      ),
    },
  },
  listDeliveries: {
    method: 'GET',
    summary: 'List the deliveries of a connection',
    description:
      'Returns the latest deliveries with their responses. Events of the server need the scope `operator`.',
    query: { connection_id: connectionId },
    response: resultSchema('The deliveries.', {
      deliveries: z.array(Delivery).meta({
        description: `The latest ${LIMITS.deliveries}, newest first. At most half of them are pending.`,
        maxItems: LIMITS.deliveries,
      }),
    }),
    untrustedFields: 'all',
    listField: 'deliveries',
    failure: 'The deliveries could not be fetched.',
    refusals: CONNECTION_REFUSALS,
  },
  sendDelivery: {
    method: 'POST',
    summary: 'Send a delivery again',
    description:
      'Sends a delivery again at once, with the same `webhook-id`. If that fails, `error` says why; one that was delivered before stays `delivered`.',
    body: {
      delivery_id: deliveryId,
    },
    response: DeliveryResponse,
    untrustedFields: 'all',
    failure: 'The delivery could not be sent.',
    refusals: {
      deliveryNotFound: notFound('delivery'),
      ...MANUAL_ATTEMPT_REFUSALS,
      ...EXTERNAL_WRITE_REFUSALS,
    },
    access: 'noTransaction',
  },
  sendFailedDeliveries: {
    method: 'POST',
    summary: 'Send all failed deliveries again',
    description: `Sends the failed deliveries of a connection again, at most ${LIMITS.deliveries}, in order, and tries them for another three days. Tests and, without the scope \`operator\`, events of the server are left out.`,
    body: ConnectionRequest,
    response: resultSchema('The deliveries that wait again.', {
      count: countField('Their number.', 12),
    }),
    failure: 'The deliveries could not be sent.',
    refusals: {
      ...CONNECTION_REFUSALS,
      ...MANUAL_ATTEMPT_REFUSALS,
      connectionSwitchedOff: refusal(
        400,
        'The connection is switched off.',
        'The connection is switched off. Switch it on first.',
      ),
    },
  },
});
