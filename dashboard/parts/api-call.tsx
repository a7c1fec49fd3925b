import { type Endpoint, type FileEndpoint, type Input, routes } from '../api/routes.ts';
import { Copy } from './copy.tsx';

/** A call of an endpoint with what it is sent, both as the contract has them. */
export type Call = { [Name in Endpoint]: { endpoint: Name; input?: Input<Name> } }[Endpoint];
type CallTuple = { [Name in Endpoint]: readonly [endpoint: Name, input?: Input<Name>] }[Endpoint];

/** A call without the connection of endpoint and input, which the compiler loses track of. */
interface AnyCall {
  endpoint: Endpoint;
  input?: unknown;
}

/** Endpoints that the SDK has no method for. */
const FILES: Readonly<Record<FileEndpoint, true>> = {
  'account.exportData': true,
  'metrics.exportMetrics': true,
};

/** View API call: what a program sends to do what the page does. */
export function ApiCall({
  also = [],
  isOpen,
  ...first
}: Call & {
  /** Further calls for the same part of the page. */
  also?: readonly CallTuple[];
  /** Whether it is shown at once. */
  isOpen?: boolean;
}) {
  const calls: AnyCall[] = [first, ...also.map(([endpoint, input]) => ({ endpoint, input }))];
  const samples = calls.flatMap((call): [name: string, text: string][] => {
    const what = also.length > 0 ? `: ${wordsOf(call.endpoint)}` : '';
    const curl: [string, string] = [`curl${what}`, curlOf(call)];
    return call.endpoint in FILES ? [curl] : [curl, [`SDK${what}`, sdkOf(call)]];
  });
  return (
    <details class="call" open={isOpen}>
      <summary>View API call</summary>
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

/** Words for an endpoint, from its name: `revoke key`. */
function wordsOf(endpoint: string): string {
  return endpoint.replace(/.*\./, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** The command that calls an endpoint, with a key or with the place of one. */
export function curlOf({ endpoint, input }: AnyCall, key = '$KEY'): string {
  const [method, path] = routes[endpoint];
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

function sdkOf({ endpoint, input }: AnyCall): string {
  const argument = input === undefined ? '' : JSON.stringify(input, null, 2);
  const client = routes[endpoint][1].startsWith('/owner/') ? 'owner' : 'client';
  return `await ${client}.${endpoint}(${argument.replace(/^(\s*)"([A-Za-z_]\w*)":/gm, '$1$2:')});`;
}

/** A word of a shell, whatever is in it. */
function quoted(text: string): string {
  return /^[\w:/.@%?=&-]+$/.test(text) && !/[?&]/.test(text)
    ? text
    : `'${text.replaceAll(`'`, `'\\''`)}'`;
}
