import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { type Endpoint, type FileEndpoint, type Input, routes } from '../api/routes.ts';
import { addressOf } from '../router.ts';
import { Code } from './code.tsx';
import { Icon } from './icon.tsx';
import { LINES } from './icon-lines.ts';
import { Popover } from './popover.tsx';
import { Segments } from './segments.tsx';

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
  'visitors.exportVisitors': true,
};

/** Endpoints whose body is a file. */
const UPLOADS: ReadonlySet<Endpoint> = new Set(['pictures.upload']);

/** Longest JSON that stands on one line, in characters. */
const ONE_LINE = 60;

/** Calls of the parts that are on the screen, in the order in which the parts came. */
const shown = signal<ReadonlyMap<object, readonly AnyCall[]>>(new Map());

/** Adds what a program sends to do what a part of the screen does to View API call in the head of the screen. */
export function ApiCall({
  also = [],
  ...first
}: Call & {
  /** Further calls for the same part of the screen. */
  also?: readonly CallTuple[];
}) {
  const calls: AnyCall[] = [first, ...also.map(([endpoint, input]) => ({ endpoint, input }))];
  const part = useRef({}).current;
  useEffect(() => {
    shown.value = new Map(shown.peek()).set(part, calls);
  }, [JSON.stringify(calls)]);
  useEffect(
    () => () => {
      const others = new Map(shown.peek());
      others.delete(part);
      shown.value = others;
    },
    [],
  );
  return null;
}

const LANGUAGES = [
  ['curl', 'curl'],
  ['sdk', 'SDK'],
] as const;
const language = signal<'curl' | 'sdk'>('curl');

/** View API call: what a program sends to do what the screen does. */
export function ApiCalls() {
  const label = (
    <>
      <Icon lines={LINES.api} />
      <span>View API call</span>
    </>
  );
  // Room for the button: the calls come after the screen, which would move.
  if (shown.value.size === 0)
    return (
      <span class="button quiet calls-button" aria-hidden="true">
        {label}
      </span>
    );
  return (
    <Popover
      buttonClass="quiet calls-button"
      button={label}
      label="API calls of this screen"
      class="calls sheet"
    >
      {() => <Samples />}
    </Popover>
  );
}

function Samples() {
  const isCurl = language.value === 'curl';
  // Parts can do the same with the same.
  const samples = new Map(
    [...shown.value.values()]
      .flat()
      .filter(({ endpoint }) => isCurl || !(endpoint in FILES))
      .map((call) => [isCurl ? curlOf(call) : sdkOf(call), call.endpoint]),
  );
  return (
    <>
      <div class="card-head">
        <h2>API calls of this screen</h2>
        <Segments
          label="Language"
          value={language.value}
          options={LANGUAGES}
          onValue={(next) => (language.value = next)}
        />
      </div>
      {[...samples].map(([text, endpoint]) => (
        <div key={text} class="sample">
          <h3>{wordsOf(endpoint)}</h3>
          <Code text={text} label={`${isCurl ? 'curl' : 'SDK'}: ${wordsOf(endpoint)}`} />
        </div>
      ))}
      <p class="hint">
        Calls need a key. <a href={addressOf('keys')}>Create one</a>
      </p>
    </>
  );
}

/** Words for an endpoint, from its name: `Revoke key`. */
function wordsOf(endpoint: string): string {
  const words = endpoint
    .replace(/.*\./, '')
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words[0]!.toUpperCase() + words.slice(1);
}

/** The command that calls an endpoint, with a key or with the place of one. */
export function curlOf({ endpoint, input }: AnyCall, key = '$KEY'): string {
  const [method, path] = routes[endpoint];
  if (UPLOADS.has(endpoint))
    return [
      `curl -H "X-API-KEY: ${key}"`,
      `-H 'Content-Type: image/jpeg'`,
      '--data-binary @picture.jpg',
      quoted(`${location.origin}${path}`),
    ].join(' \\\n  ');
  const isRead = method === 'GET';
  const words = ['curl'];
  // A curl command with a body is a POST by itself.
  if (!isRead && (method !== 'POST' || input === undefined)) words.push(`-X ${method}`);
  words.push(`-H "X-API-KEY: ${key}"`);
  const query = isRead && input ? `?${new URLSearchParams(input as Record<string, string>)}` : '';
  if (!isRead && input !== undefined)
    words.push(`-H 'Content-Type: application/json'`, `-d ${quoted(jsonOf(input))}`);
  words.push(quoted(`${location.origin}${path}${query}`));
  return words.join(words.length > 3 ? ' \\\n  ' : ' ');
}

function sdkOf({ endpoint, input }: AnyCall): string {
  const argument = UPLOADS.has(endpoint)
    ? "await readFile('picture.jpg')"
    : input === undefined
      ? ''
      : jsonOf(input);
  const client = routes[endpoint][1].startsWith('/owner/') ? 'owner' : 'client';
  return `await ${client}.${endpoint}(${argument.replace(/((?:^|[{,])\s*)"([A-Za-z_]\w*)":/gm, '$1$2:')});`;
}

/** JSON on one line if it is short. */
function jsonOf(input: unknown): string {
  const long = JSON.stringify(input, null, 2);
  const short = long.replaceAll(/\n\s*/g, ' ');
  return short.length > ONE_LINE ? long : short;
}

/** A word of a shell, whatever is in it. */
function quoted(text: string): string {
  return /^[\w:/.@%?=&-]+$/.test(text) && !/[?&]/.test(text)
    ? text
    : `'${text.replaceAll(`'`, `'\\''`)}'`;
}
