import { signal } from '@preact/signals';
import { currentSession } from './api/api.ts';

/** Whether the account that is signed in is an operator's; undefined until that is known. */
export const isOperator = signal<boolean>();

/** Asks the server whose account is signed in; without an answer the last one stays. */
export async function loadOperatorRights(): Promise<void> {
  const { operator } = await currentSession.getSession();
  isOperator.value = operator;
}
