import { listFormat } from '#contract/shared/intl-formats.ts';
import { listFailingConnections } from '#db/queries/connections.ts';
import type { OwnToDoReader } from '../define-feature.ts';

export const findFailingConnections: OwnToDoReader = async (db, { accountId }, t) => {
  const failing = await listFailingConnections(db, accountId);
  const [first] = failing;
  if (!first) return undefined;
  const about = { code: 'connectionsFailing', level: 'warning', count: failing.length } as const;
  if (failing.length > 1) {
    const title = t('{count} connections are failing', { count: failing.length });
    const text = listFormat(t.locale).format(failing.map(({ name }) => name));
    return { ...about, title, text, path: 'connections' };
  }
  const title = t('{connection} is failing', { connection: first.name });
  const text =
    first.disabled_reason === 'gone'
      ? t('Switched off: its address or token is no longer valid')
      : t('Messages are queued until it responds again.');
  return { ...about, title, text, path: `connections/${first.id}` };
};
