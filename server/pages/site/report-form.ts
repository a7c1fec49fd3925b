import { z } from 'zod';
import { LIMITS } from '#contract/limits.ts';
import { REPORT_REASONS, type ReportReason } from '#contract/report-reasons.ts';
import { limitedText } from '#contract/text.ts';
import type { NewReport } from '#db/queries/reports.ts';
import { type Html, html } from '#page/html.ts';

const SENTENCES = {
  reason: 'Choose what is wrong.',
  text: `This can be at most ${LIMITS.reportText.toLocaleString('en')} characters.`,
  email: 'Enter a whole email address, or none.',
};

type Field = keyof typeof SENTENCES;

const REASONS = Object.keys(REPORT_REASONS) as [ReportReason];

const Report = z.object({
  reason: z.enum(REASONS),
  text: limitedText(LIMITS.reportText, SENTENCES.text).transform((text) => text || null),
  email: z.union([z.literal('').transform(() => null), z.email().max(LIMITS.email)]),
});

/** A form as it was sent, and the fields that are wrong. */
interface Typed {
  values: Readonly<Record<Field, string>>;
  wrong: readonly Field[];
}

/** The form before anybody typed anything. */
export const UNTYPED: Typed = { values: { reason: '', text: '', email: '' }, wrong: [] };

/** Reads a form as browsers send it: a report, or what is wrong. */
export function readReport(body: string): { report: Omit<NewReport, 'name'> } | { typed: Typed } {
  const sent = new URLSearchParams(body);
  const value = (field: Field) => printable(sent.get(field) ?? '').trim();
  const values = { reason: value('reason'), text: value('text'), email: value('email') };
  const { success, data, error } = Report.safeParse(values);
  if (success) return { report: data };
  const wrong = new Set(error.issues.map(({ path }) => path[0] as Field));
  return { typed: { values, wrong: [...wrong] } };
}

/** Text without control characters but ends of lines. */
function printable(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(/[^\P{Cc}\n]/gu, ' ');
}

/** The form of a report, with what was typed and a sentence beside each field that is wrong. */
export function reportForm(page: string, { values, wrong }: Typed): Html {
  const problem = (field: Field) =>
    wrong.includes(field) && html`<p class="problem" id="${field}-problem">${SENTENCES[field]}</p>`;
  const marks = (field: Field) =>
    wrong.includes(field) && html` aria-invalid="true" aria-describedby="${field}-problem"`;
  const options = Object.entries(REPORT_REASONS).map(
    ([value, words]) =>
      html`<label class="option"
        ><input
          type="radio"
          name="reason"
          value="${value}"
          required
          ${values.reason === value && html` checked`}
        />${words}</label
      >`,
  );
  return html`<dl class="facts">
      <dt>Page</dt>
      <dd>${page}</dd>
    </dl>
    <form method="post">
      <fieldset${marks('reason')}>
        <legend>What is wrong?</legend>
        ${options} ${problem('reason')}
      </fieldset>
      <div>
        <label for="text">What should we know? <span class="muted">(optional)</span></label>
        <textarea id="text" name="text" maxlength="${LIMITS.reportText}"${marks('text')}>
${values.text}</textarea
        >
        ${problem('text')}
      </div>
      <div>
        <label for="email">Your email address <span class="muted">(optional)</span></label>
        <input
          id="email"
          name="email"
          type="email"
          autocomplete="email"
          maxlength="${LIMITS.email}"
          value="${values.email}"${marks('email')}
        />
        ${problem('email')}
        <p class="hint">Only for an answer. The owner of the page does not see it.</p>
      </div>
      <button class="primary">Send report</button>
    </form>`;
}
