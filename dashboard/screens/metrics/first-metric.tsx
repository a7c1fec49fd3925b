import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ClientOptions } from '#client/options.ts';
import { api, owner } from '#dashboard/api/api.ts';
import { formatCurl } from '#dashboard/api/call-samples.ts';
import { routes } from '#dashboard/api/routes.ts';
import { Code } from '#dashboard/components/code.tsx';
import { Form } from '#dashboard/components/form.tsx';
import { Icon } from '#dashboard/components/icon.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { showMessage, withErrorMessage } from '#dashboard/components/messages.tsx';
import { SegmentedControl } from '#dashboard/components/segmented-control.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { usePolling } from '#dashboard/components/use-polling.ts';
import { loadCurrentAccount } from '#dashboard/current-account.ts';
import { t } from '#dashboard/translate.ts';
import type { Project } from './project-card.tsx';

const LANGUAGES = [
  ['curl', 'curl'],
  ['sdk', 'SDK'],
] as const;

export function FirstMetric({ project, onArrived }: { project: Project; onArrived: () => void }) {
  const apiKey = useSignal<string>();
  const language = useSignal<'curl' | 'sdk'>('curl');
  const { value, reload } = useAsync(
    () => owner.metrics.listMetrics({ project_id: project.id, limit: 1 }),
    [project.id],
  );
  usePolling('progress', reload);
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
  const hasKey = apiKey.value !== undefined;
  return (
    <div class="main-and-side first-metric">
      <section class="card">
        <h2>{t('Send a first metric')}</h2>
        <ol class="numbered">
          <li>
            <Step number={1} isDone={hasKey}>
              {t('Create a key')}
            </Step>
            {hasKey ? (
              <p role="status" class="muted">
                {t('The command below contains your key. It is not shown again.')}
              </p>
            ) : (
              <CreateKey label={project.name} onCreated={(key) => (apiKey.value = key)} />
            )}
          </li>
          <li>
            <div class="row between">
              <Step number={2} isDone={false}>
                {language.value === 'curl'
                  ? t('Run this command in a terminal')
                  : t('Run this program')}
              </Step>
              <SegmentedControl
                label={t('Language')}
                value={language.value}
                options={LANGUAGES}
                onValue={(next) => (language.value = next)}
              />
            </div>
            <Code text={command} label={language.value === 'curl' ? t('command') : t('program')} />
          </li>
        </ol>
      </section>
      <Waiting onSendTest={() => withErrorMessage(api.stats.ingestMetrics(input))} />
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
    >
      <p class="muted">{t('This key can only send metrics.')}</p>
    </Form>
  );
}

function Waiting({ onSendTest }: { onSendTest: () => Promise<unknown> }) {
  const isSending = useSignal(false);
  const sendTest = async () => {
    isSending.value = true;
    await onSendTest();
    isSending.value = false;
  };
  return (
    <section class="card waiting">
      <span class="pulse" aria-hidden="true" />
      <h2>
        <span role="status">{t('Waiting for your first metric…')}</span>
      </h2>
      <p class="muted">
        {t(
          'A metric is any JSON object. You can chart its numbers, and group and filter by its texts. This screen updates when one arrives.',
        )}
      </p>
      <button type="button" aria-busy={isSending.value} onClick={() => void sendTest()}>
        {t('Send a test metric')}
      </button>
    </section>
  );
}

function Step({ number, isDone, children }: { number: number; isDone: boolean; children: string }) {
  return (
    <h3 class="row">
      <span class={isDone ? 'step-marker done' : 'step-marker'} aria-hidden="true">
        {isDone ? <Icon path={ICON_PATHS.check} /> : number}
      </span>
      {children}
    </h3>
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
