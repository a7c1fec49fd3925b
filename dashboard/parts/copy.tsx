import { useSignal } from '@preact/signals';
import { Icon } from './icon.tsx';
import { LINES } from './icon-lines.ts';
import { say } from './messages.tsx';

/** Copies a text; where the browser does not let a page do so, says how. */
export function Copy({
  text,
  label = 'Copy',
  isIcon = false,
  isMain = false,
}: {
  text: string;
  label?: string;
  /** Whether it is an icon alone, which the label names. */
  isIcon?: boolean;
  /** Whether it is the one thing to do next. */
  isMain?: boolean;
}) {
  const isCopied = useSignal(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      isCopied.value = true;
      setTimeout(() => (isCopied.value = false), 2_000);
    } catch {
      say('Your browser does not allow copying: select the text and press Ctrl+C.');
    }
  };
  return (
    <button
      type="button"
      class={isIcon ? 'icon-button' : isMain ? 'primary' : undefined}
      onClick={() => void copy()}
    >
      <Icon lines={isCopied.value ? LINES.check : LINES.copy} />
      <span class={isIcon ? 'unseen' : undefined}>{isCopied.value ? 'Copied' : label}</span>
    </button>
  );
}
