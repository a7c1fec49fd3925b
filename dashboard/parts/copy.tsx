import { useSignal } from '@preact/signals';
import { say } from './messages.tsx';

/** Copies a text; where the browser does not let a page do so, says how. */
export function Copy({ text, label = 'Copy' }: { text: string; label?: string }) {
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
    <button type="button" class="small" onClick={() => void copy()}>
      {isCopied.value ? 'Copied' : label}
    </button>
  );
}
