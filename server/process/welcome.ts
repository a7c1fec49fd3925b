import type { AddressInfo } from 'node:net';
import type { Services } from '#server/features/services.ts';
import type { OpenDatabase } from '../database.ts';
import { describeListeningAddress } from '../platform/settings/listening-address.ts';
import { exposedSettingsWarning } from '../platform/settings/start-failure.ts';
import { createFirstLogin, getLoginHints } from './first-start.ts';
import { printMessage } from './print-message.ts';

export async function printWelcome(
  { config, db, origin }: Services,
  { dataDir, description }: OpenDatabase,
  listening: AddressInfo,
): Promise<void> {
  const { address, otherAddressesNote } = describeListeningAddress(listening);
  printMessage(
    `Nameplate listens on ${address}${otherAddressesNote} and keeps its data in ${description}.`,
    `The API reference is at ${origin()}/docs.`,
  );
  const firstLogin =
    dataDir !== undefined &&
    (await createFirstLogin(db, {
      folder: dataDir,
      url: address,
      linkBaseUrl: origin(),
      settings: config,
    }));
  // A failed hint must not fail the start.
  const hints = firstLogin || (await getLoginHints(db, config).catch(() => undefined));
  if (hints) printMessage(...hints);
  const exposedWarning = exposedSettingsWarning('.env');
  if (exposedWarning) printMessage(exposedWarning);
  printMessage('Ready. Ctrl-C stops it.');
}
