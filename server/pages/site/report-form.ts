import { z } from 'zod';
import { LIMITS } from '#contract/limits.ts';
import { REPORT_REASONS, reportReasonLabels } from '#contract/report-reasons.ts';
import { limitedText } from '#contract/text.ts';
import type { NewReport } from '#db/queries/reports.ts';
import { type Html, html } from '#page/html.ts';
import { translatorFor } from '#server/language.ts';

const FIELD_ERRORS = {
  reason: 'Choose what is wrong.',
  text: `This can be at most ${LIMITS.reportText.toLocaleString('en')} characters.`,
  email: 'Enter a whole email address, or none.',
};

type Field = keyof typeof FIELD_ERRORS;

const Report = z.object({
  reason: z.enum(REPORT_REASONS),
  text: limitedText(LIMITS.reportText, FIELD_ERRORS.text).transform((text) => text || null),
  email: z.union([z.literal('').transform(() => null), z.email().max(LIMITS.email)]),
});

interface FormState {
  values: Readonly<Record<Field, string>>;
  invalid: readonly Field[];
}

export const EMPTY_FORM: FormState = { values: { reason: '', text: '', email: '' }, invalid: [] };

export function parseReportForm(
  body: string,
): { report: Omit<NewReport, 'name'> } | { form: FormState } {
  const params = new URLSearchParams(body);
  const value = (field: Field) => replaceControlCharacters(params.get(field) ?? '').trim();
  const values = { reason: value('reason'), text: value('text'), email: value('email') };
  const { success, data, error } = Report.safeParse(values);
  if (success) return { report: data };
  const invalid = new Set(error.issues.map(({ path }) => path[0] as Field));
  return { form: { values, invalid: [...invalid] } };
}

function replaceControlCharacters(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(/[^\P{Cc}\n]/gu, ' ');
}

export function renderReportForm(page: string, { values, invalid }: FormState): Html {
  const errorFor = (field: Field) =>
    invalid.includes(field) &&
    html`<p class="problem" id="${field}-problem">${FIELD_ERRORS[field]}</p>`;
  const invalidAttributes = (field: Field) =>
    invalid.includes(field) && html` aria-invalid="true" aria-describedby="${field}-problem"`;
  const options = Object.entries(reportReasonLabels(translatorFor('en'))).map(
    ([value, label]) =>
      html`<label class="option"
        ><input
          type="radio"
          name="reason"
          value="${value}"
          required
          ${values.reason === value && html` checked`}
        />${label}</label
      >`,
  );
  return html`<dl class="facts">
      <dt>Page</dt>
      <dd>${page}</dd>
    </dl>
    <form method="post">
      <fieldset${invalidAttributes('reason')}>
        <legend>What is wrong?</legend>
        ${options} ${errorFor('reason')}
      </fieldset>
      <div>
        <label for="text">What should we know? <span class="muted">(optional)</span></label>
        <textarea id="text" name="text" maxlength="${LIMITS.reportText}"${invalidAttributes('text')}>
${values.text}</textarea
        >
        ${errorFor('text')}
      </div>
      <div>
        <label for="email">Your email address <span class="muted">(optional)</span></label>
        <input
          id="email"
          name="email"
          type="email"
          autocomplete="email"
          maxlength="${LIMITS.email}"
          value="${values.email}"${invalidAttributes('email')}
        />
        ${errorFor('email')}
        <p class="hint">Only so that we can reply. The owner of the page does not see it.</p>
      </div>
      <button class="primary">Send report</button>
    </form>`;
}
