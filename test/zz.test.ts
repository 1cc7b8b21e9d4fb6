import { test } from 'vitest';
import { resumeSection } from '/work/resume/test/conformance/resumeCases.ts';
test('x', async () => { const s = await resumeSection('/work/shared/corpus/resume'); console.log(s.lines.join('\n')); });
