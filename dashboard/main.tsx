import { render } from 'preact';
import { App } from './app.tsx';
import { followLinks } from './router.ts';
import './scheme.ts';
import { account, keepSession, lookAgain } from './session.ts';
import './style/style.css';

followLinks();
keepSession();
// Another window may have signed in anew, or as somebody else.
addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible' && account.peek()) lookAgain().catch(() => undefined);
});
const app = document.getElementById('app')!;
app.replaceChildren();
render(<App />, app);
