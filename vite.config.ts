import { cpSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type EnvironmentOptions } from 'vite';

type Inputs = Record<string, string>;

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const native = ['electron', 'better-sqlite3'];

/** One bundle for Node. The keys of `inputs` are the names of the built files. */
function node(outDir: string, inputs: Inputs, format: 'es' | 'cjs' = 'es'): EnvironmentOptions {
  return {
    consumer: 'server',
    resolve: { noExternal: true, external: native },
    build: {
      // All environments build at once and empty their folder first, so each needs its own.
      outDir: here(`dist/${outDir}`),
      emptyOutDir: true,
      copyPublicDir: false,
      target: 'node22',
      minify: false,
      sourcemap: true,
      rolldownOptions: {
        input: inputs,
        external: [/^node:/, ...builtinModules, ...native],
        output: {
          format,
          // Engines fold a constant into the code that uses it, but not a `var`, which Vite would make of it.
          topLevelVar: false,
          entryFileNames: format === 'cjs' ? '[name].cjs' : '[name].js',
          // Flat: `new URL('./indexWorker.js', import.meta.url)` must hold in a chunk too.
          chunkFileNames: '[name]-[hash].js',
          ...(format === 'cjs' ? { codeSplitting: false } : {}),
        },
      },
    },
  };
}

/** Sources that are not there are left out, so that a partial checkout still builds. */
function present(inputs: Inputs): Inputs {
  return Object.fromEntries(
    Object.entries(inputs)
      .map(([name, file]) => [name, here(file)] as const)
      .filter(([, file]) => existsSync(file)),
  );
}

// A worker thread is found beside the file that starts it, hence `indexWorker` in all that have a host.
const bundles: Record<string, EnvironmentOptions> = {};
function bundle(name: string, inputs: Inputs, format: 'es' | 'cjs' = 'es') {
  const found = present(inputs);
  if (Object.keys(found).length > 0) bundles[name] = node(name, found, format);
}
const indexWorker = 'electron/node/indexWorker.ts';
/** Started as a process beside the host. */
const clientRunner = 'electron/node/clientRunner.ts';
bundle('main', { main: 'electron/main.ts' });
bundle('preload', { preload: 'electron/preload.ts' }, 'cjs');
bundle('host', { hostProcess: 'electron/hostProcess.ts', indexWorker, clientRunner });
bundle('app', { start: 'electron/node/start.ts', indexWorker, clientRunner });
bundle('cli', { bin: 'electron/node/bin.ts', indexWorker, clientRunner });
bundle('dev', {
  bench: 'test/bench/bench.ts',
  conformance: 'test/conformance/main.ts',
  accuracy: 'test/accuracy/main.ts',
  indexWorker,
  clientRunner,
});

/** The recorded fixtures are the app's samples: `dist/samples/<case>/<project>/…`. */
function copySamples() {
  const from = here('test/fixtures/claude/2.1.332');
  rmSync(here('dist/samples'), { recursive: true, force: true });
  for (const name of existsSync(from) ? readdirSync(from) : [])
    cpSync(`${from}/${name}/projects`, here(`dist/samples/${name}`), {
      recursive: true,
      preserveTimestamps: true,
    });
}

export default defineConfig({
  root: here('renderer'),
  // The page is also opened without a server root, so its links are relative.
  base: './',
  plugins: [react()],
  build: {
    outDir: here('dist/page'),
    emptyOutDir: true,
    chunkSizeWarningLimit: 1000,
    rolldownOptions: { output: { topLevelVar: false } },
  },
  environments: bundles,
  builder: {
    async buildApp(builder) {
      await Promise.all(Object.values(builder.environments).map((env) => builder.build(env)));
      copySamples();
    },
  },
});
