import type { RecordedCall } from './recorded-calls.ts';
import { type Endpoint, routes } from './routes.ts';

/** In characters. Longer JSON is split into several lines. */
const MAX_LINE_LENGTH = 60;

const [, UPLOAD_PATH] = routes['pictures.uploadPicture'];

/** The endpoint that was called, named as in the SDK. */
export function endpointOf({ method, path }: RecordedCall): Endpoint {
  const [pathname] = path.split('?');
  return (Object.keys(routes) as Endpoint[]).find(
    (name) => routes[name][0] === method && routes[name][1] === pathname,
  )!;
}

/** A curl command for the call. Without `key`, it uses the shell variable `$NAMEPLATE_API_KEY`. */
export function formatCurl(
  { method, path, body }: RecordedCall,
  key = '$NAMEPLATE_API_KEY',
): string {
  const args = ['curl'];
  // curl sends POST by default if there is a body.
  if (method !== 'GET' && (method !== 'POST' || body === undefined)) args.push(`-X ${method}`);
  args.push(`-H "X-API-KEY: ${key}"`);
  if (path === UPLOAD_PATH)
    args.push(`-H 'Content-Type: image/jpeg'`, '--data-binary @picture.jpg');
  else if (body !== undefined)
    args.push(`-H 'Content-Type: application/json'`, `-d ${shellQuote(formatJson(body))}`);
  args.push(shellQuote(`${location.origin}${path}`));
  return args.join(args.length > 3 ? ' \\\n  ' : ' ');
}

export function formatSdkCall(call: RecordedCall): string {
  const client = call.path.startsWith('/owner/') ? 'owner' : 'client';
  return `await ${client}.${endpointOf(call)}(${formatArgument(call)});`;
}

function formatArgument({ path, body }: RecordedCall): string {
  if (path === UPLOAD_PATH) return "await readFile('picture.jpg')";
  const json = body ?? queryToJson(path);
  return json === undefined
    ? ''
    : formatJson(json).replace(/((?:^|[{,]) *)"([A-Za-z_]\w*)":/gm, '$1$2:');
}

function queryToJson(path: string): string | undefined {
  const [, query] = path.split('?');
  if (query === undefined) return undefined;
  const fields = [...new URLSearchParams(query)].map(([name, value]) => [
    name,
    /^\d+$/.test(value) ? Number(value) : value,
  ]);
  return JSON.stringify(Object.fromEntries(fields));
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
