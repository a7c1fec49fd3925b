import { isIP } from 'node:net';
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import { HOUR_MS } from '#contract/shared/durations.ts';

/**
 * Tells `nameplate check` why the server does not know the client: `unreadable`, or `untrusted` if
 * the proxy is not in `TRUST_PROXY`.
 */
export const CLIENT_ADDRESS_HEADER = 'x-client-address';

/** An IP address with a port (Azure, IIS), brackets (FortiGate), quotes or an IPv6 zone. */
const ENTRY =
  /^"?(?:\[(?<bracketed>[\da-f:.]+)(?:%[^\]]*)?\](?::\w+)?|(?<v4>[\d.]+)(?::\w+)?|(?<v6>[\da-f:.]+)(?:%[\w.-]+)?)"?$/i;

/** Notices trusted proxies that do not name the client in `X-Forwarded-For`. */
export class ProxyMonitor {
  readonly #log: FastifyBaseLogger;
  #last: { proxy: string; seenAt: number; loggedAt: number } | undefined;

  constructor(log: FastifyBaseLogger) {
    this.#log = log;
  }

  /** A trusted proxy with an unreadable entry in the last hour. */
  get unreadableProxy(): string | undefined {
    return this.#last && Date.now() - this.#last.seenAt < HOUR_MS ? this.#last.proxy : undefined;
  }

  /** Must run before anything reads `request.ip`, which cannot parse what some proxies write. */
  attach(server: FastifyInstance): void {
    server.addHook('onRequest', (request, reply, done) => {
      const { headers } = request.raw;
      const forwarded = String(headers['x-forwarded-for'] ?? '').trim();
      // Other headers are not trusted: proxies pass them on as the client sent them.
      const isUnsupported =
        forwarded === '' && (headers.forwarded ?? headers['x-real-ip']) !== undefined;
      if (forwarded !== '' || isUnsupported) {
        headers['x-forwarded-for'] = isUnsupported
          ? 'unknown'
          : forwarded.split(',').map(readAddress).join(',');
        const problem = this.#findProblem(request, isUnsupported);
        if (problem) reply.header(CLIENT_ADDRESS_HEADER, problem);
      }
      done();
    });
  }

  #findProblem({ ips, ip }: FastifyRequest, isUnsupported: boolean): string | undefined {
    if (ips === undefined || ips.length === 1) return isUnsupported ? undefined : 'untrusted';
    if (isIP(ip) !== 0) return undefined;
    this.#record(ips.at(-2)!);
    return 'unreadable';
  }

  #record(proxy: string): void {
    const seenAt = Date.now();
    let loggedAt = this.#last?.loggedAt ?? -Infinity;
    if (seenAt - loggedAt >= HOUR_MS) {
      loggedAt = seenAt;
      // Without the entry, which may name a client.
      this.#log.warn({ proxy }, 'a trusted proxy sends no client address in X-Forwarded-For');
    }
    this.#last = { proxy, seenAt, loggedAt };
  }
}

/** Returns an entry unchanged if it is not an address. */
function readAddress(entry: string): string {
  const { bracketed, v4, v6 } = ENTRY.exec(entry.trim())?.groups ?? {};
  const address = bracketed ?? v4 ?? v6 ?? '';
  return isIP(address) === 0 ? entry : address;
}
