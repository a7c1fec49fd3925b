import { createConnection } from 'node:net';
import { createInterface } from 'node:readline';

/** Sends one message. Returns the server's reply to RCPT, or to the message itself. */
export async function sendMail(port: number, to: string, text: string): Promise<string> {
  const socket = createConnection({ port, host: '127.0.0.1' });
  socket.setTimeout(60_000, () => socket.destroy(new Error('the mail server does not answer')));
  const replies = createInterface({ input: socket })[Symbol.asyncIterator]();
  const reply = async (): Promise<string> => {
    for (;;) {
      const { value, done } = await replies.next();
      if (done) throw new Error('the mail server hung up');
      // In multiline replies, all lines but the last have a hyphen after the code.
      if (value[3] === ' ') return value;
    }
  };
  const say = (line: string) => {
    socket.write(`${line}\r\n`);
    return reply();
  };
  try {
    await reply();
    await say('EHLO sender.example');
    await say('MAIL FROM:<sender@sender.example>');
    const accepted = await say(`RCPT TO:<${to}>`);
    if (!accepted.startsWith('2')) return accepted;
    await say('DATA');
    return await say(
      `From: sender@sender.example\r\nTo: ${to}\r\nSubject: Test\r\n\r\n${text}\r\n.`,
    );
  } finally {
    socket.destroy();
  }
}
