import type { IncomingMessage } from 'node:http';
import { type RefusalError, refuserOf } from '../service/refusal.ts';
import { BELOW_ENDPOINTS } from './refusals.ts';

const refuse = refuserOf(BELOW_ENDPOINTS);

/** A name or an address with an optional port, as URLs may have them. */
const HOST = /^(?:(?:[\w.~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})+|\[[0-9A-Fa-f:.]+\])(?::[0-9]*)?$/;

/** A path, or a whole URL as proxies send it. */
const TARGET = /^(?:https?:\/)?\//i;

/** Refuses what Node's parser lets pass though HTTP/1.1 does not: other versions, and a Host that is not one. */
export function refuseHead({
  httpVersion,
  url = '',
  headers,
  rawHeaders,
}: IncomingMessage): RefusalError | undefined {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return refuse('requestMalformed');
  // The router would take another for the path that it is not.
  if (!TARGET.test(url)) return refuse('urlInvalid');
  if (headers.host === undefined) return httpVersion === '1.1' ? refuse('hostMissing') : undefined;
  const names = rawHeaders.filter((text, index) => index % 2 === 0 && text.length === 4);
  const hosts = names.filter((name) => name.toLowerCase() === 'host');
  if (hosts.length > 1 || !HOST.test(headers.host)) return refuse('hostInvalid');
  // A proxy may route by the authority of a whole URL, which has to be the Host (RFC 9112, 3.2.2).
  const authority = /^https?:\/\/([^/?#]*)/i.exec(url)?.[1] ?? headers.host;
  return authority.toLowerCase() === headers.host.toLowerCase() ? undefined : refuse('hostInvalid');
}
