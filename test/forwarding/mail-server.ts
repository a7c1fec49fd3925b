import { once } from 'node:events';
import { SMTPServer } from 'smtp-server';
import { readQueueStates } from '#db/queries/jobs.ts';
import type { ReadDatabase } from '#db/connections/handles.ts';
import { linkRequestJob } from '#server/features/sign-up/link-request.ts';
import { createCertificate } from '../support/https-server.ts';
import { eventually } from '../support/eventually.ts';
import { findFreePort } from '../support/postgres-server.ts';

interface ReceivedMail {
  from: string;
  to: string[];
  /** Headers and text, with soft line breaks removed. */
  source: string;
}

export interface MailServer {
  url: string;
  received: ReceivedMail[];
  /** The SMTP error for every recipient, if set. */
  refusal: { code: number; text: string } | undefined;
  mailsTo: (email: string) => ReceivedMail[];
  /** Waits for at least this many mails, by default to any address. */
  waitForMails: (count?: number, email?: string) => Promise<ReceivedMail[]>;
  close: () => Promise<void>;
}

export const SMTP_PASSWORD = 'smtp+canary/0042';

/** With `secure`, the server has a certificate that nobody trusts. */
export async function startMailServer(port?: number, { secure = false } = {}): Promise<MailServer> {
  const mailServer: MailServer = {
    url: '',
    received: [],
    refusal: undefined,
    mailsTo: (email) => mailServer.received.filter(({ to }) => to.includes(email)),
    waitForMails: (count = 1, email) =>
      eventually(
        () => (email === undefined ? mailServer.received : mailServer.mailsTo(email)),
        ({ length }) => length >= count,
      ),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  const server = new SMTPServer({
    ...(secure && { secure, ...(await createCertificate('localhost')) }),
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    onAuth: ({ username, password }, _session, done) =>
      username === 'nameplate' && password === SMTP_PASSWORD
        ? done(null, { user: username })
        : done(Object.assign(new Error(`no, ${password}`), { responseCode: 535 })),
    onRcptTo: (_address, _session, done) => {
      const { refusal } = mailServer;
      done(refusal && Object.assign(new Error(refusal.text), { responseCode: refusal.code }));
    },
    onData: (stream, { envelope }, done) => {
      let source = '';
      stream.on('data', (chunk: Buffer) => {
        source += chunk.toString();
      });
      stream.on('end', () => {
        mailServer.received.push({
          from: envelope.mailFrom ? envelope.mailFrom.address : '',
          to: envelope.rcptTo.map(({ address }) => address),
          source: source.replaceAll('=\r\n', '').replaceAll('=3D', '='),
        });
        done();
      });
    },
  });
  server.on('error', () => {});
  port ??= await findFreePort();
  server.listen(port, '127.0.0.1');
  await once(server.server, 'listening');
  mailServer.url = `smtp${secure ? 's' : ''}://nameplate:${encodeURIComponent(SMTP_PASSWORD)}@127.0.0.1:${port}`;
  return mailServer;
}

export async function waitUntilMailsSent(db: ReadDatabase): Promise<void> {
  await eventually(
    () => findMailQueues(db),
    (queues) => queues.every(({ waiting, active }) => waiting === 0 && active === 0),
  );
}

/** Waits until no mail is being sent or could be sent now. Mails that wait for another try may remain. */
export async function waitUntilNoMailIsDue(db: ReadDatabase): Promise<void> {
  await eventually(
    () => findMailQueues(db),
    (queues) =>
      queues.every(({ waiting, deferred, active }) => waiting === deferred && active === 0),
  );
}

async function findMailQueues(db: ReadDatabase) {
  const queues = (await readQueueStates(db)) ?? [];
  return queues.filter(({ kind }) => kind === 'mail' || kind === linkRequestJob.kind);
}
