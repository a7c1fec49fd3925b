import { ICONS, NO_ICON, isIconName } from '#contract/icons.ts';
import { Field } from '#dashboard/parts/field.tsx';

const LIST_ID = 'icons';
const NONE_LABEL = 'None';
const namesByLabel = new Map(
  Object.entries(ICONS).map(([name, label]) => [label.toLowerCase(), name]),
);
const EMOJI_PATTERN = /^(?:\p{Extended_Pictographic}|\p{Emoji_Component})+$/u;

/** An icon by its label, from a list that the browser searches; or emoji. */
export function IconInput({
  value,
  onValue,
  ...props
}: {
  name: string;
  label: string;
  hint: string | undefined;
  value: string;
  onValue: (value: string) => void;
}) {
  const isKnown =
    value === '' || value === NO_ICON || isIconName(value) || EMOJI_PATTERN.test(value);
  return (
    <Field
      {...props}
      suggestions={LIST_ID}
      placeholder="Automatic"
      hint="From the list, or one to three emoji."
      value={value === NO_ICON ? NONE_LABEL : isIconName(value) ? ICONS[value] : value}
      flaw={isKnown ? undefined : `${props.label} is not in the list.`}
      onValue={(typed) =>
        onValue(typed === NONE_LABEL ? NO_ICON : (namesByLabel.get(typed.toLowerCase()) ?? typed))
      }
    />
  );
}

/** The icons that inputs offer; once for all of them. */
export function IconList() {
  return (
    <datalist id={LIST_ID}>
      {[NONE_LABEL, ...Object.values(ICONS)].map((label) => (
        <option key={label} value={label} />
      ))}
    </datalist>
  );
}
