import { routes } from '../api/routes.ts';
import { Copy } from './copy.tsx';

interface Call {
  /** The endpoint as the SDK names it, for example `site.updateSiteConfiguration`. */
  endpoint: string;
  /** What is sent. */
  input?: unknown;
}

/** Answers of these are files, which the SDK leaves to `fetch`. */
const FILES = new Set(['account.exportData', 'metrics.exportMetrics']);

/** The same as an API call: what a program sends to do what the page does. */
export function ApiCall({
  also = [],
  isOpen,
  ...first
}: Call & {
  /** What else can be done where it stands. */
  also?: readonly (readonly [endpoint: string, input?: unknown])[];
  /** Whether it is shown at once. */
  isOpen?: boolean;
}) {
  const calls = [first, ...also.map(([endpoint, input]) => ({ endpoint, input }))];
  const samples = calls.flatMap((call): [name: string, text: string][] => {
    const what = also.length > 0 ? `: ${wordsOf(call.endpoint)}` : '';
    const curl: [string, string] = [`curl${what}`, curlOf(call)];
    return FILES.has(call.endpoint) ? [curl] : [curl, [`SDK${what}`, sdkOf(call)]];
  });
  return (
    <details class="call" open={isOpen}>
      <summary>The same as an API call</summary>
      {samples.map(([name, text]) => (
        <div key={name} class="sample">
          <div class="bar">
            <span>{name}</span>
            <Copy text={text} label={`Copy ${name}`} />
          </div>
          <pre tabIndex={0} aria-label={name}>
            {text}
          </pre>
        </div>
      ))}
    </details>
  );
}

/** What an endpoint does, from its name: `revoke key`. */
function wordsOf(endpoint: string): string {
  return endpoint.replace(/.*\./, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** Method and path of an endpoint, and whether it is one of the owner contract: no name is in both. */
function routeOf(endpoint: string) {
  const [area = '', name = ''] = endpoint.split('.');
  const own = routes.owner[area]?.[name];
  return { route: own ?? routes.api[area]![name]!, isOwner: own !== undefined };
}

/** The command that calls an endpoint, with a key or with the place of one. */
export function curlOf({ endpoint, input }: Call, key = '$KEY'): string {
  const [method, path] = routeOf(endpoint).route;
  const isRead = method === 'GET';
  const words = ['curl'];
  // What sends a body is a POST by itself.
  if (!isRead && (method !== 'POST' || input === undefined)) words.push(`-X ${method}`);
  words.push(`-H "X-API-KEY: ${key}"`);
  const query = isRead && input ? `?${new URLSearchParams(input as Record<string, string>)}` : '';
  if (!isRead && input !== undefined)
    words.push(
      `-H 'Content-Type: application/json'`,
      `-d ${quoted(JSON.stringify(input, null, 2))}`,
    );
  words.push(quoted(`${location.origin}${path}${query}`));
  return words.join(words.length > 3 ? ' \\\n  ' : ' ');
}

function sdkOf({ endpoint, input }: Call): string {
  const argument = input === undefined ? '' : JSON.stringify(input, null, 2);
  const client = routeOf(endpoint).isOwner ? 'owner' : 'client';
  return `await ${client}.${endpoint}(${argument.replace(/^(\s*)"([A-Za-z_]\w*)":/gm, '$1$2:')});`;
}

/** A word of a shell, whatever is in it. */
function quoted(text: string): string {
  return /^[\w:/.@%?=&-]+$/.test(text) && !/[?&]/.test(text)
    ? text
    : `'${text.replaceAll(`'`, `'\\''`)}'`;
}
