/** What only some pages need: rules, and what is in the HTML of those pages, one or the other. */
interface Part {
  of: readonly string[];
  rules: string;
}

const LINKS = 'class="links"';
const CARD = 'class="card';
const DETAILS = '<details';

/** What pages look like, whatever their colours, in the order in which later rules win. */
export const SHEET: readonly (string | Part)[] = [
  `
*,::before,::after{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;min-height:100vh;display:grid;grid-template:1fr auto/minmax(0,1fr);background:var(--background);color:var(--text);font:1.0625rem/1.6 var(--font,system-ui,sans-serif);overflow-wrap:anywhere}
main{width:100%;max-width:38rem;margin:0 auto;padding:clamp(2.5rem,8vw,5rem) 1.25rem 2rem;align-content:start}
main,figure,.about,.links,.contact,.faq{display:grid;gap:1.25rem;grid-template-columns:minmax(0,1fr)}
.about{gap:.5rem;justify-items:center;text-align:center;margin-bottom:1rem}
.photo{width:7rem;height:7rem;margin-bottom:.75rem;border-radius:50%;object-fit:cover;background:var(--surface)}
svg.photo{background:var(--button);color:var(--on-button);font-weight:600}
h1,h2{color:var(--heading);line-height:1.2;text-wrap:balance;margin:0}
h1{font-size:clamp(1.75rem,6vw,2.5rem);letter-spacing:-.02em}
h2{font-size:1.375rem;margin-top:1.5rem}
p,figure,blockquote,pre,ul,ol{margin:0}
small,figcaption,.facts,footer a{color:var(--muted)}
small,figcaption,footer{font-size:.9rem}
small{display:block;font-weight:400}
.bio,.p-adr,.plain{white-space:pre-line;text-wrap:pretty}
.facts,.links,.social,.contact{list-style:none;padding:0}
.facts,.social,footer nav{display:flex;flex-wrap:wrap;justify-content:center;gap:.25rem 1rem}
.facts{margin-bottom:.5rem}
.long{text-align:start}
a{color:var(--link);text-underline-offset:.2em;text-decoration-thickness:.08em}
a:hover{text-decoration-thickness:.16em}
:focus-visible{outline:3px solid var(--link);outline-offset:3px}
:focus-visible,pre,.embed,img{border-radius:1rem}`,
  {
    // Browsers draw it in place of a picture that does not come.
    of: ['class="photo u-photo"'],
    rules: `
.u-photo{position:relative}
.u-photo::before{content:attr(data-initials);position:absolute;inset:0;display:grid;place-items:center;background:var(--button);color:var(--on-button);font-size:2.5rem;font-weight:600;line-height:1}`,
  },
  {
    of: ['class="text"'],
    rules: `
.text>*+*{margin-top:.8em}
.text :is(ul,ol){padding-inline-start:1.4em}`,
  },
  {
    of: [LINKS, CARD, DETAILS],
    rules: `
.button,.card,details{border:1px solid var(--border);border-radius:1rem;padding:.8rem 1.1rem;background:var(--surface);text-decoration:none}`,
  },
  {
    of: [LINKS],
    rules: `
.links{gap:.75rem}
.button{display:grid;grid-template-columns:1.75rem minmax(0,1fr) 1.75rem;align-items:center;min-height:3.5rem;padding:.6rem .8rem;border-color:transparent;background:var(--button);text-align:center;line-height:1.4;transition:transform .15s}
.button,.button small{color:var(--on-button)}
.button>:last-child{grid-column:2}`,
  },
  {
    of: [LINKS, CARD],
    rules: `
.button:hover,a.card:hover{transform:translateY(-2px)}
@media (prefers-reduced-motion:reduce){*{transition:none!important}.button:hover,a.card:hover{transform:none}}`,
  },
  {
    of: [LINKS, CARD, DETAILS, 'class="social"'],
    rules: `
.label,summary,.social{font-weight:600}`,
  },
  {
    of: ['class="icon"'],
    rules: `
.icon{font-size:1.4rem;line-height:1}`,
  },
  {
    of: [CARD],
    rules: `
.card{display:block}
.card h2{font-size:1.125rem;margin:0}
.card h2 a{padding-block:.75rem}
.card>*+*{margin-top:.3rem}`,
  },
  {
    of: ['class="social"'],
    rules: `
.social{gap:.5rem}
.social a{border:1px solid var(--border);border-radius:2rem;padding:.25rem 1.1rem;text-align:center;text-decoration:none}`,
  },
  `
.social a,.contact a,summary,footer a{display:inline-flex;align-items:center;min-height:2.75rem}`,
  {
    of: ['class="card contact"'],
    rules: `
.contact{gap:0;padding-block:.35rem}
.contact .p-adr{padding-block:.45rem}`,
  },
  {
    of: ['<figure'],
    rules: `
figure{gap:.5rem}
.image,.qr,.quote{justify-items:center;text-align:center}`,
  },
  {
    of: ['class="image"'],
    rules: `
.image>*{max-width:100%}
.image img{display:block;max-width:100%;height:auto;background:var(--surface)}`,
  },
  {
    of: ['<blockquote'],
    rules: `
blockquote{padding-inline-start:1.1rem;border-inline-start:.2rem solid var(--border)}`,
  },
  {
    of: ['class="quote"'],
    rules: `
.quote blockquote{border:0;padding:0 1rem;font-size:1.25rem;line-height:1.45;text-wrap:balance}
.quote blockquote::before{content:"“";display:block;height:2rem;font:4rem/1 Georgia,serif;color:var(--link)}`,
  },
  {
    of: ['<pre', '<code'],
    rules: `
pre{padding:1rem;background:var(--surface);border:1px solid var(--border);overflow:auto;line-height:1.5}
pre,code{font-family:ui-monospace,monospace;font-size:.9rem}
.key pre{white-space:pre-wrap}`,
  },
  {
    of: [DETAILS],
    rules: `
.faq{gap:.5rem}
details{padding-block:.15rem}
details>:last-child{margin-bottom:1rem}
summary{cursor:pointer;width:100%;padding-block:.4rem}
summary::before{content:"+";flex:none;width:1.5rem;color:var(--link)}
[open]>summary::before{content:"–"}`,
  },
  {
    of: ['<hr'],
    rules: `
hr{border:0;border-top:1px solid var(--border);margin:.5rem 0;width:100%}`,
  },
  {
    of: ['class="qr"'],
    rules: `
.qr svg{width:11rem;border-radius:1rem}`,
  },
  {
    of: ['class="embed"'],
    rules: `
.embed{width:100%;aspect-ratio:16/9;border:0;background:var(--surface)}`,
  },
  {
    of: ['<time'],
    rules: `
time{unicode-bidi:isolate}`,
  },
  {
    of: ['class="card countdown"'],
    rules: `
.countdown strong{font-size:1.75rem;line-height:1.3;color:var(--heading)}`,
  },
  {
    of: ['class="card metric"'],
    rules: `
.metric{display:grid;gap:.35rem}
.metric strong{font-size:2rem;line-height:1.1;color:var(--heading);font-variant-numeric:tabular-nums}
.metric svg{width:100%;height:3.5rem;color:var(--link)}`,
  },
  `
footer{padding:1.5rem 1.25rem 2rem}
.print{display:none}
@media (prefers-contrast:more){.button,.card,details,.social a,pre{border-color:currentColor}}
@media print{:root{color-scheme:light!important}*,::before{color:#000!important;background:none!important;border-color:#999!important}body{display:block;font-size:10pt}main{padding:0}.about{grid-template-columns:minmax(0,1fr) 28mm;gap:0 4mm;align-content:center;justify-items:start;text-align:start;width:85mm;min-height:55mm;padding:4mm;border:1px dashed}.about>*{grid-column:1}.facts{justify-content:start}.print{display:contents}.print img{grid-area:1/2/9;width:100%;border-radius:0}.print small{grid-area:9/1/9/3;font-size:8pt}.photo{width:14mm;height:14mm;border:1px solid;margin-bottom:2mm}h1{font-size:15pt}main>*{break-inside:avoid}.button,.social a,summary,.contact a{min-height:0}footer,.embed{display:none}main a:not(.u-email,.p-tel)::after{content:attr(href);margin-inline-start:1ch;font-size:8pt;font-weight:400}.button::after{grid-column:2}a.card::after{display:block;margin:0}pre{white-space:pre-wrap}::details-content{content-visibility:visible;display:block}}`,
];

const PARTS = SHEET.map((part) => {
  const { of, rules } = typeof part === 'string' ? { of: [], rules: part } : part;
  return { of, rules: rules.replaceAll('\n', '') };
});

/** The beginning of an element, by which it is told what rules are for it. */
const ELEMENT = /<[a-z]\w*(?:\s+class="[^"]*")?/g;

/** The rules that a page of some HTML needs. */
export function sheetOf(html: string): string {
  // A long page has few kinds of elements, and is not read once for each part.
  const elements = [...new Set(html.match(ELEMENT))].join('');
  return PARTS.filter(({ of }) => of.length === 0 || of.some((sign) => elements.includes(sign)))
    .map(({ rules }) => rules)
    .join('');
}
