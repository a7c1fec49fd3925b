import type { ComponentChildren } from 'preact';
import { Stepper } from '#dashboard/components/stepper.tsx';
import type { AsyncState } from '#dashboard/components/use-async.ts';
import { instanceName } from '#dashboard/instance.ts';
import { t } from '#dashboard/translate.ts';
import { describeToday } from './home-text.ts';
import type { AccountSummary } from './load-summary.ts';

interface HomeHeadingProps {
  state: AsyncState<AccountSummary>;
  /** Whether the page was not published yet when Home was opened. */
  showsProgress: boolean;
}

export function HomeHeading({ state: { value, failure }, showsProgress }: HomeHeadingProps) {
  if (!value && failure !== undefined) return t('Home');
  if (!value)
    return (
      <>
        <span class="visually-hidden">{t('Home')}</span>
        <Lead />
      </>
    );
  if (showsProgress)
    return <Lead>{t('Welcome to {instance}', { instance: instanceName.value })}</Lead>;
  const { sentence, more } = describeToday(value, value.today);
  return (
    <Lead>
      {sentence} {more && <span class="muted">{more}</span>}
    </Lead>
  );
}

/** Lines of the usual text. */
const LOADING_LINES = innerWidth < 760 ? 3 : 2;

function Lead({ children }: { children?: ComponentChildren }) {
  return (
    <span class="lead">
      {children ?? Array.from({ length: LOADING_LINES }, (_, index) => <i key={index} />)}
    </span>
  );
}

export function HomeSubtitle({ state: { value }, showsProgress }: HomeHeadingProps) {
  if (!showsProgress || !value) return null;
  return <Stepper titles={[t('Name'), t('Page'), t('Publish')]} step={countFinishedSteps(value)} />;
}

function countFinishedSteps({ name, blockCount, wasPublished }: AccountSummary): number {
  if (wasPublished) return 3;
  if (name === '') return 0;
  return blockCount === 0 ? 1 : 2;
}
