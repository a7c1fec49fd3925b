import { type Signal, useSignal } from '@preact/signals';
import { NameplateError } from '../../../client/src/errors.ts';
import { owner } from '#dashboard/api/api.ts';
import { Code } from '#dashboard/components/code.tsx';
import { Dialog } from '#dashboard/components/dialog.tsx';
import { BoundField } from '#dashboard/components/field.tsx';
import { Form } from '#dashboard/components/form.tsx';
import { Icon } from '#dashboard/components/icon.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { showMessage } from '#dashboard/components/messages.tsx';
import { TimeAgo } from '#dashboard/components/time.tsx';
import { RequireRecentLogin } from '#dashboard/sign-in/require-recent-login.tsx';
import type { ServerState } from './labels.ts';

type Finding = ServerState['setup'][number];

const MARKS = {
  warning: ['server-mark warn', 'M8 4v5M8 11.8v.01'],
  ok: ['server-mark', ICON_PATHS.check],
  off: ['server-mark off', 'M5.5 8h5'],
} as const;
const LEVEL_NAMES = { warning: 'To do', ok: 'Done', off: 'Off' };

export function Setup({
  server,
  openCode,
  onCheck,
}: {
  server: ServerState;
  /** The finding whose solution is shown. */
  openCode: Signal<string | undefined>;
  onCheck: () => void;
}) {
  const isMailing = useSignal(false);
  return (
    <section class="card">
      <div class="card-head">
        <h2>Setup</h2>
        <button type="button" class="quiet" onClick={onCheck}>
          <Icon path={ICON_PATHS.refresh} />
          Check again
        </button>
      </div>
      <ul class="server-setup">
        {server.setup.map((finding) => (
          <FindingRow
            key={finding.code}
            finding={finding}
            lastBackupAt={server.last_backup_at}
            isOpen={openCode.value === finding.code}
            onToggle={() =>
              (openCode.value = openCode.peek() === finding.code ? undefined : finding.code)
            }
            onTestMail={() => (isMailing.value = true)}
          />
        ))}
      </ul>
      {isMailing.value && (
        <TestMailDialog
          ownEmail={server.own_email}
          onClose={() => {
            isMailing.value = false;
            onCheck();
          }}
        />
      )}
    </section>
  );
}

function FindingRow({
  finding: { code, level, title, value, text, fix, document: documentPath },
  lastBackupAt,
  isOpen,
  onToggle,
  onTestMail,
}: {
  finding: Finding;
  lastBackupAt: string | null;
  isOpen: boolean;
  onToggle: () => void;
  onTestMail: () => void;
}) {
  const [markClass, markPath] = MARKS[level as keyof typeof MARKS];
  const isEnvironment = fix !== null && /^[A-Z_]+=/.test(fix);
  return (
    <li id={code}>
      <span class={markClass}>
        <Icon path={markPath} />
      </span>
      <div>
        <h3>
          <span class="visually-hidden">{LEVEL_NAMES[level as keyof typeof LEVEL_NAMES]}: </span>
          {title}{' '}
          {title === 'Backup' && lastBackupAt ? (
            <span class="muted">
              <TimeAgo time={lastBackupAt} />
            </span>
          ) : (
            <span class="muted">{value ?? (level === 'off' && 'off')}</span>
          )}
        </h3>
        <p class="hint">{text}</p>
      </div>
      <div class="server-actions">
        {(code === 'mailSet' || code === 'mailFailing') && (
          <button type="button" class="quiet" onClick={onTestMail}>
            Send test mail
          </button>
        )}
        {(fix ?? documentPath) && (
          <button type="button" class="quiet" aria-expanded={isOpen} onClick={onToggle}>
            {level === 'off' ? 'Set up' : 'How to fix it'}
            <span class="visually-hidden"> ({title})</span>
          </button>
        )}
      </div>
      {isOpen && (
        <div class="server-solution">
          {fix !== null && (
            <>
              <p class="hint">
                {isEnvironment ? (
                  <>
                    Put this into <code>.env</code> and restart the server:
                  </>
                ) : (
                  'Run this on the server:'
                )}
              </p>
              <Code text={fix} label={`solution for ${title}`} />
            </>
          )}
          {documentPath !== null && (
            <p class="hint">
              Step by step: <code>{documentPath}</code> in the Nameplate folder.
            </p>
          )}
        </div>
      )}
    </li>
  );
}

function TestMailDialog({ ownEmail, onClose }: { ownEmail: string | null; onClose: () => void }) {
  const email = useSignal(ownEmail ?? '');
  return (
    <Dialog title="Send a test mail" onCancel={onClose}>
      <RequireRecentLogin onCancel={onClose}>
        <p>The mail is sent at once, and you see the answer of your mail server.</p>
        <Form
          fields={['email']}
          submitLabel="Send test mail"
          onCancel={onClose}
          onSubmit={async () => {
            const sent = await owner.operator.sendTestMail({ email: email.value.trim() });
            if (!sent.accepted)
              throw new NameplateError(
                `The mail server did not accept the mail (${sent.code}). Check SMTP_URL and MAIL_FROM.`,
              );
            showMessage(`Your mail server accepted the mail to ${sent.email}.`);
            onClose();
          }}
        >
          <BoundField signal={email} name="email" label="Send to" type="email" required />
        </Form>
      </RequireRecentLogin>
    </Dialog>
  );
}
