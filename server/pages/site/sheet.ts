/** What every page looks like, whatever its colours. */
export const SHEET = `
*,*::before,*::after{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%;scroll-behavior:smooth}
body{margin:0;background:var(--background);color:var(--text);font:1.0625rem/1.6 var(--font,system-ui,sans-serif);overflow-wrap:anywhere;-webkit-font-smoothing:antialiased}
main{max-width:38rem;margin:0 auto;padding:clamp(2rem,8vw,4.5rem) 1.25rem 2rem;display:grid;gap:1.25rem}
main,figure,.about{grid-template-columns:minmax(0,1fr)}
.about{text-align:center;display:grid;gap:.6rem;justify-items:center;margin-bottom:.75rem}

.photo{width:7rem;height:7rem;border-radius:50%;object-fit:cover;background:var(--surface);border:1px solid var(--border)}
h1,h2,h3{color:var(--heading);line-height:1.2;text-wrap:balance;margin:0}
h1{font-size:clamp(1.75rem,5vw,2.375rem);letter-spacing:-.02em}
h2{font-size:1.3rem;margin-top:1.25rem}
h3{font-size:1.05rem}
p{margin:0}
small,.muted,figcaption,footer{color:var(--muted)}
small{font-size:.875rem}
.bio{text-wrap:pretty;white-space:pre-line}
.facts{display:flex;flex-wrap:wrap;gap:.25rem 1rem;justify-content:center;list-style:none;margin:0;padding:0;color:var(--muted)}
a{color:var(--link);text-underline-offset:.18em;text-decoration-thickness:.08em}
a:hover{text-decoration-thickness:.15em}
:focus-visible{outline:3px solid var(--link);outline-offset:3px;border-radius:.4rem}
.text>*+*{margin-top:.8em}
.text ul,.text ol{padding-inline-start:1.4em;margin-block-end:0}
.text p,.text pre,.text blockquote{margin-block-end:0}
.links,.social,.contact{list-style:none;margin:0;padding:0;display:grid;gap:.75rem}
.button,.card{display:block;background:var(--surface);border:1px solid var(--border);border-radius:.9rem;padding:.8rem 1.1rem;text-decoration:none}
.button{display:flex;align-items:center;justify-content:center;gap:.75rem;min-height:3.25rem;text-align:center;font-weight:600;transition:transform .12s,border-color .12s}
.button small,.card small{display:block;font-weight:400}
.button:hover,a.card:hover{border-color:var(--link);transform:translateY(-1px)}
.icon{font-size:1.4rem;line-height:1}
.card>*+*{margin-top:.3rem}
.social{display:flex;flex-wrap:wrap;justify-content:center;gap:.25rem .5rem}
.social a,.contact a,summary,footer a{display:inline-flex;align-items:center;min-height:2.75rem;padding:0 .35rem}
.contact{gap:0}
figure{margin:0;display:grid;gap:.5rem}
figcaption{font-size:.9rem}
.image img{display:block;max-width:100%;height:auto;border-radius:.9rem;margin:0 auto}
.image figcaption,.qr figcaption{text-align:center}
blockquote{margin:0;padding-inline-start:1rem;border-inline-start:.25rem solid var(--border)}
.quote blockquote{font-size:1.15rem;border-color:var(--link)}
.quote figcaption::before{content:"— "}
pre{margin:0;padding:1rem;background:var(--surface);border:1px solid var(--border);border-radius:.6rem;overflow:auto;font:0.9rem/1.5 ui-monospace,monospace}
code{font-family:ui-monospace,monospace;font-size:.92em}
pre code{font-size:1em}
.key pre{white-space:pre-wrap}
details{background:var(--surface);border:1px solid var(--border);border-radius:.9rem;padding:0 1.1rem}
details>:last-child{margin-bottom:1rem}
details+details{margin-top:.5rem}
summary{cursor:pointer;font-weight:600;width:100%}
hr{border:0;border-top:1px solid var(--border);margin:.5rem 0;width:100%}
.qr svg,footer svg{width:10rem;height:10rem;border-radius:.6rem;margin:0 auto;display:block}
.embed{width:100%;aspect-ratio:16/9;border:0;border-radius:.9rem;background:var(--surface)}
.countdown p{font-size:1.4rem}
.countdown small,.h-event small{display:block}
.metric{display:grid;gap:.35rem}
.metric strong{font-size:2rem;line-height:1.1;color:var(--heading);font-variant-numeric:tabular-nums}
.metric svg{width:100%;height:3.5rem;color:var(--link)}
footer{text-align:center;font-size:.875rem;padding:1.5rem 1.25rem 2.5rem}
footer nav{display:flex;flex-wrap:wrap;justify-content:center;gap:0 1rem}
.print{display:none}
@media (prefers-reduced-motion:reduce){*{scroll-behavior:auto!important;transition:none!important}}
@media (forced-colors:active){.button,.card,details,pre{border-color:CanvasText}}
@media print{body{background:#fff;color:#000}a,h1,h2,h3,small,.muted,.facts{color:#000}.print{display:block}footer nav{display:none}main{padding:0}.button,.card,details{break-inside:avoid;background:none}}
`.replaceAll('\n', '');
