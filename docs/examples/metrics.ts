// Stores a metric every second, also while the server restarts. Node 22.18, no packages.
// NAMEPLATE_API_KEY=np_… PROJECT=… node metrics.ts. A key with the scope metrics is enough.
// NAMEPLATE_BASE_URL is the address of the server, http://127.0.0.1:3000 unless set.
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

const {
  NAMEPLATE_BASE_URL = 'http://127.0.0.1:3000',
  NAMEPLATE_API_KEY = '',
  PROJECT = '',
} = process.env;
const MAX_WAIT_SECONDS = 120;

interface Failure {
  reason: string;
  isTemporary: boolean;
  /** The `Retry-After`. */
  seconds?: number;
}

/** Makes one attempt. */
async function send(body: string, idempotencyKey: string): Promise<Failure | undefined> {
  try {
    const response = await fetch(`${NAMEPLATE_BASE_URL}/stats/ingest-metrics`, {
      method: 'POST',
      headers: {
        'X-API-KEY': NAMEPLATE_API_KEY,
        'Content-Type': 'application/json',
        'Idempotency-Key': idempotencyKey,
      },
      body,
      signal: AbortSignal.timeout(30_000),
    });
    const text = await response.text();
    if (response.ok) return undefined;
    const { status, headers } = response;
    const retryAfter = headers.get('Retry-After');
    return {
      reason: `${status} ${headers.get('X-Error-Code')}: ${text}, request ${headers.get('X-Request-Id')}`,
      isTemporary: status >= 500 || status === 408 || status === 429 || retryAfter !== null,
      // Hours, if the account has reached its daily limit. A proxy can send a date instead.
      seconds: Number(retryAfter),
    };
  } catch (error) {
    return { reason: String(error), isTemporary: true };
  }
}

/** Repeats a request while that can help. Throws if it is refused, or has to wait too long. */
async function store(payload: object): Promise<void> {
  const body = JSON.stringify({ projectId: PROJECT, payload });
  // The same for every attempt, so the server stores the metric once.
  const idempotencyKey = crypto.randomUUID();
  for (let waited = 0, backoff = 1; ; backoff *= 2) {
    const failure = await send(body, idempotencyKey);
    if (!failure) return;
    if (!failure.isTemporary) throw new Error(failure.reason);
    const { reason } = failure;
    const seconds = failure.seconds || backoff;
    waited += seconds;
    if (waited > MAX_WAIT_SECONDS)
      throw new Error(`${reason}. Gave up: waiting ${waited} s is too long`);
    console.error(`Trying again in ${seconds} s: ${reason}`);
    await sleep(seconds * 1_000);
  }
}

if (NAMEPLATE_API_KEY === '' || PROJECT === '')
  throw new Error('NAMEPLATE_API_KEY or PROJECT is not set.');
for (let number = 0; ; number += 1) {
  const payload = { number, load: loadavg()[0] };
  await store(payload);
  console.log('Stored', payload);
  await sleep(1_000);
}
