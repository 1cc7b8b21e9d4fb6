/** The page in a real browser: opens a file, scrolls its graph, steps through calls and stages. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from '@playwright/test';
import { AppCopy, type Chromium, FLAGS } from './pageApp.ts';
import {
  awaitStep,
  countQuestions,
  type Opened,
  openPlace,
  type Stepped,
  wantFrames,
  watch,
} from './pageProbe.ts';
import { CATEGORIES, readTrace, type Trace } from './pageTrace.ts';

export interface Steps {
  readonly steps: readonly Stepped[];
  readonly trace: Trace;
}

/** What if, on a session of 2,000 calls. */
export interface Changes {
  /** A limit lowered step by step with a key. */
  readonly limit: readonly Stepped[];
  /** Two numbers typed that no step leads to: nothing is run ahead. */
  readonly typed: readonly Stepped[];
  /** A stage off. */
  readonly off: readonly Stepped[];
  /** Selected records snipped. */
  readonly snip: readonly Stepped[];
}

/** Everything one fresh app and browser showed. */
export interface PageRun {
  readonly opened: Opened;
  readonly opening: Trace;
  readonly rows: number;
  /** The whole list in a few seconds: every frame is new rows. */
  readonly fast: Trace;
  /** A notch of a wheel a frame. */
  readonly slow: Trace;
  readonly calls: Steps;
  readonly stages: Steps;
  readonly changes: Changes;
  /** Tasks over 50 ms in all of it, as the page itself was told. */
  readonly long: readonly number[];
}

export interface PageReport {
  readonly browser: string;
  readonly runs: readonly PageRun[];
}

const ROUNDS = 3;

export async function measurePage(
  chromium: Chromium,
  file: string,
  policyFile: string,
  say: (text: string) => void,
): Promise<PageReport> {
  const app = new AppCopy();
  const runs: PageRun[] = [];
  let version = '';
  try {
    for (let round = 1; round <= ROUNDS; round++) {
      say(`page, run ${round} of ${ROUNDS} …`);
      const browser = await chromium.type.launch({ executablePath: chromium.path, args: FLAGS });
      version = browser.version();
      try {
        runs.push(await app.serve((url) => look(browser, url, file, policyFile)));
      } finally {
        await browser.close();
      }
    }
  } finally {
    app.remove();
  }
  return { browser: version, runs };
}

async function look(
  browser: Browser,
  url: string,
  file: string,
  policyFile: string,
): Promise<PageRun> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.addInitScript(watch);
  await page.addInitScript(countQuestions);
  await page.goto(url);
  await page.getByRole('heading', { name: 'Sessions' }).waitFor();
  await page.waitForFunction(() => window.probe.asked === 0);
  const traced = tracer(browser, page);

  const place = new URLSearchParams({ file });
  const [opened, opening] = await traced(() =>
    Promise.race([page.evaluate(openPlace, place.toString()), tooLong()]),
  );
  const total = Number(
    await page.getByRole('slider', { name: 'Calls' }).getAttribute('aria-valuemax'),
  );
  await settled(page);
  await go(page, `${place}&call=${Math.ceil(total / 2)}`);
  const [callSteps, callTrace] = await traced(() => stepBy(page, 'ArrowDown', CALLS));
  const [stageSteps, stageTrace] = await traced(() => stepBy(page, 'ArrowLeft', STAGES));
  await go(page, `${place}&level=records`);
  const list = page.getByRole('listbox', { name: 'Records' });
  const height = await list.evaluate((e) => e.scrollHeight);
  await list.hover();
  const scroll = async (by: number) => {
    await list.evaluate((e) => e.scrollTo(0, 0));
    await settled(page);
    const [, trace] = await traced(() => wheel(page, by));
    return trace;
  };
  const slow = await scroll(NOTCH);
  const fast = await scroll(Math.ceil(height / WHEELS));
  const changes = await change(page, policyFile);
  return {
    opened,
    opening,
    rows: Math.round(height / ROW),
    fast,
    slow,
    calls: { steps: callSteps, trace: callTrace },
    stages: { steps: stageSteps, trace: stageTrace },
    changes,
    long: await page.evaluate(() => window.probe.long),
  };
}

/** As a person would: with a look at what came of it before the next. */
async function change(page: Page, file: string): Promise<Changes> {
  const whatIf = JSON.stringify({ policy: 'designed' });
  const place = { file, stop: 'externalize', level: 'records', whatIf };
  const begin = () => go(page, new URLSearchParams(place).toString());
  await begin();
  await page.getByRole('spinbutton', { name: 'externalize.bash' }).focus();
  await settled(page);
  const limit = await stepBy(page, 'ArrowDown', CHANGES);
  const typed: Stepped[] = [];
  for (const key of ['Backspace', '5']) {
    await settled(page);
    typed.push(...(await stepBy(page, key, 1)));
  }
  await begin();
  await page.getByRole('tab', { name: /^Externalize/ }).focus();
  await settled(page);
  const off = await stepBy(page, 'o', 1);
  await begin();
  await page.getByRole('listbox', { name: 'Records' }).getByRole('option').nth(5).click();
  for (let i = 0; i < SNIPPED; i++) await page.keyboard.press('Shift+J');
  await settled(page);
  return { limit, typed, off, snip: await stepBy(page, 'Delete', 1) };
}

const SNIPPED = 4;
const CHANGES = 12;

/** A file without a call never shows all that is waited for. */
async function tooLong(): Promise<never> {
  await sleep(MOST_OPENING, undefined, { ref: false });
  throw new Error('the page did not show a call and its messages in time');
}

const MOST_OPENING = 60_000;
const CALLS = 40;
const STAGES = 10;
const WHEELS = 300;
/** Pixels of a wheel's notch. */
const NOTCH = 120;
const ROW = 22;
/** Somewhat more often than the screen is drawn: every frame has something to do. */
const WHEEL_EVERY = 15;

type Traced = <T>(act: () => Promise<T>) => Promise<readonly [T, Trace]>;

function tracer(browser: Browser, page: Page): Traced {
  return async (act) => {
    await browser.startTracing(page, { categories: CATEGORIES });
    await page.evaluate(() => performance.mark('begin'));
    const done = await act();
    return [done, readTrace(await browser.stopTracing())];
  };
}

async function stepBy(page: Page, key: string, times: number): Promise<readonly Stepped[]> {
  const steps: Stepped[] = [];
  for (let i = 0; i < times; i++) {
    await page.evaluate(awaitStep);
    await page.keyboard.press(key);
    const step = await page.evaluate(() => window.probe.step);
    if (step !== null) steps.push(step);
  }
  return steps;
}

/** Wheels come at their own pace, as from a hand: not one by one when the page is done with the last. */
async function wheel(page: Page, by: number): Promise<void> {
  const sent: Promise<void>[] = [];
  await page.evaluate(wantFrames, true);
  for (let i = 0; i < WHEELS; i++) {
    sent.push(page.mouse.wheel(0, by));
    await sleep(WHEEL_EVERY);
  }
  await Promise.all(sent);
  await page.evaluate(wantFrames, false);
}

async function go(page: Page, hash: string): Promise<void> {
  await page.evaluate((h) => {
    window.location.hash = h;
  }, hash);
  await settled(page);
}

async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => window.probe.asked === 0);
  await sleep(300);
  await page.waitForFunction(() => window.probe.asked === 0);
}
