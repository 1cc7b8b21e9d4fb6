import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, posix } from 'node:path';
import { parseSync } from 'vite';

/** `from` is a file of the repository; `to` is another one, or a package name. */
export interface Edge {
  from: string;
  to: string;
}

interface Layer {
  name: string;
  files: RegExp;
  /** Layers below it; a layer may always import itself. */
  below: string[];
  packages: (name: string) => boolean;
}

const only = (pattern: RegExp) => (name: string) => pattern.test(name);
const shared = ['shared/types', 'shared/lib', 'shared/engine', 'shared/contract'];

// From the bottom up; the first layer whose pattern fits owns the file.
const layers: Layer[] = [
  {
    name: 'shared/lib',
    files: /^shared\/lib\//,
    below: [],
    packages: only(/^@noble\/hashes/),
  },
  {
    name: 'shared/types',
    files: /^shared\/(types|[^/]+\.d)\.ts$/,
    below: ['shared/lib'],
    packages: () => false,
  },
  {
    name: 'shared/engine',
    files: /^shared\/engine\//,
    below: ['shared/types', 'shared/lib'],
    packages: () => false,
  },
  {
    name: 'shared/contract',
    files: /^shared\/(host|answers|\w+Answers|library|bridge|rpc|print\w*)\.ts$/,
    below: ['shared/types', 'shared/lib'],
    packages: () => false,
  },
  {
    name: 'electron/node',
    files: /^electron\/node\//,
    below: shared,
    packages: (name) => isBuiltin(name) || /^(better-sqlite3$|@noble\/hashes)/.test(name),
  },
  {
    name: 'electron',
    files: /^electron\/[^/]+$/,
    below: ['electron/node', ...shared],
    packages: (name) => isBuiltin(name) || name === 'electron',
  },
  {
    name: 'renderer/charts',
    files: /^renderer\/charts\/[^/]+(Layout|Draw)\.ts$/,
    below: ['shared/types', 'shared/lib'],
    packages: only(/^d3-/),
  },
  {
    name: 'renderer',
    files: /^renderer\//,
    below: ['renderer/charts', 'shared/contract', 'shared/types', 'shared/lib'],
    packages: only(
      /^(react(-dom|-resizable-panels)?|@ariakit|zustand|@tanstack|@?codemirror|diff|d3(-[a-z]+)?)(\/|$)/,
    ),
  },
];

const layerOf = (file: string) => layers.find((layer) => layer.files.test(file));

function allowed({ from, to }: Edge): boolean {
  const source = layerOf(from);
  if (!source) return false;
  const target = layerOf(to);
  if (!target) return source.packages(to);
  return target === source || source.below.includes(target.name);
}

/** The edges that point up, each as `from -> to`. A file in no layer may not import at all. */
export function forbidden(edges: readonly Edge[]): string[] {
  return edges.filter((edge) => !allowed(edge)).map(({ from, to }) => `${from} -> ${to}`);
}

/** Every import of a source text: static, dynamic, `export … from`, in types, and globs. */
export function importsOf(text: string, file = 'source.tsx'): string[] {
  const found: string[] = [];
  const add = (node: unknown) => {
    const value = (node as { value?: unknown } | null | undefined)?.value;
    if (typeof value === 'string') found.push(value);
  };
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { type, source, callee, arguments: args } = node as Record<string, unknown>;
    // `source` is the field of all four import forms, and of nothing else in the syntax tree.
    if (typeof type === 'string') add(source);
    if (type === 'CallExpression' && isGlob(callee)) flat(args).forEach(add);
    Object.values(node).forEach(walk);
  };
  const { program, errors } = parseSync(file, text);
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`);
  walk(program);
  return found;
}

// `import.meta.glob(one)` or `import.meta.glob([several])`
function isGlob(callee: unknown): boolean {
  const { object, property } = callee as {
    object?: { type: string };
    property?: { name?: string };
  };
  return object?.type === 'MetaProperty' && property?.name === 'glob';
}

function flat(args: unknown): unknown[] {
  const first = (args as { elements?: unknown[] }[])[0];
  return first?.elements ?? [first];
}

/** All imports under the three source folders, relative ones resolved to paths of the repository. */
export function edgesOf(root: string): Edge[] {
  return ['shared', 'electron', 'renderer'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => posix.join(folder, name.replaceAll('\\', '/')))
      .filter((file) => /\.tsx?$/.test(file))
      .flatMap((from) =>
        importsOf(readFileSync(join(root, from), 'utf8'), from).map((to) => ({
          from,
          to: to.startsWith('.') ? posix.join(posix.dirname(from), to) : to,
        })),
      ),
  );
}
