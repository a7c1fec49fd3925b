import { FORM_FIELD_TYPES } from '#contract/shared/blocks.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { cutText } from '#contract/shared/user-text.ts';
import { choiceOf, type Fields, flagOf, itemsOf, textOf } from './fields.ts';

export interface FormField {
  type: keyof typeof FORM_FIELD_TYPES;
  /** Different from those of the other fields. */
  label: string;
  options: readonly string[];
  isRequired: boolean;
}

/** An answer to a field. Of a tick box it is `yes` or empty. */
export interface FormAnswer extends Pick<FormField, 'type' | 'label'> {
  value: string;
}

/** The name of a field's input. By label, so that an edit of the form does not mix up answers. */
export function inputName({ label }: Pick<FormField, 'label'>): string {
  return `field: ${label}`;
}

/** As browsers send the text of an option. */
function toLine(text: string): string {
  return cutText(text.replace(/\s+/g, ' ').trim(), LIMITS.blockText);
}

/** The fields that a contact form adds to the message. A choice without options is left out. */
export function formFieldsOf(block: Fields): FormField[] {
  const labels = new Set<string>();
  return itemsOf(block, 'fields', LIMITS.formFields).flatMap((item): FormField[] => {
    const label = toLine(textOf(item, 'label') ?? '');
    const type = (choiceOf(item, 'type', FORM_FIELD_TYPES) ?? 'line') as FormField['type'];
    const lines = (textOf(item, 'options') ?? '').split('\n').map(toLine);
    const options = type === 'choice' ? [...new Set(lines.filter(Boolean))] : [];
    if (!label || labels.has(label) || (type === 'choice' && options.length === 0)) return [];
    labels.add(label);
    return [{ type, label, options, isRequired: flagOf(item, 'required') ?? false }];
  });
}
