/**
 * Times and memory on large files, against parsing the same lines and doing nothing with them.
 *
 *   npm run bench [-- --quick] [--page] [--diff] [--json] [FILE …]
 *
 *   --quick   only the 10 MB file, three rounds, no page
 *   --page    only the page, in a real Chromium
 *   --diff    only the comparison of two resumes
 *   --json    the figures as one JSON document, after the table
 *   FILE      session files of your own instead of the made ones
 */
import { statSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { diffTable, measureDiff } from './diff.ts';
import { type FilePlan, isWritten, pathOf, plans } from './files.ts';
import { measurePage } from './page.ts';
import { findChromium } from './pageApp.ts';
import { figuresOf, pageTable } from './pageReport.ts';
import { barsOf, barTable, type FileReport, policyBars, table, verdict } from './report.ts';
import { Build, CHILD, measureAll } from './rounds.ts';
import { check, measure, type TaskName, writeFile } from './tasks.ts';

const FULL: readonly TaskName[] = ['baseline', 'index', 'index1', 'open', 'views'];
const CHAIN: readonly TaskName[] = ['baseline', 'index', 'views', 'numbers'];
const POLICY: readonly TaskName[] = ['baseline', 'whatIf'];

interface Job {
  readonly name: string;
  readonly path: string;
  readonly tasks: readonly TaskName[];
}

const job = (p: FilePlan, tasks: readonly TaskName[]): Job => ({
  name: p.name,
  path: pathOf(p),
  tasks,
});

const say = (text: string): void => {
  process.stderr.write(`${text}\n`);
};

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: {
      quick: { type: 'boolean' },
      page: { type: 'boolean' },
      diff: { type: 'boolean' },
      json: { type: 'boolean' },
    },
    allowPositionals: true,
  });
  const quick = values.quick === true;
  const json = values.json === true;
  const busy = loadavg()[0] ?? 0;
  if (busy > 0.5 * cpus().length)
    say(`the machine is busy (load ${busy.toFixed(1)}): times will be too long`);
  if (values.diff === true) return compare(json);
  if (values.page !== true) await measureHost(positionals, quick, json);
  if (values.page !== true && positionals.length === 0) compare(json);
  if (!quick) await page(positionals, json);
}

function compare(json: boolean): void {
  const report = measureDiff();
  console.log(`\n${diffTable(report)}`);
  if (json) console.log(JSON.stringify({ diff: report }));
  if (report.wrong.length > 0) process.exitCode = 1;
}

async function measureHost(given: readonly string[], quick: boolean, json: boolean): Promise<void> {
  const rounds = quick ? 3 : 5;
  const build = new Build();
  try {
    const { small, large, policy, half, chain } = plans;
    const wanted = quick ? [small, policy] : [small, large, policy, half, chain];
    const jobs = given.length > 0 ? own(given) : await made(build, wanted);
    const idle = await measureAll(build, '', ['idle'], rounds);
    const files: FileReport[] = [];
    for (const { name, path, tasks } of jobs) {
      say(`${name} …`);
      // Also brings the file into memory: all tasks read it from there.
      const checked = await build.check(path);
      const costs = await measureAll(build, path, tasks, rounds);
      files.push({ name, bytes: statSync(path).size, checked, tasks: costs });
    }
    print(files, idle, rounds, json);
  } finally {
    build.remove();
  }
}

const own = (paths: readonly string[]): readonly Job[] =>
  paths.map((path) => ({ name: basename(path), path, tasks: FULL }));

/** The page with the largest file, or those of one's own. */
async function page(given: readonly string[], json: boolean): Promise<void> {
  const chromium = findChromium();
  if (chromium === null) {
    say('no Chromium here (CHROMIUM_PATH names one): the page is not measured');
    return;
  }
  const build = new Build();
  try {
    const jobs = given.length > 0 ? own(given) : await made(build, [plans.large]);
    const [policy] = await made(build, [plans.policy]);
    for (const { name, path } of jobs) {
      const report = await measurePage(chromium, path, policy?.path ?? path, say);
      console.log(`\n${pageTable(report, name)}`);
      if (json) console.log(JSON.stringify({ file: name, figures: figuresOf(report) }));
    }
  } finally {
    build.remove();
  }
}

async function made(build: Build, wanted: readonly FilePlan[]): Promise<readonly Job[]> {
  for (const p of wanted) {
    if (isWritten(p)) continue;
    say(`writing ${p.name} to ${pathOf(p)} …`);
    await build.write(p.name);
  }
  const tasksOf = (p: FilePlan) =>
    p === plans.policy ? POLICY : p.boundaryEvery === null ? CHAIN : FULL;
  return wanted.map((p) => job(p, tasksOf(p)));
}

type Costs = Awaited<ReturnType<typeof measureAll>>;

function print(
  files: readonly FileReport[],
  idleCosts: Costs,
  rounds: number,
  json: boolean,
): void {
  const idle = idleCosts.get('idle');
  if (idle === undefined) return;
  const named = (name: string) => files.find((f) => f.name === name);
  const bars = [
    ...barsOf(files, named(plans.chain.name), named(plans.half.name)),
    ...policyBars(named(plans.policy.name)),
  ];
  console.log(
    `Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), ` +
      `${availableParallelism()} indexing threads at most. Median of ${rounds} rounds, each in a ` +
      `process of its own (idle: ${(idle.peak.median / 1e6).toFixed(0)} MB). ` +
      'Times of a shared machine are noisy: compare ratios, and look at min–max.\n',
  );
  console.log(`${table(files, idle)}\n\n${barTable(bars)}`);
  const wrong = files.flatMap((f) => f.checked.wrong.map((w) => `${f.name}: ${w}`));
  for (const w of wrong) console.log(`WRONG ${w}`);
  if (wrong.length > 0) process.exitCode = 1;
  if (json)
    console.log(
      JSON.stringify({
        node: process.version,
        cores: cpus().length,
        rounds,
        idle,
        files: files.map((f) => ({ ...f, tasks: Object.fromEntries(f.tasks) })),
        bars: bars.map((b) => ({ ...b, verdict: verdict(b) })),
      }),
    );
}

async function child([what, ...args]: readonly string[]): Promise<unknown> {
  const [first = '', second = ''] = args;
  if (what === 'measure') return measure(first as TaskName, second);
  if (what === 'check') return check(first);
  writeFile(first);
  return null;
}

const isChild = process.argv[2] === CHILD;
try {
  if (isChild) console.log(JSON.stringify(await child(process.argv.slice(3))));
  else await main();
} catch (error) {
  // A child's words are passed on; what the parent says about them adds nothing.
  const told = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
  say(told !== '' ? told : error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.exitCode = 2;
}
