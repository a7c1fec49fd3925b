import { safeLine } from '#contract/safe-line.ts';
import { LIMITS } from '#contract/shared/limits.ts';

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
  const simple = simplify(line);
  const isMisleading =
    /official|verified|checked|trusted|nameplate/.test(simple) ||
    (simplify(serverName) !== '' && simple.includes(simplify(serverName)));
  return isMisleading ? undefined : line;
}
