import { SMTPServer } from 'smtp-server';
import { createExampleData } from './example-data.ts';
import { type ExampleServer, startExampleServer } from './example-server.ts';

const LINK = /https?:\/\/\S+/;

/** Accepts every mail, prints its recipient and first link, and delivers nothing. */
const mailServer = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  disableReverseLookup: true,
  onData: (stream, { envelope }, done) => {
    let source = '';
    stream.on('data', (chunk: Buffer) => (source += chunk.toString()));
    stream.on('end', () => {
      // Decodes the line breaks and escapes of quoted-printable that links contain.
      const [link] = LINK.exec(source.replaceAll('=\r\n', '').replaceAll('=3D', '=')) ?? [];
      process.stdout.write(
        `Mail to ${envelope.rcptTo.map(({ address }) => address).join(', ')}: ${link}\n`,
      );
      done();
    });
  },
});

process.stdout.write('Starting a server with example data, which is removed at the end …\n');
const mailPort = await new Promise<number>((resolve) => {
  const listening = mailServer.listen(0, '127.0.0.1', () =>
    resolve((listening.address() as { port: number }).port),
  );
});
let server: ExampleServer | undefined;
try {
  const { PORT = '3000', PUBLIC_URL = `http://localhost:${PORT}` } = process.env;
  server = await startExampleServer({
    PORT,
    PUBLIC_URL,
    MAIL_DOMAIN: 'club.example',
    SMTP_URL: `smtp://127.0.0.1:${mailPort}`,
  });
  const stopped = new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, resolve);
  });
  const loginLink = await createExampleData(server, PUBLIC_URL);
  process.stdout.write(
    `\nPages:     ${PUBLIC_URL}/@mira, /@jonas, /@layla, /@studio-lisboa\nDashboard: ${loginLink}\n           (Mira, the operator; works once)\n\nCtrl-C stops it.\n`,
  );
  await stopped;
} finally {
  await server?.close();
  mailServer.close();
}
