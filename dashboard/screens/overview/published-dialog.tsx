import { owner } from '#dashboard/api/api.ts';
import { CopyButton } from '#dashboard/components/copy-button.tsx';
import { showDialog } from '#dashboard/components/dialog.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { Address, QrCode, ShareButton } from '#dashboard/components/page-address.tsx';
import { Plate } from '#dashboard/components/plate.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { displayName } from '#dashboard/display-name.ts';
import { dashboardHref, navigate } from '#dashboard/router.ts';
import { pagesUrl } from '#dashboard/session.ts';
import { t } from '#dashboard/translate.ts';
import './overview.css';
import './published-dialog.css';

export function showPublishedDialog(): void {
  const name = displayName.peek()!;
  const banner = (
    <div class="hanging">
      <Plate>@{name}</Plate>
    </div>
  );
  void showDialog(
    t('Your page is live'),
    (close) => <Published name={name} onLeave={close} />,
    banner,
  );
}

function Published({ name, onLeave }: { name: string; onLeave: () => void }) {
  const url = `${pagesUrl}/@${name}`;
  const page = useAsync(() => owner.page.getPageVersion()).value;
  const forwarding = useAsync(() => owner.forwarding.getForwarding()).value;
  const isFormHidden =
    forwarding &&
    !forwarding.confirmed &&
    page?.blocks.some(({ type, enabled }) => type === 'contact_form' && enabled);
  const addPicture = () => {
    onLeave();
    navigate('page?profile');
  };
  return (
    <div class="published">
      <p class="muted">{t('Anyone with the address can see it now.')}</p>
      <div class="code copied-address">
        <Address name={name} />
        <CopyButton text={url} />
      </div>
      <div class="row ways">
        <QrCode url={url} />
        <ShareButton title={`@${name}`} url={url} />
        <a class="button primary" href={url} target="_blank" onClick={() => onLeave()}>
          {t('View page')}
          <Icon path={ICON_PATHS.externalLink} />
        </a>
      </div>
      {isFormHidden && (
        <p class="panel bad">
          {t.rich('Visitors do not see the contact form yet. <link>See why</link>', {
            link: (text) => <a href={dashboardHref('page')}>{text}</a>,
          })}
        </p>
      )}
      <p class="next-step">
        {page && !page.site.avatar_url && (
          <button type="button" class="link" onClick={addPicture}>
            {t('Next: add a profile picture')}
          </button>
        )}
      </p>
    </div>
  );
}
