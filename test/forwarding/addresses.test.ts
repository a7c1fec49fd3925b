import { expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type ForwardingApp, startForwardingApp } from './forwarding-app.ts';
import { rigs } from './rigs.ts';

/** The error that an operator sees for a pending name, and the whole log. */
async function failureOf(server: ForwardingApp, name: string) {
  const state = await eventually(
    async () => (await server.forwarding.list()).find((each) => each.name === name),
    (seen) => seen?.last_error != null,
  );
  return { sentence: state?.last_error, log: JSON.stringify([server.log, server.warnings]) };
}

it.each(Object.keys(rigs))(
  "an address in a provider's error is neither logged nor stored: %s",
  async (provider) => {
    const rig = await rigs[provider]!();
    const server = await startForwardingApp({ settings: rig.settings });
    rig.fake.trouble = () => ({
      kind: 'answer',
      answer: {
        status: 400,
        body: { error: "No <O'Neil+x@Canary.example.com>, o'neil@canary.example.com." },
      },
    });
    await server.forwarded('repeated', "o'neil+x@canary.example.com");
    const { sentence, log } = await failureOf(server, 'repeated');
    expect(sentence).toBe('The provider responded with 400: No <…>, ….');
    expect(log).toContain('"code":"HTTP_400"');
    expect(log).not.toMatch(/canary\.example\.com/i);
    await server.close();
    await rig.fake.close();
  },
);

it('an address that must be confirmed is neither logged nor stored', async () => {
  const rig = await rigs['cloudflare']!();
  const server = await startForwardingApp({ settings: rig.settings });
  await server.forwarded('unconfirmed', 'jane@canary.example.com');
  const { sentence, log } = await failureOf(server, 'unconfirmed');
  expect(sentence).toBe('Waiting for … to confirm the email from Cloudflare.');
  expect(log).toContain('"name":"unconfirmed"');
  expect(log).toContain('"code":"UNCONFIRMED"');
  expect(log).not.toContain('canary.example.com');
  await server.close();
  await rig.fake.close();
});
