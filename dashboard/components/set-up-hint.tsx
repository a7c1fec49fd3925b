import { isOperator } from '../current-account.ts';
import { t } from '../translate.ts';

export function SetUpHint({ text, docPath }: { text: string; docPath: string }) {
  if (!isOperator.value) return <p class="muted">{t('Ask your administrator to set this up.')}</p>;
  return (
    <>
      <p class="muted">{text}</p>
      <p>
        {t.rich('<strong>Set it up:</strong> see <file></file> in the Nameplate folder.', {
          strong: (children) => <strong>{children}</strong>,
          file: () => <code>{docPath}</code>,
        })}
      </p>
    </>
  );
}
