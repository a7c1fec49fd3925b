import type { ConnectionKind } from '#contract/shared/connection-kinds.ts';
import { BRAND_ICONS } from '#contract/shared/icons.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { KINDS } from './kinds.ts';

/** The mark of the service, if there is one. */
export function KindIcon({ kind }: { kind: ConnectionKind }) {
  return Object.hasOwn(BRAND_ICONS, kind) ? (
    <img src={`/dashboard/icons/${kind}.svg`} width="18" height="18" alt="" />
  ) : (
    <Icon path={KINDS[kind].iconPath} />
  );
}
