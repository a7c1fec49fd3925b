import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ClientOptions } from '#client/options.ts';
import { api, owner } from '#dashboard/api/api.ts';
import { formatCurl } from '#dashboard/api/call-samples.ts';
import { routes } from '#dashboard/api/routes.ts';
import { Code } from '#dashboard/components/code.tsx';
import { Form } from '#dashboard/components/form.tsx';
import { showMessage, withErrorMessage } from '#dashboard/components/messages.tsx';
import { SegmentedControl } from '#dashboard/components/segmented-control.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { usePolling } from '#dashboard/components/use-polling.ts';
import { loadCurrentAccount } from '#dashboard/current-account.ts';
import { t } from '#dashboard/translate.ts';
import type { Project } from './metrics-query.ts';

const LANGUAGES = [
  ['curl', 'curl'],
  ['sdk', 'SDK'],
] as const;

export function FirstMetric({ project, onArrived }: { project: Project; onArrived: () => void }) {
  const apiKey = useSignal<string>();
  const language = useSignal<'curl' | 'sdk'>('curl');
  const { value, poll } = useAsync(
    () => owner.metrics.listMetrics({ project_id: project.id, limit: 1 }),
    [project.id],
  );
  usePolling('progress', poll);
  useEffect(() => {
    if (!value?.metrics.length) return;
    showMessage(t('Your first metric has arrived. 🎉'));
    onArrived();
  }, [value]);
  const input = { projectId: project.id, payload: { visitors: 42, country: 'pt' } };
  const [method, path] = routes['stats.ingestMetrics'];
  const call = { method, path, body: JSON.stringify(input) };
  const command =
    language.value === 'curl' ? formatCurl(call, apiKey.value) : sdkExample(input, apiKey.value);
  return (
    <div class="first-metric">
      <div>
        <h2>{t('Send your first number')}</h2>
        <p class="muted">
          {apiKey.value === undefined
            ? t('Create a key for this project, then paste the command into a terminal.')
            : t(
                'Paste this into a terminal. The key in it is new, can only send metrics, and is not shown again.',
              )}{' '}
          {t('The number appears here by itself.')}
        </p>
        {apiKey.value === undefined && (
          <CreateKey label={project.name} onCreated={(key) => (apiKey.value = key)} />
        )}
        <div class="row">
          <SegmentedControl
            label={t('Language')}
            value={language.value}
            options={LANGUAGES}
            onValue={(next) => (language.value = next)}
          />
          <SendTest run={() => withErrorMessage(api.stats.ingestMetrics(input))} />
        </div>
      </div>
      <div class="terminal">
        <Code text={command} label={language.value === 'curl' ? t('command') : t('program')} />
        <p class="row" role="status">
          <i aria-hidden="true" />
          {t('Waiting for the first number')}
        </p>
      </div>
    </div>
  );
}

function CreateKey({ label, onCreated }: { label: string; onCreated: (key: string) => void }) {
  return (
    <Form
      fields={[]}
      submitLabel={t('Create key')}
      onSubmit={async () => {
        const { api_key } = await owner.keys.createKey({ label, scope: 'metrics' });
        if (api_key !== null) onCreated(api_key);
        // The first key turns the developer tools on.
        loadCurrentAccount().catch(() => undefined);
      }}
    />
  );
}

function SendTest({ run }: { run: () => Promise<unknown> }) {
  const isSending = useSignal(false);
  const send = async () => {
    isSending.value = true;
    await run();
    isSending.value = false;
  };
  return (
    <button type="button" class="quiet" aria-busy={isSending.value} onClick={() => void send()}>
      {t('Send a test metric')}
    </button>
  );
}

function sdkExample(input: object, key = 'YOUR_KEY'): string {
  const options: ClientOptions = { apiKey: key, baseUrl: location.origin };
  return `import { Nameplate } from '@nameplate/client';

const client = new Nameplate(${toSource(options)});
await client.stats.ingestMetrics(${toSource(input)});`;
}

/** Formats an object as TypeScript source: JSON without quotes around simple keys. */
function toSource(value: object): string {
  return JSON.stringify(value, null, 2).replace(/^( *)"([A-Za-z_]\w*)":/gm, '$1$2:');
}
