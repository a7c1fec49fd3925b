import { DAY_MS } from '#contract/shared/durations.ts';
import { accountKey } from './session.ts';
import { readStored, store } from './storage.ts';

const NOT_NOW_DAYS = 30;
/** The next step of operators who have opened none of their screens. */
export const OPERATOR_STEP = 'operator';

const storageKey = (step: string) => accountKey(`not-now ${step}`);

export function putOff(step: string): void {
  store(storageKey(step), String(Date.now()));
}

export function wasPutOff(step: string): boolean {
  return Number(readStored(storageKey(step))) > Date.now() - NOT_NOW_DAYS * DAY_MS;
}
