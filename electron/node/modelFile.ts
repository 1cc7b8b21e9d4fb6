/**
 * A person's own models and prices, before ours: `models.json` beside the store, or the file PALIMPSEST_MODELS names.
 *
 *   [{ "names": "my-gateway/opus", "label": "Opus by gateway", "window": 200000,
 *      "prices": [{ "input": 5, "write5m": 6.25, "write1h": 10, "read": 0.5, "output": 25, "from": "2026-01-01" }] }]
 *
 * `names` is a regular expression. A file that cannot be used is said in words; our table stands.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isObject, type Json, list, number, text } from '../../shared/engine/formats/json.ts';
import {
  MODELS,
  type ModelRow,
  type ModelTable,
  type PriceRow,
} from '../../shared/engine/models.ts';
import { storePath } from './store.ts';

export interface Models {
  readonly table: ModelTable;
  /** Why the person's file was not used; null when it was, or there is none. */
  readonly note: string | null;
}

export const modelsPath = (env: NodeJS.ProcessEnv = process.env): string =>
  env['PALIMPSEST_MODELS'] || join(dirname(storePath()), 'models.json');

export function readModels(path: string = modelsPath()): Models {
  let words: string;
  try {
    words = readFileSync(path, 'utf8');
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    return { table: MODELS, note: missing ? null : `${path} cannot be read: ${String(error)}` };
  }
  try {
    const rows = list(JSON.parse(words)).map(rowOf);
    return { table: [...rows, ...MODELS], note: null };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { table: MODELS, note: `${path} is not used: ${why}` };
  }
}

function rowOf(row: unknown, i: number): ModelRow {
  if (!isObject(row) || text(row.names) === '')
    throw new Error(`model ${i + 1} has no "names", a regular expression`);
  const window = number(row.window);
  if (window === null) throw new Error(`model ${i + 1} has no "window", in tokens`);
  new RegExp(text(row.names)); // throws where it is none
  return {
    names: text(row.names),
    label: text(row.label) || text(row.names),
    family: row.family === 'v3' ? 'v3' : 'v4.7',
    window,
    maxOutput: number(row.maxOutput),
    keepsThinking: row.keepsThinking !== false,
    prices: list(row.prices).map((p) => priceOf(p, i)),
    source: 'a person’s models.json',
  };
}

function priceOf(price: unknown, i: number): PriceRow {
  const needed = (row: Json, name: string): number => {
    const value = number(row[name]);
    if (value === null)
      throw new Error(`a price of model ${i + 1} has no "${name}", in dollars per million tokens`);
    return value;
  };
  if (!isObject(price)) throw new Error(`a price of model ${i + 1} is no object`);
  const day = (name: 'from' | 'until') =>
    text(price[name]) === '' ? {} : { [name]: text(price[name]) };
  const above = number(price.above);
  return {
    ...day('from'),
    ...day('until'),
    ...(above === null ? {} : { above }),
    prices: {
      input: needed(price, 'input'),
      write5m: needed(price, 'write5m'),
      write1h: number(price.write1h),
      read: needed(price, 'read'),
      output: needed(price, 'output'),
    },
  };
}
