import { parseAccept } from 'hono/utils/accept';

/**
 * The value that an `Accept` or `Accept-Encoding` header prefers. If it likes several equally, the
 * first of `supported` wins. Media ranges with wildcards are ignored.
 */
export function preferredOf<Value extends string>(
  header: string | undefined,
  supported: readonly [Value, ...Value[]],
): Value | undefined {
  const accepted = parseAccept(header?.toLowerCase() ?? '');
  const findQuality = (name: string) => accepted.find(({ type }) => type === name)?.q;
  const qualityOf = (value: Value) => findQuality(value) ?? findQuality('*') ?? 0;
  const best = supported.reduce((first, next) =>
    qualityOf(next) > qualityOf(first) ? next : first,
  );
  return qualityOf(best) > 0 ? best : undefined;
}
