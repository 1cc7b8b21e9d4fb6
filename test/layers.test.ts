import { expect, test } from 'vitest';
import { edgesOf, forbidden, importsOf } from './layerRules.ts';

test('arrows only point down', () => {
  expect(forbidden(edgesOf('.'))).toEqual([]);
});

test('the rules bite', () => {
  const up = [
    'shared/lib/hash.ts -> shared/types.ts',
    'shared/types.ts -> shared/engine/index.ts',
    'shared/engine/replay.ts -> shared/host.ts',
    'shared/engine/replay.ts -> node:fs',
    'shared/print.ts -> shared/engine/index.ts',
    'electron/node/host.ts -> electron',
    'electron/node/host.ts -> electron/window.ts',
    'electron/main.ts -> renderer/App.tsx',
    'renderer/App.tsx -> shared/engine/index.ts',
    'renderer/App.tsx -> fs',
    'renderer/App.tsx -> scripts/fresh.mjs',
    'renderer/charts/rowsLayout.ts -> react',
    'renderer/charts/rowsDraw.ts -> renderer/store.ts',
    'shared/nowhere.ts -> shared/types.ts',
  ];
  const down = [
    'shared/engine/replay.ts -> shared/lib/hash.ts',
    'shared/engine/index.ts -> shared/engine/stages/*.ts',
    'shared/host.ts -> shared/types.ts',
    'electron/node/host.ts -> shared/engine/index.ts',
    'electron/node/host.ts -> node:fs',
    'electron/main.ts -> electron/node/host.ts',
    'renderer/App.tsx -> renderer/charts/rowsLayout.ts',
    'renderer/charts/rowsDraw.ts -> d3-scale',
  ];
  const edges = [...up, ...down].map((edge) => {
    const [from = '', to = ''] = edge.split(' -> ');
    return { from, to };
  });
  expect(forbidden(edges)).toEqual(up);
});

test('every form of import is found', () => {
  const text = `
    import a from 'a';
    import 'b';
    import type { C } from 'c';
    export { d } from 'd';
    export * from 'e';
    export type { F } from 'f';
    // import x from 'comment'
    const text = "import x from 'text'";
    type G = import('g').G;
    type H = typeof import('h');
    const i = () => import('i');
    const j = import.meta.glob('j/*.ts', { eager: true });
    const k = import.meta.glob(['k/*.ts', '!k/no.ts']);
    const l = { source: 'no' };
  `;
  expect(importsOf(text)).toEqual([...'abcdefghi', 'j/*.ts', 'k/*.ts', '!k/no.ts']);
});
