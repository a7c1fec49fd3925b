import { trusted } from '../html.ts';

/** Hills with a sun, trees and flowers; `meadow.css` colours them for day and night. */
export const HILLS = trusted(
  '<svg class="hills" viewBox="0 0 1440 260" preserveAspectRatio="xMidYMax slice" aria-hidden="true">' +
    '<circle class="sun" cx="800" cy="92" r="50"/>' +
    '<path class="far" d="M0 150C170 70 330 62 520 118s330 62 500 2 300-56 420-8v148H0z"/>' +
    '<path class="mid" d="M0 186c210-64 400-40 600 4s420 36 840-52v122H0z"/>' +
    '<g class="trees"><path d="M606 196v-34M634 198v-24M846 192v-30"/><circle cx="606" cy="150" r="22"/><circle cx="634" cy="166" r="15"/><circle cx="846" cy="150" r="19"/></g>' +
    '<path class="near" d="M0 222c260-44 460-14 720-4s500-22 720-24v66H0z"/>' +
    '<g class="flowers"><circle cx="560" cy="226" r="5"/><circle cx="588" cy="236" r="4"/><circle cx="690" cy="232" r="5"/><circle cx="742" cy="240" r="4"/><circle cx="872" cy="230" r="5"/><circle cx="330" cy="218" r="5"/><circle cx="250" cy="232" r="4"/><circle cx="1040" cy="222" r="5"/><circle cx="1190" cy="216" r="4"/></g></svg>',
);
