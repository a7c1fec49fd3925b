import fc from 'fast-check';
import { httpsUrl } from './text-arbitraries.ts';
import { THEMES } from '#contract/themes.ts';

interface ByAccount {
  /** Index of the account. */
  by: 0 | 1;
}

interface Read extends ByAccount {
  kind: 'read';
  endpoint: 'displayName' | 'site' | 'status' | 'projects';
}

interface Block extends Record<string, unknown> {
  id?: string;
}

type Bodies =
  | { endpoint: 'rename'; name: string; body: { display_name: string } }
  | { endpoint: 'update'; body: Record<string, unknown> & { blocks?: Block[] } }
  | { endpoint: 'toggle'; body: undefined }
  | { endpoint: 'forward'; body: { enabled: boolean; email?: string | null } }
  | { endpoint: 'ingest'; body: { projectId: string; payload: unknown } }
  | { endpoint: 'send'; body: object }
  | { endpoint: 'edit'; body: { messageId: string } };

export type Write = Bodies &
  ByAccount & {
    kind: 'write';
    idempotencyKey: string | undefined;
    /** The expected error message, if the body is invalid. */
    invalid: string | undefined;
  };

export type Operation = Read | Write;

/** Method and path of each operation. */
export const REQUESTS = {
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
const readEndpoint = fc.constantFrom<Read['endpoint']>('displayName', 'site', 'status', 'projects');
const read: fc.Arbitrary<Read> = fc.record({
  kind: fc.constant('read'),
  by: account,
  endpoint: readEndpoint,
});

const renames = fc
  .tuple(fc.constantFrom('red-alder', 'red-birch', 'red-cedar'), fc.boolean())
  .map(([name, needsNormalizing]): Bodies => {
    const sent = needsNormalizing ? ` ${name.toUpperCase().replace('-', ' ')}!` : name;
    return { endpoint: 'rename', name, body: { display_name: sent } };
  });

const text = fc.string({ unit: 'grapheme', maxLength: 10 });
const colour = fc.constantFrom('#000000', '#FFffFF');
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
      bio: fc.option(text),
      location: fc.option(text),
      mood: fc.option(text),
      display_name: fc.option(text),
      avatar_url: fc.option(fc.constant('https://example.com/a.png')),
      theme_id: fc.option(fc.constantFrom(...THEMES.map(({ id }) => id), '')),
      custom_theme: fc.option(
        fc.record({ text_color: colour, accent_color: colour }, { requiredKeys: [] }),
      ),
      blocks,
    },
    { requiredKeys: [] },
  )
  .map((body) => ({ endpoint: 'update', body }) as Bodies);

const forwards: fc.Arbitrary<Bodies> = fc
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
  // JSON has no negative zero. The server rejects values that it cannot store exactly.
  .map((body) => JSON.parse(JSON.stringify(body)) as typeof body)
  .filter((body) => !/__proto__|constructor|\\u0000|\\ud[89a-f]/i.test(JSON.stringify(body)))
  .map((body): Bodies => ({ endpoint: 'ingest', body }));

const WEBHOOK = { webhookUrl: 'https://discord.com/api/webhooks/1/token' };
const messages: fc.Arbitrary<Bodies> = fc.constantFrom<Bodies>(
  { endpoint: 'send', body: { ...WEBHOOK, payload: { content: 'hi' } } },
  { endpoint: 'send', body: { ...WEBHOOK, payload: { embeds: [{ title: 'hi' }] } } },
  { endpoint: 'edit', body: { ...WEBHOOK, messageId: '7', payload: { content: 'ho' } } as never },
);

const INVALID_BODIES: [string, Bodies][] = [
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
  .map(([invalid, body]) => ({ ...body, invalid }));

const validBody = fc.oneof(
  { arbitrary: renames, weight: 3 },
  { arbitrary: updates, weight: 3 },
  { arbitrary: forwards, weight: 3 },
  fc.constant<Bodies>({ endpoint: 'toggle', body: undefined }),
  ingests,
  messages,
);
const write = fc
  .record({
    by: account,
    idempotencyKey: fc.option(fc.constantFrom('k1', 'k2'), { nil: undefined, freq: 3 }),
    body: fc.oneof({ arbitrary: validBody, weight: 12 }, { arbitrary: invalidBody, weight: 1 }),
  })
  .map(({ body, ...rest }) => ({ kind: 'write', invalid: undefined, ...rest, ...body }) as Write);

/** Sequential requests of two accounts. */
export const sequences: fc.Arbitrary<Operation[]> = fc.array(
  fc.oneof({ arbitrary: read, weight: 1 }, { arbitrary: write, weight: 4 }),
  { minLength: 1, maxLength: 40, size: 'max' },
);
