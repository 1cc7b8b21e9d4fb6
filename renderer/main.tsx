/** The page: finds its Host, remembers where it was, shows the app. */
import { createRoot } from 'react-dom/client';
import './ui/tokens.css';
import './ui/base.css';
import './ui/frame.css';
import './ui/pieces.css';
import './ui/graph.css';
import './ui/sides.css';
import './ui/whatif.css';
import './ui/diff.css';
import './ui/pipeline.css';
import './ui/inspector.css';
import './ui/rows.css';
import './ui/library.css';
import './ui/sizes.css';
import { App } from './App.tsx';
import { connectHost, onOpen } from './host.ts';
import { rememberSettings } from './settings.ts';
import { openFile, store } from './store.ts';
import { fromHash, toHash } from './url.ts';
import { HostProvider } from './useHost.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');

const host = await connectHost();
// The place of the address wins over the remembered one: a link shows what it says.
await rememberSettings(host);
store.setState(fromHash(window.location.hash));

store.subscribe((state) => {
  const hash = toHash(state);
  if (window.location.hash.replace(/^#/, '') !== hash)
    window.history.replaceState(null, '', `#${hash}`);
});
window.addEventListener('hashchange', () => store.setState(fromHash(window.location.hash)));
onOpen(openFile);

createRoot(root).render(
  <HostProvider value={host}>
    <App />
  </HostProvider>,
);
