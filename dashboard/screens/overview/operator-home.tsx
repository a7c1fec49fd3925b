import { useSignal } from '@preact/signals';
import { AsyncContent } from '#dashboard/components/async-content.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import {
  failingService,
  openReportCount,
  waitingApplicationCount,
} from '#dashboard/current-account.ts';
import { accountKey } from '#dashboard/session.ts';
import { readStored, store } from '#dashboard/storage.ts';
import type { AccountSummary } from './load-summary.ts';
import { NextStep } from './next-step.tsx';

const loadFirstDay = async () => (await import('../operator/operator.ts')).FirstDay;

/** Stored for an account: the operator has closed the first steps; the header has buttons. */
const STEPS_HIDDEN = 'first-steps-hidden';

export function OperatorHome({ state }: { state: AccountSummary }) {
  const screen = useAsync(loadFirstDay);
  const hidesSteps = useSignal(readStored(accountKey(STEPS_HIDDEN)) !== null);
  const hideSteps = () => {
    store(accountKey(STEPS_HIDDEN), '');
    hidesSteps.value = true;
  };
  return (
    <AsyncContent state={screen}>
      {(FirstDay) => (
        <FirstDay onClose={hidesSteps.value ? null : hideSteps}>
          {(waitingApplicationCount.value > 0 ||
            openReportCount.value > 0 ||
            failingService.value !== null) && <NextStep state={state} />}
        </FirstDay>
      )}
    </AsyncContent>
  );
}
