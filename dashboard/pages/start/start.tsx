import { api } from '../../api/api.ts';
import { ApiCall } from '../../parts/api-call.tsx';
import { showing } from '../../parts/messages.tsx';
import { PageTitle } from '../../parts/page-title.tsx';
import { Show } from '../../parts/states.tsx';
import { Switch } from '../../parts/switch.tsx';
import { useLoaded } from '../../parts/use-loaded.ts';

export function Start() {
  const status = useLoaded(() => api.site.getSiteStatus());
  const toggle = async () => {
    if (await showing(api.site.toggleSiteVisibility())) status.reload();
  };
  return (
    <>
      <PageTitle title="Start" />
      <section class="card">
        <h2>Visibility</h2>
        <Show loaded={status}>
          {({ enabled }) => (
            <Switch
              label={enabled ? 'Visible' : 'Hidden'}
              on={enabled}
              onSwitch={() => void toggle()}
            />
          )}
        </Show>
        <ApiCall endpoint="site.toggleSiteVisibility" />
      </section>
    </>
  );
}
