import { z } from 'zod';
import { LIMITS } from '#contract/shared/limits.ts';
import { REPORT_REASONS, reportReasonLabels } from '#contract/shared/report-reasons.ts';
import type { NewReport } from '#db/queries/reports.ts';
import { type Html, html } from '#page/html/html.ts';
import type { Translator } from '#translations/translator.ts';
import type { Form } from '../form.ts';

export const REPORT_FIELDS = { reason: 100, text: LIMITS.reportText, email: LIMITS.email };

type Field = keyof typeof REPORT_FIELDS;

const Report = z.object({
  reason: z.enum(REPORT_REASONS),
  text: z.string().transform((text) => text || null),
  email: z.union([z.literal('').transform(() => null), z.email()]),
});

interface FormState {
  values: Readonly<Record<Field, string>>;
  invalid: readonly Field[];
}

export const EMPTY_FORM: FormState = { values: { reason: '', text: '', email: '' }, invalid: [] };

export function checkReport({
  values,
  tooLong,
}: Form<Field>): { report: Omit<NewReport, 'name'> } | { form: FormState } {
  const { success, data, error } = Report.safeParse(values);
  if (success && tooLong.length === 0) return { report: data };
  const invalid = error?.issues.map(({ path }) => path[0] as Field) ?? [];
  return { form: { values, invalid: [...tooLong, ...invalid] } };
}

export function renderReportForm(
  pageAddress: string,
  { values, invalid }: FormState,
  t: Translator,
): Html {
  const errors: Record<Field, string> = {
    reason: t('Choose what is wrong.'),
    text: t('This can be at most {max, number} characters.', { max: LIMITS.reportText }),
    email: t('Enter a whole email address, or none.'),
  };
  const errorFor = (field: Field) =>
    invalid.includes(field) && html`<p class="error" id="${field}-problem">${errors[field]}</p>`;
  const invalidAttributes = (field: Field) =>
    invalid.includes(field) && html` aria-invalid="true" aria-describedby="${field}-problem"`;
  const options = Object.entries(reportReasonLabels(t)).map(
    ([value, label]) =>
      html`<label class="radio-card"
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
      <dt>${t('Page')}</dt>
      <dd>${pageAddress}</dd>
    </dl>
    <form method="post">
      <fieldset${invalidAttributes('reason')}>
        <legend class="label">${t('What is wrong?')}</legend>
        <div class="options">${options}</div>
        ${errorFor('reason')}
      </fieldset>
      <div class="field">
        <label for="text"
          >${t('What should we know?')} <span class="muted">${t('(optional)')}</span></label
        >
        <textarea id="text" name="text" rows="4" maxlength="${LIMITS.reportText}"${invalidAttributes('text')}>
${values.text}</textarea
        >
        ${errorFor('text')}
      </div>
      <div class="field">
        <label for="email"
          >${t('Your email address')} <span class="muted">${t('(optional)')}</span></label
        >
        <input
          id="email"
          name="email"
          type="email"
          autocomplete="email"
          maxlength="${LIMITS.email}"
          value="${values.email}"${invalidAttributes('email')}
        />
        ${errorFor('email')}
        <p class="hint">${t('Only so that we can reply. The owner of the page does not see it.')}</p>
      </div>
      <button class="primary">${t('Send report')}</button>
    </form>`;
}
