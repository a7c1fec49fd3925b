import { Copy } from './copy.tsx';

/** Text to type or paste elsewhere, with a button that copies it. */
export function Code({ text, label }: { text: string; label: string }) {
  return (
    <div class="code">
      <pre tabIndex={0} aria-label={label}>
        {text}
      </pre>
      <Copy text={text} label={`Copy ${label}`} isIcon />
    </div>
  );
}
