import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { Code } from '#dashboard/components/code.tsx';
import { Field } from '#dashboard/components/field.tsx';
import { isOn } from '#dashboard/facts.ts';
import { dashboardHref } from '#dashboard/router.ts';
import { t } from '#dashboard/translate.ts';

const KEY_PLACEHOLDER = 'YOUR_KEY';

const CLIENTS = [
  ['claude', t('Claude on the web or desktop')],
  ['claude-code', 'Claude Code'],
  ['chatgpt', t('ChatGPT on the web')],
  ['codex', t('ChatGPT on the desktop, or Codex')],
  ['cursor', 'Cursor'],
  ['vscode', 'VS Code'],
  ['other', t('Another client')],
] as const;
type Client = (typeof CLIENTS)[number][0];

/** Texts and code in turn, and a hint. */
const INSTRUCTIONS: Readonly<
  Record<Client, (url: string, apiKey: string) => { steps: ComponentChildren[]; hint?: string }>
> = {
  claude: (url, apiKey) => ({
    steps: [
      t(
        'In Claude, open Customize, then Connectors, and add a custom connector with this address:',
      ),
      <Code text={url} label={t('address')} />,
      t('Under “Request headers”, add the header Authorization with this value:'),
      <Code text={`Bearer ${apiKey}`} label={t('header value')} />,
    ],
    hint: t(
      'Request headers need a paid plan. If your Claude does not show them, choose “Another client”.',
    ),
  }),
  'claude-code': (url, apiKey) => ({
    steps: [
      t('Run this command in a terminal:'),
      <Code
        text={`claude mcp add --transport http --scope user nameplate ${url} --header "Authorization: Bearer ${apiKey}"`}
        label={t('command')}
      />,
    ],
  }),
  chatgpt: (url, apiKey) => ({
    steps: [
      t(
        'On chatgpt.com, turn on Developer mode in the settings, and create an app with this address:',
      ),
      <Code text={url} label={t('address')} />,
      t('If you can choose an access token or API key as authentication, paste this key:'),
      <Code text={apiKey} label={t('key')} />,
    ],
    hint: t('If your ChatGPT offers only OAuth, use this key with ChatGPT on the desktop.'),
  }),
  codex: (url, apiKey) => ({
    steps: [
      t('Add this to the file ~/.codex/config.toml:'),
      <Code
        text={`[mcp_servers.nameplate]\nurl = "${url}"\nhttp_headers = { Authorization = "Bearer ${apiKey}" }`}
        label={t('configuration')}
      />,
    ],
  }),
  cursor: (url, apiKey) => ({
    steps: [
      t('Add this to the file ~/.cursor/mcp.json:'),
      <JsonCode
        value={{
          mcpServers: { nameplate: { url, headers: { Authorization: `Bearer ${apiKey}` } } },
        }}
      />,
    ],
  }),
  vscode: (url, apiKey) => ({
    steps: [
      t('Run “MCP: Open User Configuration” in the command palette, and add this:'),
      <JsonCode
        value={{
          servers: {
            nameplate: { type: 'http', url, headers: { Authorization: `Bearer ${apiKey}` } },
          },
        }}
      />,
    ],
  }),
  other: (url, apiKey) => ({
    steps: [
      t('For a client that starts programs, add this to its configuration:'),
      <JsonCode
        value={{
          mcpServers: {
            nameplate: {
              command: 'npx',
              // No space after the colon, because some clients split arguments at spaces.
              args: ['-y', 'mcp-remote', url, '--header', 'Authorization:${AUTHORIZATION}'],
              env: { AUTHORIZATION: `Bearer ${apiKey}` },
            },
          },
        }}
      />,
    ],
    hint: t(
      'This needs Node.js on your computer. A client that supports HTTP only needs the address and the header Authorization.',
    ),
  }),
};

/** With OAuth, which needs https or this computer, these need no key: they bring the user back here. */
const OAUTH_STEPS: Readonly<Partial<Record<Client, string>>> = {
  claude: t(
    'In Claude, open Customize, then Connectors, and add a custom connector with this address:',
  ),
  chatgpt: t(
    'On chatgpt.com, turn on Developer mode in the settings, and create an app with this address and OAuth:',
  ),
};

/** `secret` is the key that was just created, if any. */
export function ConnectAiClient({ secret }: { secret: string | undefined }) {
  const client = useSignal<Client>('claude');
  const url = `${location.origin}/mcp`;
  const hasOAuth = secret === undefined && isOn('oauth') && isSecureContext;
  const oauthStep = hasOAuth && OAUTH_STEPS[client.value];
  return (
    <section class="card connect-ai">
      <h2>{t('Connect an AI client')}</h2>
      <p class="hint">
        {t(
          'An assistant can then edit your page, look up your visitors and record metrics for you.',
        )}
      </p>
      <Field
        name="client"
        label={t('Your client')}
        value={client.value}
        options={CLIENTS}
        onValue={(value) => (client.value = value as Client)}
      />
      {oauthStep ? (
        <Steps
          steps={[oauthStep, <Code text={url} label={t('address')} />]}
          hint={t('It brings you back here to sign in and to choose what it may do.')}
        />
      ) : (
        <Steps {...INSTRUCTIONS[client.value](url, secret ?? KEY_PLACEHOLDER)} />
      )}
      {secret === undefined && !oauthStep && (
        <p class="hint">
          {t(
            'Replace {placeholder} with a key. A key with the scope “Read only” lets the assistant read, but change nothing.',
            { placeholder: KEY_PLACEHOLDER },
          )}{' '}
          <a href={dashboardHref('keys?create=all')}>{t('Create a key')}</a>
        </p>
      )}
    </section>
  );
}

function Steps({ steps, hint }: { steps: readonly ComponentChildren[]; hint?: string }) {
  return (
    <>
      {steps.map((step, index) =>
        typeof step === 'string' ? <p key={index}>{step}</p> : <div key={index}>{step}</div>,
      )}
      {hint && <p class="hint">{hint}</p>}
    </>
  );
}

function JsonCode({ value }: { value: object }) {
  return <Code text={JSON.stringify(value, null, 2)} label={t('configuration')} />;
}
