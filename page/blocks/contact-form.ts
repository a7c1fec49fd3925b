import { hasInternationalLocalPart } from '#contract/shared/ascii-email.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { type Fields, textOf } from '../fields/fields.ts';
import { type FormAnswer, type FormField, formFieldsOf, inputName } from '../fields/form-fields.ts';
import { titleOf, withOneStop } from '../head.ts';
import { type Html, html } from '../html/html.ts';
import { renderIcon } from '../icons/icon.ts';
import type { Locale } from '../locale.ts';
import type { MessageResponse, PublicSite, RenderContext } from '../public-site.ts';
import type { RenderBlock } from './block.ts';

type FormContext = Pick<RenderContext, 'url' | 'messageResponse'> & { locale: Locale };

/** A field that people do not see, so only programs fill it in. */
export const TRAP_FIELD = 'topic';

export function hasContactForm(site: PublicSite): boolean {
  return findContactForm(site) !== undefined;
}

/** The form with this id, or else the first one. Undefined if visitors see none. */
export function findContactForm({ takesMessages, blocks }: PublicSite, id?: string) {
  const forms = takesMessages ? blocks.filter(({ type }) => type === 'contact_form') : [];
  return forms.find((form) => form.id === id) ?? forms[0];
}

export const renderContactForm: RenderBlock = (block, site, context) =>
  site.takesMessages ? renderForm(block, site, context) : undefined;

/** What a visitor sees after sending the form: a copy of the message, or the form with the problem. */
export function renderMessageResponse(
  site: PublicSite,
  context: FormContext & { messageResponse: MessageResponse },
): Html {
  const { t } = context.locale;
  const { problem, values, form } = context.messageResponse;
  const block = findContactForm(site, form);
  if (problem && block)
    return html`<div class="answer">
      <h1 class="long">${t('Not sent')}</h1>
      ${renderForm(block, site, context)}
    </div>`;
  return html`<div class="answer">
    <svg class="i tick" viewBox="0 0 24 24" aria-hidden="true"><path d="M20 6 9 17l-5-5" /></svg>
    <h1 class="long">${t('Sent')}</h1>
    <p class="bio">
      ${withOneStop(t('Your message is on its way to {title}.', { title: titleOf(site) }))}
    </p>
    <blockquote class="copy">
      <p class="plain" dir="auto">${values.message}</p>
      ${values.answers.map(renderAnswer)}
      <small>${values.name && html`<bdi>${values.name}</bdi>, `}<bdi>${values.email}</bdi></small>
    </blockquote>
    <a class="send" href="${new URL(context.url).pathname}">${t('Back to the page')}</a>
  </div>`;
}

function renderAnswer({ type, label, value }: FormAnswer): Html | undefined {
  if (value === '') return undefined;
  return html`<p dir="auto">${label}: <bdi>${type === 'tick' ? '✓' : value}</bdi></p>`;
}

function describeProblem(
  problem: NonNullable<MessageResponse['problem']>,
  locale: Locale,
  email: string,
): string {
  if (typeof problem === 'string') return problemTexts(locale, email)[problem];
  const field = problem.label;
  return problem.isMissing
    ? locale.t('“{field}” is missing.', { field })
    : locale.t('Check “{field}”.', { field });
}

function problemTexts(locale: Locale, email: string) {
  const { t } = locale;
  return {
    email: hasInternationalLocalPart(email)
      ? t('Only letters from a to z, digits and signs work before the @.')
      : t('Enter your whole email address.'),
    message: t('Write a message of at most {max} characters.', {
      max: locale.formatNumber(LIMITS.visitorMessage, {}),
    }),
    limit: t('Too many messages were sent. Try again later.'),
  };
}

const NO_RESPONSE: MessageResponse = {
  form: '',
  values: { name: '', email: '', message: '', answers: [] },
};

interface FieldState {
  value: string;
  invalid: Html | false;
  t: Locale['t'];
}

function renderField(field: FormField, { value, invalid, t }: FieldState): Html {
  const { type, options, isRequired } = field;
  const isPlain = isRequired || type === 'tick';
  const label = isPlain ? field.label : t('{field} (optional)', { field: field.label });
  const attributes = html`name="${inputName(field)}"${isRequired && html` required`}${invalid}`;
  const text = html`<span dir="auto">${label}</span>`;
  if (type === 'tick')
    return html`<label class="check"
      ><input type="checkbox" value="yes" ${attributes}${value && html` checked`} />${text}</label
    >`;
  if (type === 'choice')
    return html`<label
      >${text}<select ${attributes}>
        <option value=""></option>
        ${options.map(
          (option) => html`<option${option === value && html` selected`}>${option}</option>`,
        )}
      </select></label
    >`;
  return html`<label
    >${text}<input
      ${type === 'number' ? html`type="number" step="any"` : html`dir="auto"`}
      value="${value}"
      maxlength="${LIMITS.blockText}"
      ${attributes}
  /></label>`;
}

function renderForm(
  block: Fields,
  site: PublicSite,
  { url, messageResponse, locale }: FormContext,
): Html {
  const { t } = locale;
  const title = textOf(block, 'title');
  const id = String(block['id']);
  const { problem, values } = messageResponse?.form === id ? messageResponse : NO_RESPONSE;
  const invalidIf = (isInvalid: boolean) =>
    isInvalid && html` aria-invalid="true" aria-describedby="problem"`;
  const fields = formFieldsOf(block).map((field) =>
    renderField(field, {
      value: values.answers.find(({ label }) => label === field.label)?.value ?? '',
      invalid: invalidIf(typeof problem === 'object' && problem.label === field.label),
      t,
    }),
  );
  return html`<form class="card write" method="post" action="${new URL(`${url}/message`).pathname}">
    ${title && html`<h2 dir="auto">${title}</h2>`}
    ${problem && html`<p class="problem" id="problem" role="alert">${describeProblem(problem, locale, values.email)}</p>`}
    <input type="hidden" name="form" value="${id}" />
    <div>
      <label
        >${t('Your name (optional)')}<input
          name="name"
          value="${values.name}"
          autocomplete="name"
          maxlength="${LIMITS.visitorName}"
          dir="auto"
      /></label>
      <label
        >${t('Your email address')}<input
          name="email"
          type="email"
          value="${values.email}"
          autocomplete="email"
          maxlength="${LIMITS.email}"
          required
          ${invalidIf(problem === 'email')}
      /></label>
      ${fields}
    </div>
    <label
      >${t('Message')}<textarea
        name="message"
        rows="4"
        maxlength="${LIMITS.visitorMessage}"
        required
        dir="auto"
        ${invalidIf(problem === 'message')}
      >
${values.message}</textarea>
    </label>
    <label class="trap" aria-hidden="true"
      >${t('Leave this empty')}<input name="${TRAP_FIELD}" tabindex="-1" autocomplete="off"
    /></label>
    <p>
      <button class="send">
        ${renderIcon('send')}<span>${textOf(block, 'button') ?? t('Send')}</span></button
      ><small
        >${withOneStop(t('Your message and your address go to {title} by email.', { title: titleOf(site) }))}</small
      >
    </p>
  </form>`;
}
