import { signal } from '@preact/signals';

const MAX_CALLS = 20;

const HIDDEN_VALUE = '…';

/** Fields of request bodies whose values are secrets. */
const SECRET_FIELDS: ReadonlySet<string> = new Set([
  'url',
  'token',
  'password',
  'webhookUrl',
  // Fields of logins and sign-ups, which are not recorded, because they have no session.
  'answer',
  'api_key',
  'invitation_url',
  'login_url',
  'registration_url',
]);

export interface RecordedCall {
  method: string;
  /** With the query. */
  path: string;
  /** JSON without secrets. `{}` for a file. */
  body?: string | undefined;
}

/** The last different calls with the session, latest first. Kept until the document is reloaded. */
export const recordedCalls = signal<readonly RecordedCall[]>([]);

export function recordCall(method: string, path: string, body: unknown): void {
  const call: RecordedCall = { method, path, body: stringifyWithoutSecrets(body) };
  const isSame = (other: RecordedCall) =>
    other.method === method && other.path === path && other.body === call.body;
  recordedCalls.value = [call, ...recordedCalls.peek().filter((other) => !isSame(other))].slice(
    0,
    MAX_CALLS,
  );
}

function stringifyWithoutSecrets(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const fields = Object.entries(body).map(([name, value]) => [
    name,
    SECRET_FIELDS.has(name) ? HIDDEN_VALUE : value,
  ]);
  return JSON.stringify(Object.fromEntries(fields));
}
