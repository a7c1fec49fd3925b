import { ICONS, NO_ICON, isIconName } from '#contract/shared/icons.ts';
import { Field, type FieldProps } from '#dashboard/components/field.tsx';
import { t } from '#dashboard/translate.ts';

const LIST_ID = 'icons';
const NONE_LABEL = t('icon|None');
const namesByLabel = new Map(
  Object.entries(ICONS).map(([name, label]) => [label.toLowerCase(), name]),
);
const EMOJI_PATTERN = /^[\p{Extended_Pictographic}\p{Emoji_Component}]+$/u;

/** Accepts the label of an icon, suggested from a datalist, or emoji. */
export function IconInput({
  value,
  onValue,
  ...props
}: Pick<FieldProps, 'name' | 'label' | 'hint' | 'value' | 'onValue'>) {
  const isValid =
    value === '' || value === NO_ICON || isIconName(value) || EMOJI_PATTERN.test(value);
  return (
    <Field
      {...props}
      suggestions={LIST_ID}
      placeholder={t('Automatic')}
      hint={t('Choose one from the list, or enter one to three emoji.')}
      value={value === NO_ICON ? NONE_LABEL : isIconName(value) ? ICONS[value] : value}
      error={isValid ? undefined : t('{label} is not in the list.', { label: props.label })}
      onValue={(text) =>
        onValue(text === NONE_LABEL ? NO_ICON : (namesByLabel.get(text.toLowerCase()) ?? text))
      }
    />
  );
}

export function IconList() {
  return (
    <datalist id={LIST_ID}>
      {[NONE_LABEL, ...Object.values(ICONS)].map((label) => (
        <option key={label} value={label} />
      ))}
    </datalist>
  );
}
