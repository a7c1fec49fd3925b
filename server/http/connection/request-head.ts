import type { IncomingMessage } from 'node:http';
import { type RefusalError, refuserOf } from '../../service/refusal.ts';
import { BELOW_ENDPOINTS } from '../answers/refusals.ts';

const refuse = refuserOf(BELOW_ENDPOINTS);

/** Name or address with an optional port, as URLs may have them. */
const HOST = /^(?:(?:[\w.~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})+|\[[0-9A-Fa-f:.]+\])(?::[0-9]*)?$/;

/**
 * Refuses in our words what Node would answer without a body, and a request of which a proxy may read
 * another host than we do (RFC 9112, 3.2).
 */
export function refuseHead({
  httpVersion,
  url,
  headers,
  rawHeaders,
}: IncomingMessage): RefusalError | undefined {
  if (headers.expect !== undefined && !/\b100-continue\b/i.test(headers.expect))
    return refuse('expectationFailed');
  if (headers.host === undefined) return httpVersion === '1.1' ? refuse('hostMissing') : undefined;
  const names = rawHeaders.filter((text, index) => index % 2 === 0 && text.length === 4);
  const hosts = names.filter((name) => name.toLowerCase() === 'host');
  if (hosts.length > 1 || !HOST.test(headers.host)) return refuse('hostInvalid');
  // A proxy may route by the authority of a whole URL, which has to be the Host (RFC 9112, 3.2.2).
  const authority = /^https?:\/\/([^/?#]*)/i.exec(url ?? '')?.[1] ?? headers.host;
  return authority.toLowerCase() === headers.host.toLowerCase() ? undefined : refuse('hostInvalid');
}
