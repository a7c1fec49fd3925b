import { isOperator } from '../operator-rights.ts';

/** Explains how to turn on a missing feature: operators get a document, members ask the administrator. */
export function SetUp({ text, document }: { text: string; document: string }) {
  if (!isOperator.value) return <p class="muted">Ask your administrator to turn it on.</p>;
  return (
    <>
      <p class="muted">{text}</p>
      <p>
        <strong>Set it up:</strong> see <code>{document}</code> in the Nameplate folder.
      </p>
    </>
  );
}
