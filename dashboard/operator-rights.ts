import { signal } from '@preact/signals';
import { sessionApi } from './api/api.ts';

/** Whether the current account is an operator. Undefined until it is loaded. */
export const isOperator = signal<boolean>();

/** Number of open page reports. Always 0 for members. */
export const openReportCount = signal(0);

export async function loadOperatorRights(): Promise<void> {
  const { operator, open_reports } = await sessionApi.getSession();
  isOperator.value = operator;
  openReportCount.value = open_reports ?? 0;
}
