import { fileApi } from '../api/api.ts';
import { routes } from '../api/routes.ts';
import { actingFor } from '../router.ts';
import { requireRecentLogin } from '../session.ts';
import { withErrorMessage } from './messages.tsx';

type FileRoute =
  | 'account.exportAccount'
  | 'members.exportMember'
  | 'members.exportMembers'
  | 'metrics.exportMetrics'
  | 'server.exportBackup'
  | 'visitors.exportVisitors';
type Query = Record<string, string>;

export async function downloadFile(route: FileRoute, query: Query = {}): Promise<void> {
  const path = `${routes[route][1]}?${new URLSearchParams(query).toString()}`;
  if (actingFor === undefined) saveAs(path);
  else await withErrorMessage(fetchFile(path));
}

/** For a route that needs a recent login. */
export async function downloadAfterLogin(route: FileRoute, query?: Query): Promise<void> {
  if (await withErrorMessage(requireRecentLogin())) await downloadFile(route, query);
}

/** Links send no headers, so that the file would be that of the person. */
async function fetchFile(path: string): Promise<void> {
  const response = await fileApi.request('GET', path).asResponse();
  const disposition = response.headers.get('content-disposition') ?? '';
  const url = URL.createObjectURL(await response.blob());
  saveAs(url, /filename="([^"]+)"/.exec(disposition)?.[1]);
  setTimeout(() => URL.revokeObjectURL(url));
}

function saveAs(href: string, name = ''): void {
  const link = document.createElement('a');
  link.href = href;
  // `download` keeps the browser from leaving the dashboard, which would lose unsaved changes.
  link.download = name;
  link.click();
}
