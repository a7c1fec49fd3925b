import { createOutboundClient } from '#server/outbound/client.ts';
import type { Config } from '#server/settings/config.ts';
import type { Finding } from '#server/features/forwarding/provider.ts';
import { CallError } from '#server/outbound/errors.ts';
import { type Checked, warning } from './finding.ts';

const ANSWER_MS = 5_000;
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/** Proofs that are sent to each address, with the answers that are expected. */
const PROOFS = {
  PUBLIC_URL: {
    path: '/healthz',
    answer: /^\{\s*"status"\s*:\s*"ok"/,
    sent: 'keys and passwords for a session',
  },
  PAGES_URL: { path: '/robots.txt', answer: /^User-agent:/, sent: 'which pages somebody visits' },
};

/** Looks at the addresses that callers and visitors are told, and whether a server answers there. */
export async function checkAddress(
  settings: Pick<Config, 'PUBLIC_URL' | 'PAGES_URL'>,
): Promise<Checked> {
  const { PUBLIC_URL, PAGES_URL } = settings;
  if (PUBLIC_URL === undefined)
    return { found: 'PUBLIC_URL is not set: links have the address that was asked', findings: [] };
  const findings = [
    ...(await findingsAt('PUBLIC_URL', PUBLIC_URL)),
    ...(PAGES_URL === undefined ? [] : await findingsAt('PAGES_URL', PAGES_URL)),
  ];
  const found = PAGES_URL === undefined ? PUBLIC_URL : `${PUBLIC_URL}, pages at ${PAGES_URL}`;
  return { found, findings };
}

async function findingsAt(setting: keyof typeof PROOFS, url: string): Promise<Finding[]> {
  const findings = [];
  const { path, answer, sent } = PROOFS[setting];
  const { protocol, hostname } = new URL(url);
  if (protocol === 'http:' && !LOOPBACK.test(hostname))
    findings.push(
      warning(
        `${setting} is not https, so ${sent} can be read on the way.`,
        `Put a proxy with TLS before the server, and its https address into ${setting}.`,
      ),
    );
  const trouble = await whyNotAnswering(url + path, answer);
  if (trouble !== undefined)
    findings.push(
      warning(
        `No server of Nameplate answers at ${setting} (${trouble}).`,
        'If it runs, check its DNS name, its proxy and the certificate.',
      ),
    );
  return findings;
}

async function whyNotAnswering(url: string, answer: RegExp): Promise<string | undefined> {
  const client = createOutboundClient({ maxAnswerBytes: 1_000 });
  try {
    const { status, text } = await client.call({
      method: 'GET',
      url,
      headers: {},
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    if (status !== 200) return `status ${status}`;
    return answer.test(text) ? undefined : 'something else answers';
  } catch (failure) {
    if (!(failure instanceof CallError)) throw failure;
    return failure.code;
  } finally {
    await client.close();
  }
}
