import type { ComponentChildren } from 'preact';

const INLINE =
  /(\*\*[^*]+\*\*|\*[^*\s][^*]*\*|\b_[^_]+_\b|`[^`]+`|\[[^[\]\n]+\](?:\([^)\s[]+\))?|https?:\/\/[^\s)]+)/;

/**
 * Sketches Markdown for the preview of a legal text. The server's renderer is larger than the dashboard, and Trusted
 * Types do not let scripts insert its HTML.
 */
export function Markdown({ text }: { text: string }) {
  return (
    <>
      {text
        .trim()
        .split(/\n\s*\n/)
        .map((block, index) => (
          <Block key={index} lines={block.split('\n')} />
        ))}
    </>
  );
}

function Block({ lines }: { lines: readonly string[] }) {
  const strip = (marker: RegExp) => lines.map((line) => line.replace(marker, ''));
  const [first = '', ...others] = lines;
  if (/^#{1,6} /.test(first))
    return (
      <>
        <h3>{formatInline(first.replace(/^#+ /, ''))}</h3>
        {others.length > 0 && <Block lines={others} />}
      </>
    );
  const items = (marker: RegExp) =>
    strip(marker).map((line, index) => <li key={index}>{formatInline(line)}</li>);
  if (lines.every((line) => /^\s*[-*+] /.test(line))) return <ul>{items(/^\s*[-*+] /)}</ul>;
  if (lines.every((line) => /^\s*\d+[.)] /.test(line))) return <ol>{items(/^\s*\d+[.)] /)}</ol>;
  if (lines.every((line) => line.startsWith('>')))
    return <blockquote>{withBreaks(strip(/^> ?/))}</blockquote>;
  return <p>{withBreaks(lines)}</p>;
}

function withBreaks(lines: readonly string[]): ComponentChildren {
  return lines.map((line, index) => [index > 0 && <br />, formatInline(line)]);
}

function formatInline(text: string): ComponentChildren {
  return text.split(INLINE).map((part, index) => {
    if (index % 2 === 0) return part;
    if (/^\[.*\]$/s.test(part)) return <mark key={index}>{part}</mark>;
    const [, label] = /^\[([^\]]+)\]/.exec(part) ?? [];
    if (label !== undefined || part.startsWith('http')) return <u key={index}>{label ?? part}</u>;
    if (part.startsWith('**')) return <strong key={index}>{part.slice(2, -2)}</strong>;
    if (part.startsWith('`')) return <code key={index}>{part.slice(1, -1)}</code>;
    return <em key={index}>{part.slice(1, -1)}</em>;
  });
}
