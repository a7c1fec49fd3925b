import { trusted } from '../html.ts';

/** Hills with a sun, trees and flowers; `meadow.css` colours them for day and night. */
export const HILLS = trusted(
  '<svg class="hills" viewBox="0 0 1440 260" preserveAspectRatio="xMidYMax slice" aria-hidden="true">' +
    '<circle class="sun" cx="790" cy="92" r="50"/>' +
    '<path class="far" d="M0 150C170 70 330 62 520 118s330 62 500 2 300-56 420-8v148H0"/>' +
    '<path class="mid" d="M0 186c210-64 400-40 600 4s420 36 840-52v122H0"/>' +
    '<g class="trees"><path d="M606 196v-34M634 198v-24"/><circle cx="606" cy="150" r="22"/><circle cx="634" cy="166" r="15"/></g>' +
    '<path class="near" d="M0 222c260-44 460-14 720-4s500-22 720-24v66H0"/>' +
    '<path class="flowers" d="M560 226h0M588 236h0M690 232h0M872 230h0M330 218h0M250 232h0M1190 216h0"/></svg>',
);
