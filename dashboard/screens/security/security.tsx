import { ScreenHeader } from '#dashboard/components/screen-header.tsx';
import { DeleteAccount } from './delete-account.tsx';
import { Identities } from './identities.tsx';
import { Passkeys } from './passkeys.tsx';
import { Sessions } from './sessions.tsx';
import './security.css';
import { routes } from '#dashboard/api/routes.ts';
import { ApiCall } from '#dashboard/components/api-call.tsx';
import { Icon } from '#dashboard/components/icon.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { withErrorMessage } from '#dashboard/components/messages.tsx';
import { requireRecentLogin } from '#dashboard/session.ts';

export function Security() {
  return (
    <>
      <ScreenHeader
        title="Security"
        subtitle="How you sign in, where you are signed in, and your data."
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

function ExportData() {
  const [, path] = routes['account.exportData'];
  const download = async () => {
    if (!(await withErrorMessage(requireRecentLogin()))) return;
    const link = document.createElement('a');
    link.href = path;
    // `download` keeps the browser from leaving the dashboard, which would lose unsaved changes.
    link.download = '';
    link.click();
  };
  return (
    <section class="card">
      <h2>Export your data</h2>
      <p class="muted">Your page, pictures, projects, metrics and events as one ZIP file.</p>
      <div class="actions">
        <button type="button" onClick={() => void download()}>
          <Icon path={ICON_PATHS.download} />
          Export all my data
        </button>
      </div>
      <ApiCall endpoint="account.exportData" />
    </section>
  );
}
