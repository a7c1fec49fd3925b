import type { ComponentChildren } from 'preact';
import { ApiCall, type Call } from '../../parts/api-call.tsx';
import { Icon } from '../../parts/icon.tsx';
import { addressOf } from '../../router.ts';
import type { AccountState } from './account-state.ts';

type Step = Call & {
  title: string;
  isDone: boolean;
  how: ComponentChildren;
};

/** Checklist of a new account; gone when all of it is done. */
export function Checklist({ state }: { state: AccountState }) {
  const steps = stepsOf(state);
  const done = steps.filter(({ isDone }) => isDone).length;
  if (done === steps.length) return null;
  return (
    <section class="card">
      <div class="row between">
        <h2>First steps</h2>
        <span class="muted">
          {done} of {steps.length} done
        </span>
      </div>
      <ol class="steps">
        {steps.map(({ title, isDone, how, ...call }) => (
          <li key={title} class={isDone ? 'done' : undefined}>
            <span class="mark">{isDone && <Icon lines="m4 8.5 3 3 5.5-7" />}</span>
            <div>
              <p class="strong">
                {title}
                {isDone && <span class="unseen"> (done)</span>}
              </p>
              {!isDone && (
                <>
                  <p class="muted">{how}</p>
                  <ApiCall {...call} />
                </>
              )}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}

function stepsOf({ name, hasBio, hasLink, isVisible, projects, hasMetric }: AccountState): Step[] {
  const editor = addressOf('page');
  return [
    {
      title: 'Choose a name',
      isDone: Boolean(name),
      how: 'Use the field above.',
      endpoint: 'account.updateDisplayName',
      input: { display_name: 'Jane Doe' },
    },
    {
      title: 'Say who you are',
      isDone: hasBio,
      how: <a href={editor}>Write a few words for your page</a>,
      endpoint: 'site.updateSiteConfiguration',
      input: { bio: 'Potter in Lisbon.' },
    },
    {
      title: 'Add a first link',
      isDone: hasLink,
      how: <a href={editor}>Add a link to your page</a>,
      endpoint: 'site.updateSiteConfiguration',
      input: { blocks: [{ type: 'link', title: 'My shop', url: 'https://example.com' }] },
    },
    {
      title: 'Make your page visible',
      isDone: isVisible,
      how: 'Use the switch above once you have a name.',
      endpoint: 'site.toggleSiteVisibility',
    },
    {
      title: 'Send a first metric',
      isDone: hasMetric,
      how: 'Send any JSON from anywhere, then plot it.',
      endpoint: 'stats.ingestMetrics',
      input: { projectId: projects[0]?.id ?? 'your-project-id', payload: { visitors: 42 } },
    },
  ];
}
