/** The pipeline: every stage in this folder, by order. Adding a stage is adding its file. */
import type { Stage } from './stage.ts';

const modules = import.meta.glob<Record<string, unknown>>('./*.ts', { eager: true });

export const stages: readonly Stage[] = Object.values(modules)
  .flatMap((m) => Object.values(m))
  .filter(isStage)
  .sort((a, b) => a.order - b.order);

function isStage(value: unknown): value is Stage {
  return (
    typeof value === 'object' &&
    value !== null &&
    'order' in value &&
    'apply' in value &&
    'examples' in value
  );
}
