import { createRoot } from 'react-dom/client';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

createRoot(root).render(
  <main>
    <h1>Palimpsest</h1>
    <p>The workbench comes next. Until then, open a session file on the command line:</p>
    <pre>npm run -s cli -- info FILE</pre>
  </main>,
);
