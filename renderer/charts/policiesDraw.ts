/** Paints the sizes of calls under several policies. Lines differ in dashes as well as in ink. */
import { chartFont, type Draw, type Palette, strokeLines, trace, writeLabels } from './inkDraw.ts';
import type { PoliciesLayout } from './policiesLayout.ts';

/** By place in the table: ink and dashes, again from the start when there are more. */
const LOOKS: readonly { readonly ink: keyof Palette; readonly dash: readonly number[] }[] = [
  { ink: 'ink', dash: [] },
  { ink: 'accent', dash: [6, 3] },
  { ink: 'rewrittenInk', dash: [2, 2] },
  { ink: 'addedInk', dash: [8, 3, 2, 3] },
  { ink: 'collapsed', dash: [4, 4] },
  { ink: 'ink3', dash: [1, 3] },
];

export const drawPolicies: Draw<PoliciesLayout> = (s, layout, palette) => {
  s.font = chartFont(palette);
  strokeLines(s, layout.gridLines, palette.line);
  layout.paths.forEach((path, i) => {
    const look = LOOKS[i % LOOKS.length];
    if (look === undefined) return;
    s.strokeStyle = palette[look.ink];
    s.lineWidth = i === 0 ? 2 : 1.5;
    s.setLineDash([...look.dash]);
    trace(s, path);
    s.stroke();
  });
  s.setLineDash([]);
  strokeLines(s, [layout.axis], palette.lineStrong);
  strokeLines(s, layout.cursor, palette.cursor, 2);
  writeLabels(s, layout.labels, palette.ink3);
};
