import { t } from '../translate.ts';
import { CopyButton } from './copy-button.tsx';

export function Code({ text, label }: { text: string; label: string }) {
  return (
    <div class="code">
      <pre tabIndex={0} role="group" aria-label={label}>
        {text}
      </pre>
      <CopyButton text={text} label={t('Copy {label}', { label })} isIconOnly />
    </div>
  );
}
