import { isOperator } from '../operator-rights.ts';

/** How something that is off on this server is turned on: a document for operators, a person for members. */
export function SetUp({ text, document }: { text: string; document: string }) {
  if (!isOperator.value) return <p class="muted">Ask your administrator to turn it on.</p>;
  return (
    <>
      <p class="muted">{text}</p>
      <p>
        <strong>Set it up:</strong> <code>{document}</code> in the folder of Nameplate says how.
      </p>
    </>
  );
}
