import type { SetupCode } from '#contract/owner/setup-finding.ts';
import { NoDatabaseError } from '#db/embedded/embedded-database-error.ts';
import { countUnconfirmedDestinations } from '#db/queries/confirmations.ts';
import type { Core } from '#server/core.ts';
import type { OpenDatabase } from '#server/database.ts';
import { createBackups } from '#server/features/backups/backups.ts';
import {
  listFeatureFindings,
  listFeatures,
  listFeatureToDo,
} from '#server/features/call-features.ts';
import type { AllFeatures } from '#server/features/define-feature.ts';
import { completeFindings, type Finding, type NewFinding } from '#server/features/finding.ts';
import { createForwarding } from '#server/features/forwarding/forwarding.ts';
import { loadVerifiedSecretBox } from '#server/features/setup/encryption-key.ts';
import { createSetup } from '#server/features/setup/setup.ts';
import { readStoredState } from '#server/features/setup/stored-state.ts';
import { createSignOn } from '#server/features/sign-on/sign-on.ts';
import { JobQueue } from '#server/platform/jobs/job-queue.ts';
import { MailServerStore } from '#server/platform/mail/mail-server-store.ts';
import { type Config, ConfigError, loadConfig } from '#server/platform/settings/config.ts';
import { formatCommand } from '#server/platform/settings/format-command.ts';
import {
  explainDatabaseFailure,
  exposedSettingsWarning,
} from '#server/platform/settings/start-failure.ts';
import { explainUnknownSettings } from '#server/platform/settings/unknown-settings.ts';
import { translatorFor } from '#server/platform/text/language.ts';
import { type Problem, toProblems } from '#server/platform/text/problem.ts';
import { openForCommand, silentLogger } from '../open-database.ts';
import { checkAddresses } from './check-address.ts';
import { checkDatabase } from './check-database.ts';

const MAIL_LOGIN_MS = 30_000;
const UNKNOWN_MAIL =
  'SMTP_URL is not set. Whether a mail server is connected is unknown until the database can be used.';

/** Checks for the command line only: a server does not need them, or they take too long. */
const AREAS = {
  settings: { title: 'Settings', document: '.env.example' },
  database: { title: 'Database', document: 'docs/operations.md' },
  address: { title: 'Address', document: 'docs/public-instance.md' },
  forwarding: { title: 'Receiving mail', document: 'docs/email-forwarding.md' },
} as const;

type Code = SetupCode | keyof typeof AREAS;

type CheckedApp = Pick<Core, 'config' | 'mailServers'>;

export interface Check {
  /** Whether no finding is an error. */
  ok: boolean;
  findings: Finding<Code>[];
}

/**
 * Changes nothing. Sends a test mail if `testMailTo` is given. `resources` closes what the check
 * opens.
 */
export async function runCheck(
  resources: AsyncDisposableStack,
  testMailTo?: string,
): Promise<Check> {
  const { config, problems: settingsProblems } = loadSettings();
  const findings = inArea('settings', settingsProblems);
  if (config) {
    const { opened, isUsable, value, problems } = await openDatabase(config, resources);
    const database = isUsable ? opened : undefined;
    const text = 'The database can be used.';
    if (problems.length === 0)
      findings.push({ code: 'database', level: 'ok', title: 'Database', value, text });
    findings.push(
      ...inArea('database', problems),
      ...inArea('address', await checkAddresses(config)),
    );
    const { secretBox, problem } = opened ? await loadVerifiedSecretBox(config, opened) : {};
    if (problem !== undefined)
      findings.push(...inArea('settings', [{ level: 'error', text: problem }]));
    const mailServers = new MailServerStore({ config, readDb: database?.readDb, secretBox });
    await mailServers.refresh().catch(() => undefined);
    if (database) {
      const app = { config, mailServers };
      findings.push(...inArea('forwarding', await checkForwarding(app, database, resources)));
    }
    const titles = new Set(findings.map(({ title }) => title));
    const setup = await checkSetup({ config, mailServers }, database, resources, testMailTo);
    findings.push(...setup.filter(({ level, title }) => level !== 'ok' || !titles.has(title)));
  }
  const ok = findings.every(({ level }) => level !== 'error');
  return { ok, findings: completeFindings(findings) };
}

function inArea(area: keyof typeof AREAS, problems: readonly Problem[]): NewFinding<Code>[] {
  return problems.map((problem) => ({ code: area, ...AREAS[area], ...problem }));
}

function loadSettings(): { config?: Config; problems: Problem[] } {
  const exposed = exposedSettingsWarning('.env');
  const unknown = explainUnknownSettings(process.env, '.env');
  const problems = toProblems('warning', {
    [`${exposed}. Then replace the secrets in it: others could read them.`]: exposed !== undefined,
    ...Object.fromEntries(unknown.map((text) => [text, true])),
  });
  try {
    const config = loadConfig(process.env);
    listFeatures(config);
    const text =
      'Remove REPLACE_ENCRYPTION_KEY after one start with a new key: it lets any other key in.';
    if (config.REPLACE_ENCRYPTION_KEY === 'true') problems.push({ level: 'warning', text });
    return { config, problems };
  } catch (failure) {
    if (!(failure instanceof ConfigError)) throw failure;
    problems.push({ level: 'error', text: failure.message.replaceAll(/\s+/g, ' ') });
    return { problems };
  }
}

async function openDatabase(
  config: Config,
  resources: AsyncDisposableStack,
): Promise<{
  opened?: OpenDatabase;
  isUsable?: boolean;
  value?: string;
  problems: Problem[];
}> {
  try {
    const opened = await openForCommand(config);
    resources.defer(() => opened.close());
    const { version, isUsable, problems } = await checkDatabase(config, opened);
    const value = `${opened.description}, version ${version}`;
    return { opened, isUsable, value, problems };
  } catch (failure) {
    const text = explainDatabaseFailure(failure, config);
    if (text === undefined) throw failure;
    if (!(failure instanceof NoDatabaseError)) return { problems: [{ level: 'error', text }] };
    const advice = 'Run npm start to create it, or set DATABASE_URL.';
    return { problems: [{ level: 'warning', text: `${text} ${advice}` }] };
  }
}

async function checkForwarding(
  { config, mailServers }: CheckedApp,
  { db, url }: OpenDatabase,
  resources: AsyncDisposableStack,
): Promise<Problem[]> {
  const jobs = new JobQueue({ url, logger: silentLogger });
  resources.defer(() => jobs.close());
  const forwarding = await createForwarding({ config, db, jobs, logger: silentLogger });
  const unconfirmed = !mailServers.current ? 0 : await countUnconfirmedDestinations(db);
  const waiting = `${unconfirmed} ${unconfirmed === 1 ? 'account waits' : 'accounts wait'}`;
  return [
    ...(await forwarding.check()),
    ...toProblems('warning', {
      [`${waiting} for confirmation of the address. The owner must follow the link in the mail. Turning forwarding on again sends another one.`]:
        unconfirmed > 0,
    }),
  ];
}

/** Returns what the dashboard shows. With `testMailTo`, a missing mail server is an error. */
async function checkSetup(
  { config, mailServers }: CheckedApp,
  database: OpenDatabase | undefined,
  resources: AsyncDisposableStack,
  testMailTo: string | undefined,
): Promise<NewFinding[]> {
  const signOn = createSignOn(config);
  if (signOn) resources.defer(signOn.close);
  const dataDir = config.DATABASE_URL === undefined ? config.DATA_DIR : undefined;
  const backups = createBackups({ config, databaseUrl: database?.url ?? '', dataDir });
  const services = { backups, config, mailServers, signOn };
  const on = listFeatures(config);
  const features: Pick<AllFeatures, 'listFindings' | 'listToDo'> = {
    listFindings: (stored, t) => listFeatureFindings(services, stored, t, on),
    listToDo: (db, t) => listFeatureToDo(services, db, t, on),
  };
  const setup = createSetup({ config, dataDir, features, mailServers }, MAIL_LOGIN_MS);
  const { PUBLIC_URL: publicUrl = '' } = config;
  if (database && mailServers.current && testMailTo !== undefined)
    await setup.sendTestMail(database.db, { to: testMailTo, publicUrl, language: 'en' });
  const stored = database && (await readStoredState(database.db, config, config.PUBLIC_URL));
  const findings = await setup.listFindings(translatorFor('en'), database?.db, stored);
  return findings.map((finding) => {
    if (finding.code === 'mailMissing') {
      const { text } = database ? finding : { text: UNKNOWN_MAIL };
      return { ...finding, text, level: testMailTo ? 'error' : finding.level };
    }
    if (finding.code !== 'forwardingFailing') return finding;
    return { ...finding, fix: formatCommand(config, 'forwarding.listAliases') };
  });
}
