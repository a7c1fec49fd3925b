import { SITE_FIELDS } from '#contract/shared/site-fields.ts';
import { THEMES } from '#contract/themes.ts';
import { type Operation, PROJECT_IDS, type WriteOperation } from './model-operations.ts';

export interface ExpectedResponse {
  status: number;
  body: unknown;
}

interface ModelBlock extends Record<string, unknown> {
  /** Undefined until a test has read the id that the server generated. */
  id: string | undefined;
}

class ModelAccount {
  name: string | null = null;
  forwarding = { enabled: false, email: null as string | null };
  site: Record<string, unknown> = Object.fromEntries(SITE_FIELDS.map((field) => [field, null]));
  blocks: ModelBlock[] = [];
  visible = false;
  metrics: unknown[] = [];
  /** Responses to requests with an idempotency key, by endpoint and key. */
  responses = new Map<string, { json: string; response: ExpectedResponse }>();
}

interface DisplayNameState {
  owner: number | null;
  previousOwner: number | null;
  wasForwarded: boolean;
  wasVisible: boolean;
}

/** Response to a retried forwarding request, if the display name was changed after the first try. */
const DISABLED_BY_RENAME = {
  success: true,
  message: 'Email forwarding was disabled afterwards, by a change of the display name.',
  enabled: false,
  email: null,
};

const okResponse = (body: unknown): ExpectedResponse => ({ status: 200, body });
const errorResponse = (status: number, error: string): ExpectedResponse => ({
  status,
  body: { error },
});

/** Predicts the responses of the service to two accounts. */
export class Model {
  readonly accounts = [new ModelAccount(), new ModelAccount()] as const;
  readonly names = new Map<string, DisplayNameState>();
  sentMessageCount = 0;

  apply(operation: Operation): ExpectedResponse {
    const account = this.accounts[operation.accountIndex];
    if (operation.kind === 'read')
      return okResponse(this.read(operation.accountIndex)[operation.endpoint]);
    // The idempotency key of an invalid request can be used again.
    if (operation.expectedError !== undefined) return errorResponse(400, operation.expectedError);
    const { idempotencyKey } = operation;
    if (idempotencyKey === undefined) return this.#write(operation);
    const key = `${operation.endpoint} ${idempotencyKey}`;
    const json = JSON.stringify(operation.body ?? null);
    const first = account.responses.get(key);
    if (first)
      return first.json === json
        ? first.response
        : errorResponse(400, 'The Idempotency-Key was used before with a different request body.');
    const response = this.#write(operation);
    // A refused metric changes nothing, so a repeat is judged anew.
    if (operation.endpoint !== 'ingest' || response.status === 200)
      account.responses.set(key, { json, response });
    return response;
  }

  /** Returns the expected response bodies of all read endpoints. */
  read(accountIndex: 0 | 1) {
    const { name, site, blocks, visible } = this.accounts[accountIndex];
    const themes = THEMES.find((theme) => theme.id === site.theme_id) ?? null;
    return {
      displayName: { display_name: name ?? '' },
      site: { site: { ...site, themes }, blocks, availableThemes: THEMES },
      status: { enabled: visible },
      projects: {
        projects: [
          { id: PROJECT_IDS[accountIndex], name: 'Shop', created_at: '2026-01-01T00:00:00.000Z' },
        ],
      },
    };
  }

  #write(operation: WriteOperation): ExpectedResponse {
    const account = this.accounts[operation.accountIndex];
    switch (operation.endpoint) {
      case 'rename':
        return this.#rename(operation.accountIndex, operation.name);
      case 'update': {
        const { blocks, ...details } = operation.body;
        for (const [field, value] of Object.entries(details))
          account.site[field] = field === 'theme_id' && value === '' ? null : value;
        if (blocks)
          account.blocks = blocks.map((block) => ({ enabled: true, ...block, id: block.id }));
        return okResponse({ success: true });
      }
      case 'toggle':
        account.visible = !account.visible;
        if (account.name !== null) this.names.get(account.name)!.wasVisible = true;
        return okResponse({ success: true, newStatus: account.visible });
      case 'forward':
        return this.#forward(operation.accountIndex, operation.body);
      case 'ingest':
        if (operation.body.projectId !== PROJECT_IDS[operation.accountIndex])
          return errorResponse(403, 'The project does not belong to you.');
        account.metrics.push(operation.body.payload);
        return okResponse({ message: 'The metric was ingested.' });
      case 'send':
        this.sentMessageCount += 1;
        return okResponse({
          success: true,
          message: 'The message was sent.',
          messageId: String(this.sentMessageCount),
        });
      case 'edit':
        return okResponse({
          success: true,
          message: 'The message was edited.',
          messageId: operation.body.messageId,
        });
    }
  }

  #rename(accountIndex: 0 | 1, name: string): ExpectedResponse {
    const account = this.accounts[accountIndex];
    const claimed = this.names.get(name);
    if (
      claimed?.owner === 1 - accountIndex ||
      (claimed?.owner === null && claimed.previousOwner !== accountIndex)
    )
      return errorResponse(409, `The display name ${name} is already taken.`);
    if (account.name !== name) {
      const { wasForwarded = false, wasVisible = false } = claimed ?? {};
      this.names.set(name, { owner: accountIndex, previousOwner: null, wasForwarded, wasVisible });
      this.#release(accountIndex, account.name);
    }
    account.name = name;
    account.forwarding = { enabled: false, email: null };
    for (const [key, { json, response }] of account.responses)
      if (key.startsWith('forward ') && response.status === 200)
        account.responses.set(key, { json, response: okResponse(DISABLED_BY_RENAME) });
    return okResponse({
      success: true,
      message: `The display name was updated to ${name}. Email forwarding was disabled and can be re-enabled via the API or dashboard.`,
    });
  }

  #release(accountIndex: 0 | 1, name: string | null): void {
    if (name === null) return;
    const released = this.names.get(name)!;
    released.wasVisible ||= this.accounts[accountIndex].visible;
    if (released.wasForwarded || released.wasVisible)
      this.names.set(name, { ...released, owner: null, previousOwner: accountIndex });
    else this.names.delete(name);
  }

  #forward(
    accountIndex: 0 | 1,
    body: { enabled: boolean; email?: string | null },
  ): ExpectedResponse {
    const account = this.accounts[accountIndex];
    const email = body.email ?? account.forwarding.email;
    const { enabled } = body;
    if (enabled && account.name === null)
      return errorResponse(400, 'A display name must be set before forwarding is enabled.');
    if (enabled && email === null)
      return errorResponse(400, 'An email is required to enable forwarding.');
    account.forwarding = { enabled, email };
    if (enabled) this.names.get(account.name!)!.wasForwarded = true;
    const message = enabled
      ? `Mail to ${account.name}@nameplate.example would go to ${email}, but this server has no mail provider: nothing is forwarded.`
      : 'Email forwarding is disabled.';
    return okResponse({ success: true, message, enabled, email });
  }
}
