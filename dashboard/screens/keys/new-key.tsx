import { useLayoutEffect, useRef } from 'preact/hooks';
import { Copy } from '../../parts/copy.tsx';
import { Icon } from '../../parts/icon.tsx';
import { LINES } from '../../parts/icon-lines.ts';
import type { MadeKey } from './create-key.tsx';

/** Shows the secret of a key that was just made, and forgets it when its owner has it. */
export function NewKey({ made: { label, secret }, onDone }: { made: MadeKey; onDone: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => heading.current?.focus(), [secret]);
  return (
    <section class="card new-key">
      <div class="row">
        <span class="tick done">
          <Icon lines={LINES.check} />
        </span>
        <h2 ref={heading} tabIndex={-1}>
          {label || 'Your key'} is ready
        </h2>
      </div>
      <div class="code">
        <code class="secret">{secret}</code>
        <Copy text={secret} label="Copy key" isMain />
      </div>
      <div class="row between">
        <p class="note">
          <Icon lines={LINES.warning} />
          Copy it now. This is the only time the key is shown.
        </p>
        <button type="button" onClick={onDone}>
          I saved it
        </button>
      </div>
    </section>
  );
}
