import { useSignal } from '@preact/signals';
import { Icon } from '../parts/icon.tsx';
import { LINES } from '../parts/icon-lines.ts';
import { showing } from '../parts/messages.tsx';
import { Popover } from '../parts/popover.tsx';
import { pagesUrl, signOut } from '../session.ts';

/** Who is signed in, and how to leave; without a name until one was chosen or is known. */
export function AccountMenu({
  name,
  picture,
}: {
  name: string | undefined;
  /** URL of the page's picture, if it has one. */
  picture: string | null | undefined;
}) {
  const broken = useSignal<string>();
  const shown = name === undefined ? '' : name ? `@${name}` : 'No name yet';
  return (
    <Popover
      buttonClass="who"
      label="Account"
      class="account-menu"
      button={
        <>
          {picture && broken.value !== picture ? (
            <img class="tile round" src={picture} alt="" onError={() => (broken.value = picture)} />
          ) : (
            <span class="tile round good">
              {name ? name[0]!.toUpperCase() : <Icon lines={LINES.user} />}
            </span>
          )}
          <span class="account-names">
            <strong>{shown}</strong>
            <span class="muted">{new URL(pagesUrl).host}</span>
          </span>
          <Icon lines={LINES.dots} />
          <span class="unseen">Account</span>
        </>
      }
    >
      {() => (
        <>
          <a class="button menu-item" href="/docs/">
            <Icon lines={LINES.api} />
            API reference
          </a>
          <button type="button" class="menu-item" onClick={() => void showing(signOut())}>
            <Icon lines={LINES.signIn} />
            Sign out
          </button>
        </>
      )}
    </Popover>
  );
}
