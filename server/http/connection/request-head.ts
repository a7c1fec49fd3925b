import type { IncomingMessage } from 'node:http';
import { type RefusalError, refuserOf } from '../../service/refusal.ts';
import { BELOW_ENDPOINTS } from '../answers/refusals.ts';

const refuse = refuserOf(BELOW_ENDPOINTS);

/** Refuses in our words what Node would answer without a body, and a URL that names another host. */
export function refuseHead({
  httpVersion,
  url,
  headers,
}: IncomingMessage): RefusalError | undefined {
  if (httpVersion === '1.1' && headers.host === undefined) return refuse('hostMissing');
  if (headers.expect !== undefined && !/\b100-continue\b/i.test(headers.expect))
    return refuse('expectationFailed');
  // A proxy may route by the authority of a whole URL, which has to be the Host (RFC 9112, 3.2.2).
  const authority = /^https?:\/\/([^/?#]*)/i.exec(url ?? '')?.[1] ?? headers.host;
  return authority?.toLowerCase() === headers.host?.toLowerCase()
    ? undefined
    : refuse('hostInvalid');
}
