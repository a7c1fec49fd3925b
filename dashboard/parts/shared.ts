/** Loads what most screens use in one file, so that a first visit asks for fewer files. */
import '../display-name.ts';
import '../entry/ways.tsx';
import '../kept-draft.ts';
import './confirm.tsx';
import './form.tsx';
import './field.tsx';
import './plate.tsx';
import './sparkline.tsx';
import './switch.tsx';
import './time.tsx';
