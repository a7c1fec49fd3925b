import { afterAll, beforeEach } from 'vitest';
import { type FakeImprovmx, startFakeImprovmx } from './fake-improvmx.ts';
import { type ForwardingApp, startForwardingApp } from './forwarding-app.ts';
import { type MailServer, startMailServer, waitUntilNoMailIsDue } from './mail-server.ts';

export const PUBLIC_URL = 'https://names.example.org';

/** Starts an app with a fake provider, without mail, for all tests of a file. */
export async function useFakeProvider(
  options: { quarantineDays?: number } = {},
): Promise<{ server: ForwardingApp; fake: FakeImprovmx }> {
  const fake = await startFakeImprovmx();
  const server = await startForwardingApp({ fake, ...options });
  afterAll(async () => {
    await server.close();
    await fake.close();
  });
  return { server, fake };
}

/** Starts an app with a fake provider and a fake mail server for all tests of a file. */
export async function useForwarding(options: { registration?: 'invite' } = {}): Promise<{
  server: ForwardingApp;
  fake: FakeImprovmx;
  mailServer: MailServer;
}> {
  const [mailServer, fake] = [await startMailServer(), await startFakeImprovmx()];
  const settings = { SMTP_URL: mailServer.url, PUBLIC_URL };
  const server = await startForwardingApp({ fake, settings, ...options });
  afterAll(async () => {
    await server.close();
    await Promise.all([fake.close(), mailServer.close()]);
  });
  beforeEach(async () => {
    // Otherwise, the next test could receive a mail of the last one.
    await waitUntilNoMailIsDue(server.db);
    mailServer.received.length = 0;
    mailServer.refusal = undefined;
  });
  return { server, fake, mailServer };
}
