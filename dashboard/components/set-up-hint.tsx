import { isOperator } from '../current-account.ts';

export function SetUpHint({ text, docPath }: { text: string; docPath: string }) {
  if (!isOperator.value) return <p class="muted">Ask your administrator to set this up.</p>;
  return (
    <>
      <p class="muted">{text}</p>
      <p>
        <strong>Set it up:</strong> see <code>{docPath}</code> in the Nameplate folder.
      </p>
    </>
  );
}
