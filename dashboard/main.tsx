import { render } from 'preact';
import { App } from './app.tsx';
import { allowTranslation } from './browser-translation.ts';
import { actingFor, handleNavigation } from './router.ts';
import './color-scheme.ts';
import { currentAccountId, promptWhenSignedOut, refreshSession } from './session.ts';
import './style/style.css';

handleNavigation();
promptWhenSignedOut();
// Another tab may have signed in again, or to another account.
addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible' && currentAccountId.peek())
    refreshSession().catch(() => undefined);
});
const app = document.getElementById('app')!;
if (actingFor !== undefined) {
  await import('./components/acting.css');
  app.classList.add('acting');
}
app.replaceChildren();
allowTranslation(app);
render(<App />, app);
