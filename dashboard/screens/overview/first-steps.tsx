import { type Signal, signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { ApiCall, type Call } from '#dashboard/parts/api-call.tsx';
import { Icon } from '#dashboard/parts/icon.tsx';
import { LINES } from '#dashboard/parts/icon-lines.ts';
import type { NameCheck } from '#dashboard/parts/name-field.tsx';
import { addressOf } from '#dashboard/router.ts';
import { account } from '#dashboard/session.ts';
import type { AccountState } from './account-state.ts';
import { ClaimName } from './claim-name.tsx';

type Step = Call & {
  title: string;
  about: string;
  isDone: boolean;
  /** Control that takes the step. */
  how: ComponentChildren;
};

interface StepsProps {
  state: AccountState;
  /** Name that is typed in the first step. */
  typed: Signal<string>;
  checked: NameCheck | undefined;
  onChange: () => void;
  onVisible: (visible: boolean) => void;
}

const SKIPPED = 'nameplate-skipped-metrics';

/** Id of the account that skipped the step about metrics in this browser. */
const skippedBy = signal(localStorage.getItem(SKIPPED));

function skipMetrics(): void {
  skippedBy.value = account.peek()!;
  localStorage.setItem(SKIPPED, skippedBy.value);
}

/** Whether an account has completed all first steps. The one about metrics can be skipped. */
export function isSetUp({ name, hasBio, hasLink, isVisible, hasMetric }: AccountState): boolean {
  const isMetricDone = hasMetric || skippedBy.value === account.value;
  return Boolean(name) && hasBio && hasLink && isVisible && isMetricDone;
}

/** Steps of a new account, of which the next is open. */
export function FirstSteps(props: StepsProps) {
  const steps = stepsOf(props);
  const done = steps.filter(({ isDone }) => isDone).length;
  const next = steps.findIndex(({ isDone }) => !isDone);
  return (
    <section class="card">
      <div class="card-head">
        <h2>First steps</h2>
        <span class="hint">
          {done} of {steps.length} done
        </span>
      </div>
      <div class="progress" aria-hidden="true">
        {steps.map(({ title, isDone }, index) => (
          <i key={title} class={isDone ? 'done' : index === next ? 'next' : undefined} />
        ))}
      </div>
      <ol class="steps">
        {steps.map(({ title, about, isDone, how, ...call }, index) => (
          <li key={title} class={isDone ? 'done' : index === next ? 'next' : undefined}>
            <span class={isDone ? 'tick done' : 'tick'} aria-hidden="true">
              {isDone ? <Icon lines={LINES.check} /> : index + 1}
            </span>
            <div class="grow">
              <h3>
                {title}
                {isDone && <span class="unseen"> (done)</span>}
              </h3>
              {!isDone && <p class="hint">{about}</p>}
              {index === next && <div class="how">{how}</div>}
            </div>
            {!isDone && <ApiCall {...call} />}
          </li>
        ))}
      </ol>
    </section>
  );
}

function stepsOf({ state, typed, checked, onChange, onVisible }: StepsProps): Step[] {
  const { name, hasBio, hasLink, isVisible, projects, hasMetric } = state;
  const leading = (to: string, label: string) => (
    <a class="button primary" href={addressOf(to)}>
      {label}
    </a>
  );
  return [
    {
      title: 'Claim your name',
      about: 'It becomes your page and mail address. You can change it later.',
      isDone: Boolean(name),
      how: <ClaimName typed={typed} checked={checked} onDone={onChange} />,
      endpoint: 'account.updateDisplayName',
      input: { display_name: 'Jane Doe' },
    },
    {
      title: 'Write a short bio',
      about: 'Who you are, in a sentence or two.',
      isDone: hasBio,
      how: leading('page?bio', 'Write a bio'),
      endpoint: 'site.updateSiteConfiguration',
      input: { bio: 'Potter in Lisbon.' },
    },
    {
      title: 'Add your first link',
      about: 'Your shop, your work, your profiles.',
      isDone: hasLink,
      how: leading('page', 'Add a link'),
      endpoint: 'site.updateSiteConfiguration',
      input: { blocks: [{ type: 'link', title: 'My shop', url: 'https://example.com' }] },
    },
    {
      title: 'Publish your page',
      about: 'You choose when it goes live.',
      isDone: isVisible,
      how: (
        <button type="button" class="primary" onClick={() => onVisible(true)}>
          Publish page
        </button>
      ),
      endpoint: 'page.setVisibility',
      input: { visible: true },
    },
    {
      title: 'Send your first metric',
      about: 'Any JSON you send becomes a chart that you can put on your page.',
      isDone: hasMetric,
      how: (
        <>
          {leading(projects[0] ? `metrics/${projects[0].id}` : 'metrics', 'Send a metric')}
          <button type="button" class="quiet" onClick={skipMetrics}>
            Not for me
          </button>
        </>
      ),
      endpoint: 'stats.ingestMetrics',
      input: { projectId: projects[0]?.id ?? 'your-project-id', payload: { visitors: 42 } },
    },
  ];
}
