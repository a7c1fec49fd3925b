import { routes } from '../api/routes.ts';
import { requireRecentLogin } from '../session.ts';
import { withErrorMessage } from './messages.tsx';

/** Downloads the response of a route that needs a recent login. */
export async function downloadFile(
  route:
    | 'account.exportAccount'
    | 'members.exportMember'
    | 'members.exportMembers'
    | 'server.exportBackup',
  query: Record<string, string> = {},
): Promise<void> {
  if (!(await withErrorMessage(requireRecentLogin()))) return;
  const [, path] = routes[route];
  const link = document.createElement('a');
  link.href = `${path}?${new URLSearchParams(query).toString()}`;
  // `download` keeps the browser from leaving the dashboard, which would lose unsaved changes.
  link.download = '';
  link.click();
}
