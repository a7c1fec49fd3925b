import { render } from 'preact';
import { App } from './app.tsx';
import { followLinks } from './router.ts';
import { keepSession } from './session.ts';
import './style/style.css';

followLinks();
keepSession();
render(<App />, document.getElementById('app')!);
