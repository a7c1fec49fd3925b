import { signal } from '@preact/signals';
import { type ResponseOf, sessionApi, owner } from './api/api.ts';
import { isTimeZoneUnknown, timeZone } from './time-zones.ts';

/** Whether the current account is an operator. Undefined until it is loaded. */
export const isOperator = signal<boolean>();

/** Whether to show API calls, keys, metrics, events and connections. Undefined until it is loaded. */
export const hasDeveloperTools = signal<boolean>();

export type ToDo = ResponseOf<typeof sessionApi.getSession>['to_do'][number];

/** To-do items of the account, and of operators. */
export const toDo = signal<readonly ToDo[]>([]);

export function countToDo(code: ToDo['code']): number {
  return toDo.value.find((finding) => finding.code === code)?.count ?? 0;
}

/** Why an operator hides the page of the account. Null if none does. */
export const pageSuspensionReason = signal<string | null>(null);

/** Null until one is stored. */
export const accountTimeZone = signal<string | null>(null);

/** Changes when this tab has changed the setting, so that an older response does not undo that. */
let developerToolsVersion = 0;

export async function loadCurrentAccount(): Promise<ResponseOf<typeof sessionApi.getSession>> {
  const version = developerToolsVersion;
  const session = await sessionApi.getSession();
  const { operator, developer_tools } = session;
  pageSuspensionReason.value = session.page_suspension_reason;
  isOperator.value = operator;
  toDo.value = session.to_do;
  accountTimeZone.value = session.time_zone;
  if (version === developerToolsVersion) hasDeveloperTools.value = developer_tools;
  // The server may not know the zone. Then it is UTC, until another one is chosen in Settings.
  if (session.time_zone === null && !isTimeZoneUnknown)
    owner.account.updateTimeZone({ time_zone: timeZone }).catch(() => undefined);
  return session;
}

export async function updateDeveloperTools(enabled: boolean): Promise<void> {
  await owner.account.updateDeveloperTools({ developer_tools: enabled });
  developerToolsVersion += 1;
  hasDeveloperTools.value = enabled;
}
