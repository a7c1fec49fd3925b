import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { type Endpoint, type FileEndpoint, type Input, routes } from '../api/routes.ts';
import { hasDeveloperTools } from '../current-account.ts';
import { dashboardHref } from '../router.ts';
import { Code } from './code.tsx';
import { Icon } from './icon.tsx';
import { ICON_PATHS } from './icon-paths.ts';
import { Popover } from './popover.tsx';
import { SegmentedControl } from './segmented-control.tsx';
import { t } from '../translate.ts';

export type EndpointCall = {
  [Name in Endpoint]: { endpoint: Name; input?: Input<Name> };
}[Endpoint];
type EndpointCallTuple = {
  [Name in Endpoint]: readonly [endpoint: Name, input?: Input<Name>];
}[Endpoint];

interface UntypedCall {
  endpoint: Endpoint;
  input?: unknown;
}

const FILE_ENDPOINTS: Readonly<Record<FileEndpoint, true>> = {
  'account.exportData': true,
  'operator.exportAccount': true,
  'metrics.exportMetrics': true,
  'visitors.exportVisitors': true,
};

const UPLOAD_ENDPOINTS: ReadonlySet<Endpoint> = new Set(['pictures.upload']);

/** In characters. Longer JSON is split into several lines. */
const MAX_LINE_LENGTH = 60;

const callsByComponent = signal<ReadonlyMap<object, readonly UntypedCall[]>>(new Map());

/** Adds calls to the “View API call” popover while this component is mounted. Renders nothing. */
export function ApiCall({
  otherCalls = [],
  ...first
}: EndpointCall & {
  otherCalls?: readonly EndpointCallTuple[];
}) {
  const calls: UntypedCall[] = [
    first,
    ...otherCalls.map(([endpoint, input]) => ({ endpoint, input })),
  ];
  const component = useRef({}).current;
  useEffect(() => {
    callsByComponent.value = new Map(callsByComponent.peek()).set(component, calls);
  }, [JSON.stringify(calls)]);
  useEffect(
    () => () => {
      const remainingCalls = new Map(callsByComponent.peek());
      remainingCalls.delete(component);
      callsByComponent.value = remainingCalls;
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

export function ApiCallsButton({ class: lookClass = 'quiet api-calls-button' }) {
  const label = (
    <>
      <Icon path={ICON_PATHS.api} />
      <span>{t('View API call')}</span>
    </>
  );
  if (hasDeveloperTools.value === false) return null;
  // Calls are registered after the first render, so reserve the space to keep the layout stable.
  if (!hasDeveloperTools.value || callsByComponent.value.size === 0)
    return (
      <span class={`button only-wide ${lookClass}`} aria-hidden="true">
        {label}
      </span>
    );
  return (
    <Popover
      // Hidden on phones, where there is no command line.
      buttonClass={`only-wide ${lookClass}`}
      button={label}
      label={t('API calls of this screen')}
      class="wide api-calls"
    >
      {() => <CodeSamples />}
    </Popover>
  );
}

function CodeSamples() {
  const isCurl = language.value === 'curl';
  // A map removes duplicates: several components can register the same call.
  const samples = new Map(
    [...callsByComponent.value.values()]
      .flat()
      .filter(({ endpoint }) => isCurl || !(endpoint in FILE_ENDPOINTS))
      .map((call) => [isCurl ? formatCurl(call) : formatSdkCall(call), call.endpoint]),
  );
  return (
    <>
      <div class="card-head">
        <h2>{t('API calls of this screen')}</h2>
        <SegmentedControl
          label={t('Language')}
          value={language.value}
          options={LANGUAGES}
          onValue={(next) => (language.value = next)}
        />
      </div>
      {[...samples].map(([text, endpoint]) => (
        <div key={text} class="sample">
          <h3>{endpointTitle(endpoint)}</h3>
          <Code text={text} label={`${isCurl ? 'curl' : 'SDK'}: ${endpointTitle(endpoint)}`} />
        </div>
      ))}
      <p class="hint">
        {t.rich('Calls need a key. <link>Create one</link>', {
          link: (children) => <a href={dashboardHref('keys')}>{children}</a>,
        })}
      </p>
    </>
  );
}

/** `keys.revokeKey` → `Revoke key`. */
function endpointTitle(endpoint: string): string {
  const title = endpoint
    .replace(/.*\./, '')
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return title[0]!.toUpperCase() + title.slice(1);
}

/** A curl command for the call. Without `key`, it uses the shell variable `$KEY`. */
export function formatCurl({ endpoint, input }: UntypedCall, key = '$KEY'): string {
  const [method, path] = routes[endpoint];
  if (UPLOAD_ENDPOINTS.has(endpoint))
    return [
      `curl -H "X-API-KEY: ${key}"`,
      `-H 'Content-Type: image/jpeg'`,
      '--data-binary @picture.jpg',
      shellQuote(`${location.origin}${path}`),
    ].join(' \\\n  ');
  const isRead = method === 'GET';
  const args = ['curl'];
  // curl sends POST by default if there is a body.
  if (!isRead && (method !== 'POST' || input === undefined)) args.push(`-X ${method}`);
  args.push(`-H "X-API-KEY: ${key}"`);
  const query = isRead && input ? `?${new URLSearchParams(input as Record<string, string>)}` : '';
  if (!isRead && input !== undefined)
    args.push(`-H 'Content-Type: application/json'`, `-d ${shellQuote(formatJson(input))}`);
  args.push(shellQuote(`${location.origin}${path}${query}`));
  return args.join(args.length > 3 ? ' \\\n  ' : ' ');
}

function formatSdkCall({ endpoint, input }: UntypedCall): string {
  const argument = UPLOAD_ENDPOINTS.has(endpoint)
    ? "await readFile('picture.jpg')"
    : input === undefined
      ? ''
      : formatJson(input);
  const client = routes[endpoint][1].startsWith('/owner/') ? 'owner' : 'client';
  return `await ${client}.${endpoint}(${argument.replace(/((?:^|[{,])\s*)"([A-Za-z_]\w*)":/gm, '$1$2:')});`;
}

function formatJson(input: unknown): string {
  const multiline = JSON.stringify(input, null, 2);
  const singleLine = multiline.replaceAll(/\n\s*/g, ' ');
  return singleLine.length > MAX_LINE_LENGTH ? multiline : singleLine;
}

function shellQuote(text: string): string {
  return /^[\w:/.@%?=&-]+$/.test(text) && !/[?&]/.test(text)
    ? text
    : `'${text.replaceAll(`'`, `'\\''`)}'`;
}
