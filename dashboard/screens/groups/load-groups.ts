import { owner } from '#dashboard/api/api.ts';
import { isOn } from '#dashboard/facts.ts';
import type { Group } from './group-form.tsx';

/** None where the server leaves groups out. */
export async function loadGroups(): Promise<readonly Group[]> {
  return isOn('groups') ? (await owner.groups.listGroups()).groups : [];
}
