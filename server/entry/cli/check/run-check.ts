import { NoDatabaseError } from '#db/embedded/embedded-database-error.ts';
import {
  explainDatabaseFailure,
  exposedSettingsWarning,
} from '#server/platform/settings/start-failure.ts';
import { type Config, ConfigError, loadConfig } from '#server/platform/settings/config.ts';
import type { OpenDatabase } from '#server/database.ts';
import { JobQueue } from '#server/platform/jobs/job-queue.ts';
import { createForwarding } from '#server/features/forwarding/forwarding.ts';
import {
  errorFinding,
  type Finding,
  warningFinding,
} from '#server/features/forwarding/forwarding-provider.ts';
import { createSignOn } from '#server/features/sign-on/sign-on.ts';
import { explainSignOnError } from '#server/features/sign-on/sign-on-error.ts';
import { translatorFor } from '#server/platform/text/language.ts';
import { openForCommand, silentLogger } from '../open-database.ts';
import { checkAddress } from './check-address.ts';
import { checkDatabase, type DatabaseCheckResult } from './check-database.ts';
import type { CheckResult } from './check-result.ts';

const AREAS = ['settings', 'database', 'forwarding', 'address', 'sign-on'] as const;
type Area = (typeof AREAS)[number];

export interface Check {
  ok: boolean;
  summaries: Record<Area, string>;
  findings: (Finding & { area: Area })[];
}

/**
 * Changes nothing. Sends a test mail if `testMailTo` is given. `resources` closes what the check
 * opens.
 */
export async function runCheck(
  resources: AsyncDisposableStack,
  testMailTo?: string,
): Promise<Check> {
  const settings = checkSettings();
  if (settings.config === undefined) {
    const notChecked = { summary: 'not checked', findings: [] };
    return combine({
      ...{ settings, database: notChecked, forwarding: notChecked, address: notChecked },
      'sign-on': notChecked,
    });
  }
  const { config } = settings;
  const { database, ...checked } = await openAndCheckDatabase(config, resources);
  return combine({
    settings,
    database: checked,
    forwarding: await checkForwarding(config, {
      database: checked.isUsable ? database : undefined,
      opened: resources,
      testMailTo,
    }),
    address: await checkAddress(config),
    'sign-on': await checkSignOn(config, resources),
  });
}

function checkSettings(): CheckResult & { config?: Config } {
  try {
    const config = loadConfig(process.env);
    const exposed = exposedSettingsWarning('.env');
    return {
      config,
      summary: 'can be used',
      findings:
        exposed === undefined
          ? []
          : [warningFinding(exposed, 'Then replace the secrets in it: others could read them.')],
    };
  } catch (failure) {
    if (!(failure instanceof ConfigError)) throw failure;
    const problem = failure.message.replaceAll(/\s+/g, ' ');
    const fix = 'Correct the environment or .env. .env.example explains each setting.';
    return { summary: 'cannot be used', findings: [errorFinding(problem, fix)] };
  }
}

async function openAndCheckDatabase(
  config: Config,
  resources: AsyncDisposableStack,
): Promise<DatabaseCheckResult & { database?: OpenDatabase }> {
  try {
    const database = await openForCommand(config);
    resources.defer(() => database.close());
    return { database, ...(await checkDatabase(config, database)) };
  } catch (failure) {
    const problem = explainDatabaseFailure(failure, config);
    if (problem === undefined) throw failure;
    if (failure instanceof NoDatabaseError)
      return {
        summary: 'does not exist yet',
        findings: [warningFinding(problem, 'Run npm start to create it, or set DATABASE_URL.')],
        isUsable: false,
      };
    const fix = 'See "When it does not start" in docs/operations.md.';
    return { summary: 'cannot be used', findings: [errorFinding(problem, fix)], isUsable: false };
  }
}

async function checkForwarding(
  config: Config,
  {
    database,
    opened,
    testMailTo,
  }: {
    database: OpenDatabase | undefined;
    opened: AsyncDisposableStack;
    testMailTo: string | undefined;
  },
): Promise<CheckResult> {
  const { EMAIL_FORWARDING_PROVIDER: provider, SMTP_URL } = config;
  const description = `${provider}, ${SMTP_URL === undefined ? 'without' : 'with'} a mail server`;
  if (database === undefined)
    return { summary: `${description}: not checked without the database`, findings: [] };
  const { db, url } = database;
  const jobs = new JobQueue({ url, logger: silentLogger });
  opened.defer(() => jobs.close());
  const forwarding = await createForwarding({ config, db, jobs, logger: silentLogger });
  const findings = await forwarding.check();
  const { checkMail, sendTestMail } = await import('#server/features/mails/check-mail.ts');
  const mailFindings = await checkMail(config, db);
  if (testMailTo === undefined || mailFindings.some(({ level }) => level === 'error'))
    return { summary: description, findings: [...findings, ...mailFindings] };
  const testFindings = await sendTestMail(config, db, testMailTo);
  return {
    summary:
      testFindings.length === 0
        ? `${description}, which accepted a test mail to ${testMailTo}`
        : description,
    findings: [...findings, ...mailFindings, ...testFindings],
  };
}

async function checkSignOn(config: Config, opened: AsyncDisposableStack): Promise<CheckResult> {
  const signOn = createSignOn(config);
  if (!signOn) return { summary: 'off', findings: [] };
  opened.defer(signOn.close);
  const error = await signOn.provider.check();
  if (!error) return { summary: signOn.name, findings: [] };
  const finding = error.refusal === 'signOnUnavailable' ? warningFinding : errorFinding;
  const problem = explainSignOnError(translatorFor('en'), error, signOn.name);
  return { summary: signOn.name, findings: [finding(problem, 'See docs/single-sign-on.md.')] };
}

function combine(results: Record<Area, CheckResult>): Check {
  const findings = AREAS.flatMap((area) =>
    results[area].findings.map((finding) => ({ area, ...finding })),
  );
  const summaries = Object.fromEntries(AREAS.map((area) => [area, results[area].summary]));
  return {
    ok: findings.every(({ level }) => level !== 'error'),
    summaries: summaries as Check['summaries'],
    findings,
  };
}
