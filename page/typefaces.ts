import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { FONT_FAMILIES } from '#contract/fonts.ts';

/** The part for its script of a typeface whose other parts repeat Latin letters. */
const SCRIPTS: Readonly<Record<string, string>> = {
  'noto-sans-arabic': 'arabic',
  'noto-sans-hebrew': 'hebrew',
};

/** A part of a typeface: a file, and the characters that it is for, as in CSS. */
export interface Face {
  file: string;
  range: string;
}

/** Families of ours among those that an owner names. */
export function ownFamilies(families: string): string[] {
  const named = new Set(families.split(',').map((name) => keyOfFamily(name.trim())));
  return FONT_FAMILIES.filter((family) => named.has(keyOfFamily(family)));
}

/** The name of a family's package. */
export function keyOfFamily(family: string): string {
  return family.toLowerCase().replaceAll(' ', '-');
}

const known = new Map<string, Record<string, string>>();

/** The parts of a typeface by their names, each with the characters that it is for. */
function partsOf(key: string): Record<string, string> {
  const parts =
    known.get(key) ??
    (JSON.parse(readFileSync(fileOf(key, 'unicode.json'), 'utf8')) as Record<string, string>);
  known.set(key, parts);
  return parts;
}

/** Which faces of a typeface are wanted: all parts without slant unless it says others. */
interface FaceChoice {
  parts?: readonly string[];
  style?: 'normal' | 'italic';
}

/** The parts of a typeface, or those among them that are named. */
export function facesOf(key: string, { parts, style = 'normal' }: FaceChoice = {}): Face[] {
  const script = SCRIPTS[key];
  const wanted = script === undefined ? parts : [script];
  return Object.entries(partsOf(key))
    .filter(([part]) => wanted?.includes(part) ?? true)
    .map(([part, range]) => {
      const name = `${key}-${part.replace(/[[\]]/g, '')}-wght-${style}.woff2`;
      return { file: fileOf(key, `files/${name}`), range };
    });
}

/** The name by which a file of a typeface is served: it is of what is in the file. */
export function servedName(bytes: Buffer): string {
  return `${hash('sha256', bytes, 'hex').slice(0, 16)}.woff2`;
}

function fileOf(key: string, name: string): string {
  return fileURLToPath(import.meta.resolve(`@fontsource-variable/${key}/${name}`));
}
