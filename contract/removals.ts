import type { Contract } from './define-endpoints.ts';
import { DEPRECATIONS, REMOVED_IN } from './deprecations.ts';
import { ownerContract } from './owner/index.ts';

/** Says what replaces an operation (`area.operation`), an area or a command that no longer exists. */
export function removalOf(name: string): string | undefined {
  const [area = '', id = ''] = name.split('.');
  const operations = (ownerContract as Contract)[area];
  if (operations && id in operations) return undefined;
  const row = DEPRECATIONS.find(
    ({ names = [] }) => names.includes(name) || (!operations && names.includes(area)),
  );
  return row && `Removed in ${REMOVED_IN}: ${row.what}. ${row.instead}`;
}
