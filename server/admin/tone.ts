import { styleText } from 'node:util';

/** Text with a meaning, which is its colour where output is coloured. */
export interface Toned {
  text: string;
  tone: Tone;
}

type Tone = 'good' | 'warning' | 'bad';

const COLOURS = { good: 'green', warning: 'yellow', bad: 'red' } as const;

/** Meaning of the level of a finding. */
export const LEVEL_TONES = { error: 'bad', warning: 'warning' } as const;

/** Gives a text its meaning; null stays null. */
export function toned(tone: Tone, text: string | null): Toned | null {
  return text === null ? null : { tone, text };
}

/** Text in its colour, if standard output is a terminal and NO_COLOR is not set. */
export function coloured({ text, tone }: Toned): string {
  return styleText(COLOURS[tone], text);
}

/** An error in its colour, by the same rules for standard error. */
export function errorText(text: string): string {
  return styleText(COLOURS.bad, text, { stream: process.stderr });
}
