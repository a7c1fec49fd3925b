import { signal } from '@preact/signals';
import { currentSession } from './api/api.ts';

/** Whether the account that is signed in is an operator's; undefined until that is known. */
export const isOperator = signal<boolean>();

/** Number of open reports of pages, if an operator is signed in. */
export const openReports = signal(0);

/** Asks the server whose account is signed in; without an answer the last one stays. */
export async function loadOperatorRights(): Promise<void> {
  const { operator, open_reports } = await currentSession.getSession();
  isOperator.value = operator;
  openReports.value = open_reports ?? 0;
}
