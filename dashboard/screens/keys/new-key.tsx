import { useLayoutEffect, useRef } from 'preact/hooks';
import { Copy } from '../../parts/copy.tsx';

/** Shows the secret of a key that was just made, and forgets it when its owner has it. */
export function NewKey({ secret, onDone }: { secret: string; onDone: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => heading.current?.focus(), [secret]);
  return (
    <section class="card">
      <h2 ref={heading} tabIndex={-1}>
        Copy your new key now
      </h2>
      <p>You will not see it again: the server stores only a hash.</p>
      <div class="row">
        <code class="secret">{secret}</code>
        <Copy text={secret} label="Copy key" />
      </div>
      <div class="actions">
        <button type="button" onClick={onDone}>
          Done
        </button>
      </div>
    </section>
  );
}
