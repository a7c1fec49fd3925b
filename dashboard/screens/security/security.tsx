import { PageTitle } from '../../parts/page-title.tsx';
import { Leaving } from './leaving.tsx';
import { Passkeys } from './passkeys.tsx';
import { Sessions } from './sessions.tsx';

/** Who can get at the account, and how one leaves. */
export function Security() {
  return (
    <>
      <PageTitle title="Security" />
      <Passkeys />
      <Sessions />
      <Leaving />
    </>
  );
}
