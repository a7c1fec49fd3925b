import { resolve } from 'node:path';
import { DEFAULT_DATA_DIR } from '#db/embedded/data-folder.ts';
import type { Config } from './config.ts';

export type CommandSettings = Pick<Config, 'DATABASE_URL' | 'DATA_DIR'>;

/**
 * For the shell of the machine: the image, `compose.yaml` and the systemd unit set
 * `NAMEPLATE_COMMAND`. Otherwise includes `DATA_DIR`, because the reader's shell may not have the
 * server's settings.
 */
export function formatCommand(settings: CommandSettings, command: string): string {
  const { NAMEPLATE_COMMAND: program } = process.env;
  if (program) return `${program} ${command}`;
  return `${formatDataDir(settings)}npx nameplate ${command}`;
}

function formatDataDir({ DATABASE_URL: url, DATA_DIR: dataDir }: CommandSettings): string {
  if (url !== undefined || dataDir === DEFAULT_DATA_DIR) return '';
  return `DATA_DIR=${quotePath(resolve(dataDir))} `;
}

/** For a shell. */
export function quotePath(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}
