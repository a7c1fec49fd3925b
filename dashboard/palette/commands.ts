import { displayUrl } from '#contract/web-url.ts';
import { textOf } from '#page/fields.ts';
import { displayName } from '../display-name.ts';
import { ICON_PATHS } from '../components/icon-paths.ts';
import { showMessage, withErrorMessage } from '../components/messages.tsx';
import { navigate } from '../router.ts';
import { isDark, colorScheme } from '../color-scheme.ts';
import { hasDeveloperTools } from '../current-account.ts';
import { blockRowText } from '../screens/page/block-row-text.ts';
import type { Block } from '../screens/page/site.ts';
import type { Account } from '../screens/operator/labels.ts';
import { listScreenGroups, type Screen, screens } from '../screens/screens.ts';
import { pagesUrl, signOut } from '../session.ts';
import { t } from '../translate.ts';

export interface Command {
  group: string;
  title: string;
  keywords?: string;
  icon: string;
  /** Distinguishes commands with the same title. */
  hint?: string;
  /** Whether to list the command only if it matches a search. */
  isSearchOnly?: boolean;
  run: () => void;
}

const METRICS_ICON = screens.find(({ path }) => path === 'metrics')!.icon;

const SYSTEM_COLORS_COMMAND: Command = {
  group: t('Actions'),
  title: t('Use system colors'),
  keywords: t('theme automatic mode colors appearance'),
  icon: ICON_PATHS.contrast,
  run: () => (colorScheme.value = 'system'),
};

export function builtInCommands(): Command[] {
  const listedScreens = listScreenGroups().flatMap((group) => group.screens);
  return [...listedScreens.map(screenCommand), ...pageCommands(), ...actionCommands()];
}

export function accountCommands(
  projects: readonly { id: string; name: string }[],
  keys: readonly { key_id: string; label: string | null }[],
): Command[] {
  return [
    ...projects.map(({ id, name }): Command => ({
      group: t('Projects'),
      title: name,
      keywords: t('project metrics'),
      icon: METRICS_ICON,
      isSearchOnly: true,
      run: () => navigate(`metrics/${id}`),
    })),
    ...keys.map(({ key_id: id, label }): Command => ({
      group: t('Keys'),
      title: label ?? t('Unnamed key'),
      icon: ICON_PATHS.key,
      hint: id,
      isSearchOnly: true,
      run: () => navigate('keys'),
    })),
  ];
}

export function memberCommands(accounts: readonly Account[]): Command[] {
  return accounts.map(({ account_id, display_name, page_title }) => ({
    group: t('Members'),
    title: page_title ?? (display_name ? `@${display_name}` : t('No name yet')),
    hint: page_title && display_name ? `@${display_name}` : '',
    icon: ICON_PATHS.user,
    run: () => navigate(`operator/members/${account_id}`),
  }));
}

/** Commands that open the form of a block. Page settings and blocks without text are left out. */
export function blockCommands(blocks: readonly Block[]): Command[] {
  return blocks.flatMap((block) => {
    const { title, note } = blockRowText(block);
    if (!note || block.type === 'page') return [];
    // A block without a text is listed by its kind.
    const isAddress = block.url !== undefined && title === displayUrl(block.url);
    return {
      group: t('Blocks'),
      title: isAddress ? note : title,
      hint: isAddress ? title : note,
      keywords: `${title} ${note} ${textOf(block, 'description') ?? ''}`,
      icon: ICON_PATHS.page,
      isSearchOnly: true,
      run: () => void withErrorMessage(openBlock(block.id)),
    };
  });
}

async function openBlock(id: string): Promise<void> {
  const { selectedId } = await import('../screens/page/block-actions.ts');
  selectedId.value = id;
  navigate('page');
}

function screenCommand({ path, ...screen }: Screen): Command {
  return { ...screen, group: t('Go to'), run: () => navigate(path) };
}

function pageCommands(): Command[] {
  const name = displayName.value;
  if (!name) return [];
  const url = new URL(`/@${name}`, pagesUrl).href;
  return [
    {
      group: t('Actions'),
      title: t('Open my page'),
      keywords: t('view public visit site'),
      icon: ICON_PATHS.open,
      run: () => window.open(url, '_blank', 'noopener'),
    },
    {
      group: t('Actions'),
      title: t('Copy the address of my page'),
      keywords: t('link url share'),
      icon: ICON_PATHS.copy,
      run: () =>
        void navigator.clipboard.writeText(url).then(
          () => showMessage(t('Copied {url}', { url })),
          () =>
            showMessage(t('Your browser does not allow copying. Your page is at {url}', { url })),
        ),
    },
  ];
}

const DEVELOPER_COMMANDS: readonly Command[] = [
  {
    group: t('Actions'),
    title: t('Create key'),
    keywords: t('new api token secret'),
    icon: ICON_PATHS.key,
    run: () => navigate('keys?create'),
  },
  {
    group: t('Actions'),
    title: t('API reference'),
    keywords: t('docs documentation help'),
    icon: ICON_PATHS.api,
    run: () => location.assign('/docs/'),
  },
];

function actionCommands(): Command[] {
  const otherScheme = isDark() ? 'light' : 'dark';
  return [
    ...(hasDeveloperTools.value ? DEVELOPER_COMMANDS : []),
    {
      group: t('Actions'),
      title: t('Add passkey'),
      keywords: t('new fingerprint sign-in security'),
      icon: ICON_PATHS.passkey,
      run: () => navigate('settings?passkey'),
    },
    {
      group: t('Actions'),
      title: otherScheme === 'light' ? t('Use light colors') : t('Use dark colors'),
      keywords: t('theme dark light mode night colors appearance'),
      icon: ICON_PATHS.contrast,
      run: () => (colorScheme.value = otherScheme),
    },
    ...(colorScheme.value === 'system' ? [] : [SYSTEM_COLORS_COMMAND]),
    {
      group: t('Actions'),
      title: t('Sign out'),
      keywords: t('log out leave'),
      icon: ICON_PATHS.signIn,
      run: () => void withErrorMessage(signOut()),
    },
  ];
}
