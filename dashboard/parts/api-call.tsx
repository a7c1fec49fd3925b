import { routes } from '../api/routes.ts';
import { Copy } from './copy.tsx';

type Surface = keyof typeof routes;

interface ApiCallProps {
  /** The endpoint as the SDK names it, for example `site.updateSiteConfiguration`. */
  endpoint: string;
  surface?: Surface;
  /** What is sent. */
  input?: unknown;
  /** Whether it is shown at once. */
  isOpen?: boolean;
}

/** The same as an API call: what a program sends to do what the page does. */
export function ApiCall(props: ApiCallProps) {
  const samples: [name: string, text: string][] = [['curl', curlOf(props)]];
  if (props.surface !== 'owner') samples.push(['SDK', sdkOf(props)]);
  return (
    <details class="call" open={props.isOpen}>
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

function curlOf({ endpoint, surface = 'api', input }: ApiCallProps): string {
  const [area = '', name = ''] = endpoint.split('.');
  const [method, path] = routes[surface][area]![name]!;
  const isRead = method === 'GET';
  const words = ['curl'];
  // What sends a body is a POST by itself.
  if (!isRead && (method !== 'POST' || input === undefined)) words.push(`-X ${method}`);
  words.push('-H "X-API-KEY: $KEY"');
  const query = isRead && input ? `?${new URLSearchParams(input as Record<string, string>)}` : '';
  if (!isRead && input !== undefined)
    words.push(
      `-H 'Content-Type: application/json'`,
      `-d ${quoted(JSON.stringify(input, null, 2))}`,
    );
  words.push(quoted(`${location.origin}${path}${query}`));
  return words.join(words.length > 3 ? ' \\\n  ' : ' ');
}

function sdkOf({ endpoint, input }: ApiCallProps): string {
  const argument = input === undefined ? '' : JSON.stringify(input, null, 2);
  return `await client.${endpoint}(${argument.replace(/^(\s*)"([A-Za-z_]\w*)":/gm, '$1$2:')});`;
}

/** A word of a shell, whatever is in it. */
function quoted(text: string): string {
  return /^[\w:/.@%?=&-]+$/.test(text) && !/[?&]/.test(text)
    ? text
    : `'${text.replaceAll(`'`, `'\\''`)}'`;
}
