import { owner } from '#dashboard/api/api.ts';
import { showMessage, withErrorMessage } from '#dashboard/components/messages.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { t } from '#dashboard/translate.ts';

const dateFormat = new Intl.DateTimeFormat(t.locale, { day: 'numeric', month: 'long' });

/** Lists the former names that redirect to the page. */
export function Redirects({ name }: { name: string }) {
  const redirects = useAsync(() => owner.account.listRedirects(), [name]);
  const formerNames = redirects.value?.redirects ?? [];
  if (formerNames.length === 0) return null;
  const stop = async () => {
    if (!(await withErrorMessage(owner.account.stopRedirects()))) return;
    showMessage(t('Your old address no longer redirects to your page.'));
    redirects.reload();
  };
  return (
    <p class="hint">
      {formerNames.map(({ display_name, expires_at }) => (
        <span key={display_name}>
          {t('@{name} redirects to your page until {date}.', {
            name: display_name,
            date: dateFormat.format(new Date(expires_at)),
          })}{' '}
        </span>
      ))}
      <button type="button" class="link" onClick={() => void stop()}>
        {t('Stop redirecting')}
      </button>
    </p>
  );
}
