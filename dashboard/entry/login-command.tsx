import { Copy } from '../parts/copy.tsx';
import { account } from '../session.ts';

/** Says how to get a login link from the command line, for whoever has neither key nor passkey at hand. */
export function LoginCommand() {
  const command = `npx nameplate login --account ${account.value}`;
  return (
    <details>
      <summary>No key or passkey at hand?</summary>
      <p class="hint">
        Whoever runs this server can create a login link with the command below. Open the link in
        this browser, sign in, and come back to this window.
      </p>
      <div class="code">
        <code>{command}</code>
        <Copy text={command} label="Copy command" isIcon />
      </div>
    </details>
  );
}
