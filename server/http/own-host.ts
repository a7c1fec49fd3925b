import { isIP } from 'node:net';
import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import { refusal } from '../../contract/refusal.ts';
import { refuserOf } from '../service/refusal.ts';

const refuse = refuserOf({
  hostForeign: refusal(
    421,
    'A page was asked for at a host that is not the one of `PUBLIC_URL`.',
    'This server has no pages at this host; whoever runs it can set its address as PUBLIC_URL.',
  ),
});

/** Where a server is found. */
export interface Whereabouts {
  /** Where people find it; without it, where it listens. */
  publicUrl?: string | undefined;
  /** Where it listens, by the name or address of its host. */
  host: string;
}

/**
 * Refuses pages to whoever asks for them at another host: somebody could have their own name lead here
 * and, for browsers, be the same site. Addresses, and names without a dot, are nobody's to do that with.
 */
export function refuseOtherHosts({ publicUrl, host }: Whereabouts): onRequestHookHandler {
  const own = [host, ...(publicUrl === undefined ? [] : [new URL(publicUrl).hostname])];
  const names = new Set(own.map((name) => name.toLowerCase()));
  return (request, _reply, done) => {
    const name = hostNameOf(request);
    const isOwn = name !== undefined && (names.has(name) || isNobodysElse(name));
    done(isOwn ? undefined : refuse('hostForeign'));
  };
}

/** Without its port and the dot that names may end with. */
function hostNameOf({ headers }: FastifyRequest): string | undefined {
  return headers.host
    ?.replace(/:\d*$/, '')
    .replace(/(?<=[^.])\.$/, '')
    .toLowerCase();
}

function isNobodysElse(name: string): boolean {
  const isAddress = name.startsWith('[') || isIP(name) !== 0;
  return isAddress || !name.includes('.') || name.endsWith('.localhost');
}
