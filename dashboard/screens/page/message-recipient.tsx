import { owner } from '#dashboard/api/api.ts';
import { useAsync } from '#dashboard/components/use-async.ts';
import { dashboardHref } from '#dashboard/router.ts';
import { canMailLoginLinks } from '#dashboard/session.ts';
import { t } from '#dashboard/translate.ts';

/** Where messages of a contact form go, or why visitors do not see the form: with `isWarning`, only that. */
export function MessageRecipient({ isWarning = false }: { isWarning?: boolean }) {
  const forwarding = useAsync(() => owner.forwarding.getForwarding()).value;
  if (!canMailLoginLinks)
    return (
      <p class="panel bad">
        {t('Visitors do not see the contact form, because this server cannot send mail.')}
      </p>
    );
  if (!forwarding || (forwarding.confirmed && isWarning)) return null;
  if (forwarding.confirmed)
    return (
      <p class="panel">
        {t('Messages go to {email}. Visitors see that address when you reply.', {
          email: forwarding.email ?? '',
        })}
      </p>
    );
  return (
    <p class="panel bad">
      {t.rich(
        'Visitors do not see the contact form until you confirm an email address in <link>Settings</link>.',
        { link: (text) => <a href={dashboardHref('settings#email')}>{text}</a> },
      )}
    </p>
  );
}
