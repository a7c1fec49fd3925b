import { createOutboundClient } from '#server/platform/outbound/client.ts';
import type { Config } from '#server/platform/settings/config.ts';
import { type Finding, warningFinding } from '#server/features/forwarding/forwarding-provider.ts';
import { CallError } from '#server/platform/outbound/errors.ts';
import { LOOPBACK } from '#server/platform/settings/loopback.ts';
import type { CheckResult } from './check-result.ts';

const RESPONSE_TIMEOUT_MS = 5_000;

const PROBES = {
  PUBLIC_URL: {
    path: '/healthz',
    expected: /^\{\s*"status"\s*:\s*"ok"/,
    exposed: 'API keys and session cookies',
  },
  PAGES_URL: {
    path: '/robots.txt',
    expected: /^User-agent:/,
    exposed: 'the pages that people visit',
  },
};

export async function checkAddress(
  settings: Pick<Config, 'PUBLIC_URL' | 'PAGES_URL'>,
): Promise<CheckResult> {
  const { PUBLIC_URL, PAGES_URL } = settings;
  if (PUBLIC_URL === undefined)
    return { summary: 'PUBLIC_URL is not set: links use the listening address', findings: [] };
  const findings = [
    ...(await checkUrl('PUBLIC_URL', PUBLIC_URL)),
    ...(PAGES_URL === undefined ? [] : await checkUrl('PAGES_URL', PAGES_URL)),
  ];
  const urls = PAGES_URL === undefined ? PUBLIC_URL : `${PUBLIC_URL}, pages at ${PAGES_URL}`;
  return { summary: urls, findings };
}

async function checkUrl(setting: keyof typeof PROBES, url: string): Promise<Finding[]> {
  const findings = [];
  const { path, expected, exposed } = PROBES[setting];
  const { protocol, hostname } = new URL(url);
  if (protocol === 'http:' && !LOOPBACK.test(hostname))
    findings.push(
      warningFinding(
        `${setting} is not https, so others on the network can read ${exposed}.`,
        `Put a TLS proxy in front of the server and set ${setting} to its https address.`,
      ),
    );
  const failure = await probe(url + path, expected);
  if (failure !== undefined)
    findings.push(
      warningFinding(
        `Nameplate does not respond at ${setting} (${failure}).`,
        'If the server runs, check its DNS name, proxy and certificate.',
      ),
    );
  return findings;
}

async function probe(url: string, expected: RegExp): Promise<string | undefined> {
  const client = createOutboundClient({ maxResponseBytes: 1_000 });
  try {
    const { status, text } = await client.call({
      method: 'GET',
      url,
      headers: {},
      signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
    });
    if (status !== 200) return `status ${status}`;
    return expected.test(text) ? undefined : 'the response is not from Nameplate';
  } catch (failure) {
    if (!(failure instanceof CallError)) throw failure;
    return failure.code;
  } finally {
    await client.close();
  }
}
