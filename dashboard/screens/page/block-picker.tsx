import { useSignal } from '@preact/signals';
import { Fragment } from 'preact';
import { isWebUrl } from '#contract/shared/web-url.ts';
import { showDialog } from '#dashboard/components/dialog.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { hasDeveloperTools } from '#dashboard/current-account.ts';
import { t } from '#dashboard/translate.ts';
import { addBlock, hasRoom } from './block-actions.ts';
import { BlockDrawing } from './block-drawings.tsx';
import './block-picker.css';
import { DEVELOPER_KINDS, findKinds, groupKinds } from './kinds.ts';
import { usePageColors } from './page-colors.ts';
import { withScheme } from './web-address.ts';

/** Adds a block of the kind that the user picks, unless the page is full. */
export function openBlockPicker(index: number): void {
  if (!hasRoom()) return;
  void showDialog(t('Add a block'), (close) => (
    <BlockPicker
      onPick={(type, fields) => {
        close();
        addBlock(type, index, fields);
      }}
    />
  ));
}

/** Searchable gallery of block kinds. Enter in the search field adds the first match. */
function BlockPicker({
  onPick,
}: {
  onPick: (type: string, fields?: Readonly<Record<string, unknown>>) => void;
}) {
  const text = useSignal('');
  const search = text.value.trim();
  const { style } = usePageColors();
  const found = findKinds(text.value).filter(
    ({ type }) => hasDeveloperTools.value || !DEVELOPER_KINDS.has(type),
  );
  const addAsLink = () => {
    const url = withScheme(search);
    onPick('link', isWebUrl(url) ? { url } : { title: search });
  };
  return (
    <div class="block-picker scroller page-colors" style={style} onKeyDown={moveFocus}>
      <input
        type="search"
        autofocus
        aria-label={t('Search blocks')}
        placeholder={t('What would you like to show?')}
        value={text.value}
        onInput={(event) => (text.value = event.currentTarget.value)}
        onKeyDown={(event) => {
          // Enter also confirms a word of an input method, such as Japanese.
          if (event.key !== 'Enter' || event.isComposing) return;
          if (found[0]) onPick(found[0].type);
          else addAsLink();
        }}
      />
      <p class="visually-hidden" role="status">
        {search && t('{count} found.', { count: found.length })}
      </p>
      {found.length === 0 && (
        <button type="button" onClick={addAsLink}>
          <Icon path={ICON_PATHS.plus} />
          {t('Add “{search}” as a link', { search })}
        </button>
      )}
      {(search ? [['', found] as const] : groupKinds(found)).map(([heading, kinds], index) => (
        <Fragment key={heading}>
          {heading && <h3>{heading}</h3>}
          <ul class={search ? 'matches' : index === 0 ? 'favorites' : undefined}>
            {kinds.map(({ type, label, description }) => (
              <li key={type}>
                <button type="button" onClick={() => onPick(type)}>
                  <BlockDrawing type={type} />
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
    </div>
  );
}

const DIRECTIONS: Readonly<Record<string, readonly [right: number, down: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Moves the focus to the nearest control in the direction of an arrow key. */
function moveFocus(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  const current = event.target as HTMLElement;
  const direction = DIRECTIONS[event.key];
  if (!direction || (direction[0] && current instanceof HTMLInputElement)) return;
  event.preventDefault();
  const [right, down] = direction;
  const from = current.getBoundingClientRect();
  const [nearest] = [...event.currentTarget.querySelectorAll<HTMLElement>('input, button')]
    .map((control) => {
      const { left, top } = control.getBoundingClientRect();
      const x = left - from.left;
      const y = top - from.top;
      // Staying in the same column or row matters more than the distance.
      return {
        control,
        ahead: x * right + y * down,
        aside: Math.abs(x * down) + Math.abs(y * right),
      };
    })
    .filter(({ ahead, aside }) => ahead > 1 && (down !== 0 || aside < 1))
    .toSorted((a, b) => a.ahead + a.aside * 4 - (b.ahead + b.aside * 4));
  nearest?.control.focus();
}
