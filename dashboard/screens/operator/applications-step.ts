import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { t } from '#dashboard/translate.ts';

interface ApplicationsStep {
  iconPath: string;
  title: string;
  text: string;
  path: string;
  button: string;
}

export function applicationsStep(count: number): ApplicationsStep {
  return {
    iconPath: ICON_PATHS.user,
    title: t('{count, plural, one {# person asks to join} other {# people ask to join}}', {
      count,
    }),
    text: t('Read what they write, and decide.'),
    path: 'operator/members/applications',
    button: t('View applications'),
  };
}
