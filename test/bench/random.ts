/** Random numbers that are the same in every run and on every machine: a figure is only comparable on the same file. */

export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** 32 bits (mulberry32). */
  bits(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let t = this.state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (t ^ (t >>> 14)) >>> 0;
  }

  /** In [0, 1). */
  unit(): number {
    return this.bits() / 0x1_0000_0000;
  }

  /** Whole number in [from, to]. */
  int(from: number, to: number): number {
    return from + Math.floor(this.unit() * (to - from + 1));
  }

  chance(probability: number): boolean {
    return this.unit() < probability;
  }

  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.unit() * list.length)] as T;
  }

  /** One of the entries, each as likely as its weight. */
  weighted<T>(entries: readonly (readonly [T, number])[]): T {
    let left = this.unit() * entries.reduce((n, [, w]) => n + w, 0);
    for (const [value, weight] of entries) {
      left -= weight;
      if (left < 0) return value;
    }
    return (entries.at(-1) as readonly [T, number])[0];
  }

  /** Lengths of texts in session files are log-normal: half below the median, few but heavy long ones. */
  length(median: number, spread: number, most: number): number {
    const normal = Math.sqrt(-2 * Math.log(1 - this.unit())) * Math.cos(2 * Math.PI * this.unit());
    return Math.min(most, Math.max(1, Math.round(median * Math.exp(spread * normal))));
  }

  shuffled<T>(list: readonly T[]): T[] {
    const out = [...list];
    for (let i = out.length - 1; i > 0; i--) {
      const j = this.int(0, i);
      [out[i], out[j]] = [out[j] as T, out[i] as T];
    }
    return out;
  }

  hex(digits: number): string {
    let out = '';
    while (out.length < digits) out += this.bits().toString(16).padStart(8, '0');
    return out.slice(0, digits);
  }

  uuid(): string {
    const h = this.hex(32);
    return `${h.slice(0, 8)}-${h.slice(8, 12)}-4${h.slice(13, 16)}-8${h.slice(17, 20)}-${h.slice(20)}`;
  }

  base64(length: number): string {
    return Buffer.from(this.hex(Math.ceil(length * 1.5)), 'hex')
      .toString('base64')
      .slice(0, length);
  }
}
