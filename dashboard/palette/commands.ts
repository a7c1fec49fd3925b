import { CONNECTION_KIND_LIST } from '#contract/shared/connection-kinds.ts';
import { displayUrl } from '#contract/shared/web-url.ts';
import { textOf } from '#page/fields/fields.ts';
import { ICON_PATHS } from '../components/icon-paths.ts';
import { withErrorMessage } from '../components/messages.tsx';
import { navigate } from '../router.ts';
import { type ColorScheme, isDark, colorScheme } from '../color-scheme.ts';
import { blockRowText } from '../screens/page/block-row-text.ts';
import type { Block } from '../screens/page/site.ts';
import type { Member } from '../screens/operator/labels.ts';
import { listScreenGroups, type Screen, screens } from '../screens/screens.ts';
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

const iconOf = (path: string) => screens.find((screen) => screen.path === path)!.icon;

/** Other words for a screen, by its path. */
const SCREEN_KEYWORDS: Readonly<Record<string, string>> = {
  '': t('rename username handle address copy publish hide visibility unpublish'),
  page: t('add link block theme design versions history undo'),
  visitors: t('statistics analytics views clicks'),
  mail: t('email address forwarding inbox'),
  settings: t('security sessions passkey account export delete developer tools language'),
  domains: t('dns website'),
  metrics: t('projects charts alerts'),
  events: t('activity log history'),
  keys: t('api token ai mcp'),
  connections: [
    ...CONNECTION_KIND_LIST,
    t('chat phone push notify notification email alert message'),
  ].join(' '),
  operator: t('admin setup storage backup restore'),
  'operator/members': t('users people accounts waiting invitations login link'),
  'operator/reports': t('abuse spam'),
  'operator/appearance': t('logo color name'),
  'operator/legal': t('terms legal policy footer'),
};

export function builtInCommands(): Command[] {
  const listedScreens = listScreenGroups().flatMap((group) => group.screens);
  return [...listedScreens.map(screenCommand), ...colorCommands()];
}

export function accountCommands(
  projects: readonly { id: string; name: string }[],
  keys: readonly { id: string; label: string | null }[],
): Command[] {
  return [
    ...projects.map(({ id, name }): Command => ({
      group: t('Projects'),
      title: name,
      keywords: t('project metrics alerts'),
      icon: iconOf('metrics'),
      isSearchOnly: true,
      run: () => navigate(`metrics/${id}`),
    })),
    ...keys.map(({ id, label }): Command => ({
      group: t('Keys'),
      title: label ?? t('Unnamed key'),
      icon: ICON_PATHS.key,
      hint: id,
      isSearchOnly: true,
      run: () => navigate('keys'),
    })),
  ];
}

export function memberCommands(members: readonly Member[]): Command[] {
  return members.map(({ id: account_id, display_name, page_title }) => ({
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
  const { selectedId } = await import('../screens/page/page.tsx');
  selectedId.value = id;
  navigate('page');
}

function screenCommand({ path, title, icon }: Screen): Command {
  const keywords = SCREEN_KEYWORDS[path] ?? '';
  return { group: t('Go to'), title, icon, keywords, run: () => navigate(path) };
}

/** The only place where the colors of the dashboard are chosen. */
function colorCommands(): Command[] {
  const otherScheme = isDark() ? 'light' : 'dark';
  const command = (title: string, scheme: ColorScheme): Command => ({
    group: t('Settings'),
    title,
    icon: ICON_PATHS.contrast,
    keywords: t('theme automatic dark light mode night colors appearance'),
    isSearchOnly: true,
    run: () => (colorScheme.value = scheme),
  });
  return [
    command(otherScheme === 'light' ? t('Use light colors') : t('Use dark colors'), otherScheme),
    ...(colorScheme.value === 'system' ? [] : [command(t('Use system colors'), 'system')]),
  ];
}
