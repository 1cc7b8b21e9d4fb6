import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildGraph } from '../../shared/engine/graph.ts';
import { type Level, type Row, rowsOf } from '../../shared/engine/rows.ts';
import { sketch } from '../../shared/engine/sketch.ts';
import { indexed } from './indexed.ts';

/** A row per line: lanes (● stops, │ passes), id, lane of the fork, records hidden above it, `.` where a line ends. */
function draw(drawing: string, level: Level): readonly string[] {
  const table = indexed(...sketch(drawing));
  const id = (node: number) => table.strings[table.records.id[node] as number];
  return rowsOf(buildGraph(table), level).map((row) => {
    const lanes = Math.max(row.lane, ...row.passing) + 1;
    const cells = Array.from({ length: lanes }, (_, lane) =>
      lane === row.lane ? '●' : row.passing.includes(lane) ? '│' : ' ',
    );
    return [
      cells.join(' '),
      id(row.node),
      ...(row.forkFrom === null ? [] : [`from ${row.forkFrom}`]),
      ...(row.hidden === 0 ? [] : [`+${row.hidden}`]),
      ...(row.ends ? ['.'] : []),
    ].join(' ');
  });
}

describe('lanes', () => {
  test('a line', () => {
    expect(draw('u1 u T:x\na1 a T:y\nu2 u T:z', 'records')).toEqual(['● u1', '● a1', '● u2 .']);
  });

  test('a fork: the child written last goes straight on', () => {
    const drawing = `
      u1 u T:x
      a1 <u1 a T:first
      a2 <u1 a T:second
      u2 <a2 u T:on
    `;
    expect(draw(drawing, 'records')).toEqual(['● u1', '│ ● a1 from 0 .', '● a2', '● u2 .']);
  });

  test('a branch that goes on beside the straight line', () => {
    const drawing = `
      u1 u T:x
      a1 <u1 a T:first
      u2 <a1 u T:on
      a2 <u1 a T:second
    `;
    expect(draw(drawing, 'records')).toEqual(['● u1', '│ ● a1 from 0', '│ ● u2 .', '● a2 .']);
  });

  test('two forks; a lane that ended is used again', () => {
    const drawing = `
      u1 u T:x
      a1 <u1 a T:1
      a2 <u1 a T:2
      u2 <a2 u T:y
      a3 <u2 a T:3
      a4 <u2 a T:4
    `;
    expect(draw(drawing, 'records')).toEqual([
      '● u1',
      '│ ● a1 from 0 .',
      '● a2',
      '● u2',
      '│ ● a3 from 0 .',
      '● a4 .',
    ]);
  });

  test('three children, two of them open at once', () => {
    const drawing = `
      u1 u T:x
      a1 <u1 a T:1
      a2 <u1 a T:2
      a3 <u1 a T:3
      u2 <a1 u T:a
      u3 <a2 u T:b
    `;
    expect(draw(drawing, 'records')).toEqual([
      '● u1',
      '│ ● a1 from 0',
      '│ │ ● a2 from 0',
      '● │ │ a3 .',
      '  ● │ u2 .',
      '    ● u3 .',
    ]);
  });

  test('several roots', () => {
    expect(draw('u1 u T:x\na1 a T:y\nu2 <- u T:z\na2 a T:w', 'records')).toEqual([
      '● u1',
      '● a1 .',
      '● u2',
      '● a2 .',
    ]);
  });

  test('a parent that is not in the file makes a root', () => {
    expect(draw('u1 <gone u T:x\na1 a T:y', 'records')).toEqual(['● u1', '● a1 .']);
  });
});

describe('levels', () => {
  /** Two calls at once: each result hangs on its own record, the conversation goes on below the last one. */
  const session = (first: string, last: string) => `
    u1 u T:x
    a1 a:m1 U:t1:Read
    a2 a:m1 U:t2:Read
    ${first}
    ${last}
    x1 @date T:monday
    a3 a:m2 T:done
    u2 u T:next
    a4 a:m3 T:bye
  `;
  const [r1, r2] = ['r1 <a1 u R:t1:a', 'r2 <a2 u R:t2:b'];

  test('results and attachments beside an answer are no branch at shape', () => {
    expect(draw(session(r1, r2), 'shape')).toEqual(['● u1', '● a4 +6 .']);
  });

  test('neither is the rest of an answer whose first call ends last', () => {
    expect(draw(session(r2, r1), 'shape')).toEqual(['● u1', '● a4 +5 .']);
  });

  test('turns: prompts and the first record of every answer', () => {
    const turns = (a1ToA3: string) => ['● u1', '● a1', `● a3 ${a1ToA3}`, '● u2', '● a4 .'];
    expect(draw(session(r1, r2), 'turns')).toEqual(turns('+3'));
    expect(draw(session(r2, r1), 'turns')).toEqual(turns('+2'));
  });

  test('records: everything, with a lane for what stands beside', () => {
    const rows = draw(session(r2, r1), 'records');
    expect(rows.length).toBe(9);
    expect(rows.filter((r) => r.includes('from'))).toEqual(['│ ● a2 from 0']);
  });

  test('a fork shows at shape, with both ends', () => {
    const drawing = `
      u1 u T:x
      a1 a:m1 T:y
      u2 <a1 u T:one
      a2 a:m2 T:end
      u3 <a1 u T:two
      a3 a:m3 T:end
    `;
    expect(draw(drawing, 'shape')).toEqual(['● u1', '● a1', '│ ● a2 from 0 +1 .', '● a3 +1 .']);
  });

  test('a boundary shows at shape', () => {
    const drawing = `
      u1 u T:x
      a1 a T:y
      b1 <- ^a1 boundary
      s1 u! T:summary
      u2 u T:z
    `;
    expect(draw(drawing, 'shape')).toEqual(['● u1', '● a1 .', '● b1', '● u2 +1 .']);
  });
});

describe('for any tree', () => {
  /** Parent of each record: an earlier one, none, or (rarely) any, so that lines may be out of order. */
  const tree = fc.array(
    fc.tuple(fc.nat(1000), fc.constantFrom('u T:x', 'a T:y', 'u R:t:z', '@date T:d')),
    { minLength: 1, maxLength: 30 },
  );
  const levels: readonly Level[] = ['shape', 'turns', 'records'];
  const drawingOf = (parts: readonly (readonly [number, string])[]) =>
    parts
      .map(([pick, what], i) => {
        const parent = i === 0 || pick % 10 === 0 ? '' : `n${pick % i}`;
        return `n${i} <${parent === '' ? '-' : parent} ${what}`;
      })
      .join('\n');

  test('parents stand above children, lanes never collide, hidden records add up', () => {
    fc.assert(
      fc.property(tree, fc.constantFrom(...levels), (parts, level) => {
        const graph = buildGraph(indexed(...sketch(drawingOf(parts))));
        const rows = rowsOf(graph, level);
        const at = new Map(rows.map((r, i) => [r.node, i]));
        rows.forEach((row, i) => {
          expect(at.get(row.parent ?? row.node)).toBeLessThanOrEqual(
            row.parent === null ? i : i - 1,
          );
          expect(row.passing).not.toContain(row.lane);
          expect(passes(rows, i)).toEqual([...row.passing]);
        });
        expect(new Set(rows.map((r) => r.node)).size).toBe(rows.length);
        if (level === 'records') expect(rows.length).toBe(parts.length);
      }),
      { numRuns: 300 },
    );
  });

  /** Lanes that pass row i, the slow way: a row above it with a shown child below it keeps its lane. */
  function passes(rows: readonly Row[], i: number): readonly number[] {
    const row = rows[i] as Row;
    const above = rows.slice(0, i);
    const below = rows.slice(i + 1);
    return above
      .filter((r) => below.some((b) => b.parent === r.node))
      .map((r) => r.lane)
      .filter((lane) => lane !== row.lane)
      .sort((a, b) => a - b);
  }
});

test('a cycle hangs nothing', () => {
  const drawing = 'u1 <a1 u T:x\na1 <u1 a T:y\nu2 <- u T:z';
  for (const level of ['shape', 'turns', 'records'] as const)
    expect(draw(drawing, level).length).toBeGreaterThan(0);
});
