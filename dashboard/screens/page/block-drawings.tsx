/** What a path of a drawing looks like. */
type Pen = 'box' | 'solid' | 'fill' | 'shade' | 'hole' | 'ink' | 'thin' | 'soft' | 'line' | 'dot';

/** Paths of a drawing of each block kind, in a 96 by 60 view box and the order of drawing. */
const DRAWINGS: Readonly<Record<string, Partial<Record<Pen, string>>>> = {
  link: {
    box: 'M22 18h52a12 12 0 0 1 0 24H22a12 12 0 0 1 0-24z',
    dot: 'M23 30h.01',
    ink: 'M36 30h20',
    thin: 'm71 26 4 4-4 4',
  },
  text: { ink: 'M26 14h20', soft: 'M26 25h44M26 35h44M26 45h28' },
  heading: { ink: 'M22 24h38', soft: 'M22 38h52' },
  social: {
    dot: 'M21 30h.01M57 30h.01',
    fill: 'M43 30a4 4 0 1 1-8 0 4 4 0 1 1 8 0M79 30a4 4 0 1 1-8 0 4 4 0 1 1 8 0',
  },
  image: {
    shade: 'M24 9h48v34H24z',
    fill: 'm26 41 15-16 9 9 7-6 13 13z',
    dot: 'M61 19h.01',
    soft: 'M38 52h20',
  },
  gallery: {
    fill: 'M16 11h28v17H16z',
    shade: 'M51 11h29v17H51zM16 35h16v14H16zM62 35h18v14H62z',
    solid: 'M39 35h16v14H39z',
  },
  contact: {
    box: 'M18 12h60v36H18z',
    dot: 'M31 25h.01',
    ink: 'M44 24h22',
    soft: 'M44 34h24M26 40h10',
  },
  contact_form: { box: 'M18 10h60v23H18z', soft: 'M26 18h36M26 26h20', fill: 'M56 42h22v9H56z' },
  metric: { ink: 'M20 17h18', line: 'M18 47c12-2 16-8 26-7s18-4 34-18' },
  event: {
    box: 'M18 14h26v32H18z',
    fill: 'M19 15h24v5H19z',
    dot: 'M31 34h.01',
    ink: 'M54 21h24',
    soft: 'M54 31h20M54 40h14',
  },
  countdown: {
    box: 'M16 18h18v22H16zM39 18h18v22H39zM62 18h18v22H62z',
    ink: 'M25 25v8M45 25v8M51 25v8M68 25v8M74 25v8',
    soft: 'M34 50h28',
  },
  quote: {
    line: 'M25 25c-2-6 1-11 6-13M38 25c-2-6 1-11 6-13',
    ink: 'M25 37h46',
    soft: 'M25 47h28',
  },
  faq: {
    box: 'M18 9h60v14H18zM18 29h60v22H18z',
    ink: 'M26 16h24M26 36h20',
    soft: 'M26 44h38',
    thin: 'M67 16h5M69.5 13.5v5M67 36h5',
  },
  embed: { solid: 'M20 11h56v38H20z', hole: 'm43 22 13 8-13 8z' },
  qr: {
    thin: 'M30 12h13v13H30zM53 12h13v13H53zM30 35h13v13H30z',
    solid: 'M36 18h1v1h-1zM59 18h1v1h-1zM36 41h1v1h-1z',
    fill: 'M54 36h3v3h-3zM62 36h3v3h-3zM58 44h7v3h-7z',
  },
  divider: { soft: 'M28 14h40M28 46h40', line: 'M16 30h64' },
  code: { box: 'M20 11h56v38H20z', thin: 'm34 24-6 6 6 6M44 24l6 6-6 6', soft: 'M56 36h12' },
  key: { ink: 'M43 30a8 8 0 1 1-16 0 8 8 0 1 1 16 0M43 30h27M62 30v6' },
  other: { ink: 'M40 14c-8 0-2 14-9 16 7 2 1 16 9 16M56 14c8 0 2 14 9 16-7 2-1 16-9 16' },
};

export function BlockDrawing({ type }: { type: string }) {
  return (
    <svg class="drawing block-drawing" viewBox="0 0 96 60" aria-hidden="true">
      {Object.entries(DRAWINGS[type] ?? {}).map(([pen, path]) => (
        <path key={pen} class={pen} d={path} />
      ))}
    </svg>
  );
}
