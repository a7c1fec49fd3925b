import { CopyButton } from '../components/copy-button.tsx';
import { hasDeveloperTools } from '../current-account.ts';
import { currentAccountId, isLocalhost } from '../session.ts';

export function LoginLinkHelp() {
  const command = `npx nameplate login --account ${currentAccountId.value}`;
  const canRunCommands = isLocalhost && hasDeveloperTools.value;
  return (
    <details>
      <summary>No passkey?</summary>
      <p class="hint">
        {canRunCommands
          ? 'Create a login link on this machine with the command below.'
          : 'Ask your administrator for a login link.'}{' '}
        Open it in this browser, sign in, and come back to this window.
      </p>
      {canRunCommands && (
        <div class="code">
          <code>{command}</code>
          <CopyButton text={command} label="Copy command" isIconOnly />
        </div>
      )}
    </details>
  );
}
