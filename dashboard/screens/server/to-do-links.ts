import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { t } from '#dashboard/translate.ts';

/** Adds a passkey or an address. */
export const LOGIN_PATH = 'settings#email';

/** Where an operator does what a finding asks for. */
export const TO_DO_LINKS: Readonly<Record<string, readonly [path: string, label: string]>> = {
  applicationsWaiting: ['operator/members/waiting', t('See who is waiting')],
  reportsOpen: ['operator/reports', t('View reports')],
  membersLeft: ['operator/members?state=left_group', t('View members')],
  operatorAlone: [LOGIN_PATH, t('Add a way in')],
  loginSingle: [LOGIN_PATH, t('Add one')],
  instanceUnnamed: ['operator/appearance', t('Set up')],
  legalTextsMissing: ['operator/legal', t('Write them')],
  membersMissing: ['operator/members/add', t('Invite')],
  groupAddressUnread: ['operator/addresses', t('Choose readers')],
};

const ICONS: readonly (readonly [codes: RegExp, iconPath: string])[] = [
  [/^alerts/, ICON_PATHS.bell],
  [/^membersMissing/, ICON_PATHS.send],
  [/^applications|^membersLeft|^keeper/, ICON_PATHS.user],
  [/^reports/, ICON_PATHS.flag],
  [/^operator|^login/, ICON_PATHS.passkey],
  [/^mail|^groupAddress|^inbox/, ICON_PATHS.mail],
  [/^forwarding|^instance/, ICON_PATHS.name],
  [/^legal/, ICON_PATHS.page],
  [/^domains|^connections/, ICON_PATHS.link],
  [/^signOn|^encryption/, ICON_PATHS.key],
  [/^backup/, ICON_PATHS.server],
  [/^/, ICON_PATHS.globe],
];

export function findingIcon(code: string): string {
  return ICONS.find(([codes]) => codes.test(code))![1];
}
