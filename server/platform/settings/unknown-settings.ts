import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { didYouMean, editDistance } from '../text/did-you-mean.ts';
import { Settings } from './config.ts';

/** For the command line, and for compose.yaml. */
const OTHER_PROGRAMS = /^(?:NAMEPLATE|POSTGRES|COMPOSE)_/;

/** One typo in this many letters still looks like a setting. */
const LETTERS_PER_TYPO = 4;

/**
 * A sentence for each variable in the file that is not a setting, and for each in the environment that
 * looks like a misspelled one. `PORT` and `HOST` are too short for that: many variables resemble them.
 */
export function explainUnknownSettings(env: NodeJS.ProcessEnv, file: string): string[] {
  const settings = Object.keys(Settings.shape);
  const inFile = existsSync(file) ? Object.keys(parseEnv(readFileSync(file, 'utf8'))) : [];
  const isMisspelled = (name: string) =>
    name.length > LETTERS_PER_TYPO &&
    settings.some(
      (setting) =>
        setting.length > LETTERS_PER_TYPO &&
        editDistance(name.toLowerCase(), setting.toLowerCase()) <=
          Math.min(2, Math.floor(name.length / LETTERS_PER_TYPO)),
    );
  return [...new Set([...inFile, ...Object.keys(env).filter(isMisspelled)])]
    .filter((name) => !settings.includes(name) && !OTHER_PROGRAMS.test(name))
    .map((name) => `${name} is not a setting and has no effect.${didYouMean(name, settings)}`);
}
