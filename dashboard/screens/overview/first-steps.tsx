import { type Signal, signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { ApiCall, type EndpointCall } from '#dashboard/components/api-call.tsx';
import { Icon } from '#dashboard/components/icon.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import type { NameCheck } from '#dashboard/components/name-field.tsx';
import { dashboardHref } from '#dashboard/router.ts';
import { currentAccountId, forwardsMail } from '#dashboard/session.ts';
import type { AccountSummary } from './account-summary.ts';
import { ClaimName } from './claim-name.tsx';
import { t } from '#dashboard/translate.ts';

type Step = EndpointCall & {
  title: string;
  description: string;
  isDone: boolean;
  control: ComponentChildren;
};

interface StepsProps {
  state: AccountSummary;
  nameInput: Signal<string>;
  nameCheck: NameCheck | undefined;
  onChange: () => void;
  onVisibilityChange: (visible: boolean) => void;
}

const SKIPPED_KEY = 'nameplate-skipped-metrics';

/** Account that skipped the metrics step in this browser. */
const skippedAccountId = signal(localStorage.getItem(SKIPPED_KEY));

function skipMetrics(): void {
  skippedAccountId.value = currentAccountId.peek()!;
  localStorage.setItem(SKIPPED_KEY, skippedAccountId.value);
}

export function hasFinishedFirstSteps({
  name,
  hasBio,
  hasLink,
  wasPublished,
  hasDeveloperTools,
  hasMetric,
}: AccountSummary): boolean {
  const isMetricDone =
    !hasDeveloperTools || hasMetric || skippedAccountId.value === currentAccountId.value;
  return Boolean(name) && hasBio && hasLink && wasPublished && isMetricDone;
}

/** Checklist for a new account. Only the next step shows its control. */
export function FirstSteps(props: StepsProps) {
  const steps = buildSteps(props);
  const doneCount = steps.filter(({ isDone }) => isDone).length;
  const nextIndex = steps.findIndex(({ isDone }) => !isDone);
  return (
    <section class="card">
      <div class="card-head">
        <h2>{t('First steps')}</h2>
        <span class="hint">
          {t('{done} of {count} done', { done: doneCount, count: steps.length })}
        </span>
      </div>
      <div class="progress" aria-hidden="true">
        {steps.map(({ title, isDone }, index) => (
          <i key={title} class={isDone ? 'done' : index === nextIndex ? 'next' : undefined} />
        ))}
      </div>
      <ol class="steps">
        {steps.map(({ title, description, isDone, control, ...call }, index) => (
          <li key={title} class={isDone ? 'done' : index === nextIndex ? 'next' : undefined}>
            <span class={isDone ? 'step-marker done' : 'step-marker'} aria-hidden="true">
              {isDone ? <Icon path={ICON_PATHS.check} /> : index + 1}
            </span>
            <div class="grow">
              <h3>
                {title}
                {isDone && <span class="visually-hidden"> {t('(done)')}</span>}
              </h3>
              {!isDone && <p class="hint">{description}</p>}
              {index === nextIndex && <div class="how">{control}</div>}
            </div>
            {!isDone && <ApiCall {...call} />}
          </li>
        ))}
      </ol>
    </section>
  );
}

function buildSteps({
  state,
  nameInput,
  nameCheck,
  onChange,
  onVisibilityChange,
}: StepsProps): Step[] {
  const { name, hasBio, hasLink, wasPublished, projects, hasMetric } = state;
  const linkButton = (path: string, label: string) => (
    <a class="button primary" href={dashboardHref(path)}>
      {label}
    </a>
  );
  const steps: Step[] = [
    {
      title: t('Claim your name'),
      description: forwardsMail
        ? t('It becomes your page and mail address. You can change it later.')
        : t('It becomes the address of your page. You can change it later.'),
      isDone: Boolean(name),
      control: <ClaimName nameInput={nameInput} nameCheck={nameCheck} onDone={onChange} />,
      endpoint: 'account.updateDisplayName',
      input: { display_name: 'Jane Doe' },
    },
    {
      title: t('Write a short bio'),
      description: t('Who you are, in a sentence or two.'),
      isDone: hasBio,
      control: linkButton('page?bio', t('Write a bio')),
      endpoint: 'site.updateSiteConfiguration',
      input: { bio: 'Potter in Lisbon.' },
    },
    {
      title: t('Add your first link'),
      description: t('Your shop, your work, your profiles.'),
      isDone: hasLink,
      control: linkButton('page', t('Add a link')),
      endpoint: 'site.updateSiteConfiguration',
      input: { blocks: [{ type: 'link', title: 'My shop', url: 'https://example.com' }] },
    },
    {
      title: t('Publish your page'),
      description: t('You choose when it goes live.'),
      isDone: wasPublished,
      control: (
        <button type="button" class="primary" onClick={() => onVisibilityChange(true)}>
          {t('Publish page')}
        </button>
      ),
      endpoint: 'page.setVisibility',
      input: { visible: true },
    },
  ];
  if (!state.hasDeveloperTools) return steps;
  return [
    ...steps,
    {
      title: t('Send your first metric'),
      description: t('Any JSON you send becomes a chart that you can put on your page.'),
      isDone: hasMetric,
      control: (
        <>
          {linkButton(projects[0] ? `metrics/${projects[0].id}` : 'metrics', t('Send a metric'))}
          <button type="button" class="quiet" onClick={skipMetrics}>
            {t('Not for me')}
          </button>
        </>
      ),
      endpoint: 'stats.ingestMetrics',
      input: { projectId: projects[0]?.id ?? 'your-project-id', payload: { visitors: 42 } },
    },
  ];
}
