import { signal, useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { APIError } from '#client/errors.ts';
import { owner } from '#dashboard/api/api.ts';
import { errorMessage } from '#dashboard/api/error-message.ts';
import { FileInput } from '#dashboard/components/file-input.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { showError, withErrorMessage } from '#dashboard/components/messages.tsx';
import { ScreenHeader } from '#dashboard/components/screen-header.tsx';
import { Stepper } from '#dashboard/components/stepper.tsx';
import { isOn } from '#dashboard/facts.ts';
import { dashboardHref, navigate } from '#dashboard/router.ts';
import { canMailLoginLinks, forwardsMail } from '#dashboard/session.ts';
import { formatList, t } from '#dashboard/translate.ts';
import { showAccountForm } from '../members/create-kept-account.tsx';
import { MEMBERS_SCREEN } from '../members/labels.ts';
import { mailOptions, MailPreview } from '../messages/mail-preview.tsx';
import { SendBar } from '../messages/send-bar.tsx';
import { CheckedList } from './checked-list.tsx';
import { ChooseColumns, type ColumnField, COLUMN_LABELS } from './choose-columns.tsx';
import './invitations.css';
import { downloadCsv } from './download-csv.ts';
import { checkGroups, ListedGroups, listedGroups, saveGroups } from './listed-groups.tsx';
import {
  type CheckedMember,
  formatMemberList,
  type MemberColumn,
  readCsvFile,
} from './member-csv.ts';

/** Kept in the module, so that the list survives navigation to other screens. */
export const members = signal<readonly CheckedMember[]>([]);
/** Columns of the list as the user entered it. */
const columns = signal<readonly MemberColumn[]>([]);
/** Lines of the first people, whose cells the columns have as examples. */
const exampleLines = signal<readonly number[]>([]);
const isChoosingColumns = signal(false);
const listText = signal('');

const COLUMN_TITLES = t('name,email,display_name,forward_to_email').split(',');
const [NAME, EMAIL, DISPLAY_NAME, FORWARD_TO] = COLUMN_TITLES;

const EXAMPLE = forwardsMail
  ? `${COLUMN_TITLES.join(',')}
Hannah Boyle,hannah@example.com,hannah,
José Müller,jose@example.com,,
Elif Kaya,elif@example.com,elif,elif@example.org`
  : `${COLUMN_TITLES.slice(0, 3).join(',')}
Hannah Boyle,hannah@example.com,hannah
José Müller,jose@example.com,
Elif Kaya,elif@example.com,elif`;

async function checkAgain(changed: readonly (CheckedMember | null)[]): Promise<void> {
  const remaining = changed.filter((member) => member !== null);
  const list = formatMemberList(remaining);
  members.value =
    remaining.length > 0 ? (await owner.invitations.checkInvitations(list)).members : [];
  await checkGroups(members.peek());
}

/** Errors for which another choice of columns is the way out. */
const OTHER_COLUMNS_HELP = new Set([
  'memberColumnsMissing',
  'listedGroupTooLong',
  'groupLimitReached',
]);

async function checkList(fields?: ColumnField[]): Promise<void> {
  const list = { csv: listText.peek(), columns: fields };
  const result = await owner.invitations.checkInvitations(list);
  const isChoosing = fields?.length === 0;
  if (!isChoosing) await checkGroups(result.members, { isNew: true });
  columns.value = result.columns;
  exampleLines.value = result.members.slice(0, 3).map(({ line }) => line);
  isChoosingColumns.value = isChoosing;
  if (!isChoosing) members.value = result.members;
}

export function AddMembers() {
  const links = useSignal<string>();
  const hasList = members.value.length > 0;
  const listStep = hasList || isChoosingColumns.value ? 1 : 0;
  const ready = members.value.filter(({ state }) => state === 'ready');
  const send = async () => {
    const all = members.peek();
    if (ready.length > 0 && !(await invite())) return;
    if (listedGroups.peek() && !(await withErrorMessage(saveGroups(all)))) {
      // Who was invited now has an invitation, and the groups can be saved again.
      await withErrorMessage(checkAgain(all));
      return;
    }
    if (ready.length === 0) {
      members.value = [];
      listText.value = '';
      navigate('operator/members/groups');
    }
  };
  const invite = async () => {
    const result = await withErrorMessage(
      owner.invitations.createInvitations({
        ...formatMemberList(ready),
        mail: canMailLoginLinks,
        ...mailOptions.peek(),
      }),
    );
    if (!result) return false;
    members.value = [...members.value, ...result.skipped]
      .filter(({ state }) => state === 'problem')
      .toSorted((a, b) => a.line - b.line);
    if (members.value.length === 0) {
      listText.value = '';
      mailOptions.value = { ...mailOptions.peek(), sentence: null };
    }
    if (result.links_csv !== null) links.value = result.links_csv;
    else if (result.batch_id !== null)
      navigate(`operator/members/invitations?batch=${result.batch_id}`);
    return true;
  };
  return (
    <>
      <ScreenHeader title={t('Add members')} parent={MEMBERS_SCREEN}>
        <Stepper
          titles={[
            t('step|Paste'),
            t('step|Check'),
            canMailLoginLinks ? t('step|Send') : t('Links'),
          ]}
          step={links.value ? 2 : listStep}
        />
      </ScreenHeader>
      {links.value && <InvitationLinks csv={links.value} />}
      {isChoosingColumns.value ? (
        <ChooseColumns
          columns={columns.value}
          lines={exampleLines.value}
          onBack={() => (isChoosingColumns.value = false)}
          onChoose={(fields) => void withErrorMessage(checkList(fields))}
        />
      ) : hasList ? (
        <>
          <Columns />
          <CheckedList
            members={members.value}
            changeAll={(change) =>
              withErrorMessage(checkAgain(members.value.map((member) => change(member))))
            }
          >
            <ListedGroups column={formatList(titlesOf('groups'))} members={members.value} />
            {canMailLoginLinks && ready[0] && <MailPreview member={ready[0]} />}
          </CheckedList>
          <SendBar members={members.value} onBack={() => (members.value = [])} onSend={send} />
        </>
      ) : (
        !links.value && <ListInput />
      )}
    </>
  );
}

const titlesOf = (wanted: ColumnField) =>
  columns.value.filter(({ field }) => field === wanted).map(({ title }) => title);

function Columns() {
  const titles = (isUsed: boolean) =>
    columns.value.flatMap(({ field, title }) =>
      title !== '' && (field !== null) === isUsed ? [COLUMN_LABELS[title] ?? title] : [],
    );
  const used = titles(true);
  const unused = titles(false);
  return (
    <p class="hint">
      {t('Columns used: {columns}.', { columns: formatList(used) })}{' '}
      {unused.length > 0 && (
        <strong>{t('Not used: {columns}.', { columns: formatList(unused) })}</strong>
      )}{' '}
      <button type="button" class="link" onClick={() => (isChoosingColumns.value = true)}>
        {t('Choose columns')}
      </button>
    </p>
  );
}

function ListInput() {
  const problem = useSignal<string>();
  const isBusy = useSignal(false);
  const isDraggedOver = useSignal(false);
  const fileInput = useRef<HTMLInputElement>(null);
  const run = async (work: Promise<unknown>) => {
    isBusy.value = true;
    problem.value = undefined;
    await work.catch((error: unknown) => (problem.value = errorMessage(error)));
    isBusy.value = false;
  };
  const readFile = async (file: File | undefined) => {
    if (file) listText.value = await readCsvFile(file);
  };
  const check = () =>
    checkList().catch((error: unknown) => {
      if (!(error instanceof APIError) || !OTHER_COLUMNS_HELP.has(error.code ?? '')) throw error;
      if (error.code !== 'memberColumnsMissing') showError(errorMessage(error));
      return checkList([]);
    });
  return (
    <div class="main-and-side">
      <section
        class={isDraggedOver.value ? 'card invitation-drop active' : 'card invitation-drop'}
        onDragOver={(event) => {
          event.preventDefault();
          isDraggedOver.value = true;
        }}
        onDragLeave={() => (isDraggedOver.value = false)}
        onDrop={(event) => {
          event.preventDefault();
          isDraggedOver.value = false;
          void run(readFile(event.dataTransfer?.files[0]));
        }}
      >
        <h2>{t('Your list')}</h2>
        <p class="hint">
          {t(
            'Copy it from a spreadsheet and paste it, one person per line. Or drop a CSV file here.',
          )}{' '}
          {isOn('keepers') && (
            <button type="button" class="link" onClick={showAccountForm}>
              {t('Add an account for a club')}
            </button>
          )}
        </p>
        <textarea
          aria-label={t('List of members')}
          aria-invalid={problem.value !== undefined || undefined}
          spellcheck={false}
          placeholder={EXAMPLE}
          value={listText.value}
          onInput={({ currentTarget }) => {
            listText.value = currentTarget.value;
            problem.value = undefined;
          }}
        />
        <div role="alert">{problem.value && <p class="error">{problem.value}</p>}</div>
        <div class="row between">
          <div class="row">
            <button type="button" onClick={() => fileInput.current!.click()}>
              <Icon path={ICON_PATHS.upload} />
              {t('Choose a file')}
            </button>
            <FileInput
              inputRef={fileInput}
              accept=".csv,.tsv,.txt,text/csv"
              onFile={(file) => void run(readFile(file))}
            />
            <button
              type="button"
              class="quiet"
              onClick={() => downloadCsv(`${EXAMPLE}\n`, 'members.csv')}
            >
              <Icon path={ICON_PATHS.download} />
              {t('Example file')}
            </button>
          </div>
          <button
            type="button"
            class="primary"
            aria-busy={isBusy.value}
            disabled={listText.value.trim() === ''}
            onClick={() => void run(check())}
          >
            {t('Check the list')}
          </button>
        </div>
      </section>
      <ListHelp />
    </div>
  );
}

function ListHelp() {
  return (
    <div>
      <section class="card">
        <h2>{t('What can be in it')}</h2>
        <dl class="titled-values">
          <dt>
            <code>{EMAIL}</code>
          </dt>
          <dd>{t('Gets the invitation.')}</dd>
          <dt>
            <code>{NAME}</code>
          </dt>
          <dd>
            {t.rich(
              'What the mail calls the person. Can also be two columns, <first></first> and <last></last>.',
              {
                first: () => <code>{t('first_name')}</code>,
                last: () => <code>{t('last_name')}</code>,
              },
            )}
          </dd>
          <dt>
            <code>{DISPLAY_NAME}</code>
          </dt>
          <dd>{t('Leave it out and we suggest one. They can change it.')}</dd>
          {forwardsMail && (
            <>
              <dt>
                <code>{FORWARD_TO}</code>
              </dt>
              <dd>{t('Where their mail goes, if not to the same address.')}</dd>
            </>
          )}
          {isOn('groups') && (
            <>
              <dt>
                <code>{t('column|groups')}</code>
              </dt>
              <dd>{t('Groups that they join, such as Altos, Board.')}</dd>
            </>
          )}
        </dl>
        <p class="hint">
          {t(
            'The first line can name the columns, in any order. Only email is required. Lists from Outlook, Google Contacts, Thunderbird and club programs work as they are.',
          )}
        </p>
      </section>
      <section class="card">
        <h2>{t('No list?')}</h2>
        <p class="hint">{t('One link for everybody, with an end and a limit.')}</p>
        <a class="button" href={dashboardHref('operator/members/invitations?create=link')}>
          <Icon path={ICON_PATHS.qr} />
          {t('Create a group link')}
        </a>
      </section>
    </div>
  );
}

function InvitationLinks({ csv }: { csv: string }) {
  return (
    <section class="card shown-once">
      <h2>{t('The links are ready')}</h2>
      <p class="hint">
        {t(
          'This server sends no mail, so send each person their link yourself. Download the links now: they are not shown again.',
        )}
      </p>
      <div class="row">
        <button
          type="button"
          class="primary"
          onClick={() => downloadCsv(csv, 'invitation-links.csv')}
        >
          <Icon path={ICON_PATHS.download} />
          {t('Download links')}
        </button>
        <a class="button" href={dashboardHref('operator/members/invitations')}>
          {t('See invitations')}
        </a>
      </div>
    </section>
  );
}
