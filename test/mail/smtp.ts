import { createConnection } from 'node:net';
import { createInterface } from 'node:readline';

/** Sends one message. Returns the reply that refuses the recipient, or the reply to the message. */
export async function sendMail(port: number, to: string, text: string): Promise<string> {
  const socket = createConnection({ port, host: '127.0.0.1' });
  socket.setTimeout(60_000, () => socket.destroy(new Error('the mail server does not respond')));
  const replies = createInterface({ input: socket })[Symbol.asyncIterator]();
  const readReply = async (): Promise<string> => {
    for (;;) {
      const { value, done } = await replies.next();
      if (done) throw new Error('the mail server closed the connection');
      // In multiline replies, all lines but the last have a hyphen after the code.
      if (value[3] === ' ') return value;
    }
  };
  const sendCommand = (line: string) => {
    socket.write(`${line}\r\n`);
    return readReply();
  };
  try {
    await readReply();
    await sendCommand('EHLO sender.example');
    await sendCommand('MAIL FROM:<sender@sender.example>');
    const rcptReply = await sendCommand(`RCPT TO:<${to}>`);
    if (!rcptReply.startsWith('2')) return rcptReply;
    await sendCommand('DATA');
    return await sendCommand(
      `From: sender@sender.example\r\nTo: ${to}\r\nSubject: Test\r\n\r\n${text}\r\n.`,
    );
  } finally {
    socket.destroy();
  }
}
