import type * as OpenId from 'openid-client';
import { createOutboundClient } from '../outbound/client.ts';
import { CallError } from '../outbound/errors.ts';

/** Discovery documents and key sets have some 10 KB. */
const MAX_ANSWER_BYTES = 262_144;

/**
 * The `fetch` of the OpenID Connect library over the outbound client: bounded answers, no redirects. The
 * provider is the operator's choice, so it may be in a private network.
 */
export function createProviderFetch(): { fetch: OpenId.CustomFetch; close: () => Promise<void> } {
  const client = createOutboundClient({ maxAnswerBytes: MAX_ANSWER_BYTES });
  return {
    fetch: async (url, { method, headers, body, signal }) => {
      const {
        status,
        headers: answered,
        text,
      } = await client.call({
        method: method as 'GET' | 'POST',
        url,
        headers: { ...headers, 'accept-encoding': 'identity' },
        ...(body != null && { text: String(body) }),
        signal: signal!,
      });
      if (status >= 500) throw new CallError(`HTTP_${status}`, true);
      const { 'content-type': type = '', 'www-authenticate': challenge } = answered;
      return new Response(text || null, {
        status,
        headers: { 'content-type': type, ...(challenge && { 'www-authenticate': challenge }) },
      });
    },
    close: () => client.close(),
  };
}
