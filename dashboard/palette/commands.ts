import { CONNECTION_KIND_LIST } from '#contract/shared/connection-kinds.ts';
import { displayUrl } from '#contract/shared/web-url.ts';
import { textOf } from '#page/fields.ts';
import { displayName } from '../display-name.ts';
import { ICON_PATHS } from '../components/icon-paths.ts';
import { showMessage, withErrorMessage } from '../components/messages.tsx';
import { navigate } from '../router.ts';
import { isDark, colorScheme } from '../color-scheme.ts';
import { hasDeveloperTools, isOperator } from '../current-account.ts';
import { blockRowText } from '../screens/page/block-row-text.ts';
import type { Block } from '../screens/page/site.ts';
import type { Member } from '../screens/operator/labels.ts';
import { listScreenGroups, type Screen, screens } from '../screens/screens.ts';
import { pagesUrl, signOut } from '../session.ts';
import { openRecentCalls } from '../shell/account-menu.tsx';
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

const CONNECTION_KEYWORDS = [
  ...CONNECTION_KIND_LIST,
  t('chat phone push notify notification email alert message'),
].join(' ');

/** Other words for a screen, by its path. */
const SCREEN_KEYWORDS: Readonly<Record<string, string>> = {
  visitors: t('statistics analytics views clicks'),
  mail: t('email address forwarding inbox'),
  settings: t('security sessions account export delete developer tools language'),
  domains: t('dns website'),
  metrics: t('projects charts alerts'),
  events: t('activity log history'),
  keys: t('api token ai mcp'),
  connections: CONNECTION_KEYWORDS,
  operator: t('admin setup storage backup restore'),
  'operator/members': t('users people accounts invitations login link'),
  'operator/reports': t('abuse spam'),
  'operator/appearance': t('logo color name'),
  'operator/legal': t('terms legal policy footer'),
};

/** The most useful actions first, then screens. A search prefers actions among equal matches. */
export function builtInCommands(): Command[] {
  const listedScreens = listScreenGroups().flatMap((group) => group.screens);
  return [...actionCommands(), ...listedScreens.map(screenCommand)];
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

function action(title: string, icon: string, run: () => void, keywords: string): Command {
  return { group: t('Actions'), title, icon, keywords, run };
}

function pageCommands(): Command[] {
  const name = displayName.value;
  if (!name) return [];
  const url = new URL(`/@${name}`, pagesUrl).href;
  const copyUrl = () =>
    void navigator.clipboard.writeText(url).then(
      () => showMessage(t('Copied {url}', { url })),
      () => showMessage(t('Your browser does not allow copying. Your page is at {url}', { url })),
    );
  return [
    action(
      t('Open my page'),
      ICON_PATHS.externalLink,
      () => window.open(url, '_blank', 'noopener'),
      t('view public visit site'),
    ),
    action(t('Copy the address of my page'), ICON_PATHS.copy, copyUrl, t('link url share')),
    action(
      t('Change name'),
      ICON_PATHS.edit,
      () => navigate('?rename'),
      t('rename username handle address'),
    ),
  ];
}

async function addLink(): Promise<void> {
  const { addLinkAndEdit } = await import('../screens/page/page.tsx');
  await addLinkAndEdit();
}

function actionCommands(): Command[] {
  const otherScheme = isDark() ? 'light' : 'dark';
  const goTo = (path: string) => () => navigate(path);
  return [
    action(
      t('Add link'),
      ICON_PATHS.plus,
      () => void withErrorMessage(addLink()),
      t('new block button url'),
    ),
    action(
      t('Change theme'),
      iconOf('operator/appearance'),
      goTo('page?design'),
      t('design colors font look template'),
    ),
    action(
      t('Versions'),
      ICON_PATHS.clock,
      goTo('page?versions'),
      t('history earlier restore undo'),
    ),
    ...pageCommands(),
    action(t('Add connection'), ICON_PATHS.link, goTo('connections/add'), CONNECTION_KEYWORDS),
    ...(isOperator.value
      ? [
          action(
            t('Invite members'),
            iconOf('operator/members'),
            goTo('operator/members/add'),
            t('add people users accounts invitation'),
          ),
        ]
      : []),
    ...(hasDeveloperTools.value
      ? [
          action(t('Create key'), ICON_PATHS.key, goTo('keys?create'), t('new api token secret')),
          action(
            t('Recent API calls'),
            ICON_PATHS.api,
            () => void openRecentCalls(),
            t('developer curl sdk requests'),
          ),
          {
            ...action(
              t('API reference'),
              ICON_PATHS.api,
              () => location.assign('/docs/'),
              t('docs documentation help'),
            ),
            isSearchOnly: true,
          },
        ]
      : []),
    ...[
      action(
        t('Add passkey'),
        ICON_PATHS.passkey,
        goTo('settings?passkey'),
        t('new fingerprint sign-in'),
      ),
      action(
        t('Publish or hide page'),
        ICON_PATHS.eye,
        goTo(''),
        t('visible visibility live public private unpublish'),
      ),
      action(
        otherScheme === 'light' ? t('Use light colors') : t('Use dark colors'),
        ICON_PATHS.contrast,
        () => (colorScheme.value = otherScheme),
        t('theme dark light mode night colors appearance'),
      ),
      ...(colorScheme.value === 'system'
        ? []
        : [
            action(
              t('Use system colors'),
              ICON_PATHS.contrast,
              () => (colorScheme.value = 'system'),
              t('theme automatic mode colors appearance'),
            ),
          ]),
      action(
        t('Sign out'),
        ICON_PATHS.signIn,
        () => void withErrorMessage(signOut()),
        t('log out leave'),
      ),
    ].map((command) => ({ ...command, isSearchOnly: true })),
  ];
}
