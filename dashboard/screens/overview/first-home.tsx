import { useSignal } from '@preact/signals';
import { AsyncContent } from '#dashboard/components/async-content.tsx';
import { CopyButton } from '#dashboard/components/copy-button.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { withErrorMessage } from '#dashboard/components/messages.tsx';
import { Address } from '#dashboard/components/page-address.tsx';
import { Plate } from '#dashboard/components/plate.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { pageDraft } from '#dashboard/draft-storage.ts';
import { isOwner } from '#dashboard/kept-accounts.ts';
import { dashboardHref } from '#dashboard/router.ts';
import { pagesUrl } from '#dashboard/session.ts';
import { t } from '#dashboard/translate.ts';
import { describeMail } from './home-text.ts';
import type { AccountSummary } from './load-summary.ts';
import { useRename } from './use-rename.tsx';

const loadEditor = () => import('../page/page.tsx');

/** Home while a named page is unpublished and has no blocks. */
export function FirstHome({
  state: { name, forwarding },
  onChange,
}: {
  state: AccountSummary;
  onChange: () => void;
}) {
  const mailText = forwarding && describeMail(forwarding);
  const editor = useAsync(loadEditor);
  const [renameButton, renameDialog] = useRename(name, false, onChange);
  const isOpening = useSignal(false);
  const addLink = async () => {
    isOpening.value = true;
    await withErrorMessage(loadEditor().then(({ addLinkAndEdit }) => addLinkAndEdit()));
    isOpening.value = false;
  };
  const hasDraft = pageDraft.hasUnsavedChanges.value;
  return (
    <>
      <section class="card your-page first-home" aria-labelledby="first-home">
        <div class="wall" style={{ '--length': name.length }}>
          <Plate>@{name}</Plate>
        </div>
        <div class="facts">
          <h2 id="first-home">
            {isOwner.value ? t('@{name} is yours', { name }) : t('The page of @{name}', { name })}
          </h2>
          <p class="muted">
            {hasDraft
              ? t('You have unsaved changes.')
              : t('Add something, then publish. Until then, the page is hidden.')}
          </p>
          <div class="code copied-address">
            <Address name={name} />
            <CopyButton text={`${pagesUrl}/@${name}`} label={t('Copy address')} isIconOnly />
          </div>
          <div class="row">
            {hasDraft ? (
              <a class="button primary" href={dashboardHref('page')}>
                {t('Continue editing')}
              </a>
            ) : (
              <button
                type="button"
                class="primary"
                disabled={isOpening.value}
                onClick={() => void addLink()}
              >
                <Icon path={ICON_PATHS.plus} />
                {t('Add your first link')}
              </button>
            )}
            {renameButton}
          </div>
          {renameDialog}
          {mailText && (
            <p class="hint">
              {mailText} <a href={dashboardHref('mail')}>{t('Mail')}</a>
            </p>
          )}
        </div>
      </section>
      {!hasDraft && (
        <section class="card" aria-labelledby="templates">
          <h2 id="templates">{t('Or start from a template')}</h2>
          <AsyncContent state={editor}>{({ HomeTemplates }) => <HomeTemplates />}</AsyncContent>
        </section>
      )}
    </>
  );
}
