import { CLIENT_ADDRESS_HEADER } from '#server/platform/http/access/proxy-monitor.ts';
import { createOutboundClient } from '#server/platform/outbound/client.ts';
import { CallError } from '#server/platform/outbound/errors.ts';
import type { Config } from '#server/platform/settings/config.ts';
import { LOOPBACK } from '#server/platform/settings/loopback.ts';
import { type Problem, toProblems } from '#server/platform/text/problem.ts';

const RESPONSE_TIMEOUT_MS = 5_000;

/** Whether the addresses lead to Nameplate. The dashboard does not show `PAGES_URL`. */
export async function checkAddresses({ PUBLIC_URL, PAGES_URL }: Config): Promise<Problem[]> {
  if (PUBLIC_URL === undefined) return [];
  const { failure, clientAddress } = await probe(
    `${PUBLIC_URL}/healthz`,
    /^\{\s*"status"\s*:\s*"ok"/,
  );
  const { failure: pagesFailure } =
    PAGES_URL === undefined ? {} : await probe(`${PAGES_URL}/robots.txt`, /^User-agent:/);
  const { protocol, hostname } = new URL(PAGES_URL ?? PUBLIC_URL);
  const advice = 'If the server runs, check its DNS name, proxy and certificate.';
  return toProblems('warning', {
    'PAGES_URL is not https, so others on the network can read the pages that people visit. Put a TLS proxy in front of the server and set PAGES_URL to its https address.':
      PAGES_URL !== undefined && protocol === 'http:' && !LOOPBACK.test(hostname),
    [`Nameplate does not respond at PUBLIC_URL (${failure}). ${advice}`]: failure !== undefined,
    [`Nameplate does not respond at PAGES_URL (${pagesFailure}). ${advice}`]:
      pagesFailure !== undefined,
    'The proxy sends no address of the visitor that can be read, so all visitors count as one and share its limits. It must send the header X-Forwarded-For with the IP address.':
      clientAddress === 'unreadable',
    'The proxy is not trusted, so all visitors count as one and share its limits. Set TRUST_PROXY to its address, or to loopback if it runs on this machine.':
      clientAddress === 'untrusted',
  });
}

async function probe(
  url: string,
  expected: RegExp,
): Promise<{ failure?: string | undefined; clientAddress?: unknown }> {
  const client = createOutboundClient({ maxResponseBytes: 1_000 });
  try {
    const signal = AbortSignal.timeout(RESPONSE_TIMEOUT_MS);
    const { status, headers, text } = await client.call({
      method: 'GET',
      url,
      headers: {},
      signal,
    });
    if (status !== 200) return { failure: `status ${status}` };
    const failure = expected.test(text) ? undefined : 'the response is not from Nameplate';
    return { failure, clientAddress: headers[CLIENT_ADDRESS_HEADER] };
  } catch (failure) {
    if (!(failure instanceof CallError)) throw failure;
    return { failure: failure.code };
  } finally {
    await client.close();
  }
}
