import { useSignal } from '@preact/signals';
import { Fragment } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from '#dashboard/components/icon.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { hasDeveloperTools } from '#dashboard/current-account.ts';
import { t } from '#dashboard/translate.ts';
import { iconOfKind } from './kind-icons.ts';
import { DEVELOPER_KINDS, findKinds, groupKinds } from './kinds.ts';

/** Searchable list of block kinds. Enter in the search field adds the first match. */
export function BlockPicker({
  onPick,
  onClose,
}: {
  onPick: (type: string) => void;
  onClose: () => void;
}) {
  const search = useRef<HTMLInputElement>(null);
  const text = useSignal('');
  const found = findKinds(text.value).filter(
    ({ type }) => hasDeveloperTools.value || !DEVELOPER_KINDS.has(type),
  );
  useEffect(() => {
    search.current!.focus({ preventScroll: true });
    search.current!.closest('.block-picker')!.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <section
      class="block-picker"
      aria-label={t('Add a block')}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onClose();
      }}
    >
      <div class="card-head">
        <h3>{t('Add a block')}</h3>
        <button type="button" class="icon-button" aria-label={t('Close')} onClick={onClose}>
          <Icon path={ICON_PATHS.close} />
        </button>
      </div>
      <input
        ref={search}
        type="search"
        aria-label={t('Search blocks')}
        placeholder={t('Search')}
        value={text.value}
        onInput={(event) => (text.value = event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && found[0]) onPick(found[0].type);
        }}
      />
      <p class={found.length > 0 ? 'visually-hidden' : 'muted'} role="status">
        {text.value &&
          (found.length === 0
            ? t('No matching blocks.')
            : t('{count} found.', { count: found.length }))}
      </p>
      {(text.value ? [['', found] as const] : groupKinds(found)).map(([heading, kinds], index) => (
        <Fragment key={heading}>
          {heading && <h4>{heading}</h4>}
          <ul class={!text.value && index === 0 ? 'favorites' : undefined}>
            {kinds.map(({ type, label, description }) => (
              <li key={type}>
                <button type="button" onClick={() => onPick(type)}>
                  <span class="tile">
                    <Icon path={iconOfKind(type)} />
                  </span>
                  <span>
                    {label}
                    <small>{description}</small>
                  </span>
                </button>
              </li>
            ))}
          </ul>
        </Fragment>
      ))}
    </section>
  );
}
