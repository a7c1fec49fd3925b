import { PageTitle } from '../../parts/page-title.tsx';
import { DeleteAccount } from './delete-account.tsx';
import { ExportData } from './export-data.tsx';
import { Identities } from './identities.tsx';
import { Passkeys } from './passkeys.tsx';
import { Sessions } from './sessions.tsx';
import './security.css';

/** Who can get at the account, and how one leaves. */
export function Security() {
  return (
    <>
      <PageTitle
        title="Security"
        about="How you sign in, where you are signed in, and your data."
      />
      <Passkeys />
      <Identities />
      <Sessions />
      <div class="pair">
        <ExportData />
        <DeleteAccount />
      </div>
    </>
  );
}
