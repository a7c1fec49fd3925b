import type { InstanceRow } from '#db/queries/instance.ts';
import type { Config } from '#server/platform/settings/config.ts';

/** Whether the list of members has those who were told and have not objected. */
export function listsUnlessObjected(
  { REGISTRATION }: Pick<Config, 'REGISTRATION'>,
  { directory, listing }: Pick<InstanceRow, 'directory' | 'listing'>,
): boolean {
  return REGISTRATION === 'invite' && directory !== 'off' && listing === 'unless_objected';
}
