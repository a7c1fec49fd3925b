import { createOutboundClient } from '../../service/outbound/client.ts';
import { CallError } from '../../service/outbound/errors.ts';
import { type Checked, warning } from './finding.ts';

const ANSWER_MS = 5_000;
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/** Looks at the address that callers are told, and whether a server answers there. */
export async function checkAddress(publicUrl: string | undefined): Promise<Checked> {
  if (publicUrl === undefined)
    return { found: 'PUBLIC_URL is not set: links have the address that was asked', findings: [] };
  const findings = [];
  const { protocol, hostname } = new URL(publicUrl);
  if (protocol === 'http:' && !LOOPBACK.test(hostname))
    findings.push(
      warning(
        'PUBLIC_URL is not https, so keys and passwords for a session can be read on the way.',
        'Put a proxy with TLS before the server, and its https address into PUBLIC_URL.',
      ),
    );
  const trouble = await whyNotAnswering(publicUrl);
  if (trouble !== undefined)
    findings.push(
      warning(
        `No server of Nameplate answers at PUBLIC_URL (${trouble}).`,
        'If one runs, look at its name in the DNS, its proxy and the certificate.',
      ),
    );
  return { found: publicUrl, findings };
}

async function whyNotAnswering(publicUrl: string): Promise<string | undefined> {
  const client = createOutboundClient({ maxAnswerBytes: 1_000 });
  try {
    const { status, text } = await client.call({
      method: 'GET',
      url: `${publicUrl}/healthz`,
      headers: {},
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    if (status !== 200) return `status ${status}`;
    return /^\{\s*"status"\s*:\s*"ok"/.test(text) ? undefined : 'something else answers';
  } catch (failure) {
    if (!(failure instanceof CallError)) throw failure;
    return failure.code;
  } finally {
    await client.close();
  }
}
