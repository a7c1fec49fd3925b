import { canUsePasskeys } from '../api/passkeys.ts';
import { CopyButton } from '../components/copy-button.tsx';
import { hasDeveloperTools } from '../current-account.ts';
import { currentAccountId, isLocalhost } from '../session.ts';
import { t } from '../translate.ts';

export function LoginLinkHelp() {
  const command = `npx nameplate login --account ${currentAccountId.value}`;
  const canRunCommands = isLocalhost && hasDeveloperTools.value;
  return (
    <details>
      <summary>{canUsePasskeys ? t('No passkey?') : t('Use a login link')}</summary>
      <p class="hint">
        {canRunCommands
          ? t('Create a login link on this machine with the command below.')
          : t('Ask the people who run this server for a login link.')}{' '}
        {t('Open it in this browser, sign in, and come back to this window.')}
      </p>
      {canRunCommands && (
        <div class="code">
          <code>{command}</code>
          <CopyButton text={command} label={t('Copy command')} isIconOnly />
        </div>
      )}
    </details>
  );
}
