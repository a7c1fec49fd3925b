import { afterAll, beforeEach } from 'vitest';
import { type FakeImprovmx, startFakeImprovmx } from '#test/forwarding/fake-improvmx.ts';
import { startForwardingApp } from '#test/forwarding/forwarding-app.ts';
import { type MailServer, startMailServer } from '#test/forwarding/mail-server.ts';
import { eventually } from '#test/support/eventually.ts';
import { setUpDashboard } from './dashboard.ts';

/** Starts a server that sends mail and forwards it, for the tests of a file. */
export function setUpMailDashboard(options: { registration?: 'invite' } = {}) {
  const mailServer = {} as MailServer;
  let fake: FakeImprovmx;
  const dashboard = setUpDashboard(async () => {
    Object.assign(mailServer, await startMailServer());
    fake = await startFakeImprovmx();
    const settings = { SMTP_URL: mailServer.url, PUBLIC_URL: 'https://names.example.org' };
    return startForwardingApp({ fake, settings, ...options });
  });
  afterAll(() => Promise.all([fake.close(), mailServer.close()]));
  beforeEach(() => {
    mailServer.received.length = 0;
  });
  /** Waits for a mail with a link to this path, and returns it with the test server's origin. */
  const receiveLink = async (path: RegExp, email = ''): Promise<string> => {
    const readMails = () =>
      mailServer.received.filter(({ to }) => to.join().includes(email)).map(({ source }) => source);
    const [found] = await eventually(
      () => path.exec(readMails().join('\n')) ?? [],
      ({ length }) => length > 0,
    );
    return dashboard.base + found;
  };
  return { dashboard, mailServer, receiveLink };
}
