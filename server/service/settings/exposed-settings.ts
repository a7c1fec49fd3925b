import { existsSync, readFileSync, statSync } from 'node:fs';

const SECRET = /^\s*(?:export\s+)?(DATABASE_URL|SMTP_URL|\w+_(?:KEY|TOKEN|SECRET))[ \t]*=[ \t]*\S/m;

/** Warning that others than its owner can read a secret in the file of the settings. */
export function explainExposedSettings(file: string): string | undefined {
  // Windows has no such modes.
  if (process.platform === 'win32' || !existsSync(file)) return undefined;
  if ((statSync(file).mode & 0o044) === 0) return undefined;
  const [, name] = SECRET.exec(readFileSync(file, 'utf8')) ?? [];
  return name && `Other users of this machine can read ${name} in ${file}: chmod 600 ${file}`;
}
