/** Bundles the modules that most screens use into one chunk to save requests on the first visit. */
import '../display-name.ts';
import '../sign-in/sign-in-methods.tsx';
import '../draft-storage.ts';
import './confirm.tsx';
import './form.tsx';
import './field.tsx';
import './plate.tsx';
import './sparkline.tsx';
import './switch.tsx';
import './time.tsx';
import '../screens/metrics/auto-refresh.tsx';
import './use-polling.ts';
