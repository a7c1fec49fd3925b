import { api } from '../../api/api.ts';
import { say, showing } from '../../parts/messages.tsx';

/** Shows or hides the page, and says which. */
export async function toggleVisibility(onChange: () => void): Promise<void> {
  const answer = await showing(api.site.toggleSiteVisibility());
  if (!answer) return;
  say(answer.newStatus ? 'Your page is live.' : 'Your page is hidden.');
  onChange();
}
