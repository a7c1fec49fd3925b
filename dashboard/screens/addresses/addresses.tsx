import { useEffect } from 'preact/hooks';
import { owner } from '#dashboard/api/api.ts';
import { AsyncContent, Empty } from '#dashboard/components/async-content.tsx';
import { showFormDialog } from '#dashboard/components/form-dialog.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { Menu } from '#dashboard/components/menu.tsx';
import { showMessage, withErrorMessage } from '#dashboard/components/messages.tsx';
import { Notice } from '#dashboard/components/notice.tsx';
import { ScreenHeader } from '#dashboard/components/screen-header.tsx';
import { TimeAgo } from '#dashboard/components/time.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { usePolling } from '#dashboard/components/use-polling.ts';
import { visuallyHidden } from '#dashboard/components/visually-hidden.tsx';
import { loadCurrentAccount } from '#dashboard/current-account.ts';
import { readerName } from '#dashboard/display-name.ts';
import { dashboardHref } from '#dashboard/router.ts';
import { canMailLoginLinks } from '#dashboard/session.ts';
import { t } from '#dashboard/translate.ts';
import type { Group } from '../groups/group-form.tsx';
import { GroupDot } from '../groups/group-pill.tsx';
import { loadGroups } from '../groups/load-groups.ts';
import {
  type Address,
  type AddressList,
  READER_STATES,
  type Recipient,
} from '../members/labels.ts';
import { MAIL_PATH } from '../server/setup.tsx';
import { openAddressForm, toInput } from './address-form.tsx';

export function Addresses() {
  const list = useAsync(() => owner.addresses.listAddresses());
  const { value: groups = [] } = useAsync(loadGroups);
  const { addresses = [], recipient_limit = 0 } = list.value ?? {};
  const canWork = canMailLoginLinks && recipient_limit > 0;
  // Readers confirm, leave and come back by themselves.
  const isWaiting = addresses.some(({ recipients }) =>
    recipients.some(({ state }) => state === 'waiting'),
  );
  usePolling(isWaiting ? 'waiting' : 'background', list.poll);
  const unread = addresses.filter((address) => countActive(address) === 0).length;
  useEffect(() => {
    // The mark in the menu.
    if (list.value) loadCurrentAccount().catch(() => undefined);
  }, [unread]);
  return (
    <>
      <ScreenHeader
        title={t('Group addresses')}
        subtitle={t('One address, read by several people.')}
      >
        {(canWork || !list.value) && (
          <button
            type="button"
            class={canWork ? 'primary' : 'primary unready'}
            disabled={!canWork}
            onClick={() =>
              openAddressForm(list.value!, undefined, { groups, onSaved: list.reload })
            }
          >
            <Icon path={ICON_PATHS.plus} />
            {t('New address')}
          </button>
        )}
      </ScreenHeader>
      <AsyncContent state={list}>
        {(loaded) => (
          <>
            {!canMailLoginLinks && (
              <Notice
                title={t('This server sends no mail yet')}
                text={t(
                  'Readers confirm their address by mail. The server needs a mailbox to send from.',
                )}
              >
                <a class="button primary" href={dashboardHref(MAIL_PATH)}>
                  {t('Set up')}
                </a>
              </Notice>
            )}
            {loaded.recipient_limit === 0 && <NoForwarding />}
            {loaded.recipient_limit === 1 && (
              <Notice
                title={t('Your provider forwards to one inbox only')}
                text={t(
                  'Addresses with one reader work. For several, use ImprovMX, Forward Email or your own mail server.',
                )}
              />
            )}
            {(addresses.length > 0 || canWork) && (
              <section class="card">
                {addresses.length === 0 ? (
                  <Empty icon={ICON_PATHS.mail} title={t('No addresses yet')}>
                    <p class="muted">{t('Replies come from the person who writes them.')}</p>
                  </Empty>
                ) : (
                  <ul class="row-list">
                    {addresses.map((address) => (
                      <AddressRow
                        key={address.id}
                        address={address}
                        list={loaded}
                        groups={groups}
                        reload={list.reload}
                      />
                    ))}
                  </ul>
                )}
              </section>
            )}
          </>
        )}
      </AsyncContent>
    </>
  );
}

function NoForwarding() {
  return (
    <section class="card">
      <Empty icon={ICON_PATHS.mail} title={t('This server forwards no mail yet')}>
        <p class="muted">
          {t('Connect a mail provider, and several people can read one address.')}
        </p>
        {canMailLoginLinks && (
          <a class="button primary" href={dashboardHref('operator#forwardingOff')}>
            {t('Set up forwarding')}
          </a>
        )}
      </Empty>
    </section>
  );
}

interface RowProps {
  address: Address;
  list: AddressList;
  groups: readonly Group[];
  reload: () => void;
}

function AddressRow({ address, list, groups, reload }: RowProps) {
  const { name, email, recipients, last_error, next_try_at } = address;
  const host = email.split('@')[1];
  const { text, tone } = describeAddress(address, list.recipient_limit);
  const change = () => openAddressForm(list, address, { groups, onSaved: reload });
  const group = groups.find(({ id }) => id === address.group_id);
  return (
    <li class="row between">
      <div class="grow field">
        <div class="row">
          <p>
            <span class="strong">{name}</span>
            <span class="muted">@{host}</span>
          </p>
          <span class={`pill ${tone}`}>{text}</span>
        </div>
        {group && (
          <p class="hint">
            {t.rich('Everyone in <link>{group}</link> reads along.', {
              group: group.name,
              link: (children) => (
                <a href={dashboardHref(`operator/members?group=${group.id}`)}>{children}</a>
              ),
            })}
          </p>
        )}
        <div class="chips">
          {recipients.filter(isPresent).map((recipient) => (
            <span
              key={recipient.id}
              class={`pill ellipsis ${recipient.state === 'active' ? '' : 'warn'}`}
            >
              {group && recipient.by_group && <GroupDot color={group.color} />}
              <span class="ellipsis">{readerName(recipient)}</span>
              {group && ` · ${describeWays(recipient, group)}`}
              {recipient.state !== 'active' && ` · ${READER_STATES[recipient.state]}`}
            </span>
          ))}
        </div>
        <MissingReaders
          address={address}
          reload={reload}
          onCorrect={(corrected) =>
            openAddressForm(list, address, { groups, onSaved: reload, corrected })
          }
        />
        {countActive(address) === 0 && (
          <p class="hint">
            {t('Mail to it is refused.')}{' '}
            <button type="button" class="link" onClick={change}>
              {t('Choose readers')}
            </button>
          </p>
        )}
        {last_error !== null && (
          <p class="error">
            {last_error}{' '}
            {next_try_at !== null &&
              t.rich('The next attempt is <time></time>.', {
                time: () => <TimeAgo time={next_try_at} />,
              })}
          </p>
        )}
      </div>
      <Menu
        label={t('More for {name}', { name: email })}
        items={() => [
          { label: t('Change'), iconPath: ICON_PATHS.edit, run: change },
          {
            label: t('Delete'),
            iconPath: ICON_PATHS.close,
            isDangerous: true,
            run: () => deleteAddress(address, reload),
          },
        ]}
      />
    </li>
  );
}

function describeWays({ by_hand, by_group }: Recipient, { name }: Group): string {
  return [by_group && name, by_hand && t('By hand')].filter(Boolean).join(', ');
}

const isPresent = ({ state }: Recipient) => state !== 'left';

/** Readers who were deleted, left, or have not confirmed, and what an operator can do about each. */
function MissingReaders({
  address,
  reload,
  onCorrect,
}: Pick<RowProps, 'address' | 'reload'> & { onCorrect: (recipient: Recipient) => void }) {
  const { id: address_id, recipients } = address;
  const present = recipients.filter(isPresent);
  const leftCount = recipients.length - present.length;
  const keepOnly = async (kept: readonly Recipient[]) => {
    const byHand = kept.filter(({ by_hand }) => by_hand);
    const change = { address_id, recipients: byHand.map(toInput) };
    if (await withErrorMessage(owner.addresses.updateAddress(change))) reload();
  };
  return (
    <>
      {leftCount > 0 && (
        <p class="hint">
          {t(
            'The {count, plural, one {account of a reader was} other {accounts of # readers were}} deleted.',
            { count: leftCount },
          )}{' '}
          {canMailLoginLinks && t('A mail to all operators says who it was.')}{' '}
          {present.length > 0 && (
            <button type="button" class="link" onClick={() => void keepOnly(present)}>
              {t('OK')}
            </button>
          )}
        </p>
      )}
      {present
        .filter(({ state }) => ['waiting', 'failed', 'stopped'].includes(state))
        .map((recipient) => (
          <AskedRecipient
            key={recipient.id}
            recipient={recipient}
            reload={reload}
            onCorrect={() => onCorrect(recipient)}
            // Keep the last recipient: an address without recipients is not reported as unread.
            onRemove={
              present.length > 1
                ? () => keepOnly(present.filter((other) => other !== recipient))
                : undefined
            }
          />
        ))}
    </>
  );
}

function AskedRecipient({
  recipient,
  reload,
  onCorrect,
  onRemove,
}: {
  recipient: Recipient;
  reload: () => void;
  onCorrect: () => void;
  onRemove: (() => unknown) | undefined;
}) {
  const { id, account_id, email, state, asked_at } = recipient;
  const askAgain = async () => {
    if (!(await withErrorMessage(owner.addresses.sendConfirmation({ recipient_id: id })))) return;
    showMessage(t('A mail with a link is on its way to {email}.', { email: email! }));
    reload();
  };
  if (state === 'failed')
    return (
      <p class="hint">
        {email}: {t('The mail server refused the mail.')}{' '}
        <button type="button" class="link" onClick={onCorrect}>
          {t.rich('Correct<hidden> the address of {label}</hidden>', {
            label: email!,
            hidden: visuallyHidden,
          })}
        </button>
        {' · '}
        <button type="button" class="link" onClick={() => void askAgain()}>
          {t('Ask again')}
        </button>
      </p>
    );
  return (
    <p class="hint">
      {state === 'stopped'
        ? account_id === null
          ? t('{reader} left.', { reader: email! })
          : t('{reader} left, and can come back under Mail.', { reader: readerName(recipient) })
        : asked_at === null
          ? t('A mail with a link is on its way to {email}.', { email: email! })
          : t.rich('Asked {email} <time></time>.', {
              email: email!,
              time: () => <TimeAgo time={asked_at} />,
            })}{' '}
      {account_id === null && (
        <button type="button" class="link" onClick={() => void askAgain()}>
          {t('Ask again')}
        </button>
      )}
      {account_id === null && state === 'stopped' && onRemove && ' · '}
      {state === 'stopped' && onRemove && (
        <button type="button" class="link" onClick={onRemove}>
          {t.rich('Remove<hidden> {name}</hidden>', {
            name: readerName(recipient),
            hidden: visuallyHidden,
          })}
        </button>
      )}
    </p>
  );
}

function countActive({ recipients }: Address): number {
  return recipients.filter(({ state }) => state === 'active').length;
}

function describeAddress(address: Address, limit: number): { text: string; tone: string } {
  const { recipients, stage, last_error } = address;
  const total = recipients.filter(({ state }) => state !== 'left').length;
  const active = countActive(address);
  if (limit === 1 && active > 1) return { text: t('Not possible'), tone: 'bad' };
  if (last_error !== null) return { text: t('Failed'), tone: 'bad' };
  if (active === 0) return { text: t('No readers yet'), tone: 'warn' };
  if (stage === 'no provider') return { text: t('Off'), tone: 'warn' };
  if (stage !== 'settled') return { text: t('Updating…'), tone: '' };
  if (active < total)
    return { text: t('Reaches {active} of {total}', { active, total }), tone: 'warn' };
  return { text: t('Works'), tone: 'good live' };
}

function deleteAddress({ id: address_id, email }: Address, reload: () => void): void {
  void showFormDialog({
    title: t('Delete {name}?', { name: email }),
    text: t('Mail to it is refused afterwards. Its readers get a mail. You can create it again.'),
    submitLabel: t('Delete'),
    isDangerous: true,
    onSubmit: async () => {
      await owner.addresses.deleteAddress({ address_id });
      showMessage(t('Deleted {name}.', { name: email }));
      reload();
    },
  });
}
