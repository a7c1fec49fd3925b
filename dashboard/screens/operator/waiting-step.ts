import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { t } from '#dashboard/translate.ts';

interface WaitingStep {
  iconPath: string;
  title: string;
  text: string;
  path: string;
  button: string;
}

export function waitingStep(count: number): WaitingStep {
  return {
    iconPath: ICON_PATHS.user,
    title: t('{count, plural, one {# person asks to join} other {# people ask to join}}', {
      count,
    }),
    text: t('Read what they write, and decide.'),
    path: 'operator/members/waiting',
    button: t('See who is waiting'),
  };
}
