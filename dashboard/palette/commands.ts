import { displayName } from '../display-name.ts';
import { LINES } from '../parts/icon-lines.ts';
import { say, showing } from '../parts/messages.tsx';
import { go } from '../router.ts';
import { isDark, scheme } from '../scheme.ts';
import { isOperator } from '../operator-rights.ts';
import { isShown, screens } from '../screens/screens.ts';
import { pagesUrl, signOut } from '../session.ts';

/** Something to choose from the palette. */
export interface Command {
  group: 'Actions' | 'Go to' | 'Projects' | 'Keys';
  title: string;
  /** Further words that find it. */
  words?: string;
  /** Lines of its icon. */
  icon: string;
  /** Detail that tells it from others of its title. */
  hint?: string;
  run: () => void;
}

/** A project or a key, as the server lists it. */
interface Named {
  id: string;
  name: string;
}

const METRICS = screens.find(({ place }) => place === 'metrics')!.icon;

const SYSTEM_COLOURS: Command = {
  group: 'Actions',
  title: 'Use the colours of the system',
  words: 'theme automatic mode colors appearance',
  icon: LINES.contrast,
  run: () => (scheme.value = 'system'),
};

/** Commands of every account. */
export function fixedCommands(): Command[] {
  const shown = screens.filter((screen) => isShown(screen, isOperator.value));
  return [...shown.map(toScreen), ...pageCommands(), ...otherCommands()];
}

/** Commands for what the account has. */
export function ownCommands(projects: readonly Named[], keys: readonly Named[]): Command[] {
  return [
    ...projects.map(({ id, name }): Command => ({
      group: 'Projects',
      title: name,
      words: 'project metrics',
      icon: METRICS,
      run: () => go(`metrics/${id}`),
    })),
    ...keys.map(({ id, name }): Command => ({
      group: 'Keys',
      title: name,
      words: `key ${id}`,
      icon: LINES.key,
      ...(name !== id && { hint: id }),
      run: () => go('keys'),
    })),
  ];
}

function toScreen({ place, title, icon }: (typeof screens)[number]): Command {
  return { group: 'Go to', title, icon, words: 'screen', run: () => go(place) };
}

/** Commands for the public page, if there is one. */
function pageCommands(): Command[] {
  const name = displayName.value;
  if (!name) return [];
  const url = new URL(`/@${name}`, pagesUrl).href;
  return [
    {
      group: 'Actions',
      title: 'Open my page',
      words: 'view public visit site',
      icon: LINES.open,
      run: () => window.open(url, '_blank', 'noopener'),
    },
    {
      group: 'Actions',
      title: 'Copy the address of my page',
      words: 'link url share',
      icon: LINES.copy,
      run: () =>
        void navigator.clipboard.writeText(url).then(
          () => say(`Copied ${url}`),
          () => say(`Your browser does not allow copying. The address is ${url}`),
        ),
    },
  ];
}

function otherCommands(): Command[] {
  const other = isDark() ? 'light' : 'dark';
  return [
    {
      group: 'Actions',
      title: 'Create key',
      words: 'new api token secret',
      icon: LINES.key,
      run: () => go('keys?create'),
    },
    {
      group: 'Actions',
      title: 'Add passkey',
      words: 'new fingerprint sign-in security',
      icon: LINES.passkey,
      run: () => go('security?passkey'),
    },
    {
      group: 'Actions',
      title: `Use ${other} colours`,
      words: 'theme dark light mode night colors appearance',
      icon: LINES.contrast,
      run: () => (scheme.value = other),
    },
    ...(scheme.value === 'system' ? [] : [SYSTEM_COLOURS]),
    {
      group: 'Actions',
      title: 'API reference',
      words: 'docs documentation help',
      icon: LINES.api,
      run: () => location.assign('/docs/'),
    },
    {
      group: 'Actions',
      title: 'Sign out',
      words: 'log out leave',
      icon: LINES.signIn,
      run: () => void showing(signOut()),
    },
  ];
}
