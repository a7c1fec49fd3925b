import { useSignal } from '@preact/signals';
import { api } from '../../api/api.ts';
import { displayName } from '../../display-name.ts';
import { Icon } from '../../parts/icon.tsx';
import { LINES } from '../../parts/icon-lines.ts';
import { say, showing } from '../../parts/messages.tsx';
import { useLoaded } from '../../parts/use-loaded.ts';
import { addressOf } from '../../router.ts';
import { pagesUrl } from '../../session.ts';

/** Leads to the page as visitors see it; one that nobody sees yet is published. */
export function OpenPage() {
  const name = displayName.value;
  const status = useLoaded(() => api.site.getSiteStatus());
  const isBusy = useSignal(false);
  // Room for what comes.
  if (name === undefined || !status.value)
    return (
      <button type="button" class="unready" disabled>
        View page
        <Icon lines={LINES.open} />
      </button>
    );
  if (!name)
    return (
      <a class="button" href={addressOf('')}>
        Claim name
      </a>
    );
  if (status.value.enabled)
    return (
      <a class="button" href={`${pagesUrl}/@${name}`} target="_blank">
        View page
        <Icon lines={LINES.open} />
      </a>
    );
  const publish = async () => {
    isBusy.value = true;
    const answer = await showing(api.site.toggleSiteVisibility());
    isBusy.value = false;
    if (answer)
      say(answer.newStatus ? 'Your page is visible to everybody.' : 'Your page is hidden.');
    status.reload();
  };
  return (
    <button
      type="button"
      disabled={isBusy.value}
      title="Nobody can see your page yet"
      onClick={() => void publish()}
    >
      Publish page
    </button>
  );
}
