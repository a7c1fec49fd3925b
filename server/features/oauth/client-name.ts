import { safeLine } from '#contract/safe-line.ts';
import { LIMITS } from '#contract/shared/limits.ts';

/** A shorter name of a server, such as Chat, may be part of an app's name. */
const MIN_PART = 5;

/** The name that an app gave itself. Undefined if it could be taken for one that this server checked. */
export function readClientName(name: unknown, serverName: string): string | undefined {
  // Pages show the name in quotation marks, which it must not close.
  const unquoted = typeof name === 'string' ? name.replaceAll(/["“”„‟«»]/g, '') : '';
  const line = safeLine(unquoted, LIMITS.keyLabel);
  const simplify = (text: string) =>
    text
      .normalize('NFKC')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]/gu, '');
  const [simple, server] = [simplify(line), simplify(serverName)];
  const isMisleading =
    /official|verified|checked|trusted|nameplate/.test(simple) ||
    (simple !== '' && simple === server) ||
    (server.length >= MIN_PART && simple.includes(server));
  return isMisleading ? undefined : line;
}
