import { NoDatabaseError } from '#db/embedded/private-database-error.ts';
import { explainDatabaseFailure, explainExposedSettings } from '#server/settings/start-failure.ts';
import { type Config, ConfigError, loadConfig } from '#server/settings/config.ts';
import type { OpenDatabase } from '#server/database.ts';
import { JobQueue } from '#server/jobs/job-queue.ts';
import { createForwarding } from '#server/features/forwarding/forwarding.ts';
import type { Finding } from '#server/features/forwarding/provider.ts';
import { openForCommand, silent } from '../open-database.ts';
import { checkAddress } from './check-address.ts';
import { checkDatabase, type CheckedDatabase } from './check-database.ts';
import { type Checked, error, warning } from './finding.ts';

const PARTS = ['settings', 'database', 'forwarding', 'address'] as const;
type Part = (typeof PARTS)[number];

/** Result of a check of everything that a server needs. */
export interface Check {
  /** Whether there is no finding of level `error`. */
  ok: boolean;
  /** Findings for people. */
  found: Record<Part, string>;
  findings: (Finding & { about: Part })[];
}

/** Looks at all that the settings name, changes nothing, and opens what `opened` closes. */
export async function runCheck(opened: AsyncDisposableStack): Promise<Check> {
  const settings = checkSettings();
  if (settings.config === undefined) {
    const unseen = { found: 'not checked', findings: [] };
    return join({ settings, database: unseen, forwarding: unseen, address: unseen });
  }
  const { config } = settings;
  const { database, ...checked } = await findDatabase(config, opened);
  return join({
    settings,
    database: checked,
    forwarding: await checkForwarding(config, checked.isUsable ? database : undefined, opened),
    address: await checkAddress(config),
  });
}

function checkSettings(): Checked & { config?: Config } {
  try {
    const config = loadConfig(process.env);
    const exposed = explainExposedSettings('.env');
    return {
      config,
      found: 'can be used',
      findings:
        exposed === undefined
          ? []
          : [warning(exposed, 'Do so, and change the secrets that could be read.')],
    };
  } catch (failure) {
    if (!(failure instanceof ConfigError)) throw failure;
    const problem = failure.message.replaceAll(/\s+/g, ' ');
    const fix = 'Change them in the environment or in .env; .env.example explains each.';
    return { found: 'cannot be used', findings: [error(problem, fix)] };
  }
}

/** The database, if it can be reached, and what came of looking at it. */
async function findDatabase(
  config: Config,
  opened: AsyncDisposableStack,
): Promise<CheckedDatabase & { database?: OpenDatabase }> {
  try {
    const database = await openForCommand(config, false);
    opened.defer(() => database.close());
    return { database, ...(await checkDatabase(config, database)) };
  } catch (failure) {
    const problem = explainDatabaseFailure(failure, config);
    if (problem === undefined) throw failure;
    if (failure instanceof NoDatabaseError)
      return {
        found: 'there is none yet',
        findings: [warning(problem, 'npm start makes it; or set DATABASE_URL.')],
        isUsable: false,
      };
    const fix = 'See "When it does not start" in docs/operations.md.';
    return { found: 'cannot be used', findings: [error(problem, fix)], isUsable: false };
  }
}

async function checkForwarding(
  config: Config,
  database: OpenDatabase | undefined,
  opened: AsyncDisposableStack,
): Promise<Checked> {
  const { EMAIL_FORWARDING_PROVIDER: provider, SMTP_URL } = config;
  const found = `${provider}, ${SMTP_URL === undefined ? 'without' : 'with'} a mail server`;
  if (database === undefined)
    return { found: `${found}: not checked without the database`, findings: [] };
  const { db, url } = database;
  const jobs = new JobQueue({ url, logger: silent });
  opened.defer(() => jobs.close());
  const forwarding = await createForwarding({ config, db, jobs, logger: silent });
  const { findings } = await forwarding.check();
  const { checkMail } = await import('#server/mail/check-mail.ts');
  return { found, findings: [...findings, ...(await checkMail(config, db))] };
}

function join(parts: Record<Part, Checked>): Check {
  const findings = PARTS.flatMap((about) =>
    parts[about].findings.map((finding) => ({ about, ...finding })),
  );
  const { settings, database, forwarding, address } = parts;
  return {
    ok: findings.every(({ level }) => level !== 'error'),
    found: {
      settings: settings.found,
      database: database.found,
      forwarding: forwarding.found,
      address: address.found,
    },
    findings,
  };
}
