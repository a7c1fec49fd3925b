import { PageTitle } from '../../parts/page-title.tsx';
import { Leaving } from './leaving.tsx';
import { Passkeys } from './passkeys.tsx';
import { Sessions } from './sessions.tsx';

/** Who can get at the account, and how one leaves. */
export function Security() {
  return (
    <>
      <PageTitle
        title="Security"
        about="How you sign in, where you are signed in, and your data."
      />
      <Passkeys />
      <Sessions />
      <Leaving />
    </>
  );
}
