import { Copy } from '../parts/copy.tsx';
import { account, isOnServer } from '../session.ts';

/** Explains how to get a login link without a key or a passkey at hand. */
export function LoginCommand() {
  const command = `npx nameplate login --account ${account.value}`;
  return (
    <details>
      <summary>No key or passkey at hand?</summary>
      <p class="hint">
        {isOnServer
          ? 'Create a login link on this machine with the command below.'
          : 'Ask your administrator for a login link.'}{' '}
        Open it in this browser, sign in, and come back to this window.
      </p>
      {isOnServer && (
        <div class="code">
          <code>{command}</code>
          <Copy text={command} label="Copy command" isIcon />
        </div>
      )}
    </details>
  );
}
