import { THEMES } from '#contract/themes.ts';
import { type Operation, PROJECT_IDS, type Write } from './model-operations.ts';

/** Answer that an endpoint has to give. */
export interface Expected {
  status: number;
  body: unknown;
}

/** A content block as the model knows it; its id is unknown until it was read. */
interface ModelBlock extends Record<string, unknown> {
  id: string | undefined;
}

const FIELDS = [
  'bio',
  'avatar_url',
  'custom_theme',
  'theme_id',
  'display_name',
  'location',
  'mood',
];

/** Everything that belongs to one account. */
class ModelAccount {
  name: string | null = null;
  forwarding = { enabled: false, email: null as string | null };
  site: Record<string, unknown> = Object.fromEntries(FIELDS.map((field) => [field, null]));
  blocks: ModelBlock[] = [];
  visible = false;
  metrics: unknown[] = [];
  answers = new Map<string, { json: string; answer: Expected }>();
}

interface ModelName {
  owner: number | null;
  last: number | null;
  forwarded: boolean;
  shown: boolean;
}

/** Answer to a repeated change of the forwarding after a rename. */
const TURNED_OFF = {
  success: true,
  message: 'Email forwarding was disabled afterwards, by a change of the display name.',
  enabled: false,
  email: null,
};

const ok = (body: unknown): Expected => ({ status: 200, body });
const refused = (status: number, error: string): Expected => ({ status, body: { error } });

/** The service in memory, by its rules alone: what two accounts see of it. */
export class Model {
  readonly accounts = [new ModelAccount(), new ModelAccount()] as const;
  readonly names = new Map<string, ModelName>();
  /** Messages that went out to the chat platform. */
  messages = 0;

  /** Applies an operation and returns what it must answer. */
  apply(operation: Operation): Expected {
    const account = this.accounts[operation.by];
    if (operation.kind === 'read') return ok(this.read(operation.by)[operation.what]);
    // Such a body does nothing, and does not use up its key either.
    if (operation.invalid !== undefined) return refused(400, operation.invalid);
    const { idempotencyKey } = operation;
    if (idempotencyKey === undefined) return this.#write(operation);
    const key = `${operation.endpoint} ${idempotencyKey}`;
    const json = JSON.stringify(operation.body ?? null);
    const first = account.answers.get(key);
    if (first)
      return first.json === json
        ? first.answer
        : refused(400, 'The Idempotency-Key was used before with a different request body.');
    const answer = this.#write(operation);
    account.answers.set(key, { json, answer });
    return answer;
  }

  /** The answers to all reads of an account. */
  read(by: 0 | 1) {
    const { name, site, blocks, visible } = this.accounts[by];
    const themes = THEMES.find((theme) => theme.id === site.theme_id) ?? null;
    return {
      displayName: { display_name: name ?? '' },
      site: { site: { ...site, themes }, blocks, availableThemes: THEMES },
      status: { enabled: visible },
      projects: {
        projects: [{ id: PROJECT_IDS[by], name: 'Shop', created_at: '2026-01-01T00:00:00.000Z' }],
      },
    };
  }

  #write(operation: Write): Expected {
    const account = this.accounts[operation.by];
    switch (operation.endpoint) {
      case 'rename':
        return this.#rename(operation.by, operation.name);
      case 'update': {
        const { blocks, ...details } = operation.body;
        for (const [field, value] of Object.entries(details))
          account.site[field] = field === 'theme_id' && value === '' ? null : value;
        if (blocks)
          account.blocks = blocks.map((block) => ({ enabled: true, ...block, id: block.id }));
        return ok({ success: true });
      }
      case 'toggle':
        account.visible = !account.visible;
        if (account.name !== null) this.names.get(account.name)!.shown = true;
        return ok({ success: true, newStatus: account.visible });
      case 'forward':
        return this.#forward(operation.by, operation.body);
      case 'ingest':
        if (operation.body.projectId !== PROJECT_IDS[operation.by])
          return refused(403, 'The project does not belong to you.');
        account.metrics.push(operation.body.payload);
        return ok({ message: 'The metric was ingested.' });
      case 'send':
        this.messages += 1;
        return ok({
          success: true,
          message: 'The message was sent.',
          messageId: String(this.messages),
        });
      case 'edit':
        return ok({
          success: true,
          message: 'The message was edited.',
          messageId: operation.body.messageId,
        });
    }
  }

  #rename(by: 0 | 1, name: string): Expected {
    const account = this.accounts[by];
    const held = this.names.get(name);
    if (held?.owner === 1 - by || (held?.owner === null && held.last !== by))
      return refused(409, `The display name ${name} is already taken.`);
    if (account.name !== name) {
      const { forwarded = false, shown = false } = held ?? {};
      this.names.set(name, { owner: by, last: null, forwarded, shown });
      this.#release(by, account.name);
    }
    account.name = name;
    account.forwarding = { enabled: false, email: null };
    for (const [key, { json, answer }] of account.answers)
      if (key.startsWith('forward ') && answer.status === 200)
        account.answers.set(key, { json, answer: ok(TURNED_OFF) });
    return ok({
      success: true,
      message: `The display name was updated to ${name}. Email forwarding was disabled and can be re-enabled via the API or dashboard.`,
    });
  }

  #release(by: 0 | 1, name: string | null): void {
    if (name === null) return;
    const left = this.names.get(name)!;
    left.shown ||= this.accounts[by].visible;
    if (left.forwarded || left.shown) this.names.set(name, { ...left, owner: null, last: by });
    else this.names.delete(name);
  }

  #forward(by: 0 | 1, body: { enabled: boolean; email?: string | null }): Expected {
    const account = this.accounts[by];
    const email = body.email ?? account.forwarding.email;
    const { enabled } = body;
    if (enabled && account.name === null)
      return refused(400, 'A display name must be set before forwarding is enabled.');
    if (enabled && email === null)
      return refused(400, 'An email is required to enable forwarding.');
    account.forwarding = { enabled, email };
    if (enabled) this.names.get(account.name!)!.forwarded = true;
    const message = enabled
      ? `Mail to ${account.name}@nameplate.example would go to ${email}, but this server has no mail provider: nothing is forwarded.`
      : 'Email forwarding is disabled.';
    return ok({ success: true, message, enabled, email });
  }
}
