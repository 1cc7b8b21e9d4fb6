import { RecordReader } from '../../electron/node/recordReader.ts';
import { indexFile } from '../../electron/node/sessionFile.ts';
import { apiMessage } from '../../shared/engine/materialise.ts';
import { replay } from '../../shared/engine/replay.ts';
import { openSession } from '../../shared/engine/session.ts';
import { drawMessages } from '../../shared/engine/sketch.ts';
import { timelineOf } from '../../shared/engine/timeline.ts';

const [path = '', n = '1'] = process.argv.slice(2);
const f = await indexFile(path);
if (!f.ok) throw new Error(f.error.message);
const s = openSession(f.value.table);
const reader = new RecordReader(path, f.value.format, f.value.table, f.value.locate);
const t = timelineOf(s);
const draw = (ms: any) =>
  drawMessages(ms.map((m: any) => apiMessage(f.value.table, reader, m)))
    .split('\n')
    .map((l: string) => l.slice(0, 150))
    .join('\n');
for (const c of s.calls)
  console.log(
    c.n,
    'r',
    c.record,
    'leaf',
    c.leaf,
    'asOf',
    c.asOf,
    'base',
    t.calls[c.n - 1]?.base,
    t.calls[c.n - 1]?.keep,
    c.effort,
    t.calls[c.n - 1]?.tokens,
    replay(s, c).steps.at(-1)?.tokensAfter,
  );
console.log('--- timeline');
console.log(draw(t.view(Number(n))));
console.log('--- replay');
console.log(draw(replay(s, s.calls[Number(n) - 1] as any).steps.at(-1)?.view.messages));
