import fc from 'fast-check';
import { httpsUrl } from './text-arbitraries.ts';
import { mapSiteTexts } from '#contract/shared/site-fields.ts';
import { THEMES } from '#contract/themes.ts';

interface AccountOperation {
  accountIndex: 0 | 1;
}

interface ReadOperation extends AccountOperation {
  kind: 'read';
  endpoint: 'displayName' | 'site' | 'status' | 'projects';
}

type WriteRequest =
  | { endpoint: 'rename'; name: string; body: { display_name: string } }
  | { endpoint: 'update'; body: Record<string, unknown> & { blocks?: { id?: string }[] } }
  | { endpoint: 'toggle'; body: undefined }
  | { endpoint: 'forward'; body: { enabled: boolean; email?: string | null } }
  | { endpoint: 'ingest'; body: { projectId: string; payload: unknown } }
  | { endpoint: 'send'; body: object }
  | { endpoint: 'edit'; body: { messageId: string } };

export type WriteOperation = WriteRequest &
  AccountOperation & {
    kind: 'write';
    idempotencyKey: string | undefined;
    /** Expected error message. Undefined if the body is valid. */
    expectedError: string | undefined;
  };

export type Operation = ReadOperation | WriteOperation;

/** Method and path of each operation. */
export const ROUTES = {
  displayName: ['GET', '/account/get-display-name'],
  site: ['GET', '/site/get-site-configuration'],
  status: ['GET', '/site/get-site-status'],
  projects: ['GET', '/stats/get-projects'],
  rename: ['POST', '/account/update-display-name'],
  update: ['POST', '/site/update-site-configuration'],
  toggle: ['POST', '/site/toggle-site-visibility'],
  forward: ['POST', '/email-forwarding/email-forwarding-toggle'],
  ingest: ['POST', '/stats/ingest-metrics'],
  send: ['POST', '/hooks/send-chat-webhook'],
  edit: ['PATCH', '/hooks/send-chat-webhook'],
} as const;

const account = fc.constantFrom<0 | 1>(0, 1);
const readEndpoint = fc.constantFrom<ReadOperation['endpoint']>(
  'displayName',
  'site',
  'status',
  'projects',
);
const read: fc.Arbitrary<ReadOperation> = fc.record({
  kind: fc.constant('read'),
  accountIndex: account,
  endpoint: readEndpoint,
});

const renames = fc
  .tuple(fc.constantFrom('red-alder', 'red-birch', 'red-cedar'), fc.boolean())
  .map(([name, needsNormalizing]): WriteRequest => {
    const sent = needsNormalizing ? ` ${name.toUpperCase().replace('-', ' ')}!` : name;
    return { endpoint: 'rename', name, body: { display_name: sent } };
  });

const text = fc.string({ unit: 'grapheme', maxLength: 10 });
const color = fc.constantFrom('#000000', '#FFffFF');
const block = fc.oneof(
  fc.record({ type: fc.constant('text'), content: text, enabled: fc.boolean() }),
  fc.record({ type: fc.constant('link'), url: httpsUrl }),
  fc.record({ type: fc.constant('other'), size: fc.integer(), tags: fc.array(text) }),
);
const ID_PREFIX = '00000000-0000-4000-8000-00000000000';
const blocks = fc
  .array(fc.tuple(fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }), block), {
    maxLength: 5,
  })
  .map((list) =>
    list
      .filter(
        ([id], index) =>
          id === undefined || list.findIndex(([otherId]) => otherId === id) === index,
      )
      .map(([id, fields]) => ({ ...(id !== undefined && { id: `${ID_PREFIX}${id}` }), ...fields })),
  );
const updates = fc
  .record(
    {
      ...mapSiteTexts(() => fc.option(text)),
      avatar_url: fc.option(fc.constant('https://example.com/a.png')),
      theme_id: fc.option(fc.constantFrom(...THEMES.map(({ id }) => id), '')),
      custom_theme: fc.option(
        fc.record({ text_color: color, accent_color: color }, { requiredKeys: [] }),
      ),
      blocks,
    },
    { requiredKeys: [] },
  )
  .map((body) => ({ endpoint: 'update', body }) as WriteRequest);

const forwards: fc.Arbitrary<WriteRequest> = fc
  .record(
    { enabled: fc.boolean(), email: fc.constantFrom('a@example.com', 'B@example.com', null) },
    { requiredKeys: ['enabled'] },
  )
  .map((body) => ({ endpoint: 'forward', body }));

/** One project per account. */
export const PROJECT_IDS = [`${ID_PREFIX}a`, `${ID_PREFIX}b`] as const;
const ingests = fc
  .record({
    projectId: fc.constantFrom(...PROJECT_IDS, `${ID_PREFIX}c`, 'no project'),
    payload: fc.dictionary(text, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 }),
  })
  // Turns negative zero into 0, as `JSON.stringify` does when the request is sent.
  .map((body) => JSON.parse(JSON.stringify(body)) as typeof body)
  // The server rejects these keys and characters.
  .filter((body) => !/__proto__|constructor|\\u0000|\\ud[89a-f]/i.test(JSON.stringify(body)))
  .map((body): WriteRequest => ({ endpoint: 'ingest', body }));

const WEBHOOK = { webhookUrl: 'https://discord.com/api/webhooks/1/token' };
const messages: fc.Arbitrary<WriteRequest> = fc.constantFrom<WriteRequest>(
  { endpoint: 'send', body: { ...WEBHOOK, payload: { content: 'hi' } } },
  { endpoint: 'send', body: { ...WEBHOOK, payload: { embeds: [{ title: 'hi' }] } } },
  { endpoint: 'edit', body: { ...WEBHOOK, messageId: '7', payload: { content: 'ho' } } as never },
);

const INVALID_BODIES: [string, WriteRequest][] = [
  ['A display name is required.', { endpoint: 'rename', name: '', body: { display_name: ' ' } }],
  ['enabled must be true or false.', { endpoint: 'forward', body: { enabled: 1 as never } }],
  ['The project ID is required.', { endpoint: 'ingest', body: { projectId: '', payload: {} } }],
  [
    'theme_id must be the id of a preset theme, an empty string or null.',
    { endpoint: 'update', body: { bio: 'not stored', blocks: [], theme_id: 'x' } },
  ],
];
const invalidBody = fc
  .constantFrom(...INVALID_BODIES)
  .map(([expectedError, body]) => ({ ...body, expectedError }));

const validBody = fc.oneof(
  { arbitrary: renames, weight: 3 },
  { arbitrary: updates, weight: 3 },
  { arbitrary: forwards, weight: 3 },
  fc.constant<WriteRequest>({ endpoint: 'toggle', body: undefined }),
  ingests,
  messages,
);
const write = fc
  .record({
    accountIndex: account,
    idempotencyKey: fc.option(fc.constantFrom('k1', 'k2'), { nil: undefined, freq: 3 }),
    body: fc.oneof({ arbitrary: validBody, weight: 12 }, { arbitrary: invalidBody, weight: 1 }),
  })
  .map(
    ({ body, ...rest }) =>
      ({ kind: 'write', expectedError: undefined, ...rest, ...body }) as WriteOperation,
  );

/** Sequences of requests from two accounts. */
export const operationSequences: fc.Arbitrary<Operation[]> = fc.array(
  fc.oneof({ arbitrary: read, weight: 1 }, { arbitrary: write, weight: 4 }),
  { minLength: 1, maxLength: 40, size: 'max' },
);
