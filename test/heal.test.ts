/** Healing: what each kind of damage becomes, and what holds for any damage. */
import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stringOf } from '../shared/engine/graph.ts';
import { type Healed, heal, textsOf } from '../shared/engine/heal.ts';
import { resume } from '../shared/engine/resume.ts';
import { sketch } from '../shared/engine/sketch.ts';
import { tipOf } from '../shared/engine/tip.ts';
import { healCases } from './conformance/heal.ts';
import { damagedSessions } from './randomSession.ts';
import { INTERRUPTED, NRR, sent, withFields } from './resumed.ts';
import { FIXTURES, fromLines, hasCorpus, jsonlFiles } from './support.ts';

function healed(lines: readonly string[], tip?: string): Healed {
  const done = heal(lines, tip === undefined ? {} : { tip });
  if ('why' in done) throw new Error(done.why);
  return done;
}

/** Codes of the changes with the ids they concern, and the view of the copy. */
const drawn = (lines: readonly string[], tip?: string): readonly [string, string] => {
  const done = healed(lines, tip);
  return [
    done.changes.map((c) => `${c.code} ${c.id ?? '-'}`).join(', '),
    sent(textsOf(done.lines)),
  ];
};

const HOUR = '2026-11-01T12:00:00.000Z';
const TURNS = 'u1 u T:a\na1 a:m1 T:b\nu2 u T:c\na2 a:m2 T:d';
const WHOLE = 'u[T:a] a[T:b] u[T:c] a[T:d] u[T:NEXT]';

describe('each kind of damage', () => {
  test('nothing wrong: nothing changed, byte for byte', () => {
    const lines = sketch(TURNS);
    const { changes, lines: after } = healed(lines);
    expect(changes).toEqual([]);
    expect(textsOf(after)).toEqual(lines);
  });

  test('a parent that is gone is tied to the record before, however long ago', () => {
    const lines = withFields(TURNS, {
      u2: { parentUuid: 'gone', timestamp: HOUR },
      a2: { timestamp: HOUR },
    });
    expect(sent(lines)).toBe('u[T:c] a[T:d] u[T:NEXT]');
    expect(drawn(lines)).toEqual(['parent-tied u2', WHOLE]);
  });

  test('not to a sidechain, not to what follows from it', () => {
    const lines = withFields('u1 u T:a\na1 a:m1 T:b\nz1 <- u~ T:side\nu2 u T:c\na2 a:m2 T:d', {
      u2: { parentUuid: 'gone', timestamp: HOUR },
      a2: { timestamp: HOUR },
    });
    expect(drawn(lines)).toEqual(['parent-tied u2', WHOLE]);
    const [u1, a1, u2, a2] = lines.filter((l) => !l.includes('side')) as [
      string,
      string,
      string,
      string,
    ];
    expect(drawn([u1, a1, a2, u2])[1]).toContain('a[T:b] u[T:c]');
  });

  test('a circle is cut at its first record', () => {
    expect(drawn(sketch('u1 <a2 u T:a\na1 a:m1 T:b\nu2 u T:c\na2 a:m2 T:d'))).toEqual([
      'circle-cut u1',
      WHOLE,
    ]);
    expect(drawn(sketch('u1 u T:a\na1 a:m1 T:b\nu2 <u2 u T:c\na2 a:m2 T:d'))).toEqual([
      'circle-cut u2',
      WHOLE,
    ]);
  });

  test('two records on one line, torn text, no JSON', () => {
    const [u1, a1, u2, a2] = sketch(TURNS) as [string, string, string, string];
    expect(drawn([u1, `${a1}${u2}`, a2])).toEqual(['line-separated a1', WHOLE]);
    expect(drawn([u1, `{"type":"assistant","mess${a1}`, u2, a2])).toEqual([
      'line-separated a1',
      WHOLE,
    ]);
    expect(drawn([u1, a1, 'rubbish', u2, a2, '{"type":"us'])).toEqual([
      'line-left-out -, line-left-out -',
      WHOLE,
    ]);
  });

  test('lines that are well keep their bytes, also beside those that are not', () => {
    const [u1, a1, u2, a2] = sketch(TURNS) as [string, string, string, string];
    const odd = u1.replace('{', '{ "z" : 1.50 , ');
    expect(textsOf(healed([odd, `${a1}${u2}`, a2]).lines)[0]).toBe(odd);
  });

  test('an unanswered call gets a result; its text stays', () => {
    const middle = sketch('u1 u T:a\na1 a:m1 T:let me ¦ U:t1:X\nu2 u T:b\na2 a:m2 T:c');
    const [changes, view] = drawn(middle);
    expect(changes).toBe('call-answered a1');
    expect(view).toBe(`u[T:a] a[T:let me ¦ U:t1:X] u[E:t1:${INTERRUPTED} ¦ T:b] a[T:c] u[T:NEXT]`);
    const end = sketch('u1 u T:a\na1 a:m1 U:t1:X\na2 a:m1 U:t2:X');
    expect(drawn(end)[1]).toBe(sent(end));
    expect(drawn(end)[1]).toContain(NRR);
  });

  test('links that were lost everywhere', () => {
    const lines = sketch(TURNS).map((l) => l.replace(/"parentUuid":"[^"]*"/, '"parentUuid":null'));
    expect(drawn(lines)).toEqual(['root-tied a1, root-tied u2, root-tied a2', WHOLE]);
  });

  test('a second conversation in the file is no damage', () => {
    const lines = sketch('u1 u T:a\na1 a:m1 T:b\nu2 <- u T:c\na2 a:m2 T:d');
    expect(healed(lines).changes).toEqual([]);
  });

  test('a file of sidechains only, and one with a sidechain as its head', () => {
    const side = sketch('u1 u~ T:a\na1 a~:m1 T:b');
    expect(drawn(side)[0]).toBe('sidechain-lifted u1, sidechain-lifted a1');
    expect(drawn(sketch(`${TURNS}\nz1 <a1 u~ T:side\nh1 - head z1`))).toEqual([
      'tip-made-head a2',
      WHOLE,
    ]);
  });

  test('nothing to go on from', () => {
    expect(heal([])).toEqual({ why: 'no conversation' });
    expect(heal(['{"type":"mode","mode":"normal","sessionId":"s"}'])).toEqual({
      why: 'no conversation',
    });
    expect(heal(sketch(TURNS), { tip: 'nobody' })).toEqual({ why: 'no such tip' });
  });
});

describe('the tip', () => {
  const BRANCHES = sketch(`${TURNS}\nu3 <a1 u T:e\na3 a:m3 T:f`);
  const tipAfter = (lines: readonly string[], tip?: string) => {
    const { graph, operations } = healed(lines, tip).session;
    return stringOf(graph, graph.table.records.id, tipOf(graph, operations)?.node ?? -1);
  };
  test('the last line by itself', () => expect(tipAfter(BRANCHES)).toBe('a3'));
  test('another branch, recorded as the head', () => {
    expect(tipAfter(BRANCHES, 'a2')).toBe('a2');
    expect(drawn(BRANCHES, 'a2')).toEqual(['tip-made-head a2', WHOLE]);
  });
  test.each(['u1', 'a1', 'u2', 'u3'])('a record that others follow: %s', (tip) => {
    expect(tipAfter(BRANCHES, tip)).toBe(tip);
    expect(healed(BRANCHES, tip).changes.some((c) => c.code === 'left-out-behind-tip')).toBe(true);
  });
  test('a recorded head is obeyed, unless the session went on from elsewhere', () => {
    const old = JSON.stringify({ type: 'last-prompt', leafUuid: 'a2', sessionId: 's' });
    expect(tipAfter([...BRANCHES, old])).toBe('a2');
    expect(tipAfter([...BRANCHES.slice(0, 4), old, ...BRANCHES.slice(4)])).toBe('a3');
  });
});

describe('poison', () => {
  const png = (width: number, height: number) => {
    const head = Buffer.alloc(33);
    head.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]);
    head.writeUInt32BE(width, 16);
    head.writeUInt32BE(height, 20);
    return head.toString('base64');
  };
  const image = (data: string) => ({
    type: 'image',
    source: { type: 'base64', media_type: 'image/png', data },
  });
  const asked = (content: readonly object[]) =>
    withFields(TURNS, { u1: { message: { role: 'user', content } } });
  const codes = (lines: readonly string[]) =>
    [...new Set(healed(lines).changes.map((c) => c.code))].join(' ');

  test('a picture of more pixels than the API takes', () => {
    expect(codes(asked([image(png(8001, 10))]))).toBe('image-replaced');
    expect(codes(asked([image(png(8000, 8000))]))).toBe('');
    expect(drawn(asked([image(png(9000, 20))]))[1]).toContain(
      'T:[Picture of 9000 × 20 pixels removed',
    );
  });
  test('fewer pixels where there are many pictures; inside a result too', () => {
    const many = Array.from({ length: 21 }, () => image(png(2001, 10)));
    expect(codes(asked(many))).toBe('image-replaced');
    expect(codes(asked(many.slice(1)))).toBe('');
    const result = { type: 'tool_result', tool_use_id: 't', content: [image(png(9000, 9))] };
    expect(codes(asked([result]))).toBe('image-replaced');
  });
  test('a picture given with @file', () => {
    const attached = (data: string) =>
      withFields(`${TURNS}\nx1 @file T:x\nu3 u T:more`, {
        x1: {
          attachment: {
            type: 'file',
            filename: '/p.png',
            content: { type: 'image', file: { base64: data } },
          },
        },
      });
    expect(codes(attached(png(9000, 9)))).toBe('image-replaced');
    expect(codes(attached(png(900, 9)))).toBe('');
  });
  test('more bytes than the API takes', () => {
    expect(codes(asked([image('A'.repeat(7_100_000))]))).toBe('image-replaced');
  });
  test('NUL characters and halves of character pairs', () => {
    const nul = sketch(TURNS).map((l) => l.replace('"c"', '"c\\u0000\\u0000d"'));
    expect(drawn(nul)).toEqual(['nul-replaced u2', WHOLE.replace('T:c', 'T:c\ufffd\ufffdd')]);
    const half = sketch(TURNS).map((l) => l.replace('"c"', '"c\\ud83d"'));
    expect(drawn(half)[0]).toBe('surrogate-replaced u2');
  });
  test('emptied thinking, but not that of models which keep theirs to themselves', () => {
    const thinking = (model: string, signature: string, more: readonly object[]) =>
      withFields(TURNS, {
        a1: {
          message: {
            id: 'm1',
            model,
            content: [{ type: 'thinking', thinking: '', signature }, ...more],
          },
        },
      });
    const words = [{ type: 'text', text: 'b' }];
    expect(drawn(thinking('claude-opus-4-6', 'sig', words))).toEqual([
      'thinking-replaced a1',
      WHOLE,
    ]);
    expect(codes(thinking('claude-opus-5-5', 'sig', words))).toBe('');
    expect(codes(thinking('claude-opus-5-5', '', words))).toBe('thinking-replaced');
    expect(drawn(thinking('claude-opus-4-6', 'sig', []))[1]).toBe(
      'u[T:a\\n ¦ T:c] a[T:d] u[T:NEXT]',
    );
  });
});

// ── any damage ─────────────────────────────────────────────────────────────────────────────────────────────────────

const MENDED = new Set([
  'parent-missing',
  'parent-cycle',
  'line-spliced',
  'line-not-json',
  'line-not-object',
  'nul-in-text',
]);

function holds(lines: readonly string[], where: string): void {
  const done = heal(lines);
  if ('why' in done) return;
  expect(
    done.left.filter((p) => MENDED.has(p.code)),
    where,
  ).toEqual([]);
  expect('refused' in resume(done.session), where).toBe(false);
  const again = healed(textsOf(done.lines));
  expect(again.changes, where).toEqual([]);
  expect(textsOf(again.lines), where).toEqual(textsOf(done.lines));
  // What was not changed keeps its bytes and its order.
  const touched = new Set(done.changes.map((c) => c.line));
  let last = 0;
  for (const { text, from } of done.lines) {
    if (from === null) continue;
    expect(from, where).toBeGreaterThanOrEqual(last);
    last = from;
    const original = lines[from - 1]?.trim();
    if (!touched.has(from) && text !== original)
      expect(isOnlyReparented(original ?? '', text), where).toBe(true);
  }
}

/** What followed a call now follows its result: that change is told at the call. */
const isOnlyReparented = (before: string, after: string): boolean => {
  const bare = (line: string) => ({ ...(JSON.parse(line) as object), parentUuid: null });
  return JSON.stringify(bare(before)) === JSON.stringify(bare(after));
};

/** `FC_RUNS` raises it. */
const numRuns = Number(process.env.FC_RUNS ?? 150);

const drawing = fc
  .array(fc.constantFrom('u', 'a', 'call', 'result', 'b', 'rewind'), {
    minLength: 1,
    maxLength: 14,
  })
  .map((kinds) =>
    kinds
      .map((kind, i) => {
        if (kind === 'u') return `u${i} u T:${i}`;
        if (kind === 'a') return `a${i} a:m${i} T:${i}`;
        if (kind === 'call') return `c${i} a:m${i} U:t${i}:X`;
        if (kind === 'result') return `r${i} u R:t${Math.max(0, i - 1)}:x`;
        if (kind === 'rewind') return `w${i} ${i > 2 ? '<n0' : '<-'} u T:w${i}`;
        return `b${i} <- boundary`;
      })
      .join('\n'),
  );
const damage = fc.array(
  fc.record({
    how: fc.constantFrom('lose', 'splice', 'tear', 'loop', 'swap'),
    at: fc.nat(20),
    to: fc.nat(20),
  }),
  { maxLength: 4 },
);

test('any damage: healed once is healed, nothing is refused, what is well stays', () => {
  fc.assert(
    fc.property(drawing, damage, (drawn, hits) => {
      let lines = [...sketch(`n0 u T:start\n${drawn}`)];
      for (const { how, at, to } of hits)
        lines = hit(lines, how, at % lines.length, to % lines.length);
      if (lines.length > 0) holds(lines, lines.join('\n'));
    }),
    { numRuns: 2 * numRuns },
  );
});

test('any session that other laws are tried on', () => {
  fc.assert(
    fc.property(damagedSessions, (lines) => holds(lines, lines.join('\n'))),
    { numRuns },
  );
});

function hit(lines: readonly string[], how: string, at: number, to: number): string[] {
  const line = lines[at] ?? '';
  if (how === 'lose' && lines.length > 1) return lines.filter((_, i) => i !== at);
  if (how === 'splice' && at + 1 < lines.length)
    return [...lines.slice(0, at), `${line}${lines[at + 1]}`, ...lines.slice(at + 2)];
  if (how === 'tear') return lines.map((l, i) => (i === at ? l.slice(0, l.length / 2) : l));
  const id = /"uuid":"([^"]*)"/.exec(lines[to] ?? '')?.[1];
  if (how === 'loop' && id !== undefined)
    return lines.map((l, i) =>
      i === at ? l.replace(/"parentUuid":("[^"]*"|null)/, `"parentUuid":"${id}"`) : l,
    );
  if (how === 'swap')
    return lines.map((l, i) => (i === at ? (lines[to] ?? l) : i === to ? line : l));
  return [...lines];
}

const linesOf = (path: string) =>
  readFileSync(path, 'utf8')
    .replace(/^\ufeff/, '')
    .split('\n')
    .map((l) => l.replace(/\r$/, ''));

test('every recorded session', () => {
  for (const path of jsonlFiles(FIXTURES)) if (existsSync(path)) holds(linesOf(path), path);
});

test('an unread copy of a fixture is opened as before', () => {
  const [path] = jsonlFiles(FIXTURES);
  if (path === undefined) throw new Error('no fixtures');
  const lines = linesOf(path).filter((l) => l !== '');
  expect(sent(textsOf(healed(lines).lines))).toBe(sent(lines));
  expect(fromLines(lines).session.graph.size).toBeGreaterThan(0);
});

test.skipIf(!hasCorpus)(
  'malformed cases of the corpus',
  async () => {
    const cases = await healCases();
    expect(cases.filter((c) => c.why !== null)).toEqual([]);
    expect(cases.filter((c) => c.kind === 'wrong').length).toBe(32);
    expect(cases.reduce((n, c) => n + c.refusedBy.copy, 0)).toBe(0);
  },
  60_000,
);
