/** In characters. Longer JSON is split into several lines. */
const MAX_LINE_LENGTH = 60;

interface Call {
  method: string;
  path: string;
  /** JSON. */
  body?: string | undefined;
}

/** A curl command for the call. Without `key`, it uses the shell variable `$NAMEPLATE_API_KEY`. */
export function formatCurl({ method, path, body }: Call, key = '$NAMEPLATE_API_KEY'): string {
  const args = ['curl'];
  // curl sends POST by default if there is a body.
  if (method !== 'GET' && (method !== 'POST' || body === undefined)) args.push(`-X ${method}`);
  args.push(`-H "X-API-KEY: ${key}"`);
  if (body !== undefined)
    args.push(`-H 'Content-Type: application/json'`, `-d ${shellQuote(formatJson(body))}`);
  args.push(shellQuote(`${location.origin}${path}`));
  return args.join(args.length > 3 ? ' \\\n  ' : ' ');
}

function formatJson(json: string): string {
  const multiline = JSON.stringify(JSON.parse(json), null, 2);
  const singleLine = multiline.replaceAll(/\n\s*/g, ' ');
  return singleLine.length > MAX_LINE_LENGTH ? multiline : singleLine;
}

function shellQuote(text: string): string {
  return /^[\w:/.@%?=&-]+$/.test(text) && !/[?&]/.test(text)
    ? text
    : `'${text.replaceAll(`'`, `'\\''`)}'`;
}
