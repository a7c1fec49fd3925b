import { CommandFailedError } from '../command-failed.ts';
import { examples } from '../examples.ts';
import type { Program } from '../output.ts';

/** Address of a server as it starts without settings. */
const LOCAL = 'http://127.0.0.1:3000';

export function addMcpCommand(program: Program): void {
  program
    .command('mcp')
    .description('connect an AI client, which starts this command, to a running server')
    .addHelpText(
      'after',
      `${examples('mcp')}

The client writes messages to standard input and reads answers from standard output.
NAMEPLATE_API_KEY is the key whose operations the client may call; NAMEPLATE_BASE_URL the address
of the server, ${LOCAL} if it is not set. The database is not used.`,
    )
    .action(async () => {
      const { NAMEPLATE_API_KEY: key, NAMEPLATE_BASE_URL: base = LOCAL } = process.env;
      if (!key) throw new CommandFailedError('Set NAMEPLATE_API_KEY to an API key.');
      const url = URL.parse(`${base.replace(/\/+$/, '')}/mcp`);
      if (!url || !/^https?:$/.test(url.protocol))
        throw new CommandFailedError('NAMEPLATE_BASE_URL must be an http or https address.');
      const { bridge } = await import('../mcp-bridge.ts');
      await bridge(process.stdin, process.stdout, { url, key });
    });
}
