import { useSignal } from '@preact/signals';
import { canUsePasskeys, PASSKEY_EXPLANATION } from '#dashboard/api/passkeys.ts';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { hasDeveloperTools, toDo } from '#dashboard/current-account.ts';
import { OPERATOR_STEP, putOff, wasPutOff } from '#dashboard/put-off.ts';
import { dashboardHref } from '#dashboard/router.ts';
import { t } from '#dashboard/translate.ts';
import type { AccountSummary } from './load-summary.ts';

interface Step {
  /** Undefined if the step cannot be postponed. */
  name?: string;
  iconPath: string;
  title: string;
  text: string;
  path?: string;
  button?: string;
}

/** With fewer views, a day without clicks says little. */
const MIN_VIEWS = 20;

/** Hidden while there are to-do items, except for how to sign in again. */
export function NextStep({ state }: { state: AccountSummary }) {
  return findSteps(state).map((step) => <StepCard key={step.title} step={step} />);
}

function StepCard({ step: { name, iconPath, title, text, path, button } }: { step: Step }) {
  const isPutOff = useSignal(false);
  if (isPutOff.value) return null;
  const decline = () => {
    putOff(name!);
    isPutOff.value = true;
  };
  return (
    <section class="card next-step" aria-label={title}>
      <span class="tile tinted">
        <Icon path={iconPath} />
      </span>
      <div class="grow">
        <h2>{title}</h2>
        <p class="muted">{text}</p>
        <div class="row">
          {path !== undefined && (
            <a class="button" href={dashboardHref(path)}>
              {button}
            </a>
          )}
          {name !== undefined && (
            <button type="button" class="quiet" onClick={decline}>
              {t('Not now')}
            </button>
          )}
        </div>
      </div>
    </section>
  );
}

function findSteps(state: AccountSummary): Step[] {
  if (!state.canLogInAgain) return [signInStep()];
  if (toDo.value.length > 0) return [];
  return listSteps(state)
    .filter(({ name }) => !wasPutOff(name!))
    .slice(0, 1);
}

/** Most important first. */
function listSteps(state: AccountSummary): Step[] {
  const { visibility, hasPicture, projects, hasMetric, today } = state;
  const isVisible = visibility !== 'hidden';
  const steps: Step[] = [];
  if (state.isOperator)
    steps.push({
      name: OPERATOR_STEP,
      iconPath: ICON_PATHS.server,
      title: t('You are an operator'),
      text: t('Members, reports and the settings of this server are in your menu.'),
      path: 'operator',
      button: t('Your server'),
    });
  if (isVisible && !hasPicture)
    steps.push({
      name: 'picture',
      iconPath: ICON_PATHS.image,
      title: t('Add a picture'),
      text: t('It is the first thing that people recognize.'),
      path: 'page',
      button: t('Add picture'),
    });
  if (hasDeveloperTools.value && projects[0] && !hasMetric)
    steps.push({
      name: 'metric',
      iconPath: ICON_PATHS.api,
      title: t('“{name}” is waiting for its first number', { name: projects[0].name }),
      text: t('One line of curl sends it.'),
      path: `metrics/${projects[0].id}`,
      button: t('Show the line'),
    });
  if (isVisible && today.views >= MIN_VIEWS && today.clicks === 0)
    steps.push({
      name: 'links',
      iconPath: ICON_PATHS.link,
      title: t('Put your best link first'),
      text: t('No link was opened today. Move the one that visitors look for to the top.'),
      path: 'page',
      button: t('Edit page'),
    });
  return steps;
}

function signInStep(): Step {
  if (canUsePasskeys)
    return {
      iconPath: ICON_PATHS.passkey,
      title: t('Add a passkey to sign in again'),
      text: PASSKEY_EXPLANATION,
      path: 'settings?passkey',
      button: t('Add passkey'),
    };
  if (hasDeveloperTools.value)
    return {
      iconPath: ICON_PATHS.key,
      title: t('Create an API key to sign in again'),
      text: t(
        'Use it to sign in. Without it, only the people who run this server can give you access again.',
      ),
      path: 'keys',
      button: t('Create a key'),
    };
  return {
    iconPath: ICON_PATHS.key,
    title: t('Before you sign out'),
    text: t('To sign in again, you need a login link. Ask the people who run this server for one.'),
  };
}
