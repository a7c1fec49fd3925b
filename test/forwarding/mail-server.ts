import { once } from 'node:events';
import { SMTPServer } from 'smtp-server';
import type { ReadDatabase } from '#db/connections/handles.ts';
import { readQueueStates } from '#db/queries/jobs.ts';
import {
  applicationRequestJob,
  linkRequestJob,
} from '#server/features/sessions/link-request-job.ts';
import { mailJob } from '#server/platform/mail/mail-job.ts';
import { eventually } from '../support/eventually.ts';
import { createCertificate } from '../support/https-server.ts';
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
  /** The certificate, if the server has one. */
  ca: string | undefined;
  /** The SMTP error for every recipient (or sender), if set. */
  refusal: { code: number; text: string; ofSender?: boolean } | undefined;
  mailsTo: (email: string) => ReceivedMail[];
  /** Waits for at least this many mails, by default to any address. */
  waitForMails: (count?: number, email?: string) => Promise<ReceivedMail[]>;
  close: () => Promise<void>;
}

export const SMTP_PASSWORD = 'smtp+canary/0042';

/** With `secure` or `startTls`, the server has a certificate that clients have to trust. */
export async function startMailServer(
  port?: number,
  { secure = false, startTls = false, name = 'localhost' } = {},
): Promise<MailServer> {
  const { key, cert } = secure || startTls ? await createCertificate(name) : {};
  const mailServer: MailServer = {
    url: '',
    ca: cert,
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
  const errorFor = (isRefused = false) => {
    const { text, code: responseCode } = mailServer.refusal ?? {};
    return isRefused && text ? Object.assign(new Error(text), { responseCode }) : undefined;
  };
  const server = new SMTPServer({
    ...(key && cert && { secure, key, cert }),
    disabledCommands: startTls ? [] : ['STARTTLS'],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    onAuth: ({ username, password }, _session, done) =>
      username === 'nameplate' && password === SMTP_PASSWORD
        ? done(null, { user: username })
        : done(Object.assign(new Error(`no, ${password}`), { responseCode: 535 })),
    onMailFrom: (_address, _session, done) => done(errorFor(mailServer.refusal?.ofSender)),
    onRcptTo: (_address, _session, done) => done(errorFor(!mailServer.refusal?.ofSender)),
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

const MAIL_KINDS = new Set([mailJob.kind, linkRequestJob.kind, applicationRequestJob.kind]);

async function findMailQueues(db: ReadDatabase) {
  const queues = (await readQueueStates(db)) ?? [];
  return queues.filter(({ kind }) => MAIL_KINDS.has(kind));
}
