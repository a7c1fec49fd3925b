import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { didYouMean, editDistance } from '../text/did-you-mean.ts';
import { Settings } from './config.ts';

/** For the command line, and for compose.yaml. */
const OTHER_PROGRAMS = /^(?:NAMEPLATE|POSTGRES|COMPOSE)_/;

/** Many variables resemble shorter names, such as `PORT`. */
const MIN_LENGTH = 5;

/**
 * A sentence for each variable in the file that is not a setting, and for each in the environment that
 * is one typo away from a setting.
 */
export function explainUnknownSettings(env: NodeJS.ProcessEnv, file: string): string[] {
  const settings = Object.keys(Settings.shape);
  const inFile = existsSync(file) ? Object.keys(parseEnv(readFileSync(file, 'utf8'))) : [];
  const isMisspelled = (name: string) =>
    settings.some(
      (setting) =>
        Math.min(name.length, setting.length) >= MIN_LENGTH &&
        editDistance(name.toLowerCase(), setting.toLowerCase()) <= 1,
    );
  return [...new Set([...inFile, ...Object.keys(env).filter(isMisspelled)])]
    .filter((name) => !settings.includes(name) && !OTHER_PROGRAMS.test(name))
    .map((name) => `${name} is not a setting and has no effect.${didYouMean(name, settings)}`);
}
