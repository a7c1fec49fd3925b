/**
 * A value that only a newer server has. It can be sent back. Declared as an enum, because TypeScript
 * accepts neither a misspelled string as an enum, nor a comparison with one.
 */
declare enum OtherValue {
  One = 'one',
  Another = 'another',
}
export type { OtherValue };
