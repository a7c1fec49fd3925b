import { Settings } from '#server/platform/settings/config.ts';
import { writeGenerated } from './generated-file.ts';

const FILE = new URL('../.env.example', import.meta.url);
const MAX_LINE_LENGTH = 98;

function renderEnvExample(): string {
  const settings = Object.entries(Settings.shape).map(([name, schema]) => {
    const value = schema.safeParse(undefined).data;
    const text = Array.isArray(value) ? value.join(',') : String(value ?? '');
    return `${formatComment(schema.description ?? '')}\n#${name}=${text}\n`;
  });
  return `${formatComment('Settings of Nameplate. Copy this file to .env and uncomment the lines that you change. The values shown are the defaults.')}\n\n${settings.join('\n')}`;
}

function formatComment(text: string): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    if (`${lines.at(-1)} ${word}`.length > MAX_LINE_LENGTH) lines.push('');
    lines.push(`${lines.pop()} ${word}`);
  }
  return lines.map((line) => `#${line}`).join('\n');
}

writeGenerated(FILE, renderEnvExample());
