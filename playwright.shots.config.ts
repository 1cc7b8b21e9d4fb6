/** `npm run shots`: pictures of every pane, beside the drawings. No test asserts on them; people look. */
import base from './playwright.config.ts';

export default { ...base, testMatch: '*.shots.ts', timeout: 120_000 };
