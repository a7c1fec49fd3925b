import { accountTitle, isActing, keptAccounts } from '../kept-accounts.ts';
import { actingFor } from '../router.ts';
import { Face } from './face.tsx';

/** Beside a button that saves or sends for an account other than that of the person. */
export function ActingFace() {
  const account = actingFor === undefined ? undefined : keptAccounts.value?.find(isActing);
  if (!account) return null;
  const title = accountTitle(account);
  return (
    <span role="img" aria-label={title} title={title}>
      <Face url={account.avatar_url} name={account.display_name ?? ''} />
    </span>
  );
}
