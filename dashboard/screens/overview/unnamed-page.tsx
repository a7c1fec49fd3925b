import { type NameCheck, NamePlate } from '#dashboard/components/name-field.tsx';
import { pagesUrl } from '#dashboard/session.ts';
import { t } from '#dashboard/translate.ts';

/** Sketch of a page with the typed name, shown until a name is claimed. */
export function UnnamedPage({
  input,
  nameCheck,
}: {
  input: string;
  nameCheck: NameCheck | undefined;
}) {
  return (
    <div class="unnamed" aria-hidden="true">
      <NamePlate input={input} nameCheck={nameCheck} />
      <p class="hint">
        {new URL(pagesUrl).host}/@{nameCheck?.display_name ?? t('your-name')}
      </p>
      <div class="sketch" />
    </div>
  );
}
